/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_ROLE_H
#define KFT_FILE_CTF_ROLE_H

#include "file/ctf/type.h"

/*
 * Integers that a reader has to know: in CTF 1.8 those of certain names in certain scopes, in
 * CTF 2 those that say so.
 */

/* Whether an integer has a role in a scope: then *ret is it. */
bool kft_ctf_role_find(const struct kft_ctf_meta *m, enum kft_ctf_scope scope,
		       const char *name, const struct kft_ctf_type *t,
		       enum kft_ctf_role *ret);

/* Bits of struct kft_ctf_type's roles for a name of CTF 2; 0: kft needs none of that name. */
uint32_t kft_ctf_role_bits(const char *name);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/ctf/type.h"

/*
 * Integers that a reader has to interpret: in CTF 1.8 identified by name and scope, in
 * CTF 2 by an explicit role.
 */

/* Whether an integer has a role in a scope; sets *ret then. */
bool kft_ctf_role_find(const struct kft_ctf_meta *m, enum kft_ctf_scope scope,
		       const char *name, const struct kft_ctf_type *t,
		       enum kft_ctf_role *ret);

/*
 * Bits of struct kft_ctf_type's roles for a role name of CTF 2; 0:
 * kft does not need the role.
 */
uint32_t kft_ctf_role_bits(const char *name);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "file/ctf/type.h"

/* Bytes of one JSON text; that of an event with 4,096 fields has half of that. */
#define KFT_CTF_FRAGMENT_MAX (4u << 20)

/*
 * Parses the metadata of CTF 2, see kft_ctf_parse(). Also -ENOTSUP for unsupported
 * features, and always when kft was built without json-c.
 */
int kft_ctf_parse2(const char *text, size_t len, struct kft_ctf_meta *ret,
		   struct kft_err *e) __must_check;

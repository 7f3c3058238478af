/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "file/ctf/type.h"

/*
 * Parses the text of a CTF 1.8 metadata (TSDL, appendix C) into *ret, which is zeroed
 * before and finished by the caller in any case. Strings are copied: text may be freed.
 * -EINVAL with line and column for a syntax error or a limit of type.h, -ENOMEM.
 */
int kft_ctf_parse(const char *text, size_t len, struct kft_ctf_meta *ret,
		  struct kft_err *e) __must_check;

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "decode/printfmt/eval.h"

/*
 * Prints %pI4, %pi4, %pI6, %pI6c, %pi6, %pIS with their letters (lib/vsprintf.c of the
 * kernel). suffix is the text after the p: "I4h", "ISpc". big_endian: byte order of the
 * traced kernel, for %pI4h. Too few bytes, or an unknown address family, give "(einval)".
 */
void kft_inet_add(const char *suffix, struct kft_bytes b, bool big_endian,
		  struct kft_strbuf *sb);

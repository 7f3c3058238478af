/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/*
 * Appends a quoted field of comma separated values (RFC 4180); it may contain any bytes.
 */
void kft_csv_add_quoted(struct kft_strbuf *sb, const char *s, size_t len);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "view/item.h"

/*
 * Encodes the items of one track as columns of small numbers (docs/formats/page.md). texts
 * holds the items' texts, which exist only at level 0.
 */
void kft_view_columns(const struct kft_view_item *items, size_t n, unsigned int level,
		      const struct kft_strbuf *texts, struct kft_strbuf *ret);

/*
 * Appends a number with seven bits per byte, the lowest first; the last byte
 * has its highest bit clear.
 */
void kft_view_varint(struct kft_strbuf *sb, uint64_t v);

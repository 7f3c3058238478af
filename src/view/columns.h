/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_COLUMNS_H
#define KFT_VIEW_COLUMNS_H

#include "base/strbuf.h"
#include "view/item.h"

/*
 * Items of one lane as columns of small numbers (docs/formats/page.md). texts is what the
 * items' texts are in; above level 0 there are none.
 */
void kft_view_columns(const struct kft_view_item *items, size_t n, unsigned int level,
		      const struct kft_strbuf *texts, struct kft_strbuf *ret);

/* Seven bits a byte, the lowest first; the last byte has the highest bit clear. */
void kft_view_varint(struct kft_strbuf *sb, uint64_t v);

#endif

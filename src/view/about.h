/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_ABOUT_H
#define KFT_VIEW_ABOUT_H

#include "base/strbuf.h"
#include "view/pack.h"

/*
 * What a page knows of its trace before any chunk is unpacked, as JSON. is_served: its chunks
 * are not in it.
 */
void kft_view_about(const struct kft_view_pack *p, const char *name, bool is_served,
		    struct kft_strbuf *ret);

#endif

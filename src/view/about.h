/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "view/pack.h"

/*
 * Writes the JSON that a page needs before it unpacks any chunk. is_served: the
 * chunks are not in the page.
 */
void kft_view_about(const struct kft_view_pack *p, const char *name, bool is_served,
		    struct kft_strbuf *ret);

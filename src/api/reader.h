/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/trace.h>

#include "api/feed.h"

/*
 * A reader of events as they happen; the feed is borrowed and must have begun. -ENOMEM.
 */
int kft_reader_of_feed(struct kft_feed *feed, struct kft_reader **ret) __must_check;

/*
 * Frees any reader. kft_reader_destroy() does not free the reader of a feed, because
 * the session owns that reader. NULL is ignored.
 */
void kft_reader_free(struct kft_reader *r);

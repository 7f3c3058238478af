/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_API_READER_H
#define KFT_API_READER_H

#include <kft/trace.h>

#include "api/feed.h"

/* A reader of events as they happen; the feed is borrowed, and was begun. -ENOMEM. */
int kft_reader_of_feed(struct kft_feed *feed, struct kft_reader **ret) __must_check;

/* Also one of a feed, which kft_reader_destroy() leaves to its session. NULL is fine. */
void kft_reader_free(struct kft_reader *r);

#endif

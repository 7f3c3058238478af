/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/cursor.h"
#include "model/meta.h"

/*
 * Adds loss records (KFT_LOST_RECORD_BYTES each, see format.h) to the metadata; a partial
 * record at the end is ignored. -EBADMSG when there are more than
 * KFT_TRACEDAT_MAX_LOST_RECORDS or one has an impossible CPU or time; -ENOMEM. Records
 * before the failing one are added.
 */
int kft_dat_read_lost(struct kft_meta *m, struct kft_cursor *c) __must_check;

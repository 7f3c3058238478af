/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_READ_META_H
#define KFT_FILE_TRACEDAT_READ_META_H

#include "file/tracedat/read_state.h"

/* Ids of events have 16 bits; more formats than that are a broken count. */
#define KFT_TRACEDAT_MAX_FORMATS 65536u

/*
 * Loads the parts that d->parts locates into the trace's metadata and class table, and
 * the layout of pages into d. What is missing or broken is damage and left out; the rest
 * is there.
 */
void kft_dat_read_meta(struct kft_dat_reader *d);

#endif

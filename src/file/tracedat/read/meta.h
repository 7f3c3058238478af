/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/read/state.h"

/* Event ids have 16 bits; a larger number of formats is a malformed count. */
#define KFT_TRACEDAT_MAX_FORMATS 65536u

/*
 * Loads the parts located by d->parts into the trace's metadata and class table, and the
 * layout of pages into d. A missing or malformed part is damage and left out.
 */
void kft_dat_read_meta(struct kft_dat_reader *d);

/* Adds the symbols of d->modules to those that were read. */
int kft_dat_join_modules(struct kft_dat_reader *d) __must_check;

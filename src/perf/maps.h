/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "capture/host.h"
#include "perf/writer.h"

/*
 * Appends the maps of processes as they are now to ret: those of the plan's processes or, for a
 * plan without any, of all that this user may look at. The kernel's records have later
 * changes only. -ENOMEM.
 */
int kft_perf_maps_read(const struct kft_host *host, const struct kft_plan *plan,
		       struct kft_strbuf *ret) __must_check;

/* Writes the maps with code as events. Changes the text. */
int kft_perf_maps_write(struct kft_strbuf *maps, uint64_t ts,
			struct kft_perf_writer *w) __must_check;

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/host.h"
#include "capture/notify.h"
#include "model/meta.h"

/*
 * Collects the metadata of a trace that has samples only, where tracefs is not there to describe them. The
 * pages are as the kernel's, with the time stamps of the clock. command_line may be NULL.
 * -ENOMEM.
 */
int kft_perf_origin_add(const struct kft_host *host, const struct kft_notify *notify,
			const char *command_line, struct kft_meta *m) __must_check;

/* Adds the shape of the pages, and the clock; NULL: mono. */
int kft_perf_shape_add(const char *clock, uint32_t cpu_count,
		       struct kft_meta *m) __must_check;

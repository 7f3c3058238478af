/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"

/*
 * Passes in which a CPU runs its high-resolution timers: one pass runs all timers that
 * are due by then. If a timer runs in a later pass, although it was set and due before an
 * earlier one, it has been set again since, and that start is not in the trace.
 */
struct kft_timer_passes;

struct kft_timer_pass {
	uint64_t now_ns; /* on the clock of its timers; 0: there was no pass */
	/* On the trace's clock: the pass began after after_ns and before first_ns. */
	uint64_t after_ns;
	uint64_t first_ns; /* first expiry; the CPU set no timers since the pass began */
};

/* Returns NULL if memory runs out. */
struct kft_timer_passes *kft_timer_passes_create(void);
struct kft_timer_passes *kft_timer_passes_destroy(struct kft_timer_passes *p);

/*
 * Notes that a timer expires, at now_ns on its clock. *ret_before: the CPU's last pass
 * before the current one, of the same clock and context. -ENOMEM.
 */
int kft_timer_passes_note(struct kft_timer_passes *p, const struct kft_kind_input *in,
			  uint64_t now_ns,
			  struct kft_timer_pass *ret_before) __must_check;

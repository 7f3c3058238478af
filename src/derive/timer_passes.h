/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_TIMER_PASSES_H
#define KFT_DERIVE_TIMER_PASSES_H

#include "derive/engine.h"

/*
 * The passes in which a CPU runs its timers of high resolution: in one pass it runs all that
 * are due by then. A timer that runs later and was due and set before an earlier pass has
 * been set again since, which is not in the trace.
 */
struct kft_timer_passes;

struct kft_timer_pass {
	uint64_t now_ns; /* by the clock of its timers; 0: there was no pass */
	/* By the trace's clock: it began after the one, and before the other. */
	uint64_t after_ns;
	uint64_t first_ns; /* its first timer expires; the CPU has set none meanwhile */
};

/* NULL: no memory. */
struct kft_timer_passes *kft_timer_passes_create(void);
struct kft_timer_passes *kft_timer_passes_destroy(struct kft_timer_passes *p);

/*
 * A timer expires, at now_ns by its clock: the CPU's last pass before the one that it is in,
 * of the same clock and context. -ENOMEM.
 */
int kft_timer_passes_note(struct kft_timer_passes *p, const struct kft_kind_input *in,
			  uint64_t now_ns,
			  struct kft_timer_pass *ret_before) __must_check;

#endif

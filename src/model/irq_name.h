/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * Functions at the edges of interrupts. The kernel derives the context of a call from its
 * preemption count, which these functions themselves raise and lower: the context
 * recorded for them is the one outside.
 */
enum kft_irq_name {
	KFT_IRQ_NAME_NONE,
	KFT_IRQ_NAME_ENTERS, /* called by a hard interrupt at its beginning */
	KFT_IRQ_NAME_LEAVES, /* called at its end; softirqs run within the call */
	KFT_IRQ_NAME_SOFTIRQS, /* runs softirqs, for any caller */
	/* A function in task context that calls a KFT_IRQ_NAME_SOFTIRQS function. */
	KFT_IRQ_NAME_CALLS_SOFTIRQS,
};

enum kft_irq_name kft_irq_name_find(const char *name, size_t len);

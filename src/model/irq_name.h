/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_IRQ_NAME_H
#define KFT_MODEL_IRQ_NAME_H

#include "base/macro.h"

/*
 * Functions at the edges of interrupts. The kernel records the context of a call by its
 * preemption count, which these functions themselves raise and lower: the context that is
 * recorded for them is the one outside.
 */
enum kft_irq_name {
	KFT_IRQ_NAME_NONE,
	KFT_IRQ_NAME_ENTERS, /* called by a hard interrupt when it begins */
	KFT_IRQ_NAME_LEAVES, /* ... when it ends; softirqs run within */
	KFT_IRQ_NAME_SOFTIRQS, /* runs softirqs, whoever called it */
	KFT_IRQ_NAME_CALLS_SOFTIRQS, /* a task's function that calls the former */
};

enum kft_irq_name kft_irq_name_find(const char *name, size_t len);

#endif

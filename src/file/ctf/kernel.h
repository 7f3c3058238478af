/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * The kernel's names, layouts and print formats of events that
 * LTTng and perf write to CTF.
 */

/* The limit that decode/format.h and analysis/select.c have for names of events. */
#define KFT_CTF_NAME_MAX 256

struct kft_ctf_kernel_name {
	char system[KFT_CTF_NAME_MAX]; /* "sched" */
	char name[KFT_CTF_NAME_MAX]; /* "sched_switch" */
};

/*
 * Maps a name in CTF: "system:event" of perf and LTTng-UST, or one
 * of LTTng's kernel events.
 */
void kft_ctf_kernel_name(const char *ctf_name, struct kft_ctf_kernel_name *ret);

struct kft_ctf_lttng_name {
	char name[KFT_CTF_NAME_MAX]; /* "irq_softirq_entry" */
};

/*
 * The inverse: LTTng's name of a kernel event, which kft_ctf_kernel_name() maps back to
 * the same event. False if LTTng has no name for it.
 */
bool kft_ctf_lttng_name(const char *system, const char *name,
			struct kft_ctf_lttng_name *ret);

/*
 * The kernel's layout and print format of one of its events. fields is a list of "TYPE
 * NAME;" in the order of the kernel's format; "NAME=OTHER": LTTng calls it OTHER,
 * "NAME+100": LTTng's value is 100 less.
 */
struct kft_ctf_kernel_event {
	const char *system;
	const char *name;
	const char *fields;
	const char *print_fmt;
};

/* data/lttng_events; the last one has no name */
extern const struct kft_ctf_kernel_event kft_ctf_kernel_events[];

/* data/lttng_names */
struct kft_ctf_lttng_rule {
	const char *prefix;
	const char *system;
	size_t strip; /* bytes of the prefix that the kernel's name lacks */
	const char *instead; /* text in the kernel's name in their place; NULL: none */
};

extern const struct kft_ctf_lttng_rule kft_ctf_lttng_rules[];
extern const size_t kft_ctf_n_lttng_rules;

/*
 * Iterates over the kernel's versions of an event: the one following `after` (NULL: the
 * first), NULL after the last. The caller picks the version with fields that fit.
 */
const struct kft_ctf_kernel_event *
kft_ctf_kernel_event(const struct kft_ctf_kernel_name *name,
		     const struct kft_ctf_kernel_event *after);

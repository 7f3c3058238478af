/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_KERNEL_H
#define KFT_FILE_CTF_KERNEL_H

#include "base/macro.h"

/*
 * What the kernel itself calls the events that LTTng and perf write to CTF, and how it
 * prints them.
 */

#define KFT_CTF_NAME_MAX 128

struct kft_ctf_kernel_name {
	char system[KFT_CTF_NAME_MAX]; /* "sched" */
	char name[KFT_CTF_NAME_MAX]; /* "sched_switch" */
};

/* A name in CTF: perf's and LTTng-UST's "system:event", or one of LTTng's kernel events. */
void kft_ctf_kernel_name(const char *ctf_name, struct kft_ctf_kernel_name *ret);

struct kft_ctf_lttng_name {
	char name[KFT_CTF_NAME_MAX]; /* "irq_softirq_entry" */
};

/*
 * The inverse: LTTng's name of a kernel event, which kft_ctf_kernel_name() reads as the same
 * event. False if LTTng's names have no room for it.
 */
bool kft_ctf_lttng_name(const char *system, const char *name,
			struct kft_ctf_lttng_name *ret);

/*
 * How a kernel lays out and prints one of its events. fields is "TYPE NAME;" one after the
 * other in the order of the kernel's format; "NAME=OTHER" for what LTTng calls OTHER,
 * "NAME+100" where LTTng's value is 100 less.
 */
struct kft_ctf_kernel_event {
	const char *system;
	const char *name;
	const char *fields;
	const char *print_fmt;
};

/*
 * The ways in which kernels describe the event, each NULL-ended step giving the next one
 * after `after` (NULL: the first). Which one fits is for whoever knows the fields.
 */
const struct kft_ctf_kernel_event *
kft_ctf_kernel_event(const struct kft_ctf_kernel_name *name,
		     const struct kft_ctf_kernel_event *after);

#endif

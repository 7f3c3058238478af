/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "file/ctf/kernel.h"
#include "file/ctf/program.h"

/*
 * A class of CTF events as kft sees it: a text in the syntax of the kernel's format
 * files, which describes and prints the records, and the program that makes such records.
 */
struct kft_ctf_class {
	/* The members that each event needs come first, in one cache line. */
	struct kft_ctf_program program;
	uint16_t id; /* kft's id of the class */
	/* Records have a pid; otherwise it comes from the switches on the CPU. */
	bool has_pid;
	/*
	 * For sched_switch: offsets of prev_pid and next_pid in
	 * records; 0: another event.
	 */
	uint32_t prev_pid_at;
	uint32_t next_pid_at;
	uint64_t ctf_id; /* id in its stream class */
	struct kft_ctf_scopes scopes;
};

/* State for making all classes of a trace. */
struct kft_ctf_class_maker {
	struct kft_ctf_nodes nodes;
	/* The tracer is LTTng's kernel tracer, which subtracts 100 from priorities. */
	bool is_lttng;
	/* Known alignment of the position after the event header, in bits: 8, or 1. */
	uint32_t payload_align;
};

/*
 * Makes the class of ev. scopes has the trees around the event (up to the stream's event
 * context). *ret goes to the meta's arena; the format text is appended to text, *ret_name
 * is the kernel's name for the event. -EINVAL, -ENOMEM.
 */
int kft_ctf_class_make(struct kft_ctf_class_maker *m, const struct kft_ctf_scopes *scopes,
		       const struct kft_ctf_event_class *ev, uint16_t id,
		       struct kft_strbuf *text, struct kft_ctf_class **ret,
		       struct kft_ctf_kernel_name *ret_name,
		       struct kft_err *e) __must_check;

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_CLASS_H
#define KFT_FILE_CTF_CLASS_H

#include "base/strbuf.h"
#include "file/ctf/kernel.h"
#include "file/ctf/program.h"

/*
 * A class of CTF events as kft sees it: the text of a kernel's format file, which says how
 * records look and are printed, and the program that makes such records.
 */
struct kft_ctf_class {
	/* What each event needs, in a line of the cache. */
	struct kft_ctf_program program;
	uint16_t id; /* kft's */
	bool has_pid; /* records say it; else it comes from the switches on the CPU */
	/* sched_switch: where records have prev_pid and next_pid; 0: another event. */
	uint32_t prev_pid_at;
	uint32_t next_pid_at;
	/* When the payload always is as long: its bits behind the first alignment, else 0. */
	uint32_t payload_align;
	uint64_t payload_bits;

	uint64_t ctf_id; /* in its stream class */
	struct kft_ctf_scopes scopes;
};

/* What is common to making all classes of a trace. */
struct kft_ctf_class_maker {
	struct kft_ctf_nodes nodes;
	bool is_lttng; /* the tracer is LTTng's kernel one: its priorities are 100 less */
	uint32_t payload_align; /* of the place behind the event header: 8, or 1 */
};

/*
 * scopes has the trees around the event (up to the stream's event context). *ret goes to
 * the meta's arena; the format text is appended to text, *ret_name is the name that it has.
 * -EINVAL, -ENOMEM.
 */
int kft_ctf_class_make(struct kft_ctf_class_maker *m, const struct kft_ctf_scopes *scopes,
		       const struct kft_ctf_event_class *ev, uint16_t id,
		       struct kft_strbuf *text, struct kft_ctf_class **ret,
		       struct kft_ctf_kernel_name *ret_name,
		       struct kft_err *e) __must_check;

#endif

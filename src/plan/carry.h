/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_CARRY_H
#define KFT_PLAN_CARRY_H

#include "plan/diag.h"
#include "plan/run.h"

/*
 * How each clause will be carried out on a kernel: by which mechanism, and where. What a
 * kernel offers is found out by the caller, by trying.
 */
struct kft_config_caps {
	bool function_graph; /* the tracer is there and may be used */
	bool graph_instances; /* in an instance of our own, not only at the top level */
	bool thresh; /* tracing_thresh can be written */
	bool function_filter; /* set_ftrace_filter takes functions by index */
	bool kprobes; /* kprobe_events makes entry and return probes with triggers */
	bool irqs_option; /* options/funcgraph-irqs */
	bool pid_filter; /* set_ftrace_pid */
	bool stack_tracer; /* stack_max_size and stack_trace */
};

enum kft_carry_where {
	KFT_CARRY_KERNEL, /* filtered or triggered in the kernel */
	KFT_CARRY_BOTH, /* part of it in the kernel, the rest while draining */
	KFT_CARRY_DRAIN, /* by kft, before anything reaches the disk */
	KFT_CARRY_SESSION, /* by kft, in how it drives the run */
	KFT_CARRY_REFUSED, /* not at all: remedy says what is missing */
};

struct kft_carry {
	enum kft_carry_where where;
	const char *how; /* a clause of a sentence; static */
	const char *remedy; /* with KFT_CARRY_REFUSED; static */
};

/* For a clause that the run has. */
struct kft_carry kft_clause_carry(const struct kft_run_config *run,
				  enum kft_clause clause,
				  const struct kft_config_caps *caps);

/* The tracer itself, whatever the clauses. */
struct kft_carry kft_run_carry(const struct kft_config_caps *caps);

/* Everything of the run that this kernel cannot do goes to diags: -EINVAL then. */
int kft_run_config_possible(const struct kft_run_config *run,
			    const struct kft_config_caps *caps,
			    struct kft_diags *diags) __must_check;

#endif

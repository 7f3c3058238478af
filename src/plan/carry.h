/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "plan/diag.h"
#include "plan/run.h"

/*
 * Chooses how each clause is carried out on a kernel: by which mechanism, and where. The
 * caller finds out by trying which capabilities the kernel has.
 */
struct kft_config_caps {
	bool function_graph; /* the tracer exists and can be used */
	/* also in an instance of kft's own, not only at the top level */
	bool graph_instances;
	bool thresh; /* tracing_thresh can be written */
	bool function_filter; /* set_ftrace_filter takes functions by index */
	bool kprobes; /* kprobe_events makes entry and return probes with triggers */
	bool irqs_option; /* options/funcgraph-irqs */
	bool pid_filter; /* set_ftrace_pid */
	bool stack_tracer; /* stack_max_size and stack_trace */
};

enum kft_carry_where {
	KFT_CARRY_KERNEL, /* filtered or triggered in the kernel */
	KFT_CARRY_BOTH, /* partly in the kernel, the rest while draining */
	KFT_CARRY_DRAIN, /* by kft, before the data reaches the disk */
	KFT_CARRY_SESSION, /* by kft, in the way it controls the run */
	KFT_CARRY_REFUSED, /* not possible: remedy names the missing capability */
};

struct kft_carry {
	enum kft_carry_where where;
	const char *how; /* a clause of a sentence; static */
	const char *remedy; /* for KFT_CARRY_REFUSED; static */
};

/* How a clause of the run is carried out. */
struct kft_carry kft_clause_carry(const struct kft_run_config *run,
				  enum kft_clause clause,
				  const struct kft_config_caps *caps);

/* How the tracer itself is enabled, for any clauses. */
struct kft_carry kft_run_carry(const struct kft_config_caps *caps);

/* Adds each thing of the run that this kernel cannot do to diags: -EINVAL then. */
int kft_run_config_possible(const struct kft_run_config *run,
			    const struct kft_config_caps *caps,
			    struct kft_diags *diags) __must_check;

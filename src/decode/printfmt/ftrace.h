/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/printfmt/bprint.h"

/*
 * Prints events of the tracers themselves (system "ftrace") with a `print fmt` that
 * differs from the kernel's output: stack traces (the format shows eight addresses), raw markers,
 * binary printk, the function graph.
 */
struct kft_ftrace_event;

/* State that is kept from one record to the next. For one thread. */
struct kft_ftrace {
	struct kft_bprint bprint;
	struct kft_graph_cpu **cpus; /* owned; by CPU, NULL until its first event */
	size_t n_cpus;
};

void kft_ftrace_finish(struct kft_ftrace *f);

/* Finds how to print the class: *ret is NULL when its print fmt is right. -ENOMEM. */
int kft_ftrace_compile(struct kft_arena *arena, const struct kft_class *cls,
		       const struct kft_ftrace_event **ret) __must_check;

void kft_ftrace_print(struct kft_ftrace *f, const struct kft_ftrace_event *fe,
		      const struct kft_print_ctx *c, uint32_t cpu, struct kft_strbuf *sb);

/* Updates the state like printing the event, without printing. */
void kft_ftrace_follow(struct kft_ftrace *f, const struct kft_ftrace_event *fe,
		       const struct kft_print_ctx *c, uint32_t cpu);
/* Copies the state of `from`, so that `to` can continue after it. -ENOMEM. */
int kft_ftrace_copy(struct kft_ftrace *to, const struct kft_ftrace *from) __must_check;

/*
 * Prints a function's entry and its exit, which follows at once, on one line. The two
 * were compiled from funcgraph_entry and funcgraph_exit.
 */
void kft_ftrace_print_leaf(struct kft_ftrace *f, const struct kft_ftrace_event *entry,
			   const struct kft_print_ctx *c,
			   const struct kft_ftrace_event *exit,
			   const struct kft_print_ctx *exit_c, uint32_t cpu,
			   struct kft_strbuf *sb);

/* Whether exit ends the call that entry began. */
bool kft_ftrace_is_leaf(const struct kft_ftrace_event *entry,
			const struct kft_print_ctx *c,
			const struct kft_ftrace_event *exit,
			const struct kft_print_ctx *exit_c);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_FTRACE_H
#define KFT_DECODE_PRINTFMT_FTRACE_H

#include "decode/printfmt/bprint.h"

/*
 * Events of the tracers themselves (system "ftrace") whose `print fmt` is not what the
 * kernel prints: stacks (the format knows eight addresses), raw markers, binary printk,
 * the function graph.
 */
struct kft_ftrace_event;

/* State that printing one record needs from those before it. One thread owns one. */
struct kft_ftrace {
	struct kft_bprint bprint;
	struct kft_graph_cpu **cpus; /* owned; by CPU, NULL for none yet */
	size_t n_cpus;
};

void kft_ftrace_finish(struct kft_ftrace *f);

/*
 * How to print the class: *ret NULL when its print fmt is all there is to it. -ENOMEM.
 */
int kft_ftrace_compile(struct kft_arena *arena, const struct kft_class *cls,
		       const struct kft_ftrace_event **ret) __must_check;

void kft_ftrace_print(struct kft_ftrace *f, const struct kft_ftrace_event *fe,
		      const struct kft_print_ctx *c, uint32_t cpu, struct kft_strbuf *sb);

/* Changes the state as printing would, without printing. */
void kft_ftrace_follow(struct kft_ftrace *f, const struct kft_ftrace_event *fe,
		       const struct kft_print_ctx *c, uint32_t cpu);
/* to continues where from is. -ENOMEM. */
int kft_ftrace_copy(struct kft_ftrace *to, const struct kft_ftrace *from) __must_check;

/*
 * A function's entry that its exit follows at once, on one line. Both were compiled from
 * funcgraph_entry and funcgraph_exit.
 */
void kft_ftrace_print_leaf(struct kft_ftrace *f, const struct kft_ftrace_event *entry,
			   const struct kft_print_ctx *c,
			   const struct kft_ftrace_event *exit,
			   const struct kft_print_ctx *exit_c, uint32_t cpu,
			   struct kft_strbuf *sb);

/* Whether exit is the end of what entry began. */
bool kft_ftrace_is_leaf(const struct kft_ftrace_event *entry,
			const struct kft_print_ctx *c,
			const struct kft_ftrace_event *exit,
			const struct kft_print_ctx *exit_c);

#endif

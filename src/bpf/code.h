/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/vec.h"
#include "uapi/bpf.h"

/*
 * Builds the instructions of a BPF program (Linux: Documentation/bpf/standardization). Running
 * out of memory or an impossible jump marks the code as failed: callers check once, with
 * kft_bpf_code_resolve(). For one thread.
 *
 * Registers: r0 is a helper's result, r1 to r5 are its arguments and lost by a call, r6 to r9
 * are kept, r10 is the end of the stack of 512 bytes.
 */
struct kft_bpf_jump {
	size_t at; /* index of the instruction */
	unsigned int label;
};

struct kft_bpf_code {
	KFT_VEC(struct bpf_insn) insns;
	KFT_VEC(size_t) labels; /* index of the instruction; SIZE_MAX: not placed yet */
	KFT_VEC(struct kft_bpf_jump) jumps;
	bool has_failed;
};

void kft_bpf_code_finish(struct kft_bpf_code *c);

/* 64-bit arithmetic: op is BPF_ADD, BPF_MOV, BPF_RSH ...; the second form with a constant. */
void kft_bpf_alu(struct kft_bpf_code *c, int op, int dst, int src);
void kft_bpf_alu_k(struct kft_bpf_code *c, int op, int dst, int32_t value);
/* dst = a constant of 64 bits, and dst = the map with this descriptor */
void kft_bpf_load_u64(struct kft_bpf_code *c, int dst, uint64_t value);
void kft_bpf_load_map(struct kft_bpf_code *c, int dst, int map_fd);

/* Memory at src + offset, or dst + offset; size is BPF_B, BPF_H, BPF_W or BPF_DW. */
void kft_bpf_load(struct kft_bpf_code *c, int size, int dst, int src, int offset);
void kft_bpf_store(struct kft_bpf_code *c, int size, int dst, int offset, int src);
void kft_bpf_store_k(struct kft_bpf_code *c, int size, int dst, int offset,
		     int32_t value);
/* *(u64 *)(dst + offset) += src; the second form with a constant. r0 or r1 to r5 in between: via. */
void kft_bpf_add_to(struct kft_bpf_code *c, int dst, int offset, int src, int via);
void kft_bpf_add_to_k(struct kft_bpf_code *c, int dst, int offset, int32_t value,
		      int via);

void kft_bpf_call(struct kft_bpf_code *c, int helper);
void kft_bpf_exit(struct kft_bpf_code *c);

/* A place that jumps go to; it may be placed after them, but not before them. */
unsigned int kft_bpf_label(struct kft_bpf_code *c);
void kft_bpf_place(struct kft_bpf_code *c, unsigned int label);
/* Jumps to the label if `dst op src`, unsigned for BPF_JGT and signed for BPF_JSGT. */
void kft_bpf_jump(struct kft_bpf_code *c, int op, int dst, int src, unsigned int label);
void kft_bpf_jump_k(struct kft_bpf_code *c, int op, int dst, int32_t value,
		    unsigned int label);
void kft_bpf_goto(struct kft_bpf_code *c, unsigned int label);

/*
 * Drops instructions that are not reached, and fills in the distances of jumps. -ENOMEM, -EINVAL for a
 * label without a place.
 */
int kft_bpf_code_resolve(struct kft_bpf_code *c) __must_check;

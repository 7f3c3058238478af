// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds the instructions of BPF programs. */
#include "bpf/code.h"

#include <errno.h>

void kft_bpf_code_finish(struct kft_bpf_code *c)
{
	kft_vec_finish(&c->insns);
	kft_vec_finish(&c->labels);
	kft_vec_finish(&c->jumps);
}

static void add(struct kft_bpf_code *c, struct bpf_insn insn)
{
	c->has_failed |= !kft_vec_push(&c->insns, insn);
}

void kft_bpf_alu(struct kft_bpf_code *c, int op, int dst, int src)
{
	add(c, (struct bpf_insn){.code = (uint8_t)(BPF_ALU64 | op | BPF_X),
				 .dst_reg = (uint8_t)dst,
				 .src_reg = (uint8_t)src});
}

void kft_bpf_alu_k(struct kft_bpf_code *c, int op, int dst, int32_t value)
{
	add(c, (struct bpf_insn){.code = (uint8_t)(BPF_ALU64 | op | BPF_K),
				 .dst_reg = (uint8_t)dst,
				 .imm = value});
}

/* A constant of 64 bits takes two instructions. */
static void load_wide(struct kft_bpf_code *c, int dst, int kind, uint64_t value)
{
	add(c, (struct bpf_insn){.code = BPF_LD | BPF_DW | BPF_IMM,
				 .dst_reg = (uint8_t)dst,
				 .src_reg = (uint8_t)kind,
				 .imm = (int32_t)(uint32_t)value});
	add(c, (struct bpf_insn){.imm = (int32_t)(uint32_t)(value >> 32)});
}

void kft_bpf_load_u64(struct kft_bpf_code *c, int dst, uint64_t value)
{
	load_wide(c, dst, 0, value);
}

void kft_bpf_load_map(struct kft_bpf_code *c, int dst, int map_fd)
{
	load_wide(c, dst, BPF_PSEUDO_MAP_FD, (uint32_t)map_fd);
}

void kft_bpf_load(struct kft_bpf_code *c, int size, int dst, int src, int offset)
{
	add(c, (struct bpf_insn){.code = (uint8_t)(BPF_LDX | size | BPF_MEM),
				 .dst_reg = (uint8_t)dst,
				 .src_reg = (uint8_t)src,
				 .off = (int16_t)offset});
}

void kft_bpf_store(struct kft_bpf_code *c, int size, int dst, int offset, int src)
{
	add(c, (struct bpf_insn){.code = (uint8_t)(BPF_STX | size | BPF_MEM),
				 .dst_reg = (uint8_t)dst,
				 .src_reg = (uint8_t)src,
				 .off = (int16_t)offset});
}

void kft_bpf_store_k(struct kft_bpf_code *c, int size, int dst, int offset, int32_t value)
{
	add(c, (struct bpf_insn){.code = (uint8_t)(BPF_ST | size | BPF_MEM),
				 .dst_reg = (uint8_t)dst,
				 .off = (int16_t)offset,
				 .imm = value});
}

void kft_bpf_add_to(struct kft_bpf_code *c, int dst, int offset, int src, int via)
{
	kft_bpf_load(c, BPF_DW, via, dst, offset);
	kft_bpf_alu(c, BPF_ADD, via, src);
	kft_bpf_store(c, BPF_DW, dst, offset, via);
}

void kft_bpf_add_to_k(struct kft_bpf_code *c, int dst, int offset, int32_t value, int via)
{
	kft_bpf_load(c, BPF_DW, via, dst, offset);
	kft_bpf_alu_k(c, BPF_ADD, via, value);
	kft_bpf_store(c, BPF_DW, dst, offset, via);
}

void kft_bpf_call(struct kft_bpf_code *c, int helper)
{
	add(c, (struct bpf_insn){.code = BPF_JMP | BPF_CALL, .imm = helper});
}

void kft_bpf_exit(struct kft_bpf_code *c)
{
	add(c, (struct bpf_insn){.code = BPF_JMP | BPF_EXIT});
}

unsigned int kft_bpf_label(struct kft_bpf_code *c)
{
	c->has_failed |= !kft_vec_push(&c->labels, SIZE_MAX);
	return (unsigned int)(c->labels.len - 1);
}

void kft_bpf_place(struct kft_bpf_code *c, unsigned int label)
{
	if (label < c->labels.len)
		c->labels.data[label] = c->insns.len;
}

static void jump(struct kft_bpf_code *c, struct bpf_insn insn, unsigned int label)
{
	const struct kft_bpf_jump j = {c->insns.len, label};

	c->has_failed |= !kft_vec_push(&c->jumps, j);
	add(c, insn);
}

void kft_bpf_jump(struct kft_bpf_code *c, int op, int dst, int src, unsigned int label)
{
	jump(c,
	     (struct bpf_insn){.code = (uint8_t)(BPF_JMP | op | BPF_X),
			       .dst_reg = (uint8_t)dst,
			       .src_reg = (uint8_t)src},
	     label);
}

void kft_bpf_jump_k(struct kft_bpf_code *c, int op, int dst, int32_t value,
		    unsigned int label)
{
	jump(c,
	     (struct bpf_insn){.code = (uint8_t)(BPF_JMP | op | BPF_K),
			       .dst_reg = (uint8_t)dst,
			       .imm = value},
	     label);
}

void kft_bpf_goto(struct kft_bpf_code *c, unsigned int label)
{
	jump(c, (struct bpf_insn){.code = BPF_JMP | BPF_JA}, label);
}

int kft_bpf_code_resolve(struct kft_bpf_code *c)
{
	if (c->has_failed)
		return -ENOMEM;
	kft_vec_for_each(&c->jumps, j) {
		size_t to = c->labels.data[j->label];
		size_t from = j->at + 1;

		/* Linux before 5.3 refuses loops, and kft's programs need none. */
		if (to == SIZE_MAX || to < from || to - from > INT16_MAX)
			return -EINVAL;
		c->insns.data[j->at].off = (int16_t)(to - from);
	}
	return 0;
}

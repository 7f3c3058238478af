// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds the instructions of BPF programs. */
#include "bpf/code.h"

#include <errno.h>
#include <stdlib.h>

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

/* Whether the kernel may execute the next instruction after this one. */
static bool goes_on(const struct bpf_insn *i)
{
	return i->code != (BPF_JMP | BPF_EXIT) && i->code != (BPF_JMP | BPF_JA);
}

/* Marks the instructions that are reached, in one pass: all jumps go forward. */
static void mark_reached(const struct kft_bpf_code *c, bool *reached)
{
	const struct kft_bpf_jump *j = c->jumps.data;
	const struct kft_bpf_jump *end = j + c->jumps.len;

	reached[0] = true;
	for (size_t i = 0; i < c->insns.len; i++) {
		bool is_jump = j < end && j->at == i;

		if (reached[i] && is_jump)
			reached[c->labels.data[j->label]] = true;
		if (reached[i] && goes_on(&c->insns.data[i]))
			reached[i + 1] = true;
		j += is_jump;
	}
}

/* Removes the instructions that are not reached, as the kernel's verifier refuses them. */
static int drop_unreached(struct kft_bpf_code *c)
{
	size_t n = c->insns.len;
	_cleanup_free_ bool *reached = calloc(n + 1, sizeof(*reached));
	_cleanup_free_ size_t *moved = calloc(n + 1, sizeof(*moved));
	size_t n_jumps = 0;

	if (!reached || !moved)
		return -ENOMEM;
	mark_reached(c, reached);
	for (size_t i = 0; i < n; i++) {
		c->insns.data[moved[i]] = c->insns.data[i];
		moved[i + 1] = moved[i] + reached[i];
	}
	c->insns.len = moved[n];
	kft_vec_for_each(&c->labels, l)
		*l = *l == SIZE_MAX ? *l : moved[*l];
	kft_vec_for_each(&c->jumps, j) {
		if (reached[j->at])
			c->jumps.data[n_jumps++] = (struct kft_bpf_jump){moved[j->at],
									 j->label};
	}
	c->jumps.len = n_jumps;
	return 0;
}

int kft_bpf_code_resolve(struct kft_bpf_code *c)
{
	if (c->has_failed)
		return -ENOMEM;
	kft_vec_for_each(&c->jumps, j) {
		size_t to = c->labels.data[j->label];

		/* Linux before 5.3 refuses loops, and kft's programs need none. */
		if (to == SIZE_MAX || to <= j->at)
			return -EINVAL;
	}
	int r = drop_unreached(c);

	kft_vec_for_each(&c->jumps, j) {
		size_t distance = c->labels.data[j->label] - j->at - 1;

		if (distance > INT16_MAX)
			return -EINVAL;
		c->insns.data[j->at].off = (int16_t)distance;
	}
	return r;
}

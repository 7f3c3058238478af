// SPDX-License-Identifier: LGPL-2.1-or-later
/* Emits the pieces that programs of live statistics consist of. */
#include "live/emit.h"

#include <stddef.h>

/* An odd number with bits all over, so that multiplying by it spreads those of the factor. */
#define MIX UINT64_C(0x9e3779b97f4a7c15)

#define CELL(member) ((int)offsetof(struct kft_live_cell, member))
#define OPEN(member) ((int)offsetof(struct kft_live_open, member))
#define KEY(member)  (KFT_LIVE_AT_KEY + (int)offsetof(struct kft_live_key, member))

static int size_of(const struct kft_live_value *v)
{
	switch (v->bytes) {
	case 1:
		return BPF_B;
	case 2:
		return BPF_H;
	case 4:
		return BPF_W;
	default:
		return BPF_DW;
	}
}

void kft_live_load(const struct kft_live_emitter *m, int dst,
		   const struct kft_live_value *value)
{
	struct kft_bpf_code *c = m->code;
	int unused = 64 - 8 * value->bytes;

	if (value->is_constant) {
		kft_bpf_load_u64(c, dst, value->constant);
		return;
	}
	kft_bpf_load(c, size_of(value), dst, BPF_REG_6, value->offset);
	if (value->is_signed && unused) {
		kft_bpf_alu_k(c, BPF_LSH, dst, unused);
		kft_bpf_alu_k(c, BPF_ARSH, dst, unused);
	}
}

/* r2 = the address of something on the stack */
static void point_at(const struct kft_live_emitter *m, int reg, int offset)
{
	kft_bpf_alu(m->code, BPF_MOV, reg, BPF_REG_10);
	kft_bpf_alu_k(m->code, BPF_ADD, reg, offset);
}

/* r0 = the address of the value in a map for the key on the stack, or NULL */
static void look_up(const struct kft_live_emitter *m, int map, int key_at)
{
	kft_bpf_load_map(m->code, BPF_REG_1, map);
	point_at(m, BPF_REG_2, key_at);
	kft_bpf_call(m->code, BPF_FUNC_map_lookup_elem);
}

static void look_up_first(const struct kft_live_emitter *m, int map)
{
	kft_bpf_store_k(m->code, BPF_W, BPF_REG_10, KFT_LIVE_AT_INDEX, 0);
	look_up(m, map, KFT_LIVE_AT_INDEX);
}

/* kft_live_start() has emitted the condition alone before, and reported why it cannot be. */
static void require(const struct kft_live_emitter *m,
		    const struct kft_live_condition *condition, unsigned int out)
{
	if (condition->filter &&
	    kft_live_emit_condition(m->code, condition, out, NULL) < 0)
		m->code->has_failed = true;
}

void kft_live_enter(const struct kft_live_emitter *m, unsigned int out)
{
	struct kft_bpf_code *c = m->code;

	kft_bpf_alu(c, BPF_MOV, BPF_REG_6, BPF_REG_1);
	look_up_first(m, m->maps->gate);
	kft_bpf_jump_k(c, BPF_JEQ, BPF_REG_0, 0, out);
	kft_bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_0, 0);
	kft_bpf_jump_k(c, BPF_JEQ, BPF_REG_1, 0, out);
	kft_bpf_store(c, BPF_W, BPF_REG_10, KFT_LIVE_AT_PERIOD, BPF_REG_1);
	for (size_t i = 0; i < ARRAY_SIZE(m->rules->only); i++)
		require(m, &m->rules->only[i], out);
}

void kft_live_current_pid(const struct kft_live_emitter *m)
{
	kft_bpf_call(m->code, BPF_FUNC_get_current_pid_tgid);
	kft_bpf_store(m->code, BPF_W, BPF_REG_10, KFT_LIVE_AT_PID, BPF_REG_0);
}

void kft_live_pid_of(const struct kft_live_emitter *m, const struct kft_live_value *value)
{
	kft_live_load(m, BPF_REG_1, value);
	kft_bpf_store(m->code, BPF_W, BPF_REG_10, KFT_LIVE_AT_PID, BPF_REG_1);
}

void kft_live_follow(const struct kft_live_emitter *m, unsigned int out)
{
	if (m->maps->tasks < 0)
		return;
	look_up(m, m->maps->tasks, KFT_LIVE_AT_PID);
	kft_bpf_jump_k(m->code, BPF_JEQ, BPF_REG_0, 0, out);
}

bool kft_live_names_at_end(const struct kft_live_rules *rules)
{
	return (rules->by_task || rules->by_cpu) && !rules->where.filter &&
	       !(rules->by & KFT_INTERVAL_BY_COMM);
}

void kft_live_store_comm(const struct kft_live_emitter *m, int reg, int offset)
{
	kft_bpf_alu(m->code, BPF_MOV, BPF_REG_1, reg);
	kft_bpf_alu_k(m->code, BPF_ADD, BPF_REG_1, offset);
	kft_bpf_alu_k(m->code, BPF_MOV, BPF_REG_2,
		      sizeof(((struct kft_live_open *)0)->comm));
	kft_bpf_call(m->code, BPF_FUNC_get_current_comm);
}

void kft_live_note_now(const struct kft_live_emitter *m)
{
	kft_bpf_call(m->code, BPF_FUNC_ktime_get_ns);
	kft_bpf_store(m->code, BPF_DW, BPF_REG_10, KFT_LIVE_AT_NOW, BPF_REG_0);
}

/* Not 0, which would be the tag of a free place if all parts of an identity were 0. */
void kft_live_begin_tag(const struct kft_live_emitter *m)
{
	kft_bpf_load_u64(m->code, BPF_REG_8, MIX);
}

void kft_live_mix(const struct kft_live_emitter *m, int reg)
{
	kft_bpf_alu(m->code, BPF_ADD, BPF_REG_8, reg);
	kft_bpf_load_u64(m->code, BPF_REG_1, MIX);
	kft_bpf_alu(m->code, BPF_MUL, BPF_REG_8, BPF_REG_1);
}

/* The upper bits of a product depend on all bits of its factors. */
void kft_live_find_place(const struct kft_live_emitter *m, unsigned int out)
{
	struct kft_bpf_code *c = m->code;

	kft_bpf_alu(c, BPF_MOV, BPF_REG_1, BPF_REG_8);
	kft_bpf_alu_k(c, BPF_RSH, BPF_REG_1, 64 - KFT_LIVE_PLACE_BITS);
	kft_bpf_store(c, BPF_W, BPF_REG_10, KFT_LIVE_AT_INDEX, BPF_REG_1);
	look_up(m, m->maps->open, KFT_LIVE_AT_INDEX);
	kft_bpf_jump_k(c, BPF_JEQ, BPF_REG_0, 0, out);
	kft_bpf_alu(c, BPF_MOV, BPF_REG_7, BPF_REG_0);
}

void kft_live_count(const struct kft_live_emitter *m, size_t member, unsigned int out)
{
	look_up_first(m, m->maps->tally);
	kft_bpf_jump_k(m->code, BPF_JEQ, BPF_REG_0, 0, out);
	kft_bpf_add_to_k(m->code, BPF_REG_0, (int)member, 1, BPF_REG_1);
}

/* Parts that rows are not grouped by are 0: the map compares its keys as bytes. */
static void store_key(const struct kft_live_emitter *m)
{
	struct kft_bpf_code *c = m->code;
	bool by_comm = m->rules->by & KFT_INTERVAL_BY_COMM;

	for (uint32_t at = 0; at < kft_live_key_bytes(m->rules->by); at += 8)
		kft_bpf_store_k(c, BPF_DW, BPF_REG_10, KFT_LIVE_AT_KEY + (int)at, 0);
	kft_bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, KFT_LIVE_AT_PERIOD);
	kft_bpf_store(c, BPF_W, BPF_REG_10, KEY(period), BPF_REG_1);
	if (m->rules->by & KFT_INTERVAL_BY_KEY) {
		kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_7, OPEN(key));
		kft_bpf_store(c, BPF_DW, BPF_REG_10, KEY(key), BPF_REG_1);
	}
	if (m->rules->by & KFT_INTERVAL_BY_CPU) {
		kft_bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_7, OPEN(cpu));
		kft_bpf_store(c, BPF_W, BPF_REG_10, KEY(cpu), BPF_REG_1);
	}
	if (m->rules->by & KFT_INTERVAL_BY_TASK) {
		kft_bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_7, OPEN(pid));
		kft_bpf_store(c, BPF_W, BPF_REG_10, KEY(pid), BPF_REG_1);
	}
	for (int at = 0; by_comm && at < 16; at += 8) {
		kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_7, OPEN(comm) + at);
		kft_bpf_store(c, BPF_DW, BPF_REG_10, KEY(comm) + at, BPF_REG_1);
	}
}

/*
 * r8 = the cell, which is made if it does not exist. The programs of different CPUs may make it
 * at once: the first one does, and all find it.
 */
static void find_cell(const struct kft_live_emitter *m, unsigned int out)
{
	struct kft_bpf_code *c = m->code;
	unsigned int found = kft_bpf_label(c);

	look_up(m, m->maps->cells, KFT_LIVE_AT_KEY);
	kft_bpf_jump_k(c, BPF_JNE, BPF_REG_0, 0, found);
	look_up_first(m, m->maps->zero);
	kft_bpf_jump_k(c, BPF_JEQ, BPF_REG_0, 0, out);
	kft_bpf_load_map(c, BPF_REG_1, m->maps->cells);
	point_at(m, BPF_REG_2, KFT_LIVE_AT_KEY);
	kft_bpf_alu(c, BPF_MOV, BPF_REG_3, BPF_REG_0);
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_4, BPF_NOEXIST);
	kft_bpf_call(c, BPF_FUNC_map_update_elem);
	look_up(m, m->maps->cells, KFT_LIVE_AT_KEY);
	kft_bpf_jump_k(c, BPF_JNE, BPF_REG_0, 0, found);
	kft_live_count(m, offsetof(struct kft_live_tally, full), out);
	kft_bpf_goto(c, out);
	kft_bpf_place(c, found);
	kft_bpf_alu(c, BPF_MOV, BPF_REG_8, BPF_REG_0);
}

/* squares_low += reg, with the carry to squares_high; r4 and r5 are lost */
static void add_low(struct kft_bpf_code *c, int reg)
{
	unsigned int no_carry = kft_bpf_label(c);

	kft_bpf_load(c, BPF_DW, BPF_REG_4, BPF_REG_8, CELL(squares_low));
	kft_bpf_alu(c, BPF_ADD, BPF_REG_4, reg);
	kft_bpf_store(c, BPF_DW, BPF_REG_8, CELL(squares_low), BPF_REG_4);
	kft_bpf_jump(c, BPF_JGE, BPF_REG_4, reg, no_carry);
	kft_bpf_add_to_k(c, BPF_REG_8, CELL(squares_high), 1, BPF_REG_5);
	kft_bpf_place(c, no_carry);
}

/*
 * With r9 = a << 32 | b its square is a * a << 64, 2 * a * b << 32 and b * b, as in
 * analysis/stats/interval_stats.c for machines without integers of 128 bits.
 */
static void add_square(struct kft_bpf_code *c)
{
	kft_bpf_alu(c, BPF_MOV, BPF_REG_1, BPF_REG_9);
	kft_bpf_alu_k(c, BPF_RSH, BPF_REG_1, 32);
	kft_bpf_alu(c, BPF_MOV, BPF_REG_2, BPF_REG_9);
	kft_bpf_alu_k(c, BPF_LSH, BPF_REG_2, 32);
	kft_bpf_alu_k(c, BPF_RSH, BPF_REG_2, 32);
	kft_bpf_alu(c, BPF_MOV, BPF_REG_3, BPF_REG_1);
	kft_bpf_alu(c, BPF_MUL, BPF_REG_3, BPF_REG_2);
	kft_bpf_alu(c, BPF_MUL, BPF_REG_1, BPF_REG_1);
	kft_bpf_alu(c, BPF_MUL, BPF_REG_2, BPF_REG_2);
	kft_bpf_add_to(c, BPF_REG_8, CELL(squares_high), BPF_REG_1, BPF_REG_4);
	add_low(c, BPF_REG_2);
	kft_bpf_alu(c, BPF_MOV, BPF_REG_1, BPF_REG_3);
	kft_bpf_alu_k(c, BPF_RSH, BPF_REG_1, 31);
	kft_bpf_add_to(c, BPF_REG_8, CELL(squares_high), BPF_REG_1, BPF_REG_4);
	kft_bpf_alu_k(c, BPF_LSH, BPF_REG_3, 33);
	add_low(c, BPF_REG_3);
}

/* r1 = the bucket of the duration in r9, as kft_live_bucket() computes it. */
static void find_bucket(struct kft_bpf_code *c)
{
	unsigned int in_range = kft_bpf_label(c);
	unsigned int found = kft_bpf_label(c);

	kft_bpf_alu(c, BPF_MOV, BPF_REG_1, BPF_REG_9);
	kft_bpf_load_u64(c, BPF_REG_2, (UINT64_C(1) << KFT_LIVE_NS_BITS) - 1);
	kft_bpf_jump(c, BPF_JGE, BPF_REG_2, BPF_REG_1, in_range);
	kft_bpf_alu(c, BPF_MOV, BPF_REG_1, BPF_REG_2);
	kft_bpf_place(c, in_range);
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_2, KFT_LIVE_PER_OCTAVE);
	kft_bpf_jump(c, BPF_JGT, BPF_REG_2, BPF_REG_1, found);
	/* r3 = the number of the highest bit: BPF has no instruction for that. */
	kft_bpf_alu(c, BPF_MOV, BPF_REG_2, BPF_REG_1);
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_3, 0);
	for (int bits = 32; bits; bits /= 2) {
		unsigned int none = kft_bpf_label(c);

		kft_bpf_alu(c, BPF_MOV, BPF_REG_4, BPF_REG_2);
		kft_bpf_alu_k(c, BPF_RSH, BPF_REG_4, bits);
		kft_bpf_jump_k(c, BPF_JEQ, BPF_REG_4, 0, none);
		kft_bpf_alu(c, BPF_MOV, BPF_REG_2, BPF_REG_4);
		kft_bpf_alu_k(c, BPF_ADD, BPF_REG_3, bits);
		kft_bpf_place(c, none);
	}
	kft_bpf_alu_k(c, BPF_SUB, BPF_REG_3, KFT_LIVE_PER_OCTAVE_BITS);
	kft_bpf_alu(c, BPF_RSH, BPF_REG_1, BPF_REG_3);
	kft_bpf_alu_k(c, BPF_LSH, BPF_REG_3, KFT_LIVE_PER_OCTAVE_BITS);
	kft_bpf_alu(c, BPF_ADD, BPF_REG_1, BPF_REG_3);
	kft_bpf_place(c, found);
}

static void count_bucket(struct kft_bpf_code *c)
{
	unsigned int in_range = kft_bpf_label(c);

	find_bucket(c);
	/* It is in range anyway, but the verifier cannot know. */
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_2, KFT_LIVE_BUCKETS);
	kft_bpf_jump(c, BPF_JGT, BPF_REG_2, BPF_REG_1, in_range);
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_1, KFT_LIVE_BUCKETS - 1);
	kft_bpf_place(c, in_range);
	kft_bpf_alu_k(c, BPF_LSH, BPF_REG_1, 3);
	kft_bpf_alu(c, BPF_ADD, BPF_REG_1, BPF_REG_8);
	kft_bpf_add_to_k(c, BPF_REG_1, CELL(buckets), 1, BPF_REG_2);
}

static void store_longest(const struct kft_live_emitter *m)
{
	static const struct {
		int from;
		int to;
	} words[] = {
		{OPEN(begin_ns), CELL(max_begin_ns)},
		{OPEN(pid), CELL(max_pid)}, /* and the CPU behind it */
		{OPEN(comm), CELL(max_comm)},
		{OPEN(comm) + 8, CELL(max_comm) + 8},
	};
	struct kft_bpf_code *c = m->code;
	bool asks = kft_live_names_at_end(m->rules);
	size_t n = ARRAY_SIZE(words) - (asks ? 2 : 0);

	kft_bpf_store(c, BPF_DW, BPF_REG_8, CELL(max_ns), BPF_REG_9);
	for (size_t i = 0; i < n; i++) {
		kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_7, words[i].from);
		kft_bpf_store(c, BPF_DW, BPF_REG_8, words[i].to, BPF_REG_1);
	}
	if (asks)
		kft_live_store_comm(m, BPF_REG_8, CELL(max_comm));
}

/* min and max; the first interval sets both. */
static void compare_extremes(const struct kft_live_emitter *m)
{
	struct kft_bpf_code *c = m->code;
	unsigned int not_least = kft_bpf_label(c);
	unsigned int longest = kft_bpf_label(c);
	unsigned int not_longest = kft_bpf_label(c);

	kft_bpf_alu(c, BPF_MOV, BPF_REG_1, BPF_REG_9);
	kft_bpf_alu_k(c, BPF_XOR, BPF_REG_1, -1);
	kft_bpf_load(c, BPF_DW, BPF_REG_2, BPF_REG_8, CELL(not_min_ns));
	kft_bpf_jump(c, BPF_JGE, BPF_REG_2, BPF_REG_1, not_least);
	kft_bpf_store(c, BPF_DW, BPF_REG_8, CELL(not_min_ns), BPF_REG_1);
	kft_bpf_place(c, not_least);
	kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_8, CELL(count));
	kft_bpf_jump_k(c, BPF_JEQ, BPF_REG_1, 1, longest);
	kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_8, CELL(max_ns));
	kft_bpf_jump(c, BPF_JGE, BPF_REG_1, BPF_REG_9, not_longest);
	kft_bpf_place(c, longest);
	store_longest(m);
	kft_bpf_place(c, not_longest);
}

/* r9 = the duration; 0 if the clocks of two CPUs differ by more than it. */
static void find_duration(struct kft_bpf_code *c)
{
	unsigned int positive = kft_bpf_label(c);

	kft_bpf_load(c, BPF_DW, BPF_REG_9, BPF_REG_10, KFT_LIVE_AT_NOW);
	kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_7, OPEN(begin_ns));
	kft_bpf_alu(c, BPF_SUB, BPF_REG_9, BPF_REG_1);
	kft_bpf_jump_k(c, BPF_JSGE, BPF_REG_9, 0, positive);
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_9, 0);
	kft_bpf_place(c, positive);
}

void kft_live_add_interval(const struct kft_live_emitter *m)
{
	struct kft_bpf_code *c = m->code;
	unsigned int out = kft_bpf_label(c);

	find_duration(c);
	require(m, &m->rules->where, out);
	store_key(m);
	find_cell(m, out);
	kft_bpf_add_to_k(c, BPF_REG_8, CELL(count), 1, BPF_REG_1);
	kft_bpf_add_to(c, BPF_REG_8, CELL(total_ns), BPF_REG_9, BPF_REG_1);
	add_square(c);
	compare_extremes(m);
	count_bucket(c);
	kft_bpf_place(c, out);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Emits conditions on events and intervals. */
#include "live/condition.h"

#include <errno.h>

#include "base/err.h"
#include "live/key_ranges.h"

/* Jumps have 16 bits, and a condition is a part of a program only. */
#define INSNS_MAX 8192

/* The instructions at which a test continues. */
struct branches {
	unsigned int yes;
	unsigned int no;
};

/* r1 = the number */
static void load_number(struct kft_bpf_code *c, const struct kft_live_term *t)
{
	static const int sizes[] = {[1] = BPF_B, [2] = BPF_H, [4] = BPF_W, [8] = BPF_DW};
	int unused = 64 - 8 * (int)t->bytes;

	if (t->is == KFT_LIVE_TERM_KNOWN) {
		kft_bpf_load_u64(c, BPF_REG_1, t->number);
		return;
	}
	if (t->is == KFT_LIVE_TERM_REGISTER) {
		kft_bpf_alu(c, BPF_MOV, BPF_REG_1, t->reg);
		return;
	}
	kft_bpf_load(c, sizes[t->bytes], BPF_REG_1, t->reg, t->offset);
	if (t->is_signed && unused) {
		kft_bpf_alu_k(c, BPF_LSH, BPF_REG_1, unused);
		kft_bpf_alu_k(c, BPF_ARSH, BPF_REG_1, unused);
	}
}

/* Compares r1 with the number of a step. */
static void test_number(struct kft_bpf_code *c, const struct kft_filter_step *s,
			bool is_signed, struct branches to)
{
	static const struct {
		int jump;
		int jump_signed;
		bool is_swapped;
	} ops[] = {
		[KFT_FILTER_EQUAL] = {BPF_JEQ, BPF_JEQ},
		[KFT_FILTER_NOT_EQUAL] = {BPF_JNE, BPF_JNE},
		[KFT_FILTER_LESS] = {BPF_JGT, BPF_JSGT, true},
		[KFT_FILTER_LESS_EQUAL] = {BPF_JGE, BPF_JSGE, true},
		[KFT_FILTER_GREATER] = {BPF_JGT, BPF_JSGT},
		[KFT_FILTER_GREATER_EQUAL] = {BPF_JGE, BPF_JSGE},
	};

	kft_bpf_load_u64(c, BPF_REG_2, s->number);
	if (s->compare == KFT_FILTER_HAS_BIT) {
		kft_bpf_alu(c, BPF_AND, BPF_REG_1, BPF_REG_2);
		kft_bpf_jump_k(c, BPF_JNE, BPF_REG_1, 0, to.yes);
	} else {
		bool swap = ops[s->compare].is_swapped;

		kft_bpf_jump(
			c, is_signed ? ops[s->compare].jump_signed : ops[s->compare].jump,
			swap ? BPF_REG_2 : BPF_REG_1, swap ? BPF_REG_1 : BPF_REG_2,
			to.yes);
	}
	kft_bpf_goto(c, to.no);
}

/* Goes on behind this if r1 is in the range of small numbers, or jumps to no if it is below. */
static void test_range(struct kft_bpf_code *c, int32_t first, int32_t last,
		       struct branches to)
{
	unsigned int above = kft_bpf_label(c);

	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_2, first);
	kft_bpf_jump(c, BPF_JGT, BPF_REG_2, BPF_REG_1, to.no);
	kft_bpf_jump_k(c, BPF_JGT, BPF_REG_1, last, above);
	kft_bpf_goto(c, to.yes);
	kft_bpf_place(c, above);
}

/* Jumps to yes if r1 is one of the numbers for which is_one has a true, in ascending ranges. */
static void test_ranges(struct kft_bpf_code *c, const bool *is_one, int32_t n,
			struct branches to)
{
	for (int32_t first = 0; first < n; first++) {
		int32_t last = first;

		if (!is_one[first])
			continue;
		while (last + 1 < n && is_one[last + 1])
			last++;
		test_range(c, first, last, to);
		first = last;
	}
}

/* A text and the pattern that it is compared with. */
struct comparison {
	const struct kft_live_term *text;
	const char *end; /* of the pattern */
	bool is_glob;
};

static void load_char(struct kft_bpf_code *c, const struct kft_live_term *t,
		      unsigned int at)
{
	kft_bpf_load(c, BPF_B, BPF_REG_1, t->reg, t->offset + (int)at);
}

/* Finds the characters that p stands for. Returns the rest of the pattern; NULL: there are none. */
static const char *find_set(const struct comparison *how, const char *p, bool set[256])
{
	const char *rest = NULL;

	for (int ch = 1; ch < 256; ch++) {
		const char *after = !how->is_glob
					    ? (*p == (char)ch ? p + 1 : NULL)
					    : kft_filter_glob_one(p, how->end, (char)ch);
		set[ch] = after;
		rest = after ? after : rest;
	}
	return rest;
}

static void test_rest(struct kft_bpf_code *c, const struct comparison *how, const char *p,
		      unsigned int at, struct branches to);

/* The pattern has ended: the text has to end, too. */
static void test_end(struct kft_bpf_code *c, const struct comparison *how,
		     unsigned int at, struct branches to)
{
	if (at < how->text->bytes) {
		load_char(c, how->text, at);
		kft_bpf_jump_k(c, BPF_JNE, BPF_REG_1, 0, to.no);
	}
	kft_bpf_goto(c, to.yes);
}

/* Tries all positions up to the text's end for the pattern p after a star. */
static void test_star(struct kft_bpf_code *c, const struct comparison *how, const char *p,
		      unsigned int at, struct branches to)
{
	for (; p < how->end && c->insns.len <= INSNS_MAX; at++) {
		unsigned int next = kft_bpf_label(c);

		test_rest(c, how, p, at, (struct branches){to.yes, next});
		kft_bpf_place(c, next);
		if (at == how->text->bytes)
			break;
		load_char(c, how->text, at);
		kft_bpf_jump_k(c, BPF_JEQ, BPF_REG_1, 0, to.no);
	}
	kft_bpf_goto(c, p == how->end ? to.yes : to.no);
}

static void test_char(struct kft_bpf_code *c, const struct comparison *how, const char *p,
		      unsigned int at, struct branches to)
{
	bool set[256] = {};
	const char *rest = at < how->text->bytes ? find_set(how, p, set) : NULL;
	unsigned int matches = kft_bpf_label(c);

	if (!rest) {
		kft_bpf_goto(c, to.no);
		return;
	}
	load_char(c, how->text, at);
	test_ranges(c, set, 256, (struct branches){matches, to.no});
	kft_bpf_goto(c, to.no);
	kft_bpf_place(c, matches);
	test_rest(c, how, rest, at + 1, to);
}

/*
 * Compares the text from a position on with the rest of a pattern. There is no loop: each
 * position has instructions of its own.
 */
static void test_rest(struct kft_bpf_code *c, const struct comparison *how, const char *p,
		      unsigned int at, struct branches to)
{
	if (p == how->end)
		test_end(c, how, at, to);
	else if (how->is_glob && *p == '*')
		test_star(c, how, p + 1, at, to);
	else
		test_char(c, how, p, at, to);
}

static void test_text(struct kft_bpf_code *c, const struct kft_filter_step *s,
		      const struct kft_live_term *t, struct branches to)
{
	const struct comparison how = {t, s->text + s->len,
				       s->compare == KFT_FILTER_GLOB};

	if (s->compare == KFT_FILTER_NOT_EQUAL)
		to = (struct branches){to.no, to.yes};
	test_rest(c, &how, s->text, 0, to);
}

/* Jumps on from r1 for a range of keys; those below it are in no other one. */
static void test_key_range(struct kft_bpf_code *c, const struct kft_live_key_range *range,
			   struct branches to)
{
	kft_bpf_load_u64(c, BPF_REG_2, range->first);
	kft_bpf_jump(c, BPF_JGT, BPF_REG_2, BPF_REG_1, to.no);
	kft_bpf_load_u64(c, BPF_REG_2, range->last);
	kft_bpf_jump(c, BPF_JGE, BPF_REG_2, BPF_REG_1, to.yes);
}

static int test_key(struct kft_bpf_code *c, const struct kft_filter_step *s,
		    const struct kft_live_term *t, struct branches to, struct kft_err *e)
{
	_cleanup_(kft_live_key_ranges_finish) struct kft_live_key_ranges keys = {};
	int r = kft_live_key_ranges_find(s, t->kind, t->names, &keys, e);

	if (s->compare == KFT_FILTER_NOT_EQUAL)
		to = (struct branches){to.no, to.yes};
	load_number(c, t);
	for (size_t i = 0; !r && i < keys.list.len && c->insns.len <= INSNS_MAX; i++)
		test_key_range(c, &keys.list.data[i], to);
	kft_bpf_goto(c, to.no);
	return r;
}

static int test(struct kft_bpf_code *c, const struct kft_live_condition *condition,
		const struct kft_filter_step *s, struct branches to, struct kft_err *e)
{
	struct kft_live_term t = {};
	int r = 0;

	if (s->op == KFT_FILTER_TEST_CPU) {
		kft_bpf_call(c, BPF_FUNC_get_smp_processor_id);
		kft_bpf_alu(c, BPF_MOV, BPF_REG_1, BPF_REG_0);
		test_number(c, s, false, to);
		return 0;
	}
	r = condition->find(condition->arg, s->field, &t, e);
	if (r < 0)
		return r;
	if (s->op == KFT_FILTER_TEST_NUMBER) {
		load_number(c, &t);
		test_number(c, s, t.is_signed, to);
	} else if (t.is == KFT_LIVE_TERM_KNOWN) {
		bool holds = kft_filter_step_match(s, t.text, strlen(t.text));

		kft_bpf_goto(c, holds ? to.yes : to.no);
	} else if (t.is == KFT_LIVE_TERM_KEY) {
		r = test_key(c, s, &t, to, e);
	} else {
		test_text(c, s, &t, to);
	}
	return r;
}

/* r0 = the result of a test */
static int emit_test(struct kft_bpf_code *c, const struct kft_live_condition *condition,
		     const struct kft_filter_step *s, struct kft_err *e)
{
	const struct branches to = {kft_bpf_label(c), kft_bpf_label(c)};
	unsigned int done = kft_bpf_label(c);
	int r = test(c, condition, s, to, e);

	kft_bpf_place(c, to.yes);
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_0, 1);
	kft_bpf_goto(c, done);
	kft_bpf_place(c, to.no);
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_0, 0);
	kft_bpf_place(c, done);
	return r;
}

/* r0 = the result of a filter; the labels are those of its steps and of its end. */
static int emit_steps(struct kft_bpf_code *c, const struct kft_live_condition *condition,
		      const struct kft_filter *filter, struct kft_err *e)
{
	size_t n;
	const struct kft_filter_step *steps = kft_filter_steps(filter, &n);
	unsigned int first = kft_bpf_label(c);
	int r = 0;

	for (size_t i = 0; i < n; i++)
		(void)kft_bpf_label(c);
	for (size_t i = 0; !r && i < n; i++) {
		kft_bpf_place(c, first + (unsigned int)i);
		if (steps[i].op == KFT_FILTER_NEGATE)
			kft_bpf_alu_k(c, BPF_XOR, BPF_REG_0, 1);
		else if (steps[i].op == KFT_FILTER_SKIP_IF)
			kft_bpf_jump_k(c, BPF_JNE, BPF_REG_0, 0,
				       first + (unsigned int)steps[i].to);
		else if (steps[i].op == KFT_FILTER_SKIP_UNLESS)
			kft_bpf_jump_k(c, BPF_JEQ, BPF_REG_0, 0,
				       first + (unsigned int)steps[i].to);
		else
			r = emit_test(c, condition, &steps[i], e);
	}
	kft_bpf_place(c, first + (unsigned int)n);
	return r;
}

int kft_live_emit_condition(struct kft_bpf_code *c,
			    const struct kft_live_condition *condition, unsigned int out,
			    struct kft_err *e)
{
	unsigned int holds = kft_bpf_label(c);
	int r = 0;

	for (const struct kft_filter *f = condition->filter; !r && f;
	     f = kft_filter_next(f)) {
		r = emit_steps(c, condition, f, e);
		kft_bpf_jump_k(c, BPF_JNE, BPF_REG_0, 0, holds);
	}
	kft_bpf_goto(c, out);
	kft_bpf_place(c, holds);
	if (!r && c->insns.len > INSNS_MAX)
		r = kft_err_set(e, -E2BIG,
				"the condition is too long for a program in the kernel: "
				"with fewer * and more of the name it is shorter");
	return r;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes an event of a record of KPTrace. */
#include <string.h>

#include "base/bits.h"
#include "file/kpt/reader.h"

/* TASK_INTERRUPTIBLE of sched_switch's prev_state. */
#define SLEEPING 1

/* A record that is being made. */
struct making {
	const struct kft_kpt *k;
	struct kft_kpt_state *s;
	const struct kft_kpt_record *r;
	const struct kft_kpt_line *line;
	uint8_t *data;
	uint32_t size;
};

static void put(struct making *m, size_t field, uint64_t v)
{
	memcpy(m->data + kft_kpt_offset(m->r, field), &v, sizeof(v));
}

/* Appends the record's text, at most one per record, and sets its data_loc. */
static void put_text(struct making *m, size_t field, const char *text, size_t len)
{
	uint32_t where = m->size | (uint32_t)(len + 1) << 16;

	memcpy(m->data + kft_kpt_offset(m->r, field), &where, sizeof(where));
	if (len)
		memcpy(m->data + m->size, text, len);
	m->data[m->size + len] = '\0';
	m->size += (uint32_t)len + 1;
}

static void put_comm(struct making *m, size_t field, uint64_t pid)
{
	const char *comm = kft_task_comm_at(&m->k->trace->tasks, (uint32_t)pid,
					    m->line->ts_ns);

	memcpy(m->data + kft_kpt_offset(m->r, field), comm,
	       strnlen(comm, KFT_KPT_COMM_BYTES - 1));
}

/* Sets each field from the word at its place; a missing word is 0. */
static void put_words(struct making *m)
{
	struct kft_kpt_word rest = m->line->rest;
	struct kft_kpt_word words[KFT_KPT_FIELDS] = {};
	size_t n = kft_kpt_split(rest, words, ARRAY_SIZE(words));

	for (size_t i = 0; i < KFT_KPT_FIELDS && m->r->fields[i].type; i++) {
		bool is_hex = m->r->fields[i].type == KFT_KPT_HEX;
		const char *from = i < n ? words[i].text : rest.text + rest.len;
		uint64_t v;

		if (m->r->fields[i].type == KFT_KPT_TEXT)
			put_text(m, i, from, rest.text + rest.len - from);
		else if (i < n && kft_kpt_number(words[i], is_hex, &v))
			put(m, i, v);
	}
}

static void push(struct kft_kpt_nest *n, uint64_t key)
{
	if (n->n == KFT_KPT_NESTED_MAX) {
		n->n--;
		memmove(n->keys, n->keys + 1, n->n * sizeof(*n->keys));
	}
	n->keys[n->n++] = key;
}

static uint64_t pop(struct kft_kpt_nest *n)
{
	return n->n ? n->keys[--n->n] : UINT64_MAX;
}

static uint64_t number(const struct making *m, size_t word, bool is_hex)
{
	struct kft_kpt_word words[KFT_KPT_FIELDS] = {};
	uint64_t v = 0;

	if (kft_kpt_split(m->line->rest, words, word + 1) <= word ||
	    !kft_kpt_number(words[word], is_hex, &v))
		return 0;
	return v;
}

static void put_irq(struct making *m)
{
	uint64_t irq = number(m, 0, false);
	const uint64_t *slot = kft_map_get(&m->k->irq_names, irq);
	const struct kft_blob *name = slot ? (const struct kft_blob *)(uintptr_t)*slot
					   : NULL;

	put(m, 0, irq);
	put_text(m, 1, name ? name->data : "", name ? name->len : 0);
	push(&m->s->irqs, irq);
}

static void put_softirq(struct making *m)
{
	uint64_t function = number(m, 0, true);
	uint64_t vector = kft_kpt_vector_of(m->k, function);

	put(m, 0, vector);
	put(m, 1, function);
	push(&m->s->softirqs, vector);
}

/*
 * KPTrace does not record prev_state. A task that is woken before it runs again was
 * sleeping; other tasks were preempted, provided that wake-ups were recorded at all.
 */
static void put_switch(struct making *m)
{
	const struct kft_kpt *k = m->k;
	uint64_t prev = number(m, 0, false);
	uint64_t next = number(m, 1, false);
	uint64_t i = m->s->switches++;
	bool slept = !k->has_wakes ||
		     (i / 64 < k->slept.len && kft_bits_has(k->slept.data, i));

	put_comm(m, 0, prev);
	put(m, 1, prev);
	put(m, 2, slept ? SLEEPING : 0);
	put_comm(m, 3, next);
	put(m, 4, next);
}

static void put_call(struct making *m)
{
	struct kft_kpt_word rest = m->line->rest;
	struct kft_kpt_word word = {rest.text, 0};
	struct kft_kpt_args args;

	(void)kft_kpt_split(rest, &word, 1);
	const char *from = word.text + word.len;
	kft_kpt_read_args(m->k, (struct kft_kpt_word){from, rest.text + rest.len - from},
			  &args);
	put(m, 0, kft_kpt_call(m->k, number(m, 0, true)));
	memcpy(m->data + kft_kpt_offset(m->r, 1), args.values, sizeof(args.values));
	put(m, 2, (uint64_t)(int64_t)args.text_arg);
	put_text(m, 3, args.text.text, args.text.len);
}

static void put_special(struct making *m)
{
	struct kft_kpt_word rest = m->line->rest;
	const char *code = m->line->code.text;

	switch (m->r->special) {
	case KFT_KPT_SWITCH:
		put_switch(m);
		break;
	case KFT_KPT_WAKE:
		put_comm(m, 0, number(m, 0, false));
		put(m, 1, number(m, 0, false));
		break;
	case KFT_KPT_IRQ:
		put_irq(m);
		break;
	case KFT_KPT_IRQ_BACK:
		put(m, 0, pop(&m->s->irqs));
		put(m, 1, 1);
		break;
	case KFT_KPT_SOFTIRQ:
		put_softirq(m);
		break;
	case KFT_KPT_SOFTIRQ_BACK:
		put(m, 0, pop(&m->s->softirqs));
		break;
	case KFT_KPT_CALL:
		put_call(m);
		break;
	case KFT_KPT_CALL_BACK:
		put(m, 0, kft_kpt_call(m->k, number(m, 0, true)));
		put(m, 1, number(m, 1, false));
		break;
	case KFT_KPT_MARK:
		if (m->line->code.len == 2)
			rest = (struct kft_kpt_word){"MK", 2};
		put_text(m, 1, rest.text, rest.len);
		break;
	case KFT_KPT_OTHER:
		put_text(m, 0, code, rest.text + rest.len - code);
		break;
	default:
		put_words(m);
		break;
	}
}

struct kft_event kft_kpt_make(const struct kft_kpt *k, struct kft_kpt_state *s,
			      const struct kft_kpt_line *line, uint32_t cpu,
			      uint8_t *data)
{
	struct making m = {.k = k,
			   .s = s,
			   .line = line,
			   .data = data,
			   .r = kft_kpt_find(line->code.text, line->code.len)};
	uint16_t id = kft_kpt_id(m.r);
	size_t n = 0;

	while (n < KFT_KPT_FIELDS && m.r->fields[n].type)
		n++;
	m.size = kft_kpt_offset(m.r, n);
	memset(data, 0, m.size);
	memcpy(data, &id, sizeof(id));
	memcpy(data + 4, &line->pid, sizeof(line->pid));
	put_special(&m);
	return (struct kft_event){
		.ts = line->ts_ns, .data = data, .size = m.size, .cpu = cpu, .id = id};
}

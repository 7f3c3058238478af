// SPDX-License-Identifier: LGPL-2.1-or-later
/* Explains the longest intervals of a page. */
#include "view/explain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/why/why.h"
#include "base/scan.h"
#include "output/result.h"

/* Limit of the explanations: users read only a few. */
#define EXPLAINED_MAX 24

/* Limit of the segments of an explanation that are drawn. */
#define SEGMENTS_MAX 1000

/*
 * Whether there is nothing to explain: the length is intended, or
 * the interval is idle time.
 */
static bool has_no_reason(const struct kft_view_pack *p, const struct kft_view_key *k)
{
	static const char kinds[] = "idle frequency irq-gap mark-gap";
	static const char states[] = "running sleeping stopped dead";
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	const struct kft_interval_kind *kind = p->kinds[k->kind];

	if (kft_has_word(kinds, kind->name))
		return true;
	if (strcmp(kind->name, "task") != 0)
		return false;
	kft_interval_key_text(p->trace, kind, k->key, &name);
	return kft_has_word(states, kft_strbuf_cstr(&name));
}

static bool can_explain(const struct kft_view_pack *p, const struct kft_view_key *k)
{
	return k->kind < p->n_kinds && k->count > k->cut && k->worst.kind &&
	       k->worst.end_ns > k->worst.begin_ns && !has_no_reason(p, k);
}

/*
 * Whether a longer interval of the same kind can be explained. States of
 * tasks count as separate kinds.
 */
static bool has_longer(const struct kft_view_pack *p, const struct kft_view_key *k)
{
	if (strcmp(p->kinds[k->kind]->name, "task") == 0)
		return false;
	kft_vec_for_each(&p->keys.list, other)
		if (other->kind == k->kind && can_explain(p, other) &&
		    kft_interval_ns(&other->worst) > kft_interval_ns(&k->worst))
			return true;
	return false;
}

static int compare_descending(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa;
	uint64_t b = *(const uint64_t *)pb;

	return a > b ? -1 : a < b;
}

/* Finds the smallest length among the SEGMENTS_MAX longest segments. -ENOMEM. */
static int find_limit(const struct kft_result_table *t, size_t column, uint64_t *ret)
{
	size_t rows = t->values.len / t->n_columns;
	_cleanup_free_ uint64_t *lengths = calloc(rows + 1, sizeof(*lengths));

	if (!lengths)
		return -ENOMEM;
	for (size_t i = 0; i < rows; i++)
		lengths[i] = t->values.data[i * t->n_columns + column].number;
	qsort(lengths, rows, sizeof(*lengths), compare_descending);
	*ret = lengths[SEGMENTS_MAX];
	return 0;
}

/*
 * Keeps only the longest segments: short ones would be too small to see, and
 * all of them take megabytes.
 */
static void keep_longest(struct kft_result_table *t)
{
	size_t column = 0;
	size_t kept = 0;
	uint64_t limit;

	while (column < t->n_columns && strcmp(t->columns[column].key, "time") != 0)
		column++;
	if (column == t->n_columns || t->values.len / t->n_columns <= SEGMENTS_MAX ||
	    find_limit(t, column, &limit) < 0)
		return;
	for (size_t i = 0; i + t->n_columns <= t->values.len; i += t->n_columns) {
		if (t->values.data[i + column].number <= limit)
			continue;
		memmove(t->values.data + kept, t->values.data + i,
			t->n_columns * sizeof(*t->values.data));
		kept += t->n_columns;
	}
	t->values.len = kept;
}

/* The explained keys of a page, in the order in which they are written. */
struct explained {
	const struct kft_view_pack *pack; /* borrowed */
	const struct kft_view_key *keys[EXPLAINED_MAX]; /* borrowed */
	struct kft_interval worst[EXPLAINED_MAX];
	struct kft_strbuf answers[EXPLAINED_MAX]; /* owned */
	size_t n;
};

static int take_answer(void *arg, struct kft_why *w)
{
	_cleanup_(kft_result_finish) struct kft_result result = {};
	const struct kft_output_how how = {};
	struct explained *x = arg;
	size_t i = w->rank;

	w->rank = 0;
	w->count = x->keys[i]->count - x->keys[i]->cut;
	kft_why_result(w, &result);
	kft_vec_for_each(&result.tables, table)
		keep_longest(*table);
	kft_result_json(&result, &how, &x->answers[i]);
	return 0;
}

static void write_answer(const struct explained *x, size_t i, struct kft_json *j)
{
	kft_json_begin_object(j);
	kft_json_key(j, "key");
	kft_json_u64(j, (uint64_t)(x->keys[i] - x->pack->keys.list.data));
	kft_json_key(j, "answer");
	kft_strbuf_add(j->sb, x->answers[i].buf, x->answers[i].len);
	j->sb->failed |= x->answers[i].failed;
	j->comma = true;
	kft_json_end_object(j);
}

void kft_view_explain(const struct kft_view_pack *p, struct kft_json *j)
{
	struct explained x = {.pack = p};
	/* left empty: it would need more of the trace */
	const struct kft_why_usual usual = {};
	struct kft_err e = {};

	kft_vec_for_each(&p->keys.list, k) {
		if (x.n >= EXPLAINED_MAX || !can_explain(p, k) || has_longer(p, k))
			continue;
		x.worst[x.n] = k->worst;
		x.keys[x.n++] = k;
	}
	const struct kft_why_found found = {.worst = {x.worst, x.n, x.n}};

	/* Intervals with too many events stay without an explanation. */
	(void)!kft_why_explain_each(p->trace, &found, &usual, take_answer, &x, &e);
	kft_json_begin_array(j);
	for (size_t i = 0; i < x.n; i++) {
		if (x.answers[i].len)
			write_answer(&x, i, j);
		kft_strbuf_finish(&x.answers[i]);
	}
	kft_json_end_array(j);
}

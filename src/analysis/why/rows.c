// SPDX-License-Identifier: LGPL-2.1-or-later
/* Adds up the segments of an interval in rows, and the time of a command by program. */
#include "analysis/why/why.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Segments with the same key make a row. Bytes are compared: nothing is padded, on 32 bits either. */
struct row_key {
	uint64_t what;
	uint64_t kind; /* address of the interval's kind */
	uint32_t cause;
	uint32_t mode;
	uint32_t link; /* as in struct kft_why_segment, or a number in chains + 1 */
	uint32_t task; /* a pid, or the number of a program's name */
};

/* The programs of a blocking chain, whatever their tasks are. */
struct chain_key {
	uint32_t up; /* number in chains + 1; 0: none */
	uint32_t program;
	uint32_t by_packet;
};

/* A wait for a CPU of a row, and the program that had the CPU. */
struct behind {
	uint32_t row;
	uint32_t program;
	uint64_t ns;
};

struct adding {
	struct kft_why *w; /* borrowed */
	struct kft_intern rows; /* struct row_key -> index of its row */
	struct kft_intern chains; /* struct chain_key -> number */
	struct kft_map chain_of; /* link -> number in chains + 1, see struct chain_key */
	struct kft_map owners; /* tasks that own time */
	struct kft_intern behind_keys; /* row and program -> index in behinds */
	KFT_VEC(struct behind) behinds;
};

static void adding_finish(struct adding *a)
{
	kft_intern_finish(&a->rows);
	kft_intern_finish(&a->chains);
	kft_map_finish(&a->chain_of);
	kft_map_finish(&a->owners);
	kft_intern_finish(&a->behind_keys);
	kft_vec_finish(&a->behinds);
}

void kft_why_programs_finish(struct kft_why_programs *p)
{
	kft_intern_finish(&p->names);
	kft_vec_finish(&p->list);
}

/* Finds or adds the program of a task. */
static int program_of(struct kft_why *w, int32_t pid, uint64_t ts, uint32_t *ret)
{
	struct kft_why_programs *p = &w->programs;
	const char *comm = kft_why_comm(w, pid, ts);
	int r = kft_intern(&p->names, comm, strlen(comm), ret);

	if (r < 0)
		return r;
	const struct kft_why_program new = {.name = *ret, .pid = pid};
	if (*ret == p->list.len && !kft_vec_push(&p->list, new))
		return -ENOMEM;
	p->list.data[*ret].is_shared |= p->list.data[*ret].pid != pid;
	return 0;
}

/* Links that only differ in tasks of the same programs, or in the calls of these, are one chain. */
static int chain_of(struct adding *a, uint32_t link, uint64_t ts, uint32_t *ret)
{
	const struct kft_why_link *l = &a->w->path.links.data[link];
	const uint64_t *known = kft_map_get(&a->chain_of, link);
	struct chain_key key = {.by_packet = l->by_packet};
	int r = 0;

	if (known) {
		*ret = (uint32_t)*known;
		return 0;
	}
	if (l->up)
		r = chain_of(a, l->up, ts, &key.up);
	if (r == 0)
		r = program_of(a->w, l->pid, ts, &key.program);
	if (r == 0)
		r = kft_intern(&a->chains, (const char *)&key, sizeof(key), ret);
	if (r < 0)
		return r;
	++*ret;
	uint64_t *slot = kft_map_put(&a->chain_of, link);
	if (slot)
		*slot = *ret;
	return slot ? 0 : -ENOMEM;
}

/* A wait for a CPU, whichever task had it. */
static bool is_behind(const struct adding *a, const struct kft_why_segment *s)
{
	return a->w->is_command && s->cause == KFT_WHY_CPU;
}

/*
 * A command has many tasks that run shortly: those of one program count together. On a busy machine
 * they wait behind many others, which would make a row each.
 */
static int merge_tasks(struct adding *a, const struct kft_why_segment *s,
		       struct row_key *key)
{
	int r = 0;

	if (is_behind(a, s))
		*key = (struct row_key){.cause = s->cause};
	else if (s->pid >= 0)
		r = program_of(a->w, s->pid, s->begin, &key->task);
	return r < 0 || !s->link ? r : chain_of(a, s->link, s->begin, &key->link);
}

/* The task to which the time of a segment belongs. */
static int32_t owner_of(const struct kft_why *w, const struct kft_why_segment *s)
{
	return s->link ? w->path.links.data[s->link].pid : w->interval.pid;
}

static int add_owner(struct adding *a, const struct kft_why_segment *s)
{
	struct kft_why *w = a->w;
	int32_t pid = owner_of(w, s);
	uint64_t *seen = kft_map_put(&a->owners, (uint32_t)pid);
	uint32_t program;
	int r = seen ? program_of(w, pid, s->begin, &program) : -ENOMEM;

	if (r < 0)
		return r;
	struct kft_why_program *p = &w->programs.list.data[program];
	p->n_tasks += *seen == 0;
	*seen = 1;
	p->total_ns += s->end - s->begin;
	p->by_class[kft_why_class_of(s->cause)] += s->end - s->begin;
	return 0;
}

static int add_behind(struct adding *a, const struct kft_why_segment *s)
{
	struct behind new = {.row = s->row};
	uint32_t at;
	int r = program_of(a->w, s->pid, s->begin, &new.program);
	const uint32_t key[] = {new.row, new.program};

	if (r == 0)
		r = kft_intern(&a->behind_keys, (const char *)key, sizeof(key), &at);
	if (r < 0)
		return r;
	if (at == a->behinds.len && !kft_vec_push(&a->behinds, new))
		return -ENOMEM;
	a->behinds.data[at].ns += s->end - s->begin;
	return 0;
}

static void sum_behinds(struct adding *a)
{
	kft_vec_for_each(&a->behinds, b) {
		struct kft_why_row *row = &a->w->rows.data[b->row];

		row->n_behind++;
		if (b->ns <= row->most_behind_ns)
			continue;
		row->most_behind = b->program;
		row->most_behind_ns = b->ns;
	}
}

static int add_segment(struct adding *a, struct kft_why_segment *s)
{
	struct kft_why *w = a->w;
	struct row_key key = {
		.what = s->what,
		.kind = (uintptr_t)s->kind,
		.cause = s->cause,
		.mode = s->mode,
		.link = s->link,
		.task = (uint32_t)s->pid,
	};
	int r = w->is_command ? merge_tasks(a, s, &key) : 0;

	if (r == 0 && w->is_command)
		r = add_owner(a, s);
	if (r == 0)
		r = kft_intern(&a->rows, (const char *)&key, sizeof(key), &s->row);
	if (r < 0)
		return r;
	if (s->row == w->rows.len && !kft_vec_push(&w->rows, (struct kft_why_row){*s}))
		return -ENOMEM;
	struct kft_why_row *row = &w->rows.data[s->row];
	if (s->end - s->begin > row->like.end - row->like.begin)
		row->like = *s;
	row->total_ns += s->end - s->begin;
	row->count++;
	w->by_cause[s->cause] += s->end - s->begin;
	return is_behind(a, s) ? add_behind(a, s) : 0;
}

static int compare_rows(const void *pa, const void *pb)
{
	const struct kft_why_row *a = pa;
	const struct kft_why_row *b = pb;

	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return a->like.begin < b->like.begin ? -1 : a->like.begin > b->like.begin;
}

/* Sorts the rows, and updates the segments' numbers of them. */
static int sort_rows(struct kft_why *w)
{
	_cleanup_free_ uint32_t *places = calloc(w->rows.len + 1, sizeof(*places));

	if (!places)
		return -ENOMEM;
	if (w->rows.len)
		qsort(w->rows.data, w->rows.len, sizeof(*w->rows.data), compare_rows);
	for (uint32_t i = 0; i < w->rows.len; i++)
		places[w->rows.data[i].like.row] = i;
	kft_vec_for_each(&w->path.segments, s)
		s->row = places[s->row];
	return 0;
}

int kft_why_add_up(struct kft_why *w)
{
	_cleanup_(adding_finish) struct adding a = {.w = w};

	kft_vec_for_each(&w->path.segments, s) {
		int r = add_segment(&a, s);

		if (r < 0)
			return r;
	}
	sum_behinds(&a);
	return sort_rows(w);
}

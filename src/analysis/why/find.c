// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the intervals that kft why explains, and ordinary ones of the same kind and key. */
#include "analysis/why/find.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/stats/interval_stats.h"
#include "base/err.h"
#include "base/map.h"
#include "derive/engine/ahead.h"
#include "derive/kinds/kinds.h"

/* Intervals that are kept per row as a sample, enough for a median. */
#define SAMPLE_MAX 64
#define ROWS_MAX   ((size_t)1 << 16)
/* Fewer intervals do not show a usual time. */
#define USUAL_MIN_COUNT 5

/* Intervals of one kind and key. */
struct row {
	const struct kft_interval_kind *kind;
	uint64_t key;
	enum kft_why_meaning meaning;
	uint64_t count;
	uint64_t random;
	KFT_VEC(struct kft_interval) worst; /* a heap, the shortest at index 0 */
	KFT_VEC(struct kft_interval) sample;
};

/* The question, and the kinds to search. */
struct question {
	const struct kft_why_ask *ask; /* borrowed */
	const struct kft_interval_kind *kinds[KFT_INTERVAL_KINDS_MAX];
	size_t n_kinds;
	struct kft_coverage coverage;
};

struct state {
	struct kft_trace *trace;
	const struct question *question; /* borrowed */
	struct kft_engine *engine; /* owned */
	struct kft_map by_key; /* number of the kind and key -> index into rows + 1 */
	KFT_VEC(struct row) rows;
};

void kft_why_found_finish(struct kft_why_found *f)
{
	kft_vec_finish(&f->worst);
	kft_vec_finish(&f->usual);
}

static uint64_t length(const struct kft_interval *i)
{
	return i->end_ns > i->begin_ns ? i->end_ns - i->begin_ns : 0;
}

static uint64_t number_of(const struct question *q, const struct kft_interval_kind *kind)
{
	uint64_t i = 0;

	while (q->kinds[i] != kind)
		i++;
	return i;
}

/* Finds or adds the row of a kind and key. Keys with the same lower 56 bits share a row. */
static struct row *get_row(struct state *s, const struct kft_interval_kind *kind,
			   uint64_t key)
{
	uint64_t id = number_of(s->question, kind) << 56 | (key & (UINT64_MAX >> 8));
	uint64_t *slot = kft_map_put(&s->by_key, id);

	if (!slot)
		return NULL;
	if (!*slot) {
		struct row row = {.kind = kind, .key = key};

		if (s->rows.len < ROWS_MAX)
			row.meaning = kft_why_ask_means(s->question->ask, s->trace, kind,
							key);
		if (!kft_vec_push(&s->rows, row))
			return NULL;
		*slot = s->rows.len;
	}
	return &s->rows.data[*slot - 1];
}

/* The later of two equally long intervals counts as shorter, so that the first one is kept. */
static bool is_shorter(const struct kft_interval *a, const struct kft_interval *b)
{
	uint64_t la = length(a);
	uint64_t lb = length(b);

	if (la != lb)
		return la < lb;
	if (a->begin_ns != b->begin_ns)
		return a->begin_ns > b->begin_ns;
	return a->pid != b->pid ? a->pid > b->pid : a->cpu > b->cpu;
}

static void sift_down(struct kft_interval *heap, size_t n)
{
	for (size_t i = 0;;) {
		size_t least = i;

		for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++)
			if (is_shorter(&heap[child], &heap[least]))
				least = child;
		if (least == i)
			return;
		struct kft_interval moved = heap[i];

		heap[i] = heap[least];
		heap[least] = moved;
		i = least;
	}
}

static int keep_worst(struct row *row, const struct kft_interval *i, size_t keep)
{
	struct kft_interval *heap = row->worst.data;

	if (row->worst.len == keep) {
		if (!is_shorter(&heap[0], i))
			return 0;
		heap[0] = *i;
		sift_down(heap, keep);
		return 0;
	}
	if (!kft_vec_push(&row->worst, *i))
		return -ENOMEM;
	heap = row->worst.data;
	for (size_t at = row->worst.len - 1;
	     at && is_shorter(&heap[at], &heap[(at - 1) / 2]); at = (at - 1) / 2) {
		struct kft_interval moved = heap[at];

		heap[at] = heap[(at - 1) / 2];
		heap[(at - 1) / 2] = moved;
	}
	return 0;
}

/* Reservoir sampling: each interval has the same chance. The fixed seed makes runs repeatable. */
static int keep_sample(struct row *row, const struct kft_interval *i)
{
	if (row->sample.len < SAMPLE_MAX)
		return kft_vec_push(&row->sample, *i) ? 0 : -ENOMEM;
	row->random = row->random * UINT64_C(6364136223846793005) +
		      UINT64_C(1442695040888963407);
	uint64_t place = (row->random >> 11) % row->count;
	if (place < SAMPLE_MAX)
		row->sample.data[place] = *i;
	return 0;
}

static bool is_then(const struct kft_why_ask *ask, const struct kft_interval *i)
{
	return !ask->until || (i->begin_ns <= ask->until && i->end_ns >= ask->since);
}

static int take(void *arg, const struct kft_interval *interval)
{
	const uint32_t not_whole = KFT_INTERVAL_BEGUN_BEFORE | KFT_INTERVAL_NOT_ENDED |
				   KFT_INTERVAL_LOSSES;
	struct state *s = arg;
	const struct kft_why_ask *ask = s->question->ask;
	struct kft_interval i = *interval;

	if ((i.flags & not_whole) || i.end_ns <= i.begin_ns)
		return 0;
	struct row *row = get_row(s, i.kind, i.key);

	if (!row)
		return -ENOMEM;
	if (!row->meaning || !kft_why_ask_has_task(ask, s->trace, &i))
		return 0;
	i.parent = NULL;
	row->count++;
	int r = keep_sample(row, &i);
	if (r < 0 || length(&i) <= ask->above_ns || !is_then(ask, &i))
		return r;
	if (row->worst.len >= ask->keep && is_shorter(&i, &row->worst.data[0]))
		return 0;
	return kft_why_ask_is_recorder(ask, s->trace, &i)
		       ? 0
		       : keep_worst(row, &i, ask->keep);
}

static void needs(struct kft_trace *t, const void *arg, uint64_t *wanted)
{
	const struct question *q = arg;

	kft_engine_needs(t, q->kinds, q->n_kinds, wanted);
}

static void destroy(void *state)
{
	struct state *s = state;

	s->engine = kft_engine_destroy(s->engine);
	kft_map_finish(&s->by_key);
	kft_vec_for_each(&s->rows, row) {
		kft_vec_finish(&row->worst);
		kft_vec_finish(&row->sample);
	}
	kft_vec_finish(&s->rows);
	free(s);
}

static int create(struct kft_trace *t, const void *arg, void **ret_state)
{
	struct state *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->trace = t;
	s->question = arg;
	const struct kft_interval_sink sink = {take, s};
	int r = kft_engine_create(t, s->question->kinds, s->question->n_kinds, &sink,
				  &s->engine);

	if (r < 0) {
		destroy(s);
		return r;
	}
	kft_engine_cover(s->engine, &s->question->coverage);
	*ret_state = s;
	return 0;
}

static struct kft_engine *engine_of(void *state)
{
	return ((struct state *)state)->engine;
}

static int end(void *state, const struct kft_stream *stream)
{
	return kft_engine_flush(((struct state *)state)->engine);
}

/*
 * Merges the rows of a later stream; only kinds per CPU are searched by stream. The
 * sample of a stream stands for all its intervals.
 */
static int join(void *state, const void *later)
{
	struct state *s = state;
	const struct state *other = later;
	int r = 0;

	kft_vec_for_each(&other->rows, from) {
		struct row *to = get_row(s, from->kind, from->key);

		if (!to)
			return -ENOMEM;
		for (size_t i = 0; i < from->worst.len && !r; i++)
			r = keep_worst(to, &from->worst.data[i], s->question->ask->keep);
		for (size_t i = 0; i < from->sample.len && !r; i++) {
			to->count += i == 0 ? from->count - from->sample.len + 1 : 1;
			r = keep_sample(to, &from->sample.data[i]);
		}
	}
	return r;
}

static int by_length(const void *pa, const void *pb)
{
	const struct kft_interval *a = pa;
	const struct kft_interval *b = pb;

	return is_shorter(a, b) ? -1 : is_shorter(b, a);
}

static int longest_first(const void *pa, const void *pb)
{
	return by_length(pb, pa);
}

static void sort_row(struct row *row)
{
	if (row->sample.len)
		qsort(row->sample.data, row->sample.len, sizeof(*row->sample.data),
		      by_length);
	if (row->worst.len)
		qsort(row->worst.data, row->worst.len, sizeof(*row->worst.data),
		      longest_first);
}

static uint64_t median(const struct row *row)
{
	return row->sample.len ? length(&row->sample.data[row->sample.len / 2]) : 0;
}

/*
 * The ratio of the longest interval to the median, by which short and long kinds compare.
 * All intervals of one task are parts of the same time, so for a task the longest one
 * counts, even if it is usual, as waits for a CPU of a task with a quota are.
 */
static double strangeness(const struct kft_why_ask *ask, const struct row *row)
{
	if (!row->worst.len)
		return -1;
	uint64_t longest = length(&row->worst.data[0]);
	uint64_t usual = median(row);

	if (ask->task)
		return (double)longest;
	if (row->count < USUAL_MIN_COUNT || longest < KFT_WHY_NOTICED_NS)
		return (double)longest / 1e18;
	return (double)longest / (double)KFT_MAX(usual, UINT64_C(1000));
}

static struct row *row_of(struct state *s, const struct kft_interval *i)
{
	kft_vec_for_each(&s->rows, row)
		if (row->kind == i->kind && row->key == i->key)
			return row;
	return NULL;
}

static bool has_meaning(const struct row *row, unsigned int meanings)
{
	return meanings & KFT_WHY_MEANING(row->meaning);
}

static struct row *strangest(struct state *s, unsigned int meanings)
{
	struct row *best = NULL;
	double most = -1;

	kft_vec_for_each(&s->rows, row) {
		double is = has_meaning(row, meanings)
				    ? strangeness(s->question->ask, row)
				    : -1;

		if (is > most) {
			best = row;
			most = is;
		}
	}
	return best;
}

/* Takes the worst intervals of all rows with one of the meanings, or of one row only. */
static int take_worst(struct state *s, unsigned int meanings, const struct row *only,
		      struct kft_why_found *ret)
{
	struct row all = {};
	int r = 0;

	kft_vec_for_each(&s->rows, row) {
		if (!has_meaning(row, meanings) || (only && row != only))
			continue;
		for (size_t i = 0; i < row->worst.len && !r; i++)
			r = keep_worst(&all, &row->worst.data[i], s->question->ask->keep);
	}
	sort_row(&all);
	ret->worst.data = all.worst.data;
	ret->worst.len = all.worst.len;
	ret->worst.cap = all.worst.cap;
	return r;
}

static int take_usual(const struct row *row, struct kft_why_found *ret)
{
	size_t n = row->sample.len;

	ret->count = row->count;
	ret->median_ns = median(row);
	if (n < USUAL_MIN_COUNT)
		return 0;
	for (size_t i = 2 * n / 5; i < 3 * n / 5 + 1; i++)
		if (!kft_vec_push(&ret->usual, row->sample.data[i]))
			return -ENOMEM;
	return 0;
}

static int answer(struct state *s, unsigned int meanings, struct kft_why_found *ret)
{
	bool is_named = s->question->ask->n_kinds > 0;

	kft_vec_for_each(&s->rows, row)
		ret->has_calls |= row->kind == &kft_kind_function;
	int r = take_worst(s, meanings, is_named ? NULL : strangest(s, meanings), ret);

	if (r < 0 || !ret->worst.len)
		return r;
	return take_usual(row_of(s, &ret->worst.data[ret->worst.len - 1]), ret);
}

struct kft_why_search {
	struct question question;
	struct state *state; /* owned */
};

static void choose_kinds(struct question *q)
{
	for (size_t i = 0; i < q->ask->n_kinds; i++)
		q->kinds[q->n_kinds++] = q->ask->kinds[i];
	for (size_t i = 0; kft_interval_kinds[i] && !q->ask->n_kinds; i++)
		if (kft_why_is_surprising(kft_interval_kinds[i]) &&
		    !(q->ask->command && kft_interval_kinds[i]->per_cpu))
			q->kinds[q->n_kinds++] = kft_interval_kinds[i];
}

int kft_why_search_create(struct kft_trace *t, const struct kft_why_ask *ask,
			  struct kft_why_search **ret, struct kft_err *e)
{
	struct kft_analysis a = {.by_stream = true,
				 .whole_streams = true,
				 .needs = needs,
				 .create = create,
				 .engine = engine_of,
				 .end = end,
				 .join = join,
				 .destroy = destroy};
	struct kft_why_search *s = calloc(1, sizeof(*s));
	void *state;

	if (!s)
		return kft_err_sys(e, -ENOMEM, "cannot look for the interval");
	s->question.ask = ask;
	choose_kinds(&s->question);
	for (size_t i = 0; i < s->question.n_kinds; i++)
		a.by_stream &= s->question.kinds[i]->per_cpu;
	kft_coverage_find(t, NULL, &s->question.coverage);
	const struct kft_analysis_opts how = {.arg = &s->question};
	int r = kft_analysis_run(&a, t, &how, &state, e);

	if (r < 0) {
		free(s);
		return r;
	}
	s->state = state;
	kft_vec_for_each(&s->state->rows, row)
		sort_row(row);
	*ret = s;
	return 0;
}

struct kft_why_search *kft_why_search_destroy(struct kft_why_search *s)
{
	if (s)
		destroy(s->state);
	free(s);
	return NULL;
}

int kft_why_search_answer(const struct kft_why_search *s, unsigned int meanings,
			  struct kft_why_found *ret, struct kft_err *e)
{
	bool has_last = meanings & KFT_WHY_MEANING(KFT_WHY_MEANT_LAST);

	*ret = (struct kft_why_found){};
	int r = answer(s->state, meanings, ret);

	if (r == 0 && !ret->worst.len && !s->question.ask->above_ns && !has_last)
		r = answer(s->state, meanings | KFT_WHY_MEANING(KFT_WHY_MEANT_LAST), ret);
	if (r == 0)
		return 0;
	kft_why_found_finish(ret);
	return kft_err_sys(e, r, "cannot look for the interval");
}

int kft_why_find(struct kft_trace *t, const struct kft_why_ask *ask,
		 struct kft_why_found *ret, struct kft_err *e)
{
	struct kft_why_search *s;
	int r = kft_why_search_create(t, ask, &s, e);

	if (r < 0)
		return r;
	r = kft_why_search_answer(s, KFT_WHY_MEANINGS_FIRST, ret, e);
	(void)kft_why_search_destroy(s);
	return r;
}

/* Tasks with a name. count: 0 for none, 1 for one (with this pid), -1 for several. */
struct one {
	int count;
	int32_t pid;
};

struct named {
	const struct kft_task_table *tasks; /* borrowed */
	const char *comm; /* borrowed */
	uint64_t since;
	uint64_t until;
	struct one then; /* from since to until */
	struct one ever;
};

static bool has_name(const struct named *n, int32_t pid, uint64_t ts)
{
	return pid && strcmp(kft_task_comm_at(n->tasks, (uint32_t)pid, ts), n->comm) == 0;
}

static void add_one(struct one *one, int32_t pid)
{
	if (one->count == 0 || one->pid == pid)
		*one = (struct one){one->count ? one->count : 1, pid};
	else
		one->count = -1;
}

static int take_named(void *arg, const struct kft_interval *i)
{
	struct named *n = arg;

	if (has_name(n, i->pid, i->begin_ns))
		add_one(&n->ever, i->pid);
	if (i->begin_ns <= n->until && i->end_ns >= n->since &&
	    has_name(n, i->pid, KFT_MAX(i->begin_ns, n->since)))
		add_one(&n->then, i->pid);
	return 0;
}

int kft_why_find_named(struct kft_trace *t, const char *comm, uint64_t since,
		       uint64_t until, int32_t *ret_pid)
{
	const struct kft_interval_kind *kinds[] = {&kft_kind_task, &kft_kind_syscall};
	const struct kft_scope scope = {.since = since, .until = until};
	struct named named = {
		.tasks = &t->tasks, .comm = comm, .since = since, .until = until};
	const struct kft_interval_sink sink = {take_named, &named};
	int r = kft_engine_run(t, &scope, kinds, ARRAY_SIZE(kinds), &sink);

	/* A task that sleeps throughout the range has no events in it. */
	if (r >= 0 && !named.then.count)
		r = kft_engine_run(t, NULL, kinds, ARRAY_SIZE(kinds), &sink);
	const struct one *found = named.then.count ? &named.then : &named.ever;

	*ret_pid = found->pid;
	return r < 0 ? r : found->count == 1;
}

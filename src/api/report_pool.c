// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes the lines of a report in several threads and writes them in order. */
#include "api/report_pool.h"

#include <errno.h>

#include "base/bits.h"
#include "base/pool.h"
#include "decode/trace_lazy.h"

/*
 * The first batches are small, so that all threads have work soon; a later batch ends at
 * a number of events or of bytes, whichever comes first.
 */
#define BATCH_EVENTS_MIN 64
#define BATCH_EVENTS_MAX 2048
#define BATCH_BYTES	 ((size_t)256 << 10)
#define BATCHES_MAX	 (2 * KFT_REPORT_THREADS_MAX + 2)

/* A larger text buffer is freed after writing. */
#define TEXT_KEEP_BYTES ((size_t)1 << 20)

struct batch {
	struct kft_job job; /* makes its lines */
	struct kft_report_pool *pool; /* borrowed */
	struct kft_event events[BATCH_EVENTS_MAX]; /* their data is in bytes */
	/* enum kft_report_as; a leaf is followed by its exit */
	uint8_t as[BATCH_EVENTS_MAX];
	struct kft_event_context *moments; /* owned; NULL: the style does not need them */
	size_t n;
	uint8_t *bytes; /* owned */
	size_t len;
	size_t cap;
	/* Owned: the printer's state before its first event. */
	struct kft_printer_place *place;
	uint64_t before; /* time of the event shown before its first one */
	struct kft_strbuf text;
};

struct kft_report_pool {
	kft_report_write_fn *write;
	void *arg;
	int error; /* first error of writing */
	/* Borrowed: has the printer's state before the next event. */
	struct kft_printer *follower;
	/* Ids of events that the lines of other events do not depend on. */
	uint64_t alone[KFT_ID_WORDS];
	struct batch *batches; /* owned: a ring */
	size_t n_batches;
	uint64_t before; /* time of the last event shown */
	size_t batch_events; /* events in the batch that is being filled */
	/* Number of batches filled; also the number of the current one. */
	uint64_t filled;
	uint64_t written; /* number of batches written */

	struct kft_pool *threads; /* owned */
	/* One per thread; the owner has the last. */
	struct kft_formatter formatters[KFT_REPORT_THREADS_MAX];
	unsigned int n_formatters;
};

int kft_formatter_init(struct kft_formatter *f, const struct kft_report_style *style,
		       const struct kft_report_opts *how)
{
	struct kft_report_opts opts = *how;
	int r = kft_printer_create(how->trace, &f->printer);

	if (r < 0)
		return r;
	opts.info_ctx = f->printer;
	return kft_report_create(style, &opts, &f->report);
}

void kft_formatter_finish(struct kft_formatter *f)
{
	f->report = kft_report_destroy(f->report);
	f->printer = kft_printer_destroy(f->printer);
}

void kft_formatter_add(const struct kft_formatter *f, enum kft_report_as as,
		       const struct kft_event *ev, const struct kft_event *exit,
		       const struct kft_event_context *moment, struct kft_strbuf *sb)
{
	kft_report_moment(f->report, moment);
	if (likely(as == KFT_REPORT_SHOWN))
		kft_report_event(f->report, ev, sb);
	else if (as == KFT_REPORT_LEAF)
		kft_report_leaf(f->report, ev, exit, sb);
	else
		kft_report_loss(f->report, ev, sb);
}

static struct batch *at(const struct kft_report_pool *p, uint64_t number)
{
	return &p->batches[number % p->n_batches];
}

static void make_lines(struct kft_job *job, unsigned int worker)
{
	struct batch *b = container_of(job, struct batch, job);
	const struct kft_formatter *f = &b->pool->formatters[worker];

	if (kft_printer_restore(f->printer, b->place) < 0)
		b->text.failed = true;
	kft_report_resume(f->report, b->before);
	for (size_t i = 0; i < b->n; i++) {
		const struct kft_event *ev = &b->events[i];

		kft_formatter_add(f, b->as[i], ev, ev + 1,
				  b->moments ? &b->moments[i] : NULL, &b->text);
		i += b->as[i] == KFT_REPORT_LEAF;
	}
}

static void write_text(struct kft_report_pool *p, struct batch *b)
{
	if (!p->error && !kft_strbuf_ok(&b->text))
		p->error = -ENOMEM;
	if (!p->error && b->text.len)
		p->error = p->write(p->arg, b->text.buf, b->text.len);
	if (b->text.cap > TEXT_KEEP_BYTES)
		kft_strbuf_finish(&b->text);
	kft_strbuf_clear(&b->text);
}

static void write_done(struct kft_report_pool *p)
{
	for (; p->written < p->filled; p->written++) {
		struct batch *b = at(p, p->written);

		if (!kft_pool_is_done(p->threads, &b->job))
			return;
		write_text(p, b);
	}
}

static void write_oldest(struct kft_report_pool *p)
{
	struct batch *b = at(p, p->written++);

	kft_pool_wait(p->threads, &b->job);
	write_text(p, b);
}

static void give_away(struct kft_report_pool *p, struct batch *b)
{
	kft_pool_submit(p->threads, &b->job);
	p->filled++;
	p->batch_events = KFT_MIN(2 * p->batch_events, (size_t)BATCH_EVENTS_MAX);
	write_done(p);
	if (p->filled - p->written == p->n_batches)
		write_oldest(p);
	at(p, p->filled)->n = 0;
	at(p, p->filled)->len = 0;
}

/*
 * Whether the bytes of one more event fit; they cannot be reallocated,
 * as events point to them.
 */
static bool has_room(const struct batch *b, size_t size)
{
	return b->cap - b->len >= size;
}

static int make_room(struct batch *b, size_t size)
{
	size_t cap = KFT_MAX(BATCH_BYTES, size);

	free(b->bytes);
	b->cap = 0;
	b->bytes = malloc(cap);
	if (!b->bytes)
		return -ENOMEM;
	b->cap = cap;
	return 0;
}

/* Records are short: a call of memcpy() would take longer than the copy. */
static inline void copy_record(uint8_t *to, const uint8_t *from, size_t size)
{
	size_t i = 0;

	for (; i + 8 <= size; i += 8)
		memcpy(to + i, from + i, 8);
	if (i + 4 <= size) {
		memcpy(to + i, from + i, 4);
		i += 4;
	}
	for (; i < size; i++)
		to[i] = from[i];
}

static bool is_alone(const struct kft_report_pool *p, uint16_t id)
{
	return kft_bits_has(p->alone, id);
}

/*
 * Updates the state that lines of later events depend on; also parses the event's class
 * before other threads use it.
 */
static void follow(struct kft_report_pool *p, const struct kft_event *ev)
{
	if (!kft_printer_follow(p->follower, ev))
		kft_bits_add(p->alone, ev->id);
}

static void put(struct kft_report_pool *p, struct batch *b, enum kft_report_as as,
		const struct kft_event *ev)
{
	uint8_t *bytes = b->bytes + b->len;

	copy_record(bytes, ev->data, ev->size);
	b->events[b->n] = *ev;
	b->events[b->n].data = bytes;
	b->as[b->n++] = as;
	b->len += ev->size;
	if (unlikely(!is_alone(p, ev->id)) && as != KFT_REPORT_LOSS)
		follow(p, ev);
}

static int put_moment(struct batch *b, const struct kft_event_context *moment)
{
	if (!b->moments)
		b->moments = calloc(BATCH_EVENTS_MAX, sizeof(*b->moments));
	if (!b->moments)
		return -ENOMEM;
	struct kft_event_context *to = &b->moments[b->n];

	to->n_ends = moment->n_ends;
	to->depth = moment->depth;
	to->call = moment->call;
	for (size_t i = 0; i < moment->n_ends; i++)
		to->ends[i] = moment->ends[i];
	return 0;
}

int kft_report_pool_add(struct kft_report_pool *p, enum kft_report_as as,
			const struct kft_event *ev, const struct kft_event *exit,
			const struct kft_event_context *moment)
{
	struct batch *b = at(p, p->filled);
	size_t n = exit ? 2 : 1;
	size_t size = exit ? (size_t)ev->size + exit->size : ev->size;
	int r = 0;

	if (b->n + n > p->batch_events || (b->n && !has_room(b, size))) {
		give_away(p, b);
		b = at(p, p->filled);
	}
	if (!b->n) {
		r = kft_printer_save(p->follower, &b->place);
		b->before = p->before;
	}
	if (as != KFT_REPORT_LOSS)
		p->before = ev->ts;
	if (r == 0 && !has_room(b, size))
		r = make_room(b, size);
	if (r == 0 && moment)
		r = put_moment(b, moment);
	if (r < 0)
		return r;
	put(p, b, as, ev);
	if (exit)
		put(p, b, KFT_REPORT_SHOWN, exit);
	return p->error;
}

int kft_report_pool_flush(struct kft_report_pool *p)
{
	if (at(p, p->filled)->n)
		give_away(p, at(p, p->filled));
	while (p->written < p->filled)
		write_oldest(p);
	return p->error;
}

static int start_formatter(struct kft_formatter *f, const struct kft_report_style *style,
			   const struct kft_report_opts *how)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf head = {};
	int r = kft_formatter_init(f, style, how);

	/* The first formatter has written the report's head already. */
	if (r == 0)
		kft_report_begin(f->report, &head);
	return r;
}

static int start_formatters(struct kft_report_pool *p,
			    const struct kft_report_style *style,
			    const struct kft_report_opts *how)
{
	int r = 0;

	while (r == 0 && p->n_formatters < kft_pool_threads(p->threads) + 1)
		r = start_formatter(&p->formatters[p->n_formatters++], style, how);
	return r;
}

static int alloc_batches(struct kft_report_pool *p, unsigned int threads)
{
	p->n_batches = 2 * (size_t)threads + 2;
	p->batches = calloc(p->n_batches, sizeof(*p->batches));
	if (!p->batches)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_batches; i++) {
		p->batches[i].job.run = make_lines;
		p->batches[i].pool = p;
	}
	return 0;
}

int kft_report_pool_create(const struct kft_report_style *style,
			   const struct kft_report_opts *how, unsigned int threads,
			   struct kft_formatter *first, kft_report_write_fn *write,
			   void *arg, struct kft_report_pool **ret)
{
	_cleanup_(kft_report_pool_destroyp) struct kft_report_pool *p =
		calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	threads = KFT_MIN(threads, (unsigned int)KFT_REPORT_THREADS_MAX);
	p->write = write;
	p->arg = arg;
	p->follower = first->printer;
	p->before = kft_report_before(first->report);
	p->batch_events = BATCH_EVENTS_MIN;
	int r = alloc_batches(p, threads);
	if (r == 0)
		r = kft_pool_create(threads - 1, &p->threads);
	/*
	 * Symbols are parsed on first use, which must not happen in
	 * several threads at once.
	 */
	(void)kft_trace_symbols(how->trace);
	if (r == 0)
		r = start_formatters(p, style, how);
	if (r < 0)
		return r;
	*ret = TAKE(p);
	return 0;
}

struct kft_report_pool *kft_report_pool_destroy(struct kft_report_pool *p)
{
	if (!p)
		return NULL;
	for (; p->written < p->filled; p->written++)
		(void)kft_pool_cancel(p->threads, &at(p, p->written)->job);
	(void)kft_pool_destroy(p->threads);
	for (unsigned int i = 0; i < p->n_formatters; i++)
		kft_formatter_finish(&p->formatters[i]);
	for (size_t i = 0; p->batches && i < p->n_batches; i++) {
		free(p->batches[i].bytes);
		free(p->batches[i].moments);
		(void)kft_printer_place_destroy(p->batches[i].place);
		kft_strbuf_finish(&p->batches[i].text);
	}
	free(p->batches);
	free(p);
	return NULL;
}

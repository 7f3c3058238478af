// SPDX-License-Identifier: GPL-2.0-only
#include "cli/report_pool.h"

#include <errno.h>
#include <pthread.h>

#include "base/io.h"
#include "decode/trace_lazy.h"

/*
 * The first batches are small, so that all threads have work soon; what ends a batch
 * later is its number of events or its bytes, whichever comes first.
 */
#define BATCH_EVENTS_MIN 64
#define BATCH_EVENTS_MAX 2048
#define BATCH_BYTES	 ((size_t)256 << 10)
#define BATCHES_MAX	 (2 * CLI_REPORT_THREADS_MAX + 2)

/* Text that took more is given back once it is written. */
#define TEXT_KEEP_BYTES ((size_t)1 << 20)

enum state {
	FREE, /* the owner's, to be filled */
	READY, /* for whoever takes it */
	TAKEN, /* lines are being made */
	DONE, /* the owner's, to be written */
};

struct batch {
	enum state state; /* under the pool's lock */
	struct kft_event events[BATCH_EVENTS_MAX]; /* data: in bytes */
	uint8_t as[BATCH_EVENTS_MAX]; /* enum cli_report_as; a leaf's exit follows it */
	size_t n;
	uint8_t *bytes; /* owned */
	size_t len;
	size_t cap;
	struct kft_printer_place *place; /* owned: where its first event is printed */
	uint64_t before; /* time of the event that is shown before its first one */
	struct kft_strbuf text;
};

struct worker {
	struct cli_report_pool *pool; /* borrowed */
	struct cli_formatter formatter;
	pthread_t thread;
};

struct cli_report_pool {
	struct cli_out *out; /* borrowed */
	struct kft_printer *follower; /* borrowed: knows the place of the next event */
	uint64_t alone[65536 / 64]; /* ids of events that no other line hangs on */
	struct cli_formatter own; /* of the owner's thread */
	struct batch *batches; /* owned: a ring */
	size_t n_batches;
	uint64_t before; /* time of the event that was shown last */
	size_t batch_events; /* of the batch that is being filled */
	uint64_t filled; /* batches given away; the next is being filled */
	uint64_t written; /* batches */

	pthread_mutex_t lock; /* for states, taken and stop */
	pthread_cond_t ready; /* a batch is, or stop */
	pthread_cond_t done; /* a batch is */
	uint64_t taken; /* batches, in their order */
	bool stop;

	struct worker workers[CLI_REPORT_THREADS_MAX];
	unsigned int n_workers;
};

int cli_formatter_init(struct cli_formatter *f, const struct kft_report_style *style,
		       const struct kft_report_opts *how)
{
	struct kft_report_opts opts = *how;
	int r = kft_printer_create(how->trace, &f->printer);

	if (r < 0)
		return r;
	opts.info_ctx = f->printer;
	return kft_report_create(style, &opts, &f->report);
}

void cli_formatter_finish(struct cli_formatter *f)
{
	f->report = kft_report_destroy(f->report);
	f->printer = kft_printer_destroy(f->printer);
}

void cli_formatter_add(const struct cli_formatter *f, enum cli_report_as as,
		       const struct kft_event *ev, const struct kft_event *exit,
		       struct kft_strbuf *sb)
{
	if (likely(as == CLI_REPORT_SHOWN))
		kft_report_event(f->report, ev, sb);
	else if (as == CLI_REPORT_LEAF)
		kft_report_leaf(f->report, ev, exit, sb);
	else
		kft_report_loss(f->report, ev, sb);
}

static struct batch *at(const struct cli_report_pool *p, uint64_t number)
{
	return &p->batches[number % p->n_batches];
}

static void make_lines(const struct cli_formatter *f, struct batch *b)
{
	if (kft_printer_restore(f->printer, b->place) < 0)
		b->text.failed = true;
	kft_report_resume(f->report, b->before);
	for (size_t i = 0; i < b->n; i++) {
		const struct kft_event *ev = &b->events[i];

		cli_formatter_add(f, b->as[i], ev, ev + 1, &b->text);
		i += b->as[i] == CLI_REPORT_LEAF;
	}
}

/* Takes the next batch and makes its lines; called with the lock, which it gives up. */
static void work_one(struct cli_report_pool *p, const struct cli_formatter *f)
{
	struct batch *b = at(p, p->taken++);

	b->state = TAKEN;
	(void)pthread_mutex_unlock(&p->lock);
	make_lines(f, b);
	(void)pthread_mutex_lock(&p->lock);
	b->state = DONE;
	(void)pthread_cond_signal(&p->done);
}

static bool has_work(const struct cli_report_pool *p)
{
	return at(p, p->taken)->state == READY;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct cli_report_pool *p = w->pool;

	(void)pthread_mutex_lock(&p->lock);
	while (!p->stop) {
		if (has_work(p))
			work_one(p, &w->formatter);
		else
			(void)pthread_cond_wait(&p->ready, &p->lock);
	}
	(void)pthread_mutex_unlock(&p->lock);
	return NULL;
}

static void write_text(struct cli_report_pool *p, struct batch *b)
{
	struct cli_out *out = p->out;

	if (!out->error && !kft_strbuf_ok(&b->text))
		out->error = -ENOMEM;
	if (!out->error && b->text.len)
		out->error = kft_write_all(out->fd, b->text.buf, b->text.len);
	if (b->text.cap > TEXT_KEEP_BYTES)
		kft_strbuf_finish(&b->text);
	kft_strbuf_clear(&b->text);
}

/* Writes the oldest batch; with wait, once it is done. False when nothing was written. */
static bool write_one(struct cli_report_pool *p, bool wait)
{
	struct batch *b = at(p, p->written);

	if (p->written == p->filled)
		return false;
	(void)pthread_mutex_lock(&p->lock);
	while (wait && b->state != DONE) {
		if (has_work(p))
			work_one(p, &p->own);
		else
			(void)pthread_cond_wait(&p->done, &p->lock);
	}
	bool is_done = b->state == DONE;
	if (is_done)
		b->state = FREE;
	(void)pthread_mutex_unlock(&p->lock);
	if (!is_done)
		return false;
	write_text(p, b);
	p->written++;
	return true;
}

static void give_away(struct cli_report_pool *p, struct batch *b)
{
	(void)pthread_mutex_lock(&p->lock);
	b->state = READY;
	(void)pthread_cond_signal(&p->ready);
	(void)pthread_mutex_unlock(&p->lock);
	p->filled++;
	p->batch_events = KFT_MIN(2 * p->batch_events, (size_t)BATCH_EVENTS_MAX);
	while (write_one(p, false))
		;
	if (p->filled - p->written == p->n_batches)
		(void)write_one(p, true);
	at(p, p->filled)->n = 0;
	at(p, p->filled)->len = 0;
}

/* Room for the bytes of one more event; those that are there may not move. */
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

/* Records are short: a call of memcpy() costs more than the copy. */
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

static bool is_alone(const struct cli_report_pool *p, uint16_t id)
{
	return p->alone[id / 64] >> (id % 64) & 1;
}

/*
 * What the lines of later events hang on; also what makes the class known before other
 * threads ask for it.
 */
static void follow(struct cli_report_pool *p, const struct kft_event *ev)
{
	if (!kft_printer_follow(p->follower, ev))
		p->alone[ev->id / 64] |= UINT64_C(1) << (ev->id % 64);
}

static void put(struct cli_report_pool *p, struct batch *b, enum cli_report_as as,
		const struct kft_event *ev)
{
	uint8_t *bytes = b->bytes + b->len;

	copy_record(bytes, ev->data, ev->size);
	b->events[b->n] = *ev;
	b->events[b->n].data = bytes;
	b->as[b->n++] = as;
	b->len += ev->size;
	if (unlikely(!is_alone(p, ev->id)) && as != CLI_REPORT_LOSS)
		follow(p, ev);
}

int cli_report_pool_add(struct cli_report_pool *p, enum cli_report_as as,
			const struct kft_event *ev, const struct kft_event *exit)
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
	if (as != CLI_REPORT_LOSS)
		p->before = ev->ts;
	if (r == 0 && !has_room(b, size))
		r = make_room(b, size);
	if (r < 0)
		return r;
	put(p, b, as, ev);
	if (exit)
		put(p, b, CLI_REPORT_SHOWN, exit);
	return p->out->error;
}

int cli_report_pool_flush(struct cli_report_pool *p)
{
	if (at(p, p->filled)->n)
		give_away(p, at(p, p->filled));
	while (write_one(p, true))
		;
	return p->out->error;
}

static int start_formatter(struct cli_formatter *f, const struct kft_report_style *style,
			   const struct kft_report_opts *how)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf head = {};
	int r = cli_formatter_init(f, style, how);

	/* The head was shown already. */
	if (r == 0)
		kft_report_begin(f->report, &head);
	return r;
}

static int start_worker(struct cli_report_pool *p, const struct kft_report_style *style,
			const struct kft_report_opts *how)
{
	struct worker *w = &p->workers[p->n_workers];
	int r = start_formatter(&w->formatter, style, how);

	w->pool = p;
	if (r == 0)
		r = -pthread_create(&w->thread, NULL, work, w);
	if (r < 0)
		cli_formatter_finish(&w->formatter);
	else
		p->n_workers++;
	return r;
}

int cli_report_pool_create(const struct kft_report_style *style,
			   const struct kft_report_opts *how, unsigned int threads,
			   struct cli_formatter *first, struct cli_out *out,
			   struct cli_report_pool **ret)
{
	_cleanup_(cli_report_pool_destroyp) struct cli_report_pool *p =
		calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	threads = KFT_MIN(threads, (unsigned int)CLI_REPORT_THREADS_MAX);
	p->out = out;
	p->follower = first->printer;
	p->before = kft_report_before(first->report);
	p->batch_events = BATCH_EVENTS_MIN;
	p->n_batches = 2 * (size_t)threads + 2;
	(void)pthread_mutex_init(&p->lock, NULL);
	(void)pthread_cond_init(&p->ready, NULL);
	(void)pthread_cond_init(&p->done, NULL);
	p->batches = calloc(p->n_batches, sizeof(*p->batches));
	if (!p->batches)
		return -ENOMEM;
	/* Parsed when first asked for: not by several threads at once. */
	(void)kft_trace_symbols(how->trace);
	int r = start_formatter(&p->own, style, how);
	for (unsigned int i = 1; r == 0 && i < threads; i++)
		r = start_worker(p, style, how);
	if (r < 0 || (r = cli_out_flush(out)) < 0)
		return r;
	*ret = TAKE(p);
	return 0;
}

struct cli_report_pool *cli_report_pool_destroy(struct cli_report_pool *p)
{
	if (!p)
		return NULL;
	(void)pthread_mutex_lock(&p->lock);
	p->stop = true;
	(void)pthread_cond_broadcast(&p->ready);
	(void)pthread_mutex_unlock(&p->lock);
	for (unsigned int i = 0; i < p->n_workers; i++) {
		(void)pthread_join(p->workers[i].thread, NULL);
		cli_formatter_finish(&p->workers[i].formatter);
	}
	cli_formatter_finish(&p->own);
	for (size_t i = 0; p->batches && i < p->n_batches; i++) {
		free(p->batches[i].bytes);
		(void)kft_printer_place_destroy(p->batches[i].place);
		kft_strbuf_finish(&p->batches[i].text);
	}
	free(p->batches);
	(void)pthread_cond_destroy(&p->done);
	(void)pthread_cond_destroy(&p->ready);
	(void)pthread_mutex_destroy(&p->lock);
	free(p);
	return NULL;
}

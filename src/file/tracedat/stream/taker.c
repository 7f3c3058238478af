// SPDX-License-Identifier: LGPL-2.1-or-later
/* Takes a stream's blocks in a thread of its own. */
#include "file/tracedat/stream/taker.h"

#include <errno.h>

#include "base/thread.h"
#include "decode/ring.h"

static void note_latest(struct kft_stream_taker *t, uint32_t cpu)
{
	struct kft_ring_page page;
	const uint8_t *data;
	uint32_t size;
	bool any = false;

	if (kft_ring_page_open(&t->layout, t->blocks.buf, t->blocks.page_size, &page) < 0)
		return;
	while (kft_ring_next(&page, t->layout.big_endian, &data, &size) > 0)
		any = true;
	if (any)
		t->latest = KFT_MAX(t->latest, kft_dat_stamp(t->stamps, cpu, page.ts));
}

static void hand_on(struct kft_strbuf *from, struct kft_strbuf *to)
{
	if (from->len)
		kft_strbuf_add(to, from->buf, from->len);
	kft_strbuf_clear(from);
}

static int hand_on_cpus(struct kft_stream_taker *t)
{
	struct kft_stream_blocks *b = &t->blocks;

	for (size_t i = 0; i < b->cpus.len; i++) {
		if (i == t->news.cpus.len &&
		    !kft_vec_push(&t->news.cpus, b->cpus.data[i]))
			return -ENOMEM;
		t->news.cpus.data[i] = b->cpus.data[i];
	}
	return 0;
}

/* Called with the lock held. */
static int publish(struct kft_stream_taker *t)
{
	struct kft_stream_blocks *b = &t->blocks;

	hand_on(&b->lost, &t->news.lost);
	hand_on(&b->names, &t->news.names);
	if (b->tasks.len) {
		kft_strbuf_clear(&t->news.tasks);
		hand_on(&b->tasks, &t->news.tasks);
	}
	t->is_new = true;
	(void)pthread_cond_signal(&t->changed);
	return hand_on_cpus(t);
}

/* Events of the previous pass are settled now. */
static int end_pass(struct kft_stream_taker *t)
{
	(void)pthread_mutex_lock(&t->lock);
	bool is_idle = t->news.settled == t->latest && t->latest_of_pass == t->latest;
	t->news.settled = t->latest_of_pass;
	t->latest_of_pass = t->latest;
	int r = is_idle ? 0 : publish(t);
	(void)pthread_mutex_unlock(&t->lock);
	return r;
}

static int take_blocks(struct kft_stream_taker *t, struct kft_err *why)
{
	struct kft_stream_block block;
	int r = 0;

	while (r == 0 && !t->blocks.is_ended) {
		r = kft_stream_blocks_take(&t->blocks, &block, why);
		if (r == 0 && block.kind == KFT_STREAM_PAGE)
			note_latest(t, block.cpu);
		if (r == 0 && block.kind == KFT_STREAM_PASS)
			r = end_pass(t);
	}
	return r;
}

static void *taker_main(void *arg)
{
	struct kft_stream_taker *t = arg;
	struct kft_err why = {};

	(void)pthread_setname_np(pthread_self(), "kft-stream");
	int r = take_blocks(t, &why);
	(void)pthread_mutex_lock(&t->lock);
	int published = publish(t);
	t->news.result = r < 0 ? r : published;
	t->news.why = why;
	t->news.is_last = true;
	(void)pthread_mutex_unlock(&t->lock);
	return NULL;
}

int kft_stream_taker_start(struct kft_stream_taker *t, const struct kft_dat_reader *d)
{
	t->layout = d->layout;
	t->stamps = &d->stamps;
	(void)pthread_mutex_init(&t->lock, NULL);
	(void)pthread_cond_init(&t->changed, NULL);
	int r = kft_thread_start(&t->thread, KFT_THREAD_SMALL_STACK, taker_main, t);

	t->running = r == 0;
	return r;
}

void kft_stream_taker_finish(struct kft_stream_taker *t)
{
	if (t->running)
		(void)pthread_join(t->thread, NULL);
	kft_stream_blocks_finish(&t->blocks);
	kft_stream_news_finish(&t->news);
}

void kft_stream_taker_wait(struct kft_stream_taker *t, struct kft_stream_news *ret)
{
	(void)pthread_mutex_lock(&t->lock);
	while (!t->is_new)
		(void)pthread_cond_wait(&t->changed, &t->lock);
	t->is_new = false;
	*ret = t->news;
	t->news = (struct kft_stream_news){.settled = ret->settled};
	(void)pthread_mutex_unlock(&t->lock);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "page.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#include "base/io.h"
#include "file/registry.h"
#include "file/tracedat/stream/stream.h"
#include "file/tracedat/stream/sink.h"
#include "model/merge.h"
#include "sample.h"

#define CPUS  2
#define EVENT 2 /* words of a record */

/* CPUs are pipes in packet mode: as with trace_pipe_raw, a read gives one page or EAGAIN. */
struct rig {
	struct kft_meta meta;
	struct kft_sink *sink;
	int cpus[CPUS];
	int raws[CPUS];
	int out; /* a file */
};

static int setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	(void)signal(SIGPIPE, SIG_IGN);
	sample_meta(&r->meta);
	r->out = sample_file();
	for (int i = 0; i < CPUS; i++) {
		int fds[2];

		assert_int_equal(pipe2(fds, O_DIRECT | O_NONBLOCK | O_CLOEXEC), 0);
		r->raws[i] = fds[0];
		r->cpus[i] = fds[1];
	}
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct rig *r = *state;

	for (int i = 0; i < CPUS; i++) {
		assert_int_equal(close(r->raws[i]), 0);
		assert_int_equal(close(r->cpus[i]), 0);
	}
	kft_closep(&r->out);
	kft_meta_finish(&r->meta);
	free(r);
	return 0;
}

static void begin(struct rig *r, int out)
{
	assert_int_equal(kft_tracedat_stream_create(out, &r->sink, NULL), 0);
	assert_int_equal(r->sink->ops->begin(r->sink, &r->meta, NULL), 0);
	for (uint32_t i = 0; i < CPUS; i++)
		assert_int_equal(r->sink->ops->take_fd(r->sink, i, r->raws[i], NULL), 0);
}

static void end(struct rig *r)
{
	assert_int_equal(r->sink->ops->release(r->sink, NULL), 0);
	assert_int_equal(r->sink->ops->end(r->sink, &r->meta, NULL), 0);
	r->sink->ops->destroy(r->sink);
}

/* A page with n events, 1000 ns apart, the first one at ts. */
static void record(struct rig *r, int cpu, uint64_t ts, int n)
{
	struct t_page p = {};

	t_page_start(&p, KFT_HOST_BIG_ENDIAN, 8, ts);
	for (int i = 0; i < n; i++)
		t_page_data(&p, EVENT, i ? 1000 : 0, SAMPLE_EVENT_ID);
	t_page_end(&p, SAMPLE_PAGE_BYTES, 0);
	assert_int_equal(write(r->cpus[cpu], p.bytes.buf, p.bytes.len), p.bytes.len);
	t_page_finish(&p);
}

static struct kft_trace *open_bytes(const void *bytes, size_t len)
{
	int fd = sample_file();
	struct kft_trace *t = NULL;

	assert_int_equal(kft_write_all(fd, bytes, len), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	if (kft_file_open_fd(fd, "s", &t, NULL) < 0)
		return NULL;
	return t;
}

static void expect(struct kft_merge *m, uint32_t cpu, uint64_t ts, uint64_t lost)
{
	const struct kft_event *ev;

	assert_int_equal(kft_merge_next(m, &ev), 1);
	assert_int_equal(ev->cpu, cpu);
	assert_int_equal(ev->ts, ts);
	assert_int_equal(ev->lost_before, lost);
}

static size_t count_events(struct kft_trace *t)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	size_t n = 0;

	assert_int_equal(kft_merge_create(t, NULL, &m), 0);
	while (kft_merge_next(m, &ev) > 0)
		n++;
	return n;
}

static void what_goes_in_comes_out(void **state)
{
	struct rig *r = *state;
	const struct kft_lost_range lost = {
		.cpu = 1, .since = 5000, .until = 6000, .count = 7};
	size_t len;

	begin(r, r->out);
	record(r, 0, 1000, 2);
	record(r, 1, 1500, 1);
	record(r, 1, 7000, 1);
	assert_int_equal(r->sink->ops->lost(r->sink, &lost), 0);
	assert_int_equal(r->sink->ops->release(r->sink, NULL), 0);
	assert_int_equal(r->sink->ops->events(r->sink, 0), 2);
	assert_int_equal(r->sink->ops->events(r->sink, 1), 2);
	assert_int_equal(r->sink->ops->bytes(r->sink), 3 * SAMPLE_PAGE_BYTES);
	assert_true(kft_vec_push(&r->meta.lost, lost));
	end(r);
	_cleanup_free_ uint8_t *bytes = sample_content(r->out, &len);
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_bytes(bytes, len);
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	assert_non_null(t);
	assert_false(t->unfinished);
	assert_int_equal(t->damage.code, 0);
	assert_int_equal(kft_merge_create(t, NULL, &m), 0);
	expect(m, 0, 1000, 0);
	expect(m, 1, 1500, 0);
	expect(m, 0, 2000, 0);
	expect(m, 1, 7000, 7);
}

/* The next block, up to the last one: its content begins where the cursor was put. */
static bool next_block(struct kft_cursor *c, uint32_t *ret_kind, uint64_t *ret_begin)
{
	uint32_t cpu = 0;
	uint64_t size = 0;

	if (!kft_cursor_left(c))
		return false;
	assert_true(kft_cursor_u32(c, ret_kind) && kft_cursor_u32(c, &cpu));
	assert_true(kft_cursor_u64(c, &size) && size <= kft_cursor_left(c));
	*ret_begin = c->pos;
	c->pos += size;
	return true;
}

static size_t count_blocks(const uint8_t *bytes, size_t len, uint32_t kind)
{
	struct kft_cursor c = kft_cursor_init(bytes, len, KFT_HOST_BIG_ENDIAN);
	uint32_t is = 0;
	uint64_t begin;
	size_t n = 0;

	c.pos = KFT_STREAM_MAGIC_BYTES;
	while (next_block(&c, &is, &begin)) {
		n += is == kind;
		if (is == KFT_STREAM_END)
			break;
	}
	return n;
}

/* Within a block: nothing of that is used that is not whole, wherever it is cut. */
static bool is_within_block(const uint8_t *bytes, size_t len, size_t at)
{
	struct kft_cursor c = kft_cursor_init(bytes, len, KFT_HOST_BIG_ENDIAN);
	uint32_t is = 0;
	uint64_t begin;

	c.pos = KFT_STREAM_MAGIC_BYTES;
	while (c.pos < at && next_block(&c, &is, &begin))
		if (at > begin + 1 && at < c.pos - 1)
			return true;
	return false;
}

/* A live reader has shown all events by the last block, so losses must come before it. */
static void losses_found_at_the_end_come_before_it(void **state)
{
	struct rig *r = *state;
	const struct kft_lost_range lost = {.cpu = 1, .until = 6000, .count = 7};
	size_t len;

	begin(r, r->out);
	assert_int_equal(r->sink->ops->release(r->sink, NULL), 0);
	assert_int_equal(r->sink->ops->lost(r->sink, &lost), 0);
	end(r);
	_cleanup_free_ uint8_t *bytes = sample_content(r->out, &len);
	assert_int_equal(count_blocks(bytes, len, KFT_STREAM_LOST), 1);
}

/* A stream is cut when its recorder is killed or the connection breaks. */
static void a_stream_that_is_cut_gives_what_came(void **state)
{
	struct rig *r = *state;
	size_t seen = 0;
	size_t len;

	begin(r, r->out);
	record(r, 0, 1000, 2);
	record(r, 1, 1500, 1);
	end(r);
	_cleanup_free_ uint8_t *bytes = sample_content(r->out, &len);
	for (size_t cut = 0; cut < len; cut++) {
		if (cut % 7 && is_within_block(bytes, len, cut))
			continue;
		struct kft_trace *t = open_bytes(bytes, cut);
		size_t n = t ? count_events(t) : 0;

		if (t) {
			assert_true(t->unfinished);
			assert_int_not_equal(t->damage.code, 0);
		}
		assert_true(n >= seen);
		seen = n;
		t = kft_trace_destroy(t);
	}
	assert_int_equal(seen, 3);
}

static void without_a_reader_it_fails(void **state)
{
	struct rig *r = *state;
	struct kft_err e = {};
	int fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	begin(r, fds[1]);
	assert_int_equal(close(fds[0]), 0);
	/* Waits for the thread, which finds it out by itself or when it writes. */
	assert_int_equal(r->sink->ops->release(r->sink, &e), -EPIPE);
	assert_string_equal(e.msg, "the reader of the stream is gone");
	assert_int_equal(r->sink->ops->failed(r->sink, NULL), -EPIPE);
	assert_int_equal(r->sink->ops->end(r->sink, &r->meta, NULL), -EPIPE);
	r->sink->ops->destroy(r->sink);
	assert_int_equal(close(fds[1]), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_goes_in_comes_out, setup, teardown),
		cmocka_unit_test_setup_teardown(losses_found_at_the_end_come_before_it,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_stream_that_is_cut_gives_what_came,
						setup, teardown),
		cmocka_unit_test_setup_teardown(without_a_reader_it_fails, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

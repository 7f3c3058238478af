// SPDX-License-Identifier: GPL-2.0-only
#include "page.h"

#include <errno.h>
#include <fcntl.h>

#include "base/io.h"
#include "file/tracedat/stream/live.h"
#include "file/tracedat/stream/pages.h"
#include "file/tracedat/write/write.h"
#include "model/merge.h"
#include "sample.h"

#define EVENT 2 /* words of a record */

/* A stream, made by hand, goes into a pipe. */
struct rig {
	struct kft_meta meta;
	struct kft_strbuf dat; /* a trace.dat of the metadata */
	int in; /* the end to read from; the trace owns it */
	int out;
};

static int setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	int fd = sample_file();
	int fds[2];

	assert_non_null(r);
	sample_meta(&r->meta);
	assert_int_equal(kft_tracedat_write_live(fd, &r->meta, KFT_TRACEDAT_PLAIN, NULL),
			 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(kft_read_fd(fd, SIZE_MAX, &r->dat), 0);
	(void)close(fd);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	r->in = fds[0];
	r->out = fds[1];
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct rig *r = *state;

	kft_closep(&r->out);
	kft_meta_finish(&r->meta);
	kft_strbuf_finish(&r->dat);
	free(r);
	return 0;
}

static void put(struct rig *r, const struct kft_strbuf *bytes)
{
	assert_int_equal(kft_write_all(r->out, bytes->buf, bytes->len), 0);
}

static void add_page(struct kft_strbuf *sb, uint32_t cpu, uint64_t ts, int n)
{
	struct t_page p = {};

	t_page_start(&p, KFT_HOST_BIG_ENDIAN, 8, ts);
	for (int i = 0; i < n; i++)
		t_page_data(&p, EVENT, i ? 1000 : 0, SAMPLE_EVENT_ID);
	t_page_end(&p, SAMPLE_PAGE_BYTES, 0);
	kft_stream_add_block(sb, KFT_STREAM_PAGE, cpu, p.bytes.buf, p.bytes.len);
	t_page_finish(&p);
}

static void put_page(struct rig *r, uint32_t cpu, uint64_t ts, int n)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	add_page(&sb, cpu, ts, n);
	put(r, &sb);
}

static void put_block(struct rig *r, enum kft_stream_kind kind, const void *data,
		      size_t len)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_stream_add_block(&sb, kind, 0, data, len);
	put(r, &sb);
}

static void put_start(struct rig *r)
{
	assert_int_equal(kft_write_all(r->out, KFT_STREAM_MAGIC, KFT_STREAM_MAGIC_BYTES),
			 0);
	put_block(r, KFT_STREAM_META, r->dat.buf, r->dat.len);
}

static void put_pass(struct rig *r)
{
	put_block(r, KFT_STREAM_PASS, NULL, 0);
}

static struct kft_trace *open_live(struct rig *r, struct kft_merge **ret)
{
	struct kft_trace *t = NULL;

	assert_int_equal(kft_stream_open_live(r->in, NULL, 0, "s", -1, &t, NULL), 0);
	assert_int_equal(kft_merge_create(t, NULL, ret), 0);
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

static void expect_more(struct kft_merge *m)
{
	const struct kft_event *ev;

	assert_int_equal(kft_merge_next(m, &ev), -EAGAIN);
	assert_int_equal(kft_merge_more(m), 0);
}

static void events_come_two_passes_later(void **state)
{
	struct rig *r = *state;
	struct kft_merge *m;
	const struct kft_event *ev;

	put_start(r);
	put_page(r, 0, 1000, 2);
	put_pass(r);
	put_page(r, 1, 1500, 1);
	put_page(r, 1, 2100, 1);
	put_pass(r);
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_live(r, &m);
	assert_non_null(t->more);
	expect(m, 0, 1000, 0);
	expect(m, 1, 1500, 0);
	expect(m, 0, 2000, 0);
	/* CPU 0 may still have something before 2100. */
	assert_int_equal(kft_merge_next(m, &ev), -EAGAIN);
	put_page(r, 0, 2050, 1);
	put_pass(r);
	expect_more(m);
	expect(m, 0, 2050, 0);
	expect(m, 1, 2100, 0);
	assert_int_equal(kft_merge_next(m, &ev), -EAGAIN);
	put_page(r, 0, 9000, 1);
	put_block(r, KFT_STREAM_END, r->dat.buf, r->dat.len);
	expect_more(m);
	expect(m, 0, 9000, 0);
	assert_int_equal(kft_merge_next(m, &ev), 0);
	assert_false(t->unfinished);
	assert_int_equal(t->damage.code, 0);
	(void)kft_merge_destroy(m);
}

static void losses_and_names_come_with_the_events(void **state)
{
	/* u32 cpu, u32 0, u64 since, until, count */
	static const uint8_t lost[32] = {
		[0] = 1, [8] = 0, [16] = 0x70, [17] = 0x17, [24] = 7};
	struct rig *r = *state;
	struct kft_merge *m;

	put_start(r);
	put_page(r, 1, 1000, 1);
	put_pass(r);
	put_pass(r);
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_live(r, &m);
	expect(m, 1, 1000, 0);
	put_block(r, KFT_STREAM_LOST, lost, sizeof(lost));
	put_block(r, KFT_STREAM_TASKS, "7 seven\n", 8);
	put_page(r, 1, 7000, 1);
	put_pass(r);
	expect_more(m);
	assert_string_equal(kft_task_comm(&t->tasks, 7), "seven");
	put_pass(r);
	expect_more(m);
	expect(m, 1, 7000, 7);
	(void)kft_merge_destroy(m);
}

/* The thread waits for more that never comes. */
static void it_can_be_left_at_any_time(void **state)
{
	struct rig *r = *state;
	struct kft_merge *m;

	put_start(r);
	put_page(r, 0, 1000, 1);
	put_pass(r);
	put_pass(r);
	struct kft_trace *t = open_live(r, &m);
	(void)kft_merge_destroy(m);
	t = kft_trace_destroy(t);
	assert_null(t);
}

static void it_ends_when_its_own_reader_is_gone(void **state)
{
	struct rig *r = *state;
	struct kft_trace *t = NULL;
	int fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	(void)close(fds[0]);
	put_start(r);
	assert_int_equal(kft_stream_open_live(r->in, NULL, 0, "s", fds[1], &t, NULL),
			 -EPIPE);
	(void)close(fds[1]);
}

static size_t count_events(struct kft_trace *t)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	size_t n = 0;
	int got;

	assert_int_equal(kft_merge_create(t, NULL, &m), 0);
	while ((got = kft_merge_next(m, &ev)) != 0) {
		if (got == -EAGAIN)
			assert_int_equal(kft_merge_more(m), 0);
		n += got == 1;
	}
	return n;
}

/* A stream is cut when its recorder is killed or the connection breaks. */
static void a_stream_that_is_cut_gives_what_came(void **state)
{
	struct rig *r = *state;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf all = {};
	size_t seen = 0;

	kft_strbuf_add(&all, KFT_STREAM_MAGIC, KFT_STREAM_MAGIC_BYTES);
	kft_stream_add_block(&all, KFT_STREAM_META, 0, r->dat.buf, r->dat.len);
	size_t meta = all.len;
	for (uint32_t i = 0; i < 4; i++) {
		add_page(&all, i % 2, 1000 * (i + 1), 1);
		kft_stream_add_block(&all, KFT_STREAM_PASS, 0, NULL, 0);
	}
	(void)close(r->in);
	for (size_t cut = all.len % 61; cut <= all.len; cut += 61) {
		struct kft_trace *t = NULL;
		int fds[2];

		assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
		assert_int_equal(kft_write_all(fds[1], all.buf, cut), 0);
		(void)close(fds[1]);
		int got = kft_stream_open_live(fds[0], NULL, 0, "s", -1, &t, NULL);
		assert_int_equal(got, cut < meta ? -ENODATA : 0);
		if (got < 0)
			continue;
		size_t n = count_events(t);
		assert_true(n >= seen && t->unfinished && t->damage.code == -ENODATA);
		seen = n;
		t = kft_trace_destroy(t);
	}
	assert_int_equal(seen, 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(events_come_two_passes_later),
	TEST(losses_and_names_come_with_the_events),
	TEST(it_can_be_left_at_any_time),
	TEST(it_ends_when_its_own_reader_is_gone),
	TEST(a_stream_that_is_cut_gives_what_came),
};

T_MAIN(tests)

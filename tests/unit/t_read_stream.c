// SPDX-License-Identifier: GPL-2.0-only
#include "dat.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "file/tracedat/format.h"
#include "file/tracedat/read/read.h"
#include "model/scope.h"

/* 0: the reading thread unpacks chunks itself. Every test runs with and without threads. */
static unsigned int ahead_threads;

static struct kft_trace *open_dat(const struct t_dat *dat)
{
	struct kft_trace *t;
	struct kft_err e = {};

	if (kft_tracedat_open(t_dat_fd(dat, dat->bytes.len), "x.dat", &t, &e) < 0)
		fail_msg("%s", e.msg);
	t->read_ahead(t, ahead_threads);
	return t;
}

static struct kft_stream *stream_of(struct kft_trace *t, size_t i)
{
	assert_true(t->buffers.len > 0 && i < t->buffers.data[0].streams.len);
	return t->buffers.data[0].streams.data[i];
}

struct seen {
	size_t n;
	uint64_t first;
	uint64_t last;
	uint64_t lost_at[8]; /* stamps of events with a loss mark */
	uint64_t lost[8];
	size_t n_lost;
	int end; /* result of the last fill */
	uint64_t damage_count;
};

/* Counting a stream must give the same as reading it. */
static void check_count(struct kft_stream *s, const struct seen *seen)
{
	_cleanup_(kft_counts_destroyp) struct kft_counts *c = kft_counts_create();
	struct kft_err damage = s->damage;
	uint64_t damage_count = s->damage_count;
	uint64_t lost_after = s->lost_after;
	uint64_t lost = 0;
	uint64_t uncounted = 0;

	assert_non_null(c);
	s->damage_count = 0;
	assert_int_equal(s->ops->rewind(s, 0), 0);
	assert_int_equal(s->ops->count(s, c), seen->end);
	assert_int_equal(kft_counts_of(c, T_DAT_ID), seen->n);
	if (seen->n) {
		assert_int_equal(c->first, seen->first);
		assert_int_equal(c->last, seen->last);
	}
	for (size_t i = 0; i < seen->n_lost; i++) {
		bool known = seen->lost[i] != KFT_LOST_UNKNOWN;

		lost += known ? seen->lost[i] : 0;
		uncounted += !known;
	}
	assert_int_equal(c->gaps, seen->n_lost);
	assert_int_equal(c->uncounted_gaps, uncounted);
	assert_int_equal(c->lost, lost);
	assert_int_equal(s->lost_after, lost_after);
	assert_int_equal(s->damage_count, seen->damage_count);
	if (damage_count)
		assert_string_equal(s->damage.msg, damage.msg);
	s->damage = damage;
	s->damage_count = damage_count;
}

/* Everything from where the stream is. */
static void read_on(struct kft_stream *s, size_t batch, struct seen *seen)
{
	struct kft_event evs[64];

	while ((seen->end = s->ops->fill(s, evs, batch)) > 0) {
		for (int i = 0; i < seen->end; i++) {
			if (!seen->n++)
				seen->first = evs[i].ts;
			seen->last = evs[i].ts;
			if (!evs[i].lost_before)
				continue;
			assert_true(seen->n_lost < ARRAY_SIZE(seen->lost));
			seen->lost_at[seen->n_lost] = evs[i].ts;
			seen->lost[seen->n_lost++] = evs[i].lost_before;
		}
	}
}

/* Parts one after the other are the whole. */
static void check_parts(struct kft_stream *s, const struct seen *seen, size_t n)
{
	struct kft_stream *parts[64];
	struct seen sum = {};
	int made = s->ops->split(s, 1, parts, n);

	assert_in_range(made, 0, n);
	for (int i = 0; i < made; i++) {
		assert_int_equal(parts[i]->ops->rewind(parts[i], 0), 0);
		read_on(parts[i], 64, &sum);
		sum.damage_count += parts[i]->damage_count;
		assert_true(i == made - 1 || parts[i]->lost_after == 0);
	}
	if (made) {
		assert_int_equal(parts[made - 1]->lost_after, s->lost_after);
		assert_memory_equal(&sum, seen, sizeof(sum));
	}
	for (int i = 0; i < made; i++)
		parts[i]->ops->destroy(parts[i]);
}

static struct seen read_all(struct kft_stream *s, uint64_t since, size_t batch)
{
	struct seen seen = {};
	uint64_t damage_before = s->damage_count;

	assert_int_equal(s->ops->rewind(s, since), 0);
	read_on(s, batch, &seen);
	seen.damage_count = s->damage_count - damage_before;
	if (since || s->wanted)
		return seen;
	if (s->ops->count)
		check_count(s, &seen);
	if (s->ops->split && !seen.end)
		for (size_t n = 2; n < 40; n = 2 * n - 1)
			check_parts(s, &seen, n);
	return seen;
}

static const char *const codecs[] = {
	"none",
#if HAVE_ZSTD
	"zstd",
#endif
#if HAVE_ZLIB
	"zlib",
#endif
};

static void reading_again_gives_the_same(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(codecs); i++) {
		struct t_dat dat;

		t_dat_build(&dat,
			    &(struct t_dat_spec){.codec = codecs[i], .n_pages = 700});
		struct kft_trace *t = open_dat(&dat);
		for (size_t batch = 1; batch <= 64; batch += 21) {
			struct seen seen = read_all(stream_of(t, 1), 0, batch);

			assert_int_equal(seen.end, 0);
			assert_int_equal(seen.n, 700 * T_DAT_PAGE_EVENTS);
			assert_int_equal(seen.first, t_dat_ts(1, 0, 0));
			assert_int_equal(seen.last, t_dat_ts(1, 699, 4));
		}
		kft_trace_destroy(t);
		t_dat_finish(&dat);
	}
}

static void a_rewind_goes_near_the_time_and_never_behind_it(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(codecs); i++) {
		struct t_dat dat;

		t_dat_build(&dat,
			    &(struct t_dat_spec){.codec = codecs[i], .n_pages = 300});
		struct kft_trace *t = open_dat(&dat);
		for (unsigned int p = 0; p < 300; p += 7) {
			for (unsigned int k = 0; k < 2; k++) {
				uint64_t since = t_dat_ts(0, p, k);
				struct seen seen = read_all(stream_of(t, 0), since, 64);

				assert_true(seen.first <= since);
				/* At most the page before: that is where equal times are. */
				assert_true(p == 0 ||
					    seen.first >= t_dat_ts(0, p - 1, 0));
				assert_int_equal(seen.last, t_dat_ts(0, 299, 4));
			}
		}
		/* After the end of the trace nothing is left but the last page. */
		struct seen seen = read_all(stream_of(t, 0), UINT64_MAX, 64);
		assert_int_equal(seen.n, T_DAT_PAGE_EVENTS);
		kft_trace_destroy(t);
		t_dat_finish(&dat);
	}
}

/* A stream that is long enough is cut into as many parts as are asked for. */
static void streams_are_cut_where_they_can_be(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(codecs); i++) {
		struct kft_stream *parts[8];
		struct t_dat dat;

		t_dat_build(&dat,
			    &(struct t_dat_spec){.codec = codecs[i], .n_pages = 100});
		struct kft_trace *t = open_dat(&dat);
		struct kft_stream *s = stream_of(t, 0);
		assert_int_equal(s->ops->split(s, UINT64_C(1) << 30, parts, 8), 0);
		assert_int_equal(s->ops->split(s, 1, parts, 8), 8);
		for (size_t k = 0; k < 8; k++)
			parts[k]->ops->destroy(parts[k]);
		kft_trace_destroy(t);
		t_dat_finish(&dat);
	}
}

/* The events at a time can be the last of a page and the first of the next. */
static void a_rewind_finds_equal_times_before_a_page(void **state)
{
	struct t_dat dat;

	t_dat_build(&dat, &(struct t_dat_spec){.n_cpus = 1, .n_pages = 20});
	uint64_t since = t_dat_ts(0, 9, 4);
	t_patch(&dat.bytes, dat.pages.data[10], false, since, 8);
	struct kft_trace *t = open_dat(&dat);
	struct seen seen = read_all(stream_of(t, 0), since, 64);
	assert_int_equal(seen.first, t_dat_ts(0, 9, 0));
	kft_trace_destroy(t);
	t_dat_finish(&dat);
}

/* More chunks than marks are kept: the search lands earlier, never later. */
static void long_compressed_streams_keep_few_marks(void **state)
{
#if HAVE_ZSTD
	struct t_dat dat;

	t_dat_build(&dat, &(struct t_dat_spec){.codec = "zstd",
					       .page_size = 128,
					       .n_cpus = 1,
					       .n_pages = 9000});
	struct kft_trace *t = open_dat(&dat);
	struct seen seen = read_all(stream_of(t, 0), t_dat_ts(0, 8000, 2), 64);
	assert_in_range(seen.first, t_dat_ts(0, 7990, 0), t_dat_ts(0, 8000, 2));
	assert_int_equal(seen.end, 0);
	assert_int_equal(stream_of(t, 0)->damage_count, 0);
	assert_int_equal(seen.last, t_dat_ts(0, 8999, 4));
	kft_trace_destroy(t);
	t_dat_finish(&dat);
#else
	skip();
#endif
}

static void damaged_pages_are_stepped_over(void **state)
{
	struct t_dat dat;
	char place[40];

	t_dat_build(&dat, &(struct t_dat_spec){.n_cpus = 1, .n_pages = 20});
	/* Page 3 says that it holds more than fits; page 9 has a record that is too long;
	 * page 12 is a hole. */
	t_patch(&dat.bytes, dat.pages.data[3] + 8, false, 4000, 8);
	t_patch(&dat.bytes, dat.pages.data[9] + 16 + 2 * 16, false, 28, 4);
	t_patch(&dat.bytes, dat.pages.data[9] + 16 + 3 * 16, false, 0xffffffff, 4);
	t_patch(&dat.bytes, dat.pages.data[9] + 8, false, 48 + 3 * 4, 8);
	memset(dat.bytes.buf + dat.pages.data[12], 0, 256);
	struct kft_trace *t = open_dat(&dat);
	struct kft_stream *s = stream_of(t, 0);
	struct seen seen = read_all(s, 0, 64);
	assert_int_equal(seen.end, 0);
	assert_int_equal(seen.n, 17 * T_DAT_PAGE_EVENTS + 2);
	assert_int_equal(s->damage_count, 2);
	assert_int_equal(s->damage.code, -EBADMSG);
	(void)snprintf(place, sizeof(place), "CPU 0 at byte %zu:", dat.pages.data[3]);
	assert_non_null(strstr(s->damage.msg, place));
	assert_non_null(strstr(s->damage.msg, "'x.dat'"));
	/* The events in them are lost: the next events carry loss marks. */
	assert_int_equal(seen.n_lost, 2);
	assert_int_equal(seen.lost_at[0], t_dat_ts(0, 4, 0));
	assert_int_equal(seen.lost_at[1], t_dat_ts(0, 10, 0));
	assert_true(seen.lost[0] == KFT_LOST_UNKNOWN);
	/* A search by time among damaged pages finds its way, too. */
	seen = read_all(s, t_dat_ts(0, 15, 3), 64);
	assert_true(seen.first <= t_dat_ts(0, 15, 3));
	kft_trace_destroy(t);
	t_dat_finish(&dat);
}

static void damaged_chunks_are_stepped_over(void **state)
{
	for (size_t i = 1; i < ARRAY_SIZE(codecs); i++) {
		struct t_dat dat;

		t_dat_build(&dat, &(struct t_dat_spec){
					  .codec = codecs[i], .n_cpus = 1, .n_pages = 9});
		/* The content of the chunk follows its two sizes. */
		memset(dat.bytes.buf + dat.pages.data[4] + 8, 0x55, 10);
		/* This one says that there is more in it than there is. */
		t_patch(&dat.bytes, dat.pages.data[7] + 4, false, 512, 4);
		struct kft_trace *t = open_dat(&dat);
		struct kft_stream *s = stream_of(t, 0);
		struct seen seen = read_all(s, 0, 64);
		assert_int_equal(seen.end, 0);
		assert_int_equal(seen.n, 7 * T_DAT_PAGE_EVENTS);
		assert_int_equal(s->damage_count, 2);
		assert_non_null(strstr(s->damage.msg, "decompress"));
		assert_int_equal(seen.n_lost, 2);
		assert_int_equal(seen.lost_at[0], t_dat_ts(0, 5, 0));
		kft_trace_destroy(t);
		t_dat_finish(&dat);
	}
}

static void a_file_that_shrinks_while_it_is_read_is_an_error(void **state)
{
	struct t_dat dat;
	struct kft_trace *t;
	struct kft_event evs[8];

	t_dat_build(&dat, &(struct t_dat_spec){.n_cpus = 1, .n_pages = 1000});
	int fd = t_dat_fd(&dat, dat.bytes.len);
	int other = dup(fd);
	assert_int_equal(kft_tracedat_open(fd, "x.dat", &t, NULL), 0);
	struct kft_stream *s = stream_of(t, 0);
	assert_int_equal(s->ops->fill(s, evs, 8), 8);
	assert_int_equal(ftruncate(other, dat.pages.data[500] + 100), 0);
	struct seen seen = read_all(s, 0, 64);
	assert_int_equal(seen.end, -ENODATA);
	assert_true(seen.n >= 500 * T_DAT_PAGE_EVENTS);
	assert_int_equal(s->damage.code, -ENODATA);
	(void)close(other);
	kft_trace_destroy(t);
	t_dat_finish(&dat);
}

static void put_lost(struct kft_strbuf *sb, uint32_t cpu, uint64_t since, uint64_t until,
		     uint64_t count)
{
	t_put(sb, false, cpu, 4);
	t_put(sb, false, 0, 4);
	t_put(sb, false, since, 8);
	t_put(sb, false, until, 8);
	t_put(sb, false, count, 8);
}

static void build_with_losses(struct t_dat *dat, bool big)
{
	struct kft_strbuf records = {};
	struct kft_strbuf options = {};

	/* Not in order; the first two end before the same event. */
	put_lost(&records, 0, t_dat_ts(0, 2, 0), t_dat_ts(0, 2, 3) - 10, 5);
	put_lost(&records, 0, t_dat_ts(0, 1, 0), t_dat_ts(0, 2, 2) + 1, 7);
	put_lost(&records, 1, 1, t_dat_ts(1, 1, 1), KFT_LOST_UNKNOWN);
	put_lost(&records, 0, 1, 2, 1);
	put_lost(&records, 0, 1, UINT64_MAX, 99);
	t_dat_option(&options, big, KFT_OPTION_LOST, records.buf, records.len);
	t_dat_build(dat, &(struct t_dat_spec){.options = &options, .big = big});
	kft_strbuf_finish(&records);
	kft_strbuf_finish(&options);
}

static void recorded_losses_are_marks_on_events(void **state)
{
	for (int big = 0; big < 2; big++) {
		struct t_dat dat;

		build_with_losses(&dat, big);
		struct kft_trace *t = open_dat(&dat);
		assert_int_equal(t->meta.lost.len, 5);
		struct seen seen = read_all(stream_of(t, 0), 0, 3);
		assert_int_equal(seen.n_lost, 2);
		assert_int_equal(seen.lost_at[0], t_dat_ts(0, 0, 0));
		assert_int_equal(seen.lost[0], 1);
		assert_int_equal(seen.lost_at[1], t_dat_ts(0, 2, 3));
		assert_int_equal(seen.lost[1], 12);
		/* The loss of the last range, which no event follows. */
		assert_int_equal(stream_of(t, 0)->lost_after, 99);
		seen = read_all(stream_of(t, 1), 0, 64);
		assert_int_equal(stream_of(t, 1)->lost_after, 0);
		assert_int_equal(seen.n_lost, 1);
		assert_int_equal(seen.lost_at[0], t_dat_ts(1, 1, 1));
		assert_true(seen.lost[0] == KFT_LOST_UNKNOWN);
		/* The loss is not reported again on a later page. */
		seen = read_all(stream_of(t, 1), t_dat_ts(1, 2, 1), 64);
		assert_int_equal(seen.n_lost, 0);
		kft_trace_destroy(t);
		t_dat_finish(&dat);
	}
}

static void senseless_losses_are_damage(void **state)
{
	static const uint64_t bad[][3] = {{0, 5, 4}, {KFT_TRACEDAT_MAX_CPUS, 1, 2}};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct kft_strbuf records = {};
		struct kft_strbuf options = {};
		struct t_dat dat;

		put_lost(&records, 0, 1, 2, 3);
		put_lost(&records, bad[i][0], bad[i][1], bad[i][2], 3);
		t_dat_option(&options, false, KFT_OPTION_LOST, records.buf, records.len);
		t_dat_build(&dat, &(struct t_dat_spec){.options = &options});
		struct kft_trace *t = open_dat(&dat);
		assert_int_equal(t->damage.code, -EBADMSG);
		assert_int_equal(t->meta.lost.len, 1);
		kft_trace_destroy(t);
		t_dat_finish(&dat);
		kft_strbuf_finish(&records);
		kft_strbuf_finish(&options);
	}
}

static void only_wanted_events_come(void **state)
{
	uint64_t wanted[1024] = {};
	struct t_dat dat;

	t_dat_build(&dat, &(struct t_dat_spec){});
	struct kft_trace *t = open_dat(&dat);
	struct kft_stream *s = stream_of(t, 0);
	s->wanted = wanted;
	assert_int_equal(read_all(s, 0, 64).n, 0);
	wanted[T_DAT_ID / 64] = UINT64_C(1) << T_DAT_ID % 64;
	assert_int_equal(read_all(s, 0, 64).n, 3 * T_DAT_PAGE_EVENTS);
	kft_trace_destroy(t);
	t_dat_finish(&dat);
}

static void stamps_are_moved_as_the_options_say(void **state)
{
	struct kft_strbuf options = {};
	struct t_dat dat;

	t_dat_option(&options, false, KFT_OPTION_OFFSET, "-1000", 6);
	t_dat_option(&options, false, KFT_OPTION_DATE, "0x10", 5);
	t_dat_build(&dat, &(struct t_dat_spec){.options = &options, .n_pages = 50});
	struct kft_trace *t = open_dat(&dat);
	struct seen seen = read_all(stream_of(t, 0), 0, 64);
	assert_int_equal(seen.first, t_dat_ts(0, 0, 0) - 1000 + 16000);
	/* A search by time is in the time that is shown. */
	uint64_t since = t_dat_ts(0, 30, 1) + 15000;
	seen = read_all(stream_of(t, 0), since, 64);
	assert_in_range(seen.first, t_dat_ts(0, 29, 0) + 15000, since);
	assert_int_equal(t->meta.kept_options.len, 2);
	assert_int_equal(t->meta.kept_options.data[1].id, KFT_OPTION_DATE);
	assert_memory_equal(t->meta.kept_options.data[1].data.data, "0x10", 5);
	kft_trace_destroy(t);
	t_dat_finish(&dat);
	kft_strbuf_finish(&options);
}

/*
 * Sixteen streams are read at once. Their first chunks claim 64 MB each, more in sum than all
 * streams together may allocate. A stream keeps its memory until it has been read
 * to its end.
 */
static void what_chunks_ask_for_is_limited(void **state)
{
	struct t_dat dat;
	size_t out_of_memory = 0;

	if (ARRAY_SIZE(codecs) == 1)
		skip();
	t_dat_build(&dat, &(struct t_dat_spec){.codec = codecs[ARRAY_SIZE(codecs) - 1],
					       .n_cpus = 16,
					       .n_pages = 2});
	for (size_t i = 0; i < dat.pages.len; i += 2)
		t_patch(&dat.bytes, dat.pages.data[i] + 4, false,
			KFT_TRACEDAT_MAX_CHUNK_BYTES, 4);
	struct kft_trace *t = open_dat(&dat);
	for (size_t i = 0; i < 16; i++) {
		struct kft_stream *s = stream_of(t, i);
		struct kft_event ev;
		int n = s->ops->fill(s, &ev, 1);

		assert_true(s->damage_count > 0);
		assert_int_equal(n, s->damage.code == -ENOMEM ? -ENOMEM : 1);
		out_of_memory += n < 0;
	}
	assert_int_equal(out_of_memory, 8);
	/* The chunks that follow them can still be read. */
	for (size_t i = 0; i < 16; i++) {
		struct seen seen = {};

		assert_int_equal(stream_of(t, i)->ops->rewind(stream_of(t, i), 0), 0);
		read_on(stream_of(t, i), 64, &seen);
		assert_int_equal(seen.n, T_DAT_PAGE_EVENTS);
	}
	kft_trace_destroy(t);
	t_dat_finish(&dat);
}

/* Pages of 1 MB with next to nothing in them: a few bytes each in the file. */
static void what_chunks_become_is_limited(void **state)
{
	const size_t page_bytes = KFT_TRACEDAT_MAX_PAGE_BYTES;
	struct t_dat dat;

	if (!HAVE_ZSTD)
		skip();
	t_dat_build(&dat, &(struct t_dat_spec){.codec = "zstd",
					       .page_size = page_bytes,
					       .n_cpus = 1,
					       .n_pages = 90});
	uint64_t limit = KFT_TRACEDAT_MIN_UNPACKED +
			 KFT_TRACEDAT_MAX_RATIO * (dat.bytes.len - dat.pages.data[0]);
	assert_true(limit < 90 * page_bytes);
	struct kft_trace *t = open_dat(&dat);
	struct kft_stream *s = stream_of(t, 0);
	struct seen seen = read_all(s, 0, 64);
	assert_int_equal(seen.end, -EFBIG);
	assert_int_equal(s->damage.code, -EFBIG);
	assert_in_range(seen.n / T_DAT_PAGE_EVENTS * page_bytes,
			KFT_TRACEDAT_MIN_UNPACKED, limit);
	kft_trace_destroy(t);
	t_dat_finish(&dat);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(reading_again_gives_the_same),
	cmocka_unit_test(a_rewind_goes_near_the_time_and_never_behind_it),
	cmocka_unit_test(streams_are_cut_where_they_can_be),
	cmocka_unit_test(a_rewind_finds_equal_times_before_a_page),
	cmocka_unit_test(long_compressed_streams_keep_few_marks),
	cmocka_unit_test(damaged_pages_are_stepped_over),
	cmocka_unit_test(damaged_chunks_are_stepped_over),
	cmocka_unit_test(a_file_that_shrinks_while_it_is_read_is_an_error),
	cmocka_unit_test(recorded_losses_are_marks_on_events),
	cmocka_unit_test(senseless_losses_are_damage),
	cmocka_unit_test(only_wanted_events_come),
	cmocka_unit_test(stamps_are_moved_as_the_options_say),
	cmocka_unit_test(what_chunks_ask_for_is_limited),
	cmocka_unit_test(what_chunks_become_is_limited),
};

int main(void)
{
	int alone = cmocka_run_group_tests_name("alone", tests, NULL, NULL);

	ahead_threads = 2;
	int ahead = cmocka_run_group_tests_name("read ahead", tests, NULL, NULL);
	return alone || ahead;
}

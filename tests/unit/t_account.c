// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <stdio.h>

#include "tracefs/drain/account.h"
#include "fake.h"
#include "test_sink.h"

#define STATS "per_cpu/cpu3/stats"

static void say(const struct fake *f, unsigned int now, unsigned int dropped)
{
	char text[128];

	(void)snprintf(text, sizeof(text),
		       "entries: 2\noverrun: 1\nnow ts: %u\ndropped events: %u\n"
		       "read events: 5\n",
		       now, dropped);
	fake_write(f, STATS, text);
}

static void losses_since_the_start_are_ranges(void **state)
{
	struct fake *f = *state;
	struct kft_meta meta = {};
	struct kft_account a;
	struct test_sink sink;

	test_sink_init(&sink);
	say(f, 100, 7);
	assert_int_equal(kft_account_open(&a, f->host->root_fd, 3, NULL), 0);
	say(f, 200, 7);
	assert_int_equal(kft_account_sample(&a, &sink.base), 0);
	assert_int_equal(sink.ranges.len, 0);
	say(f, 300, 17);
	assert_int_equal(kft_account_sample(&a, &sink.base), 0);
	assert_int_equal(sink.ranges.len, 1);
	assert_int_equal(sink.ranges.data[0].cpu, 3);
	assert_int_equal(sink.ranges.data[0].since, 200);
	assert_int_equal(sink.ranges.data[0].until, 300);
	assert_int_equal(sink.ranges.data[0].count, 10);
	assert_int_equal(a.events, 7);
	assert_int_equal(a.lost, 18);

	assert_int_equal(kft_account_report(&a, NULL, 4096, &meta), 0);
	assert_int_equal(meta.stats.len, 1);
	assert_int_equal(meta.stats.data[0].cpu, 3);
	assert_int_equal(meta.stats.data[0].recorded_bytes, 4096);
	assert_int_equal(meta.stats.data[0].dropped_events, 17);
	assert_int_equal(meta.stats.data[0].overrun, 1);
	assert_int_equal(meta.stats.data[0].unread, 2);
	assert_int_equal(meta.lost.len, 1);
	assert_non_null(strstr(meta.stats.data[0].text.data, "dropped events: 17"));
	kft_account_finish(&a);
	kft_meta_finish(&meta);
	test_sink_finish(&sink);
}

static void following_reads_now_and_then(void **state)
{
	struct fake *f = *state;
	struct kft_account a;
	struct test_sink sink;

	test_sink_init(&sink);
	say(f, 100, 0);
	assert_int_equal(kft_account_open(&a, f->host->root_fd, 3, NULL), 0);
	say(f, 200, 5);
	assert_int_equal(kft_account_follow(&a, &sink.base), 0);
	assert_int_equal(sink.lost, 5);
	/* The last sample has to count as recent, however slow the test is. */
	a.sampled_ns += UINT64_C(3600) * 1000000000;
	say(f, 300, 9);
	assert_int_equal(kft_account_follow(&a, &sink.base), 0);
	assert_int_equal(sink.lost, 5);
	a.sampled_ns = 0;
	assert_int_equal(kft_account_follow(&a, &sink.base), 0);
	assert_int_equal(sink.lost, 9);
	kft_account_finish(&a);
	test_sink_finish(&sink);
}

static void say_read(const struct fake *f, unsigned int now, unsigned int entries,
		     unsigned int read)
{
	char text[128];

	(void)snprintf(text, sizeof(text),
		       "entries: %u\noldest event ts: %u\nnow ts: %u\nread events: %u\n",
		       entries, now - 50, now, read);
	fake_write(f, STATS, text);
}

/* A page as the kernel gives it, of events that have nothing but their id. */
static void write_page(int fd, unsigned int events)
{
	uint8_t page[256] = {};
	uint64_t commit = (uint64_t)events * 8;

	memcpy(page + 8, &commit, sizeof(commit));
	for (unsigned int i = 0; i < events; i++) {
		uint32_t word = KFT_HOST_BIG_ENDIAN ? 1U << KFT_RING_TS_SHIFT : 1;

		memcpy(page + 16 + i * 8, &word, sizeof(word));
	}
	assert_int_equal(write(fd, page, sizeof(page)), sizeof(page));
}

/* 100 events are read, and it is the kernel's word against the pages that were written. */
static void events_that_others_read_are_counted(void **state)
{
	struct fake *f = *state;
	struct kft_ring_layout layout = kft_ring_layout_default(KFT_HOST_BIG_ENDIAN, 8);
	struct kft_meta meta = {};
	struct kft_account a;
	struct test_sink sink;
	int fd;

	test_sink_init(&sink);
	assert_int_equal(sink.base.ops->cpu_fd(&sink.base, 3, &fd, NULL), 0);
	say_read(f, 100, 0, 7);
	assert_int_equal(kft_account_open(&a, f->host->root_fd, 3, NULL), 0);
	assert_int_equal(kft_account_compare(&a, fd, &layout, 256), 0);
	write_page(fd, 20);
	write_page(fd, 20);
	say_read(f, 200, 3, 7 + 40);
	assert_int_equal(kft_account_sample(&a, &sink.base), 0);
	assert_int_equal(a.taken, 0);
	assert_int_equal(a.events, 43);
	write_page(fd, 10);
	say_read(f, 300, 2, 7 + 55);
	assert_int_equal(kft_account_sample(&a, &sink.base), 0);
	assert_int_equal(a.taken, 5);
	assert_int_equal(a.events, 52);
	assert_int_equal(sink.ranges.len, 1);
	assert_int_equal(sink.ranges.data[0].since, 150);
	assert_int_equal(sink.ranges.data[0].until, 300);
	assert_int_equal(sink.ranges.data[0].count, 5);
	/* All counters restart at zero: the number of earlier events is unknown. */
	say_read(f, 400, 1, 0);
	assert_int_equal(kft_account_sample(&a, &sink.base), 0);
	assert_true(a.taken == KFT_LOST_UNKNOWN);
	assert_int_equal(kft_account_report(&a, NULL, 768, &meta), 0);
	assert_true(meta.stats.data[0].taken == KFT_LOST_UNKNOWN);
	assert_non_null(strstr(meta.stats.data[0].text.data, "taken events: unknown"));
	kft_account_finish(&a);
	kft_meta_finish(&meta);
	test_sink_finish(&sink);
}

/* The number of ranges is bounded: later losses extend the last range. */
static void endless_losses_do_not_eat_the_memory(void **state)
{
	struct fake *f = *state;
	struct kft_account a;
	struct test_sink sink;
	uint64_t count = 0;

	test_sink_init(&sink);
	say(f, 0, 0);
	assert_int_equal(kft_account_open(&a, f->host->root_fd, 3, NULL), 0);
	for (size_t i = 0; i < 65536; i++)
		assert_true(kft_vec_push(
			&a.ranges, (struct kft_lost_range){.count = 1, .until = 1}));
	for (unsigned int i = 1; i <= 10; i++) {
		say(f, i * 1000, i);
		assert_int_equal(kft_account_sample(&a, &sink.base), 0);
	}
	assert_int_equal(a.ranges.len, 65536);
	for (size_t i = 0; i < a.ranges.len; i++)
		count += a.ranges.data[i].count;
	assert_int_equal(count, 65536 + 10);
	assert_int_equal(a.ranges.data[65535].until, 10000);
	kft_account_finish(&a);
	test_sink_finish(&sink);
}

static void losses_between_two_accounts_are_ranges(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	struct fake *f = *state;
	struct kft_account a;
	struct test_sink sink;

	test_sink_init(&sink);
	say(f, 100, 7);
	assert_int_equal(kft_account_open(&a, f->host->root_fd, 3, NULL), 0);
	a.taken = 4;
	kft_strbuf_adds(&text, "1 9 9 9 9 9 9 9\n");
	kft_account_save(&a, &text);
	kft_account_finish(&a);
	say(f, 300, 17);
	assert_int_equal(kft_account_open(&a, f->host->root_fd, 3, NULL), 0);
	assert_int_equal(kft_account_restore(&a, kft_strbuf_cstr(&text), &sink.base), 0);
	assert_int_equal(kft_account_sample(&a, &sink.base), 0);
	assert_int_equal(sink.ranges.len, 1);
	assert_int_equal(sink.ranges.data[0].since, 100);
	assert_int_equal(sink.ranges.data[0].until, 300);
	assert_int_equal(sink.ranges.data[0].count, 10);
	assert_int_equal(a.taken, 4);
	kft_account_finish(&a);
	/* Without an earlier reading, the range of all losses begins with the first event. */
	assert_int_equal(kft_account_open(&a, f->host->root_fd, 3, NULL), 0);
	assert_int_equal(kft_account_restore(&a, "", &sink.base), 0);
	assert_int_equal(kft_account_sample(&a, &sink.base), 0);
	assert_int_equal(sink.ranges.len, 2);
	assert_int_equal(sink.ranges.data[1].count, 17);
	kft_account_finish(&a);
	test_sink_finish(&sink);
}

/* The process that read 30 events wrote 20 of them, and 4 of them were read before it. */
static void events_that_died_with_a_process_are_a_range(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	struct kft_ring_layout layout = kft_ring_layout_default(KFT_HOST_BIG_ENDIAN, 8);
	struct fake *f = *state;
	struct kft_account a;
	struct test_sink sink;
	int fd;

	test_sink_init(&sink);
	assert_int_equal(sink.base.ops->cpu_fd(&sink.base, 3, &fd, NULL), 0);
	write_page(fd, 4);
	say_read(f, 100, 30, 4);
	assert_int_equal(kft_account_open(&a, f->host->root_fd, 3, NULL), 0);
	assert_int_equal(kft_account_compare(&a, fd, &layout, 256), 0);
	kft_account_save(&a, &text);
	kft_account_finish(&a);
	write_page(fd, 20);
	for (unsigned int entries = 0; entries < 2; entries++) {
		say_read(f, 300, entries, 4 + 30);
		assert_int_equal(kft_account_open(&a, f->host->root_fd, 3, NULL), 0);
		assert_int_equal(kft_account_compare(&a, fd, &layout, 256), 0);
		assert_int_equal(
			kft_account_restore(&a, kft_strbuf_cstr(&text), &sink.base), 0);
		assert_int_equal(kft_account_sample(&a, &sink.base), 0);
		assert_int_equal(a.taken, 10);
		assert_int_equal(sink.ranges.len, entries + 1);
		assert_int_equal(sink.ranges.data[entries].count, 10);
		/* It ends before the oldest event that the buffer still holds. */
		assert_int_equal(sink.ranges.data[entries].until, entries ? 250 : 300);
		kft_account_finish(&a);
	}
	/* The counters restart when recording goes on after a pause: nothing is missing. */
	say_read(f, 400, 0, 0);
	assert_int_equal(kft_account_open(&a, f->host->root_fd, 3, NULL), 0);
	assert_int_equal(kft_account_compare(&a, fd, &layout, 256), 0);
	assert_int_equal(kft_account_restore(&a, kft_strbuf_cstr(&text), &sink.base), 0);
	assert_int_equal(kft_account_sample(&a, &sink.base), 0);
	assert_int_equal(a.taken, 0);
	kft_account_finish(&a);
	test_sink_finish(&sink);
}

static void missing_counters_are_named(void **state)
{
	struct fake *f = *state;
	struct kft_account a;
	struct kft_err e;

	assert_int_equal(kft_account_open(&a, f->host->root_fd, 3, &e), -ENOENT);
	assert_non_null(strstr(e.msg, "'per_cpu/cpu3/stats'"));
	kft_account_finish(&a);
	fake_write(f, STATS, "nothing\n");
	assert_int_equal(kft_account_open(&a, f->host->root_fd, 3, &e), -EINVAL);
	kft_account_finish(&a);
}

#define FAKE_TEST(fn) cmocka_unit_test_setup_teardown(fn, fake_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(losses_since_the_start_are_ranges),
	FAKE_TEST(following_reads_now_and_then),
	FAKE_TEST(events_that_others_read_are_counted),
	FAKE_TEST(endless_losses_do_not_eat_the_memory),
	FAKE_TEST(losses_between_two_accounts_are_ranges),
	FAKE_TEST(events_that_died_with_a_process_are_a_range),
	FAKE_TEST(missing_counters_are_named),
};

T_MAIN(tests)

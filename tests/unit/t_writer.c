// SPDX-License-Identifier: GPL-2.0-only
/* Records of perf events, as the kernel writes them, become events of a trace. */
#include "t.h"

#include <stdio.h>
#include <unistd.h>

#include "decode/ring.h"
#include "perf/writer.h"

enum { SAMPLE = 500, MMAP, EXEC, FORK, THROTTLE, UNTHROTTLE, KERNEL_STACK, USER_STACK };

static const struct kft_perf_formats formats = {
	.ids = {SAMPLE, MMAP, EXEC, FORK, THROTTLE, UNTHROTTLE},
	.kernel = {.id = KERNEL_STACK, .callers = 16, .size = 8},
	.user = {.id = USER_STACK, .callers = 16, .tgid = 8},
};

static struct kft_perf_writer writer;
static struct kft_task_table tasks;
static struct kft_strbuf names;
static FILE *file;

static int setup(void **state)
{
	file = tmpfile();
	assert_non_null(file);
	assert_int_equal(kft_perf_writer_open(&writer, &formats, fileno(file)), 0);
	writer.tasks = &tasks;
	writer.names = &names;
	return 0;
}

static int teardown(void **state)
{
	kft_perf_writer_close(&writer);
	kft_task_table_finish(&tasks);
	kft_strbuf_finish(&names);
	return fclose(file);
}

/* A record of the kernel: a header and u64 words. */
static void take(uint32_t type, uint16_t misc, const uint64_t *words, size_t n)
{
	uint64_t buf[64];
	struct perf_event_header h = {.type = type, .misc = misc, .size = 8 + 8 * n};

	memcpy(buf, &h, sizeof(h));
	memcpy(buf + 1, words, n * sizeof(*words));
	assert_int_equal(kft_perf_writer_take(&writer, (const void *)buf), 0);
}

#define TAKE_RECORD(type, misc, ...)                  \
	do {                                          \
		const uint64_t w_[] = {__VA_ARGS__};  \
		take(type, misc, w_, ARRAY_SIZE(w_)); \
	} while (0)
#define PAIR(low, high) ((uint64_t)(low) | (uint64_t)(high) << 32)

static void take_sample(uint64_t ts, uint64_t ip)
{
	TAKE_RECORD(PERF_RECORD_SAMPLE, 0, ip, PAIR(7, 8), ts, 1003009, 5,
		    PERF_CONTEXT_KERNEL, ip, PERF_CONTEXT_USER, 0x1000, 0x2000);
}

static void text_of_page(const uint8_t *page, size_t page_size, struct kft_strbuf *sb)
{
	const struct kft_ring_layout l = kft_ring_layout_default(KFT_HOST_BIG_ENDIAN,
								 sizeof(long));
	struct kft_ring_page p;
	const uint8_t *data;
	uint32_t size;

	assert_int_equal(kft_ring_page_open(&l, page, page_size, &p), 0);
	if (p.lost)
		kft_strbuf_addf(sb, "lost %llu\n", (unsigned long long)p.lost);
	while (kft_ring_next(&p, KFT_HOST_BIG_ENDIAN, &data, &size) > 0) {
		kft_strbuf_addf(sb, "%llu %u pid %u", (unsigned long long)p.ts,
				kft_load_u16(data, false), kft_load_u32(data + 4, false));
		for (uint32_t i = 8; i + 4 <= size; i += 4)
			kft_strbuf_addf(sb, " %x", kft_load_u32(data + i, false));
		kft_strbuf_addc(sb, '\n');
	}
}

/* Expects the events in the file, a line for each. */
static void expect(const char *text)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	size_t page_size = writer.pages.page_size;
	_cleanup_free_ uint8_t *page = malloc(page_size);

	for (off_t at = 0; pread(writer.fd, page, page_size, at) == (ssize_t)page_size;
	     at += page_size)
		text_of_page(page, page_size, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), text);
}

static void a_sample_is_followed_by_its_stacks(void **state)
{
	take_sample(1000, 0x55);
	assert_int_equal(kft_perf_writer_show(&writer), 0);
	expect("1000 500 pid 8 55 0 f4e01 0 7\n"
	       "1000 506 pid 8 1 0 55 0\n"
	       "1000 507 pid 8 7 0 1000 0 2000 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	assert_int_equal(writer.events, 1);
}

static void losses_have_a_place(void **state)
{
	TAKE_RECORD(PERF_RECORD_SAMPLE, 0, 1, PAIR(7, 8), 10, 1, 0);
	TAKE_RECORD(PERF_RECORD_LOST, 0, 3, 42, PAIR(7, 8), 15);
	TAKE_RECORD(PERF_RECORD_SAMPLE, 0, 2, PAIR(7, 8), 20, 1, 0);
	assert_int_equal(kft_perf_writer_show(&writer), 0);
	expect("10 500 pid 8 1 0 1 0 7\n"
	       "lost 42\n"
	       "20 500 pid 8 2 0 1 0 7\n");
	assert_int_equal(writer.lost_events, 42);
}

static void the_file_always_has_what_was_shown(void **state)
{
	TAKE_RECORD(PERF_RECORD_SAMPLE, 0, 1, PAIR(7, 8), 10, 1, 0);
	assert_int_equal(kft_perf_writer_show(&writer), 0);
	expect("10 500 pid 8 1 0 1 0 7\n");
	/* An earlier time, of an NMI within another record, does not go back. */
	TAKE_RECORD(PERF_RECORD_SAMPLE, 0, 2, PAIR(7, 8), 9, 1, 0);
	assert_int_equal(kft_perf_writer_show(&writer), 0);
	expect("10 500 pid 8 1 0 1 0 7\n"
	       "10 500 pid 8 2 0 1 0 7\n");
}

static void long_recordings_have_many_pages(void **state)
{
	for (unsigned int i = 0; i < 1000; i++) {
		take_sample(i, i);
		assert_int_equal(kft_perf_writer_show(&writer), 0);
	}
	off_t end = lseek(writer.fd, 0, SEEK_END);
	assert_int_equal(end % writer.pages.page_size, 0);
	/* Each has 28, 24 and 80 bytes, and a word for each of the three. */
	assert_in_range(end, 144 * 1000, 160 * 1000);
}

static void tasks_are_named_like_their_parents(void **state)
{
	uint64_t comm = 0;

	memcpy(&comm, "shell", 5);
	TAKE_RECORD(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, PAIR(7, 8), comm,
		    PAIR(7, 8), 10);
	TAKE_RECORD(PERF_RECORD_FORK, 0, PAIR(9, 7), PAIR(9, 8), 20, PAIR(7, 8), 20);
	/* A thread of the process 7. */
	TAKE_RECORD(PERF_RECORD_FORK, 0, PAIR(7, 7), PAIR(11, 8), 30, PAIR(7, 8), 30);
	assert_int_equal(kft_perf_writer_show(&writer), 0);
	expect("10 502 pid 8 7\n"
	       "20 503 pid 8 9 9 7\n"
	       "30 503 pid 8 7 b 7\n");
	assert_string_equal(kft_task_comm(&tasks, 9), "shell");
	assert_int_equal(kft_task_get(&tasks, 11)->tgid, 7);
}

static void short_and_unknown_records_are_ignored(void **state)
{
	TAKE_RECORD(PERF_RECORD_SAMPLE, 0, 1, 2, 3);
	TAKE_RECORD(PERF_RECORD_MMAP2, 0, 1, 2, 3);
	TAKE_RECORD(PERF_RECORD_ITRACE_START, 0, 1, 2, 3);
	TAKE_RECORD(70, 0, 1, 2, 3);
	/* A chain that is said to be longer than the record. */
	TAKE_RECORD(PERF_RECORD_SAMPLE, 0, 1, PAIR(7, 8), 10, 1, 1 << 20,
		    PERF_CONTEXT_KERNEL, 5);
	assert_int_equal(kft_perf_writer_show(&writer), 0);
	expect("10 500 pid 8 1 0 1 0 7\n"
	       "10 506 pid 8 1 0 5 0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		T(a_sample_is_followed_by_its_stacks),
		T(losses_have_a_place),
		T(the_file_always_has_what_was_shown),
		T(long_recordings_have_many_pages),
		T(tasks_are_named_like_their_parents),
		T(short_and_unknown_records_are_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

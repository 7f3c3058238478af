// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "base/cursor.h"
#include "file/tracedat/write/option.h"
#include "model/event.h"

/* The next option of a list; fails the test when it is not whole. */
static bool next_option(struct kft_cursor *c, uint16_t *id, struct kft_cursor *body)
{
	uint32_t len = 0;

	if (!kft_cursor_left(c))
		return false;
	assert_true(kft_cursor_u16(c, id));
	assert_true(kft_cursor_u32(c, &len));
	assert_true(kft_cursor_sub(c, len, body));
	return true;
}

static void texts_end_with_a_nul(void **state)
{
	struct kft_meta m = {.uname = {"Linux x", 7},
			     .command = {"kft", 3},
			     .kernel_line = {"quiet", 5},
			     .devices = {"8 0 1 sda", 9}};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_cursor body = {};
	const char *text = "";
	uint16_t id = 0;

	memcpy(m.clock.name, "boot", 5);
	kft_encode_meta_options(&sb, &m, true);
	assert_true(kft_strbuf_ok(&sb));
	struct kft_cursor c = kft_cursor_init(sb.buf, sb.len, true);
	static const struct {
		uint16_t id;
		const char *text;
	} want[] = {
		{KFT_OPTION_TRACECLOCK, "[boot]"}, {KFT_OPTION_UNAME, "Linux x"},
		{KFT_OPTION_COMMAND, "kft"},	   {KFT_OPTION_KERNEL_LINE, "quiet"},
		{KFT_OPTION_DEVICES, "8 0 1 sda"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		assert_true(next_option(&c, &id, &body));
		assert_int_equal(id, want[i].id);
		assert_true(kft_cursor_str(&body, &text));
		assert_string_equal(text, want[i].text);
		assert_int_equal(kft_cursor_left(&body), 0);
	}
	assert_false(next_option(&c, &id, &body));
}

static void statistics_name_their_cpu(void **state)
{
	struct kft_meta m = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_cursor body = {};
	const char *text = "";
	uint16_t id = 0;

	assert_true(kft_vec_push(
		&m.stats, (struct kft_cpu_stat){.cpu = 3, .text = {"entries: 1\n", 11}}));
	assert_true(kft_vec_push(
		&m.stats, (struct kft_cpu_stat){.cpu = 4, .overrun = 7, .unread = 2}));
	kft_encode_meta_options(&sb, &m, false);
	struct kft_cursor c = kft_cursor_init(sb.buf, sb.len, false);
	assert_true(next_option(&c, &id, &body));
	assert_int_equal(id, KFT_OPTION_CPUSTAT);
	assert_true(kft_cursor_str(&body, &text));
	assert_string_equal(text, "CPU: 3\nentries: 1\n");
	assert_true(next_option(&c, &id, &body));
	assert_true(kft_cursor_str(&body, &text));
	assert_string_equal(text, "CPU: 4\nentries: 2\noverrun: 7\ncommit overrun: 0\n"
				  "bytes: 0\ndropped events: 0\n");
	m.stats.data[1].overrun = KFT_LOST_UNKNOWN;
	kft_strbuf_finish(&sb);
	sb = (struct kft_strbuf){};
	kft_encode_meta_options(&sb, &m, false);
	assert_non_null(memmem(sb.buf, sb.len, "overrun: unknown\n", 17));
	kft_meta_finish(&m);
}

static void statistics_of_instances_follow(void **state)
{
	struct kft_meta m = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	static const char *const want[] = {"CPU: 9\nm\n",	"\nBuffer: one\n\n",
					   "CPU: 0\na\n",	"CPU: 1\nb\n",
					   "\nBuffer: two\n\n", "CPU: 0\nc\n"};
	const struct kft_cpu_stat stats[] = {
		{.buffer = "one", .cpu = 0, .text = {"a\n", 2}},
		{.buffer = "one", .cpu = 1, .text = {"b\n", 2}},
		{.cpu = 9, .text = {"m\n", 2}},
		{.buffer = "two", .cpu = 0, .text = {"CPU: 0\nc\n", 9}},
	};
	struct kft_cursor body = {};
	const char *text = "";
	uint16_t id = 0;

	for (size_t i = 0; i < ARRAY_SIZE(stats); i++)
		assert_true(kft_vec_push(&m.stats, stats[i]));
	kft_encode_meta_options(&sb, &m, false);
	struct kft_cursor c = kft_cursor_init(sb.buf, sb.len, false);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		assert_true(next_option(&c, &id, &body));
		assert_int_equal(id, KFT_OPTION_CPUSTAT);
		assert_true(kft_cursor_str(&body, &text));
		assert_string_equal(text, want[i]);
	}
	assert_false(next_option(&c, &id, &body));
	kft_meta_finish(&m);
}

static void kept_options_are_kept(void **state)
{
	struct kft_meta m = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const struct kft_persistent_option o = {KFT_OPTION_OFFSET, {"1\0", 2}};
	static const char want[] = "\0\7\0\0\0\0021";

	assert_true(kft_vec_push(&m.kept_options, o));
	kft_encode_meta_options(&sb, &m, !kft_host_is_big_endian());
	assert_int_equal(sb.len, sizeof(want));
	assert_memory_equal(sb.buf, want, sizeof(want));
	kft_meta_finish(&m);
}

static void losses_are_little_endian_records(void **state)
{
	struct kft_meta m = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	static const char want[KFT_LOST_RECORD_BYTES] =
		"\2\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\4\1\0\0\0\0\0\0"
		"\377\377\377\377\377\377\377\377";
	struct kft_cursor body = {};
	const uint8_t *p = NULL;
	uint16_t id = 0;

	assert_true(kft_vec_push(&m.lost,
				 (struct kft_lost_range){.cpu = 2,
							 .since = 3,
							 .until = 0x104,
							 .count = KFT_LOST_UNKNOWN}));
	kft_encode_meta_options(&sb, &m, true);
	struct kft_cursor c = kft_cursor_init(sb.buf, sb.len, true);
	assert_true(next_option(&c, &id, &body));
	assert_int_equal(id, KFT_OPTION_LOST);
	assert_int_equal(kft_cursor_left(&body), sizeof(want));
	assert_true(kft_cursor_bytes(&body, sizeof(want), &p));
	assert_memory_equal(p, want, sizeof(want));
	kft_meta_finish(&m);
}

static void too_many_losses_keep_their_sum(void **state)
{
	const size_t n = KFT_TRACEDAT_MAX_LOST_RECORDS + 3;
	struct kft_meta m = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_cursor body = {};
	uint64_t sum[2] = {};
	uint16_t id = 0;

	for (size_t i = 0; i < n; i++) {
		const struct kft_lost_range r = {
			.cpu = i % 2, .since = i, .until = i + 1, .count = 1};

		assert_true(kft_vec_push(&m.lost, r));
	}
	kft_encode_meta_options(&sb, &m, false);
	assert_true(kft_strbuf_ok(&sb));
	struct kft_cursor c = kft_cursor_init(sb.buf, sb.len, false);
	assert_true(next_option(&c, &id, &body));
	assert_true(kft_cursor_left(&body) <=
		    (size_t)KFT_TRACEDAT_MAX_LOST_RECORDS * KFT_LOST_RECORD_BYTES);
	body.swap = kft_host_is_big_endian();
	uint64_t last = 0;
	while (kft_cursor_left(&body)) {
		uint32_t cpu = 0;
		uint32_t zero = 0;
		uint64_t since = 0;
		uint64_t until = 0;
		uint64_t count = 0;

		assert_true(kft_cursor_u32(&body, &cpu) && cpu < 2);
		assert_true(kft_cursor_u32(&body, &zero) && zero == 0);
		assert_true(kft_cursor_u64(&body, &since));
		assert_true(kft_cursor_u64(&body, &until) && until > since);
		assert_true(kft_cursor_u64(&body, &count));
		sum[cpu] += count;
		last = KFT_MAX(last, until);
	}
	assert_int_equal(sum[0], (n + 1) / 2);
	assert_int_equal(sum[1], n / 2);
	assert_int_equal(last, n);
	kft_meta_finish(&m);
}

static void a_live_file_says_so(void **state)
{
	struct kft_meta m = {.page_size = 65536, .cpu_count = 3};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	static const char want[] = "\x6b\x66\0\0\0\x12\1\0\0\0\0\0\1\0\3\0\0\0local";

	memcpy(m.clock.name, "local", 6);
	/* The option's head is big endian here; its content is always little endian. */
	kft_encode_live_option(&sb, &m, !kft_host_is_big_endian());
	assert_int_equal(sb.len, sizeof(want));
	assert_memory_equal(sb.buf, want, sizeof(want));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(texts_end_with_a_nul),
	cmocka_unit_test(statistics_name_their_cpu),
	cmocka_unit_test(statistics_of_instances_follow),
	cmocka_unit_test(kept_options_are_kept),
	cmocka_unit_test(losses_are_little_endian_records),
	cmocka_unit_test(too_many_losses_keep_their_sum),
	cmocka_unit_test(a_live_file_says_so),
};

T_MAIN(tests)

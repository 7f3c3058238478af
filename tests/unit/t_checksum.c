// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "analysis/checksum.h"
#include "decode/format.h"
#include "fake_trace.h"

static struct kft_checksum run(struct kft_trace *t, unsigned int threads,
			       const struct kft_scope *scope)
{
	struct kft_analysis_opts opts = {.scope = scope, .threads = threads};
	struct kft_checksum sum;
	struct kft_err e;

	assert_int_equal(kft_checksum_run(t, &opts, &sum, &e), 0);
	return sum;
}

static struct kft_checksum run_one(struct kft_trace *t)
{
	struct kft_checksum sum = run(t, 1, NULL);

	kft_trace_destroy(t);
	return sum;
}

/* The same events on two CPUs, CPU 1 before or behind CPU 0. */
static struct kft_trace *two_cpus(bool other_way)
{
	struct kft_trace *t = fake_trace();
	struct fake_stream *streams[2];

	for (uint32_t i = 0; i < 2; i++) {
		uint32_t cpu = other_way ? !i : i;

		streams[cpu] = fake_add_stream(t, 0, cpu);
	}
	for (unsigned int k = 0; k < 100; k++)
		fake_add_event(streams[k % 2], 1000 + k, 1 + k % 4, k % 7, 0);
	return t;
}

/* Another program computed the expected sum from docs/formats/checksum.md. */
static void it_is_what_its_description_says(void **state)
{
	struct kft_trace *t = fake_trace();
	struct fake_stream *f = fake_add_stream(t, 0, 3);

	fake_add_event(f, 1000, 1, -7, 5);
	fake_add_event(f, 1010, 2, 12, 0);
	fake_add_event(f, 1020, 9, 12, 0); /* of no known kind */
	struct kft_checksum sum = run_one(t);
	assert_int_equal(sum.events, 3);
	assert_int_equal(sum.fields, 10);
	assert_int_equal(sum.sum, UINT64_C(0xa93f30cb537e3a0a));
}

static void order_and_threads_change_nothing(void **state)
{
	struct kft_trace *t = two_cpus(false);
	struct kft_checksum one = run(t, 1, NULL);
	struct kft_checksum two = run(t, 2, NULL);

	kft_trace_destroy(t);
	assert_memory_equal(&one, &two, sizeof(one));
	two = run_one(two_cpus(true));
	assert_memory_equal(&one, &two, sizeof(one));
}

static void parts_add_up_to_the_whole(void **state)
{
	struct kft_trace *t = two_cpus(false);
	struct kft_checksum whole = run(t, 0, NULL);
	struct kft_scope before = {.until = 1040};
	struct kft_scope after = {.since = 1041};

	assert_int_equal(run(t, 0, &before).sum + run(t, 0, &after).sum, whole.sum);
	assert_int_equal(whole.events, 100);
	kft_trace_destroy(t);
}

static void any_change_shows(void **state)
{
	const uint64_t whole = run_one(two_cpus(false)).sum;

	for (unsigned int what = 0; what < 6; what++) {
		struct kft_trace *t = two_cpus(false);
		struct fake_stream *f = container_of(t->buffers.data[0].streams.data[0],
						     struct fake_stream, s);
		struct fake_record *r = &f->records[10];

		r->flags ^= what == 0;
		r->preempt_count ^= what == 1;
		r->pid ^= what == 2;
		r->b ^= what == 3 ? 1u << 31 : 0;
		f->evs[10].ts ^= what == 4;
		if (what == 5)
			f->evs[10].size--; /* b is not all there */
		assert_int_not_equal(run_one(t).sum, whole);
	}
}

static void the_id_does_not_count(void **state)
{
	struct kft_trace *t = two_cpus(false);
	struct fake_stream *f = container_of(t->buffers.data[0].streams.data[0],
					     struct fake_stream, s);

	const uint64_t whole = run(t, 1, NULL).sum;
	f->records[10].type = 77;
	assert_int_equal(run_one(t).sum, whole);
}

static void byte_order_does_not_count(void **state)
{
	const uint64_t whole = run_one(two_cpus(false)).sum;
	struct kft_trace *t = two_cpus(false);

	t->swap = true;
	kft_vec_for_each(&t->buffers.data[0].streams, s) {
		struct fake_stream *f = container_of(*s, struct fake_stream, s);

		for (size_t i = 0; i < f->len; i++) {
			struct fake_record *r = &f->records[i];

			/* Records without a format are plain bytes, which keep their order. */
			if (f->evs[i].id > 3)
				continue;
			r->pid = (int32_t)__builtin_bswap32(r->pid);
			r->a = __builtin_bswap32(r->a);
			r->b = __builtin_bswap32(r->b);
		}
	}
	assert_int_equal(run_one(t).sum, whole);
}

static const char format[] =
	"name: many\nID: 5\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:char comm[4];\toffset:2;\tsize:4;\tsigned:0;\n"
	"\tfield:s16 list[2];\toffset:6;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 tail[];\toffset:16;\tsize:0;\tsigned:0;\n\n"
	"print fmt: \"\"\n";

static uint64_t sum_of(const uint8_t *data, uint32_t size)
{
	struct kft_trace *t = fake_trace();
	struct fake_stream *f = fake_add_stream(t, 0, 0);

	t->classes.parse = kft_format_parse;
	assert_int_equal(kft_class_table_add(&t->classes, "x", format, strlen(format)),
			 0);
	fake_add_event(f, 1, 5, 0, 0);
	f->evs[0].data = data;
	f->evs[0].size = size;
	return run_one(t).sum;
}

static void fields_of_any_length_count(void **state)
{
	/* "a", {1, -1}, name "hi" at 17, tail "\1hi\0\2" */
	const uint8_t record[] = {5, 0,	 'a', 0, 0, 0, 1,   0,	 0xff, 0xff, 0,
				  0, 17, 0,   3, 0, 1, 'h', 'i', 0,    2};
	uint64_t whole = sum_of(record, sizeof(record));
	uint8_t copy[sizeof(record)];

	for (size_t i = 2; i < sizeof(record); i++) {
		/*
		 * Between fields, and behind the end of a string, nothing is shown; nor does
		 * it matter (14) whether the NUL belongs to a string of a given length.
		 */
		bool counts = i != 10 && i != 11 && i != 4 && i != 5 && i != 14;

		memcpy(copy, record, sizeof(copy));
		copy[i] ^= 1;
		assert_true((sum_of(copy, sizeof(copy)) != whole) == counts);
	}
	assert_int_not_equal(sum_of(record, sizeof(record) - 1), whole);
	assert_int_not_equal(sum_of(record, 14), whole);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(it_is_what_its_description_says),
	cmocka_unit_test(order_and_threads_change_nothing),
	cmocka_unit_test(parts_add_up_to_the_whole),
	cmocka_unit_test(any_change_shows),
	cmocka_unit_test(the_id_does_not_count),
	cmocka_unit_test(byte_order_does_not_count),
	cmocka_unit_test(fields_of_any_length_count),
};

T_MAIN(tests)

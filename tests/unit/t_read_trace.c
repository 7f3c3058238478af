// SPDX-License-Identifier: GPL-2.0-only
#include "dat.h"

#include <errno.h>
#include <kft/trace.h>

#include "tmpdir.h"

static struct kft_trace *open_dat(struct tmpdir *d, const struct t_dat_spec *spec)
{
	struct kft_trace *t;
	struct kft_err e = {};
	struct t_dat dat;

	t_dat_build(&dat, spec);
	tmpdir_write(d, "x.dat", dat.bytes.buf, dat.bytes.len);
	t_dat_finish(&dat);
	if (kft_trace_open(tmpdir_path(d, "x.dat"), &t, &e) < 0)
		fail_msg("%s", e.msg);
	return t;
}

static size_t count(struct kft_trace *t, const struct kft_reader_opts *opts)
{
	struct kft_reader *r;
	const struct kft_event *ev;
	uint64_t last = 0;
	size_t n = 0;

	assert_int_equal(kft_reader_create(t, opts, &r, NULL), 0);
	while (kft_reader_next(r, &ev) > 0) {
		assert_true(ev->ts >= last);
		last = ev->ts;
		n++;
	}
	assert_null(kft_reader_destroy(r));
	return n;
}

static void a_trace_tells_what_it_is(void **state)
{
	struct kft_trace *t = open_dat(*state, &(struct t_dat_spec){.instance = true});

	assert_false(kft_trace_is_unfinished(t));
	assert_false(kft_trace_damage(t, NULL));
	assert_int_equal(kft_trace_cpu_count(t), 2);
	assert_string_equal(kft_trace_buffer_name(t, 0), "");
	assert_string_equal(kft_trace_buffer_name(t, 1), "two");
	assert_null(kft_trace_buffer_name(t, 2));
	assert_string_equal(kft_trace_buffer_clock(t, 1), "mono");
	assert_null(kft_trace_buffer_clock(t, 2));
	assert_true(kft_trace_buffer_is_ns(t, 0));
	assert_false(kft_trace_buffer_is_ns(t, 2));
	assert_string_equal(kft_trace_comm(t, 17), "seventeen");
	assert_string_equal(kft_trace_comm(t, 18), "<...>");
	assert_null(kft_trace_close(t));
	assert_null(kft_trace_close(NULL));
}

static void events_come_by_time_with_their_fields(void **state)
{
	struct kft_trace *t = open_dat(*state, &(struct t_dat_spec){.big = true});
	struct kft_reader *r;
	const struct kft_event *ev;
	uint64_t v;

	assert_int_equal(kft_reader_create(t, NULL, &r, NULL), 0);
	assert_int_equal(kft_reader_next(r, &ev), 1);
	assert_int_equal(ev->ts, t_dat_ts(0, 0, 0));
	assert_int_equal(kft_reader_next(r, &ev), 1);
	assert_int_equal(ev->ts, t_dat_ts(1, 0, 0));
	assert_int_equal(ev->cpu, 1);
	assert_string_equal(kft_trace_event_system(t, ev), "kft_test");
	assert_string_equal(kft_trace_event_name(t, ev), "beat");
	const struct kft_field *f = kft_trace_field(t, ev, "common_pid");
	assert_non_null(f);
	assert_true(kft_trace_field_int(t, ev, f, &v));
	assert_int_equal(v, 17);
	assert_null(kft_trace_field(t, ev, "no_such"));
	const char *s;
	assert_int_equal(kft_reader_text(r, ev, &s), 0);
	assert_string_equal(s, "n=0");
	size_t len;
	assert_false(kft_trace_field_str(t, ev, f, &s, &len));
	kft_reader_destroy(r);
	assert_null(kft_reader_destroy(NULL));
	kft_trace_close(t);
}

static void a_part_can_be_chosen(void **state)
{
	static const char *const beat[] = {"kft_test:b*"};
	static const char *const print[] = {"ftrace"};
	static const char *const none[] = {"nothing"};
	static const uint32_t cpus[] = {1, 4000000000};
	struct kft_trace *t = open_dat(*state, &(struct t_dat_spec){});
	struct kft_reader_opts o = {.size = sizeof(o)};
	struct kft_reader *r;
	struct kft_err e = {};

	assert_int_equal(count(t, NULL), 30);
	assert_int_equal(count(t, &o), 30);
	o.events = beat;
	o.n_events = 1;
	assert_int_equal(count(t, &o), 30);
	o.events = print;
	assert_int_equal(count(t, &o), 0);
	o.events = none;
	assert_int_equal(kft_reader_create(t, &o, &r, &e), -ENOENT);
	assert_int_equal(e.code, -ENOENT);
	o = (struct kft_reader_opts){.size = sizeof(o), .cpus = cpus, .n_cpus = 2};
	assert_int_equal(count(t, &o), 15);
	o.since = t_dat_ts(1, 1, 0);
	o.until = t_dat_ts(1, 1, 2);
	assert_int_equal(count(t, &o), 3);
	kft_trace_close(t);
}

static void kinds_of_events_and_their_fields_are_listed(void **state)
{
	static const char *const names[] = {"common_type", "common_flags",
					    "common_preempt_count", "common_pid", "n"};
	struct kft_trace *t = open_dat(*state, &(struct t_dat_spec){});
	struct kft_event_type kind = {.size = sizeof(kind)};
	const struct kft_field *f;
	size_t place = 0;
	size_t kinds = 0;
	size_t i = 0;

	while (kft_trace_next_event_type(t, &place, &kind)) {
		kinds++;
		if (kind.id != T_DAT_ID)
			continue;
		assert_string_equal(kind.system, "kft_test");
		assert_string_equal(kind.name, "beat");
		for (; (f = kft_trace_kind_field(t, kind.id, i)); i++) {
			struct kft_field_info info = {.size = sizeof(info)};

			kft_field_info(f, &info);
			assert_string_equal(info.name, names[i]);
			assert_int_equal(info.is_common, i < 4);
			assert_int_equal(info.kind, KFT_FIELD_INT);
			assert_int_equal(info.bytes, info.element_bytes);
		}
	}
	assert_true(kinds > 1);
	assert_int_equal(i, 5);
	assert_null(kft_trace_kind_field(t, 12345, 0));
	/* A program that knows less of the struct gets no more. */
	struct kft_field_info old = {.size = offsetof(struct kft_field_info, kind)};
	kft_field_info(kft_trace_kind_field(t, T_DAT_ID, 4), &old);
	assert_string_equal(old.name, "n");
	assert_int_equal(old.bytes, 0);
	kft_trace_close(t);
}

static void damage_is_told_after_reading(void **state)
{
	struct tmpdir *d = *state;
	struct kft_trace *t;
	struct kft_err e = {};
	struct t_dat dat;

	t_dat_build(&dat, &(struct t_dat_spec){.n_cpus = 1});
	t_patch(&dat.bytes, dat.pages.data[1] + 8, false, 100000, 8);
	tmpdir_write(d, "x.dat", dat.bytes.buf, dat.bytes.len);
	t_dat_finish(&dat);
	assert_int_equal(kft_trace_open(tmpdir_path(d, "x.dat"), &t, &e), 0);
	assert_false(kft_trace_damage(t, &e));
	assert_int_equal(e.code, 0);
	assert_int_equal(count(t, NULL), 10);
	assert_true(kft_trace_damage(t, &e));
	assert_int_equal(e.code, -EBADMSG);
	kft_trace_close(t);
	assert_int_equal(kft_trace_open(tmpdir_path(d, "none"), &t, &e), -ENOENT);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(a_trace_tells_what_it_is, tmpdir_setup,
					tmpdir_teardown),
	cmocka_unit_test_setup_teardown(events_come_by_time_with_their_fields,
					tmpdir_setup, tmpdir_teardown),
	cmocka_unit_test_setup_teardown(a_part_can_be_chosen, tmpdir_setup,
					tmpdir_teardown),
	cmocka_unit_test_setup_teardown(kinds_of_events_and_their_fields_are_listed,
					tmpdir_setup, tmpdir_teardown),
	cmocka_unit_test_setup_teardown(damage_is_told_after_reading, tmpdir_setup,
					tmpdir_teardown),
};

T_MAIN(tests)

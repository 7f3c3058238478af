// SPDX-License-Identifier: GPL-2.0-only
#include "perf_data.h"

#include <errno.h>
#include <stdio.h>

#include "decode/printfmt/print.h"
#include "decode/trace_lazy.h"
#include "file/perf/format.h"
#include "file/perf/read.h"
#include "file/perf/state.h"
#include "model/merge.h"

#define BEATS 200

/* All kinds of files that are built here. */
#define FOR_EACH_KIND(t)                                                         \
	for (unsigned int kind = 0; kind < 4; kind++)                            \
		for (struct t_perf t = {.big = kind & 1, .pipe = kind >> 1 & 1}, \
				   *once = &t;                                   \
		     once; kft_strbuf_finish(&t.bytes), once = NULL)

static struct kft_trace *open_whole(const struct t_perf *t)
{
	struct kft_trace *trace = NULL;
	struct kft_err e = {};

	if (t_perf_open(t, t->bytes.len, &trace, &e) < 0)
		fail_msg("%s", e.msg);
	return trace;
}

/* The field n of a beat. */
static uint64_t number(struct kft_trace *trace, const struct kft_event *ev)
{
	const struct kft_class *c = kft_trace_class(trace, ev->id);
	uint64_t v = 0;

	assert_non_null(c);
	assert_true(kft_event_int(ev, kft_class_field(c, "n"), trace->swap, &v));
	return v;
}

/* Beats 0, 1, ... in the order of time. Returns how many. */
static unsigned int check_beats(struct kft_trace *trace, uint64_t since)
{
	struct kft_scope scope = {.since = since};
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	unsigned int n = 0;

	assert_int_equal(kft_merge_create(trace, &scope, &m), 0);
	while (kft_merge_next(m, &ev) > 0) {
		assert_int_equal(ev->id, T_PERF_ID);
		uint64_t i = number(trace, ev);
		assert_int_equal(ev->ts, 1000 + i);
		assert_int_equal(ev->cpu, i % 2);
		if (!since)
			assert_int_equal(i, n);
		n++;
	}
	return n;
}

static unsigned int count_events(struct kft_trace *trace)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	unsigned int n = 0;

	assert_int_equal(kft_merge_create(trace, NULL, &m), 0);
	while (kft_merge_next(m, &ev) > 0)
		n++;
	return n;
}

/* CPU by CPU, a few records at a time, as perf empties one ring buffer after the other. */
static void put_beats(struct t_perf *t, unsigned int beats, unsigned int at_a_time)
{
	for (unsigned int i = 0; i < beats; i += 2 * at_a_time) {
		for (unsigned int cpu = 0; cpu < 2; cpu++)
			for (unsigned int k = 0; k < at_a_time; k++)
				t_perf_beat(t, cpu, 1000 + i + 2 * k + cpu,
					    i + 2 * k + cpu);
		t_perf_round(t);
	}
}

static void samples_of_tracepoints_are_the_kernels_records(void **state)
{
	FOR_EACH_KIND(t)
	{
		t_perf_begin(&t);
		put_beats(&t, BEATS, 5);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_equal(trace->damage.code, 0);
		assert_int_equal(trace->buffers.data[0].streams.len, 2);
		assert_int_equal(check_beats(trace, 0), BEATS);
		assert_int_equal(check_beats(trace, 0), BEATS);
		assert_int_equal(check_beats(trace, 1000 + BEATS / 2), BEATS / 2);
		const struct kft_class *c = kft_trace_class(trace, T_PERF_ID);
		assert_string_equal(c->system, "kft_test");
		/* A pipe does not say how many there are: those with records. */
		assert_int_equal(trace->meta.cpu_count, t.pipe ? 2 : 4);
	}
}

/* The search for the last event must not read all events. */
static void the_end_is_found_at_the_end(void **state)
{
	const unsigned int n = 10000;

	FOR_EACH_KIND(t)
	{
		struct kft_event ev = {};
		unsigned int read = 0;

		t_perf_begin(&t);
		put_beats(&t, n, 5);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		struct kft_stream *s = trace->buffers.data[0].streams.data[1];

		assert_int_equal(s->ops->rewind(s, UINT64_MAX), 0);
		while (s->ops->fill(s, &ev, 1) > 0)
			read++;
		assert_int_equal(ev.ts, 1000 + n - 1);
		assert_in_range(read, 1, KFT_PERF_BLOCK_BYTES / 64);
	}
}

/* PERFFILE says nothing of the byte order. */
static void files_of_old_perfs_are_read(void **state)
{
	FOR_EACH_KIND(t)
	{
		t.old = true;
		t_perf_begin(&t);
		put_beats(&t, BEATS, 5);
		t_perf_end(&t);
		assert_true(kft_perf_match(t.bytes.buf, t.bytes.len));
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_equal(trace->meta.big_endian, t.big);
		assert_int_equal(trace->damage.code, 0);
		assert_int_equal(check_beats(trace, 0), BEATS);
	}
}

static void records_out_of_order_are_sorted(void **state)
{
	FOR_EACH_KIND(t)
	{
		t_perf_begin(&t);
		/* Backwards, as perf record --overwrite leaves a ring buffer. */
		for (unsigned int i = BEATS; i-- > 0;)
			t_perf_beat(&t, i % 2, 1000 + i, i);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_equal(check_beats(trace, 0), BEATS);
		assert_int_equal(check_beats(trace, 1000 + BEATS / 2), BEATS / 2);
		assert_int_equal(trace->notes.len, 0);
	}
}

/* Records in descending order, more of them than the reader sorts at a time. */
static void more_than_can_be_sorted_is_noted(void **state)
{
	const unsigned int n = 130000; /* of 72 bytes: over 9 MB, 8 are sorted */
	struct t_perf t = {};

	t_perf_begin(&t);
	for (unsigned int i = n; i-- > 0;)
		t_perf_beat(&t, 0, 1000 + i, i);
	t_perf_end(&t);
	_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
	assert_int_equal(count_events(trace), n);
	assert_int_equal(trace->notes.len, 1);
	assert_non_null(strstr(trace->notes.data[0].text, "time goes back"));
	kft_strbuf_finish(&t.bytes);
}

static void put_lost(struct t_perf *t, uint32_t type, uint64_t n, uint32_t cpu,
		     uint64_t ts)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf body = {};

	if (type == KFT_PERF_RECORD_LOST)
		t_perf_put(t, &body, T_PERF_BEAT, 8);
	t_perf_put(t, &body, n, 8);
	t_perf_record(t, type, body.buf, body.len, cpu, ts);
}

static void put_comm(struct t_perf *t, uint32_t pid, const char *name, uint64_t ts)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf body = {};
	char comm[16] = {};

	strncpy(comm, name, sizeof(comm) - 1);
	t_perf_put(t, &body, 7, 4);
	t_perf_put(t, &body, pid, 4);
	kft_strbuf_add(&body, comm, sizeof(comm));
	t_perf_record(t, KFT_PERF_RECORD_COMM, body.buf, body.len, 0, ts);
}

static void put_fork(struct t_perf *t, uint32_t pid, uint32_t parent, uint64_t ts)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf body = {};

	t_perf_put(t, &body, 7, 4);
	t_perf_put(t, &body, 7, 4);
	t_perf_put(t, &body, pid, 4);
	t_perf_put(t, &body, parent, 4);
	t_perf_put(t, &body, ts, 8);
	t_perf_record(t, KFT_PERF_RECORD_FORK, body.buf, body.len, 0, ts);
}

/* Adds records of a name, a fork, an exit and a loss, which no sample contains. */
static void put_task_records(struct t_perf *t, unsigned int i)
{
	char name[16];

	(void)snprintf(name, sizeof(name), "name%u", i);
	put_comm(t, 70, name, 10 + i);
	put_fork(t, 1000 + i, 70, 11 + i);
	t_perf_record(t, KFT_PERF_RECORD_EXIT, "12345678", 8, 0, 5);
	put_lost(t, KFT_PERF_RECORD_LOST, 3, i % 2, 1000 + i);
}

/* perf empties ring buffers often: the CPUs take turns every few records. */
static void cpus_that_take_turns_share_stretches(void **state)
{
	const unsigned int n = 10000;

	FOR_EACH_KIND(t)
	{
		t_perf_begin(&t);
		put_beats(&t, n, 5);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		const struct kft_perf *p = trace->reader;

		assert_int_equal(check_beats(trace, 0), n);
		assert_int_equal(check_beats(trace, 1000 + n / 2), n / 2);
		kft_vec_for_each(&p->cpus, cpu)
			assert_in_range((*cpu)->blocks.list.len, 2,
					t.bytes.len / KFT_PERF_BLOCK_BYTES + 2);
	}
}

/* Between records of one CPU and those of another one. */
static void what_follows_a_record_holds_none(void **state)
{
	FOR_EACH_KIND(t)
	{
		_cleanup_(kft_strbuf_finish) struct kft_strbuf size = {};
		struct t_perf fake = {.big = t.big};

		t_perf_beat(&fake, 0, 1001, 7);
		t_perf_begin(&t);
		put_beats(&t, 6, 1);
		t_perf_put(&t, &size, fake.bytes.len, 8);
		t_perf_record(&t, KFT_PERF_RECORD_AUXTRACE, size.buf, size.len, 0, 5);
		kft_strbuf_add(&t.bytes, fake.bytes.buf, fake.bytes.len);
		kft_strbuf_finish(&fake.bytes);
		for (unsigned int i = 6; i < BEATS; i++)
			t_perf_beat(&t, i % 2, 1000 + i, i);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_equal(check_beats(trace, 0), BEATS);
	}
}

static void a_hardware_trace_is_named(void **state)
{
	FOR_EACH_KIND(t)
	{
		_cleanup_(kft_strbuf_finish) struct kft_strbuf info = {};
		_cleanup_(kft_strbuf_finish) struct kft_strbuf size = {};

		t_perf_begin(&t);
		t_perf_put(&t, &info, 1, 4); /* PERF_AUXTRACE_INTEL_PT */
		t_perf_put(&t, &info, 0, 4);
		t_perf_put(&t, &size, 2048, 8);
		t_perf_record(&t, KFT_PERF_RECORD_AUXTRACE_INFO, info.buf, info.len, 0,
			      5);
		for (unsigned int i = 0; i < 2; i++) {
			t_perf_record(&t, KFT_PERF_RECORD_AUXTRACE, size.buf, size.len, 0,
				      5);
			for (unsigned int byte = 0; byte < 2048; byte++)
				kft_strbuf_addc(&t.bytes, 0);
		}
		t_perf_beat(&t, 0, 1000, 0);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_equal(trace->notes.len, 1);
		const char *note = trace->notes.data[0].text;
		if (!strstr(note, "(Intel PT, 4.0 KB of AUX data)") ||
		    !strstr(note, "not decoded"))
			fail_msg("%s", note);
		assert_int_equal(check_beats(trace, 0), 1);
	}
}

/* Long enough for each CPU of this machine to scan a part of it. */
static void parts_of_a_long_file_are_as_the_whole(void **state)
{
	const unsigned int n = 250000;
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	struct t_perf t = {};
	const struct kft_event *ev;
	unsigned int i = 0;
	uint64_t lost = 0;

	t_perf_begin(&t);
	for (unsigned int k = 0; k < n; k++) {
		if (k % 50000 == 0)
			put_task_records(&t, k);
		t_perf_beat(&t, k / 1000 % 2, 1000 + k, k);
	}
	t_perf_end(&t);
	_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
	assert_int_equal(trace->damage.code, 0);
	assert_int_equal(kft_merge_create(trace, NULL, &m), 0);
	for (; kft_merge_next(m, &ev) > 0; i++) {
		assert_int_equal(number(trace, ev), i);
		lost += ev->lost_before;
	}
	m = kft_merge_destroy(m);
	assert_int_equal(i, n);
	assert_int_equal(lost, 3 * (n / 50000));
	const struct kft_task_table *tasks = kft_trace_tasks(trace);
	assert_string_equal(kft_task_comm(tasks, 70), "name200000");
	assert_string_equal(kft_task_comm(tasks, 1000 + 100000), "name100000");
	assert_non_null(strstr(trace->notes.data[0].text, "5 exit"));
	kft_strbuf_finish(&t.bytes);
}

/* The raw data of each sample looks like records, up to the start of the next sample. */
static void records_in_records_are_none(void **state)
{
	const unsigned int n = 320;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf fake = {};
	struct t_perf t = {};

	for (unsigned int i = 0; i < 7000; i++) {
		t_perf_put(&t, &fake, KFT_PERF_RECORD_EXIT, 4);
		t_perf_put(&t, &fake, 0, 2);
		t_perf_put(&t, &fake, 8, 2);
	}
	t_perf_begin(&t);
	for (unsigned int i = 0; i < n; i++)
		t_perf_beat_with(&t, i % 2, 1000 + i, i, fake.buf, fake.len);
	t_perf_end(&t);
	_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
	assert_int_equal(check_beats(trace, 0), n);
	assert_int_equal(trace->notes.len, 0);
	kft_strbuf_finish(&t.bytes);
}

static void many_cpus_share_the_memory(void **state)
{
	const unsigned int n = 20000;
	const uint32_t cpus = 1000;
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	struct t_perf t = {};
	const struct kft_event *ev;
	unsigned int i = 0;

	t_perf_begin(&t);
	for (unsigned int k = 0; k < n; k++)
		t_perf_beat(&t, k % cpus, 1000 + k, k);
	t_perf_end(&t);
	_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
	assert_int_equal(trace->buffers.data[0].streams.len, cpus);
	assert_int_equal(kft_merge_create(trace, NULL, &m), 0);
	while (kft_merge_next(m, &ev) > 0)
		assert_int_equal(number(trace, ev), i++);
	m = kft_merge_destroy(m);
	assert_int_equal(i, n);
	kft_strbuf_finish(&t.bytes);
}

static const struct kft_event *next_of(struct kft_merge *m, const char *name,
				       struct kft_trace *trace)
{
	const struct kft_event *ev;

	assert_int_equal(kft_merge_next(m, &ev), 1);
	assert_string_equal(kft_trace_class(trace, ev->id)->name, name);
	return ev;
}

static uint64_t value(struct kft_trace *trace, const struct kft_event *ev,
		      const char *name)
{
	const struct kft_class *c = kft_trace_class(trace, ev->id);
	uint64_t v = 0;

	assert_true(kft_event_int(ev, kft_class_field(c, name), trace->swap, &v));
	return v;
}

static void call_chains_are_stacks_behind_their_sample(void **state)
{
	const uint64_t chain[] = {(uint64_t)-128, 0xffffffff81000001, 0xffffffff81000002,
				  (uint64_t)-512, 0x401000};
	FOR_EACH_KIND(t)
	{
		_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
		const struct kft_event *ev;

		t_perf_begin(&t);
		t_perf_clock(&t, 1, 1000, chain, 5);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_equal(kft_merge_create(trace, NULL, &m), 0);
		ev = next_of(m, "cpu-clock", trace);
		assert_int_equal(value(trace, ev, "ip"), 0x1234);
		assert_int_equal(value(trace, ev, "period"), 1);
		assert_int_equal(value(trace, ev, "tgid"), 7);
		assert_int_equal(value(trace, ev, "common_pid"), 71);
		ev = next_of(m, "kernel_stack", trace);
		assert_int_equal(ev->size, 8 + 16);
		assert_int_equal(kft_load_u64(ev->data + 8, trace->swap), chain[1]);
		assert_int_equal(kft_load_u64(ev->data + 16, trace->swap), chain[2]);
		ev = next_of(m, "user_stack", trace);
		assert_int_equal(ev->size, 8 + 8);
		assert_int_equal(kft_load_u64(ev->data + 8, trace->swap), chain[4]);
		assert_int_equal(kft_merge_next(m, &ev), 0);
		m = kft_merge_destroy(m);
	}
}

/* MMAP2 of task 7 from its thread 71; the path's length is padded like perf's. */
static void put_mapping(struct t_perf *t, uint64_t start, uint64_t offset,
			const char *path, uint64_t ts)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf body = {};

	t_perf_put(t, &body, 7, 4);
	t_perf_put(t, &body, 71, 4);
	t_perf_put(t, &body, start, 8);
	t_perf_put(t, &body, 0x1000, 8);
	t_perf_put(t, &body, offset, 8);
	kft_strbuf_fill(&body, '\0', 32); /* device, inode, generation, prot, flags */
	kft_strbuf_add(&body, path, strlen(path) + 1);
	kft_strbuf_fill(&body, '\0', -body.len & 7);
	t_perf_record(t, KFT_PERF_RECORD_MMAP2, body.buf, body.len, 1, ts);
}

static void check_next(struct kft_printer *p, struct kft_merge *m,
		       struct kft_trace *trace, const char *event, const char *expected)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_printer_info(p, next_of(m, event, trace), &text);
	assert_string_equal(kft_strbuf_cstr(&text), expected);
}

static void user_addresses_have_their_file_at_that_time(void **state)
{
	const uint64_t chain[] = {(uint64_t)-512, 0x1234, 0x401008, 0x9000};

	FOR_EACH_KIND(t)
	{
		_cleanup_(kft_printer_destroyp) struct kft_printer *p = NULL;
		_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;

		t_perf_begin(&t);
		t_perf_clock(&t, 1, 2000, chain, ARRAY_SIZE(chain));
		t_perf_clock(&t, 1, 4000, chain, ARRAY_SIZE(chain));
		/* perf empties its buffers one by one: records before are later in the file. */
		put_mapping(&t, 0x401000, 0x3000, "/nowhere/new", 3000);
		put_mapping(&t, 0x1000, 0, "[vdso]", 1000);
		put_mapping(&t, 0x401000, 0x5000, "/nowhere/old", 1000);
		put_mapping(&t, UINT64_MAX - 1, 0, "/nowhere/end", 1000);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_equal(kft_printer_create(trace, &p), 0);
		assert_int_equal(kft_merge_create(trace, NULL, &m), 0);
		check_next(p, m, trace, "cpu-clock", "ip=[vdso]+0x234 period=1");
		check_next(p, m, trace, "user_stack",
			   "<user stack trace>\n =>  <0000000000001234> [vdso]+0x234"
			   "\n =>  <0000000000401008> /nowhere/old+0x5008"
			   "\n =>  <0000000000009000>");
		check_next(p, m, trace, "cpu-clock", "ip=[vdso]+0x234 period=1");
		check_next(p, m, trace, "user_stack",
			   "<user stack trace>\n =>  <0000000000001234> [vdso]+0x234"
			   "\n =>  <0000000000401008> /nowhere/new+0x3008"
			   "\n =>  <0000000000009000>");
		m = kft_merge_destroy(m);
	}
}

/* If tracing data ends early, words have 8 bytes, the default without tracing data. */
static void stacks_are_printed_whatever_tracing_data_says(void **state)
{
	const uint64_t chain[] = {(uint64_t)-128, 0xffffffff81000001, 0xffffffff81000002};

	for (size_t len = 1; len < 64; len++) {
		struct t_perf t = {.pipe = true, .cut_texts = len};
		_cleanup_(kft_printer_destroyp) struct kft_printer *p = NULL;
		_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
		const struct kft_event *ev;

		t_perf_begin(&t);
		t_perf_clock(&t, 1, 1000, chain, ARRAY_SIZE(chain));
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_equal(trace->classes.long_size, 8);
		assert_int_equal(kft_printer_create(trace, &p), 0);
		assert_int_equal(kft_merge_create(trace, NULL, &m), 0);
		(void)next_of(m, "cpu-clock", trace);
		ev = next_of(m, "kernel_stack", trace);
		kft_printer_info(p, ev, &text);
		assert_string_equal(kft_strbuf_cstr(&text),
				    "<stack trace>\n => 0xffffffff81000001\n"
				    " => 0xffffffff81000002");
		m = kft_merge_destroy(m);
		kft_strbuf_finish(&t.bytes);
	}
}

/* ID_INDEX: the beats are those of a CPU. */
static void put_index(struct t_perf *t, uint32_t cpu)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf body = {};

	t_perf_put(t, &body, 1, 8);
	t_perf_put(t, &body, T_PERF_BEAT, 8);
	t_perf_put(t, &body, 0, 8);
	t_perf_put(t, &body, cpu, 8);
	t_perf_put(t, &body, 0, 8);
	t_perf_record(t, KFT_PERF_RECORD_ID_INDEX, body.buf, body.len, 0, 0);
}

/* Stacks that turn out to have nothing in them take no room. */
static void empty_stacks_take_no_room(void **state)
{
	uint64_t wanted[1024] = {};
	struct kft_scope scope = {.wanted = wanted};
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	uint64_t chain[50];
	struct t_perf t = {};

	chain[0] = (uint64_t)-512;
	for (size_t i = 1; i < ARRAY_SIZE(chain); i++)
		chain[i] = i;
	t_perf_begin(&t);
	for (unsigned int i = 0; i < 2000; i++)
		t_perf_clock(&t, 0, 1000 + i, chain, ARRAY_SIZE(chain));
	t_perf_end(&t);
	_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
	const struct kft_class *c = kft_class_table_find(&trace->classes, "ftrace",
							 "kernel_stack");
	wanted[c->id / 64] |= UINT64_C(1) << c->id % 64;
	assert_int_equal(kft_merge_create(trace, &scope, &m), 0);
	assert_int_equal(kft_merge_next(m, &ev), 0);
	assert_int_equal(trace->buffers.data[0].streams.data[0]->damage_count, 0);
	m = kft_merge_destroy(m);
	assert_int_equal(count_events(trace), 4000);
	kft_strbuf_finish(&t.bytes);
}

static void losses_are_marked_before_the_next_event(void **state)
{
	FOR_EACH_KIND(t)
	{
		_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
		const struct kft_event *ev;

		t.counts_lost = t.big;
		t_perf_begin(&t);
		t_perf_beat(&t, 0, 1000, 0);
		put_lost(&t, KFT_PERF_RECORD_LOST, 5, 0, 1002);
		t_perf_beat(&t, 0, 1002, 2);
		t_perf_beat(&t, 1, 1003, 3);
		put_lost(&t, KFT_PERF_RECORD_LOST, 7, 1, 1004);
		/* Files that count losses per event as well have the same losses and 2 more. */
		put_index(&t, 1);
		put_lost(&t, KFT_PERF_RECORD_LOST_SAMPLES, 9, 0, 0);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_equal(kft_merge_create(trace, NULL, &m), 0);
		assert_int_equal(kft_merge_next(m, &ev), 1);
		assert_int_equal(ev->lost_before, 0);
		assert_int_equal(kft_merge_next(m, &ev), 1);
		assert_int_equal(ev->lost_before, 5);
		assert_int_equal(kft_merge_next(m, &ev), 1);
		assert_int_equal(ev->lost_before, 0);
		assert_int_equal(kft_merge_next(m, &ev), 0);
		assert_int_equal(trace->buffers.data[0].streams.data[1]->lost_after,
				 t.counts_lost ? 9 : 7);
		assert_int_equal(trace->buffers.data[0].streams.data[0]->lost_after,
				 t.counts_lost ? 0 : 9);
		m = kft_merge_destroy(m);
	}
}

static void the_newest_name_of_a_task_wins(void **state)
{
	FOR_EACH_KIND(t)
	{
		t_perf_begin(&t);
		put_fork(&t, 90, 70, 5); /* before its parent has a name */
		put_comm(&t, 70, "new", 30);
		put_comm(&t, 70, "old", 20);
		put_fork(&t, 80, 70, 40);
		put_fork(&t, 71, 80, 50);
		put_comm(&t, 71, "own", 60);
		put_fork(&t, 60, 61, 1); /* a circle */
		put_fork(&t, 61, 60, 1);
		t_perf_beat(&t, 0, 1000, 0);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		const struct kft_task_table *tasks = kft_trace_tasks(trace);
		assert_string_equal(kft_task_comm(tasks, 70), "new");
		assert_string_equal(kft_task_comm(tasks, 80), "new");
		assert_string_equal(kft_task_comm(tasks, 71), "own");
		assert_string_equal(kft_task_comm(tasks, 90), "new");
		assert_string_equal(kft_task_comm(tasks, 60), "<...>");
		assert_int_equal(kft_task_get(tasks, 80)->tgid, 7);
	}
}

static void what_is_not_shown_is_counted(void **state)
{
	FOR_EACH_KIND(t)
	{
		t_perf_begin(&t);
		t_perf_record(&t, KFT_PERF_RECORD_MMAP, "12345678", 8, 0, 5);
		t_perf_record(&t, KFT_PERF_RECORD_EXIT, "12345678", 8, 0, 5);
		t_perf_record(&t, KFT_PERF_RECORD_EXIT, "12345678", 8, 0, 5);
		t_perf_record(&t, 50, "12345678", 8, 0, 5);
		t_perf_beat(&t, 0, 1000, 0);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_equal(trace->notes.len, 1);
		assert_non_null(strstr(trace->notes.data[0].text,
				       "2 exit, 1 that kft does not know"));
		assert_int_equal(check_beats(trace, 0), 1);
	}
}

static void a_cut_file_is_read_as_far_as_it_goes(void **state)
{
	FOR_EACH_KIND(t)
	{
		t_perf_begin(&t);
		put_beats(&t, 40, 20);
		t_perf_end(&t);
		unsigned int before = 0;
		/* Steps of 7 and 11 are prime to the alignment of a file's parts. */
		for (size_t len = 0; len < t.bytes.len; len += len < t.start ? 7 : 11) {
			_cleanup_(kft_trace_destroyp) struct kft_trace *trace = NULL;
			struct kft_err e = {};
			int r = t_perf_open(&t, len, &trace, &e);

			if (r < 0) {
				assert_true(len < (t.pipe ? 16 : 104) && *e.msg);
				continue;
			}
			/* A pipe can end behind any record. */
			if (!t.pipe)
				assert_int_equal(trace->damage.code, -ENODATA);
			unsigned int n = count_events(trace);
			assert_true(n == before || n == before + 1);
			before = n;
		}
		assert_int_equal(before, 40);
	}
}

static void a_killed_perf_leaves_samples_without_formats(void **state)
{
	struct t_perf t = {};

	t_perf_begin(&t);
	put_beats(&t, BEATS, 5);
	_cleanup_(kft_trace_destroyp) struct kft_trace *trace = NULL;
	struct kft_err e = {};
	/* Torn in the last round but one; the header still says 0 bytes. */
	assert_int_equal(t_perf_open(&t, t.bytes.len - 9, &trace, &e), 0);
	assert_true(trace->unfinished);
	assert_int_equal(trace->damage.code, 0);
	const struct kft_class *c = kft_trace_class(trace, T_PERF_ID);
	assert_string_equal(c->system, "tracepoint");
	assert_string_equal(c->name, "event_500");
	assert_non_null(kft_class_field(c, "common_pid"));
	assert_non_null(strstr(trace->notes.data[0].text, "when it ends"));
	kft_strbuf_finish(&t.bytes);
}

static void broken_records_cost_no_more_than_themselves(void **state)
{
	FOR_EACH_KIND(t)
	{
		t_perf_begin(&t);
		t_perf_beat(&t, 0, 1000, 0);
		size_t at = t.bytes.len;
		t_perf_beat(&t, 0, 1001, 1);
		/* Its raw data say that they are longer than the sample. */
		t.bytes.buf[at + 8 + 48 + (t.big ? 3 : 0)] = 100;
		t_perf_beat(&t, 1, 1001, 1);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_equal(check_beats(trace, 0), 2);
		assert_int_equal(trace->buffers.data[0].streams.data[0]->damage_count, 1);
		assert_int_equal(trace->buffers.data[0].streams.data[0]->lost_after,
				 KFT_LOST_UNKNOWN);
	}
}

static void samples_of_nobody_are_noted(void **state)
{
	FOR_EACH_KIND(t)
	{
		t_perf_begin(&t);
		size_t at = t.bytes.len;
		t_perf_beat(&t, 0, 999, 9);
		t.bytes.buf[at + 8 + (t.big ? 7 : 0)] = 99;
		t_perf_beat(&t, 0, 1000, 0);
		t_perf_end(&t);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_equal(check_beats(trace, 0), 1);
		assert_non_null(strstr(trace->notes.data[0].text, "1 samples are of no"));
	}
}

#if HAVE_ZSTD
static void compressed_records_are_the_same_records(void **state)
{
	const size_t steps[] = {7, 64, 1000};

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		FOR_EACH_KIND(t)
		{
			t_perf_begin(&t);
			t_perf_record(&t, KFT_PERF_RECORD_MMAP, "12345678", 8, 0, 5);
			put_beats(&t, BEATS, 5);
			t_perf_compress(&t, steps[i], kind == i);
			t_perf_end(&t);
			_cleanup_(kft_trace_destroyp) struct kft_trace *trace =
				open_whole(&t);
			assert_int_equal(trace->damage.code, 0);
			assert_int_equal(check_beats(trace, 0), BEATS);
			assert_int_equal(check_beats(trace, 1000 + BEATS / 2), BEATS / 2);
		}
	}
}

static void broken_compression_ends_what_is_read(void **state)
{
	FOR_EACH_KIND(t)
	{
		t_perf_begin(&t);
		put_beats(&t, BEATS, 5);
		t_perf_compress(&t, 640, false);
		size_t end = t.bytes.len;
		t_perf_end(&t);
		memset(t.bytes.buf + end - 300, 0xff, 200);
		_cleanup_(kft_trace_destroyp) struct kft_trace *trace = open_whole(&t);
		assert_int_not_equal(trace->damage.code, 0);
		/* Without a checksum, bytes unpacked after the damage may look like events. */
		assert_true(count_events(trace) >= 10);
	}
}
#else
static void what_is_compressed_is_refused_without_zstd(void **state)
{
	FOR_EACH_KIND(t)
	{
		struct kft_trace *trace;
		struct kft_err e = {};

		t_perf_begin(&t);
		t_perf_record(&t, KFT_PERF_RECORD_COMPRESSED, "12345678", 8, 0, 5);
		t_perf_end(&t);
		assert_int_equal(t_perf_open(&t, t.bytes.len, &trace, &e), -ENOTSUP);
		assert_non_null(strstr(e.msg, "built without"));
	}
}
#endif

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(samples_of_tracepoints_are_the_kernels_records),
	cmocka_unit_test(the_end_is_found_at_the_end),
	cmocka_unit_test(files_of_old_perfs_are_read),
	cmocka_unit_test(records_out_of_order_are_sorted),
	cmocka_unit_test(more_than_can_be_sorted_is_noted),
	cmocka_unit_test(cpus_that_take_turns_share_stretches),
	cmocka_unit_test(what_follows_a_record_holds_none),
	cmocka_unit_test(a_hardware_trace_is_named),
	cmocka_unit_test(parts_of_a_long_file_are_as_the_whole),
	cmocka_unit_test(records_in_records_are_none),
	cmocka_unit_test(many_cpus_share_the_memory),
	cmocka_unit_test(call_chains_are_stacks_behind_their_sample),
	cmocka_unit_test(user_addresses_have_their_file_at_that_time),
	cmocka_unit_test(stacks_are_printed_whatever_tracing_data_says),
	cmocka_unit_test(empty_stacks_take_no_room),
	cmocka_unit_test(losses_are_marked_before_the_next_event),
	cmocka_unit_test(the_newest_name_of_a_task_wins),
	cmocka_unit_test(what_is_not_shown_is_counted),
	cmocka_unit_test(a_cut_file_is_read_as_far_as_it_goes),
	cmocka_unit_test(a_killed_perf_leaves_samples_without_formats),
	cmocka_unit_test(broken_records_cost_no_more_than_themselves),
	cmocka_unit_test(samples_of_nobody_are_noted),
#if HAVE_ZSTD
	cmocka_unit_test(compressed_records_are_the_same_records),
	cmocka_unit_test(broken_compression_ends_what_is_read),
#else
	cmocka_unit_test(what_is_compressed_is_refused_without_zstd),
#endif
};

T_MAIN(tests)

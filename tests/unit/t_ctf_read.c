// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <stdio.h>

#include "decode/printfmt/print.h"
#include "decode/trace_lazy.h"
#include "file/ctf/kernel.h"
#include "file/ctf/reader.h"
#include "model/merge.h"

#define SECOND UINT64_C(1000000000)

/* LTTng's kernel metadata in short: two byte orders, headers with 5 and 27 bits. */
#define METADATA                                                                        \
	"typealias integer { size = 8; align = 8; encoding = UTF8; } := char;\n"        \
	"typealias integer { size = 32; align = 8; } := u32;\n"                         \
	"typealias integer { size = 32; align = 8; signed = 1; } := s32;\n"             \
	"typealias integer { size = 64; align = 8; signed = 1; } := s64;\n"             \
	"typealias integer { size = 64; align = 8; } := u64;\n"                         \
	"trace { major = 1; minor = 8; byte_order = %s;\n"                              \
	"  packet.header := struct { u32 magic; u32 stream_id; }; };\n"                 \
	"env { tracer_name = \"lttng-modules\"; };\n"                                   \
	"clock { name = m; freq = 1000000000; offset_s = 1; };\n"                       \
	"typealias integer { size = 64; align = 8; map = clock.m.value; } := u64c;\n"   \
	"typealias integer { size = 27; align = 1; map = clock.m.value; } := u27c;\n"   \
	"typealias integer { size = 5; align = 1; } := u5;\n"                           \
	"struct compact { enum : u5 { compact = 0 ... 30, extended = 31 } id;\n"        \
	"  variant <id> { struct { u27c timestamp; } compact;\n"                        \
	"    struct { u32 id; u64c timestamp; } extended; } v; } align(8);\n"           \
	"stream { id = 0; event.header := struct compact;\n"                            \
	"  packet.context := struct { u64c timestamp_begin; u64 content_size;\n"        \
	"    u64 packet_size; u64 packet_seq_num; u64 events_discarded; u32 cpu_id; "   \
	"}; };\n"                                                                       \
	"event { name = tick; id = 1; stream_id = 0; fields := struct { u32 n; }; };\n" \
	"event { name = sched_switch; id = 2; stream_id = 0; fields := struct {\n"      \
	"  char _prev_comm[16]; s32 _prev_tid; s32 _prev_prio; s64 _prev_state;\n"      \
	"  char _next_comm[16]; s32 _next_tid; s32 _next_prio; }; };\n"                 \
	"event { name = far; id = 70000; stream_id = 0; fields := struct { string s; "  \
	"}; };\n"                                                                       \
	"event { name = odd; id = 3; stream_id = 0; fields := struct {\n"               \
	"  integer { size = 3; align = 1; signed = 1; } a;\n"                           \
	"  integer { size = 13; align = 1; } b; integer { size = 8; } n;\n"             \
	"  integer { size = 16; align = 8; byte_order = be; } seq[n];\n"                \
	"  enum : u32 { A, B } k; variant <k> { string A; u32 B; } v; }; };\n"

/* A trace in the making, and the trace. */
struct maker {
	struct kft_strbuf bytes;
	bool big;
	size_t packet; /* where the current one begins */
	struct kft_trace *trace;
};

static void put(struct maker *m, uint64_t v, unsigned int bytes)
{
	for (unsigned int i = 0; i < bytes; i++)
		kft_strbuf_addc(&m->bytes, (char)(v >> 8 * (m->big ? bytes - 1 - i : i)));
}

static void patch(struct maker *m, size_t at, uint64_t v)
{
	size_t len = m->bytes.len;

	m->bytes.len = m->packet + at;
	put(m, v, 8);
	m->bytes.len = len;
}

static void begin_packet(struct maker *m, uint64_t time, uint64_t seq, uint64_t discarded)
{
	m->packet = m->bytes.len;
	put(m, 0xc1fc1fc1, 4);
	put(m, 0, 4);
	put(m, time, 8);
	put(m, 0, 8); /* content_size, packet_size */
	put(m, 0, 8);
	put(m, seq, 8);
	put(m, discarded, 8);
	put(m, 3, 4);
}

static void end_packet(struct maker *m)
{
	patch(m, 16, (m->bytes.len - m->packet) * 8);
	while ((m->bytes.len - m->packet) % 64)
		put(m, 0, 1);
	patch(m, 24, (m->bytes.len - m->packet) * 8);
}

static void put_header(struct maker *m, unsigned int id, uint64_t time)
{
	uint32_t low = time & 0x7ffffff;

	put(m, m->big ? id << 27 | low : low << 5 | id, 4);
}

static void put_tick(struct maker *m, uint64_t time, uint32_t n)
{
	put_header(m, 1, time);
	put(m, n, 4);
}

/* An id that does not fit comes behind a 31 in five bits. */
static void put_far(struct maker *m, uint64_t time, const char *s)
{
	put(m, m->big ? 31 << 3 : 31, 1);
	put(m, 70000, 4);
	put(m, time, 8);
	kft_strbuf_add(&m->bytes, s, strlen(s) + 1);
}

static void put_comm(struct maker *m, const char *comm)
{
	char name[16] = {};

	memcpy(name, comm, strlen(comm));
	kft_strbuf_add(&m->bytes, name, sizeof(name));
}

static void put_switch(struct maker *m, uint64_t time, int prev, int next)
{
	put_header(m, 2, time);
	put_comm(m, "before");
	put(m, prev, 4);
	put(m, 20, 4);
	put(m, 1, 8);
	put_comm(m, next ? "after" : "swapper/3");
	put(m, next, 4);
	put(m, 20, 4);
}

static int open_text(struct maker *m, const char *text, struct kft_err *e)
{
	struct kft_ctf_file f = {.path = "x_3",
				 .data = (const uint8_t *)m->bytes.buf,
				 .size = m->bytes.len};

	m->trace = kft_trace_destroy(m->trace);
	assert_int_equal(kft_ctf_create(&m->trace), 0);
	struct kft_ctf_reader *c = m->trace->reader;
	int r = kft_ctf_setup(c, (const uint8_t *)text, strlen(text), e);
	if (r < 0)
		return r;
	assert_true(kft_vec_push(&c->files, f));
	return kft_ctf_start(c);
}

static void open_trace(struct maker *m)
{
	struct kft_err e = {};
	char text[4096];

	(void)snprintf(text, sizeof(text), METADATA, m->big ? "be" : "le");
	if (open_text(m, text, &e) < 0)
		fail_msg("%s", e.msg);
}

static void finish(struct maker *m)
{
	m->trace = kft_trace_destroy(m->trace);
	kft_strbuf_finish(&m->bytes);
}

/* Reads on; fails at the end. */
static const struct kft_event *next(struct kft_merge *merge)
{
	const struct kft_event *ev;

	assert_int_equal(kft_merge_next(merge, &ev), 1);
	return ev;
}

static uint64_t value(struct maker *m, const struct kft_event *ev, const char *field)
{
	const struct kft_class *c = kft_trace_class(m->trace, ev->id);
	const struct kft_field *f = kft_class_field(c, field);
	uint64_t v = 0;

	assert_non_null(f);
	assert_true(kft_event_int(ev, f, m->trace->swap, &v));
	return v;
}

static struct kft_merge *start(struct maker *m, uint64_t since)
{
	const struct kft_scope scope = {.since = since};
	struct kft_merge *merge;

	assert_int_equal(kft_merge_create(m->trace, &scope, &merge), 0);
	return merge;
}

#define FOR_EACH_ORDER(m)                                               \
	for (unsigned int order = 0; order < 2; order++)                \
		for (struct maker m = {.big = order}, *once = &m; once; \
		     finish(once), once = NULL)

static void short_times_go_on_where_the_packet_began(void **state)
{
	const uint64_t begin = 5 * SECOND;

	FOR_EACH_ORDER(m)
	{
		begin_packet(&m, begin, 0, 0);
		put_tick(&m, begin + 10, 1);
		put_tick(&m, begin + 100000000, 2); /* 27 bits hold 134 ms */
		put_tick(&m, begin + 200000000, 3);
		put_far(&m, begin + 7 * SECOND, "hello");
		put_tick(&m, begin + 7 * SECOND + 1, 4);
		end_packet(&m);
		open_trace(&m);
		struct kft_merge *merge = start(&m, 0);
		const uint64_t times[] = {10, 100000000, 200000000, 7 * SECOND,
					  7 * SECOND + 1};

		for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
			const struct kft_event *ev = next(merge);

			/* offset_s of the clock */
			assert_int_equal(ev->ts, begin + times[i] + SECOND);
			assert_int_equal(ev->cpu, 3);
			if (i != 3)
				assert_int_equal(value(&m, ev, "n"), i < 3 ? i + 1 : 4);
		}
		kft_merge_destroy(merge);
	}
}

static void records_are_the_kernels(void **state)
{
	FOR_EACH_ORDER(m)
	{
		struct kft_strbuf text = {};
		struct kft_printer *p;

		begin_packet(&m, 0, 0, 0);
		put_switch(&m, 1, 7, 9);
		end_packet(&m);
		open_trace(&m);
		struct kft_merge *merge = start(&m, 0);
		const struct kft_event *ev = next(merge);
		assert_int_equal(ev->size, 64);
		assert_int_equal(value(&m, ev, "common_pid"), 7);
		assert_int_equal(value(&m, ev, "next_prio"), 120);
		assert_int_equal(kft_printer_create(m.trace, &p), 0);
		kft_printer_info(p, ev, &text);
		assert_string_equal(kft_strbuf_cstr(&text),
				    "prev_comm=before prev_pid=7 prev_prio=120 "
				    "prev_state=S ==> next_comm=after next_pid=9 "
				    "next_prio=120");
		kft_printer_destroy(p);
		kft_strbuf_finish(&text);
		kft_merge_destroy(merge);
	}
}

/* The kernel's own layout and LTTng's are the same bytes. */
static void a_switch_is_one_copy(void **state)
{
	struct maker m = {.big = KFT_HOST_BIG_ENDIAN};

	begin_packet(&m, 0, 0, 0);
	put_switch(&m, 1, 7, 9);
	end_packet(&m);
	open_trace(&m);
	const struct kft_ctf_reader *c = m.trace->reader;
	const struct kft_ctf_class *cls = kft_ctf_class_get(&c->channels.data[0], 2);
	assert_int_equal(cls->program.n_ops, 3);
	assert_int_equal(cls->program.ops[0].code, KFT_CTF_OP_COPY);
	assert_int_equal(cls->program.ops[0].len, 56);
	assert_int_equal(cls->program.ops[1].code, KFT_CTF_OP_ADD);
	assert_int_equal(cls->program.payload_bits, 56 * 8);
	assert_false(cls->program.has_holes);
	assert_int_equal(c->channels.data[0].header.kind, KFT_CTF_HEADER_COMPACT);
	finish(&m);
}

static void odd_fields_are_read_and_printed(void **state)
{
	FOR_EACH_ORDER(m)
	{
		struct kft_strbuf text = {};
		struct kft_printer *p;

		begin_packet(&m, 0, 0, 0);
		put_header(&m, 3, 1);
		/* a: -2 in 3 bits, b: 0x1234 in 13 */
		put(&m, m.big ? 6 << 13 | 0x1234 : 0x1234 << 3 | 6, 2);
		put(&m, 2, 1);
		kft_strbuf_add(&m.bytes, "\x01\x02\x03\x04", 4);
		put(&m, 0, 4);
		kft_strbuf_add(&m.bytes, "text", 5);
		put_tick(&m, 2, 8);
		end_packet(&m);
		open_trace(&m);
		struct kft_merge *merge = start(&m, 0);
		const struct kft_event *ev = next(merge);
		assert_int_equal(kft_printer_create(m.trace, &p), 0);
		kft_printer_info(p, ev, &text);
		assert_string_equal(kft_strbuf_cstr(&text),
				    "a=-2 b=4660 n=2 seq={0x102,0x304} k=A v=text");
		assert_int_equal(value(&m, next(merge), "n"), 8);
		kft_printer_destroy(p);
		kft_strbuf_finish(&text);
		kft_merge_destroy(merge);
	}
}

/* Four packets: tasks switch in the first and the last, and events are lost before the last. */
static void add_switches(struct maker *m)
{
	begin_packet(m, 100, 0, 0);
	put_tick(m, 101, 0);
	put_switch(m, 102, 7, 9);
	put_tick(m, 103, 1);
	end_packet(m);
	begin_packet(m, 200, 1, 0);
	put_tick(m, 201, 2);
	end_packet(m);
	begin_packet(m, 300, 2, 5);
	put_tick(m, 301, 3);
	end_packet(m);
	begin_packet(m, 400, 3, 5);
	put_tick(m, 401, 4);
	put_switch(m, 402, 11, 0);
	put_tick(m, 403, 5);
	end_packet(m);
	open_trace(m);
}

static void who_runs_is_told_by_switches(void **state)
{
	static const int pids[] = {7, 7, 9, 9, 9, 11, 11, 0};
	static const uint64_t since[] = {0, 103, 200, 202, 301, 400, 403};

	FOR_EACH_ORDER(m)
	{
		add_switches(&m);
		for (size_t s = 0; s < ARRAY_SIZE(since); s++) {
			struct kft_merge *merge = start(&m,
							since[s] ? since[s] + SECOND : 0);
			const struct kft_event *ev;
			size_t i = ARRAY_SIZE(pids);
			int found[ARRAY_SIZE(pids)];
			size_t n = 0;

			while (kft_merge_next(merge, &ev) > 0)
				found[n++] = value(&m, ev, "common_pid");
			/* Wherever reading begins, the answers are the same. */
			while (n > 0)
				assert_int_equal(found[--n], pids[--i]);
			kft_merge_destroy(merge);
		}
	}
}

static void names_of_tasks_come_from_events(void **state)
{
	FOR_EACH_ORDER(m)
	{
		add_switches(&m);
		const struct kft_task_table *tasks = kft_trace_tasks(m.trace);
		assert_string_equal(kft_task_comm(tasks, 7), "before");
		assert_string_equal(kft_task_comm(tasks, 9), "after");
		assert_string_equal(kft_task_comm(tasks, 11), "before");
		assert_string_equal(kft_task_comm(tasks, 0), "<idle>");
		assert_string_equal(kft_task_comm(tasks, 8), "<...>");
	}
}

/* An increase of a packet's count of lost events means a loss after its last event. */
static void losses_are_where_they_happened(void **state)
{
	static const uint64_t lost[] = {0, 0, 0, 0, 0, 5, 0, 0};

	FOR_EACH_ORDER(m)
	{
		add_switches(&m);
		struct kft_merge *merge = start(&m, 0);
		for (size_t i = 0; i < ARRAY_SIZE(lost); i++)
			assert_int_equal(next(merge)->lost_before, lost[i]);
		kft_merge_destroy(merge);
	}
}

static void missing_packets_are_a_loss_of_unknown_size(void **state)
{
	struct maker m = {};
	const struct kft_event *ev;

	begin_packet(&m, 100, 4, 3);
	put_tick(&m, 101, 1);
	end_packet(&m);
	begin_packet(&m, 200, 6, 10);
	put_tick(&m, 201, 2);
	end_packet(&m);
	open_trace(&m);
	struct kft_merge *merge = start(&m, 0);
	/* The trace begins in the middle of a recording: earlier losses do not count. */
	assert_int_equal(next(merge)->lost_before, 0);
	assert_true(next(merge)->lost_before == KFT_LOST_UNKNOWN);
	assert_int_equal(kft_merge_next(merge, &ev), 0);
	assert_int_equal(m.trace->buffers.data[0].streams.data[0]->lost_after, 7);
	kft_merge_destroy(merge);
	finish(&m);
}

/* Files of a rotated channel come in the order of their names, packets in that of time. */
static void packets_are_sorted_by_time(void **state)
{
	struct maker m = {};

	begin_packet(&m, 200, 1, 0);
	put_tick(&m, 201, 2);
	end_packet(&m);
	begin_packet(&m, 100, 0, 0);
	put_tick(&m, 101, 1);
	end_packet(&m);
	open_trace(&m);
	struct kft_merge *merge = start(&m, 0);
	assert_int_equal(value(&m, next(merge), "n"), 1);
	assert_int_equal(value(&m, next(merge), "n"), 2);
	kft_merge_destroy(merge);
	finish(&m);
}

/* The parts of an event that tests compare. */
struct told {
	uint64_t ts;
	uint64_t lost;
	int pid;
};

static size_t tell(struct maker *m, struct kft_stream *s, struct told *told)
{
	struct kft_event evs[3];
	size_t n = 0;
	int k;

	assert_int_equal(s->ops->rewind(s, 0), 0);
	while ((k = s->ops->fill(s, evs, ARRAY_SIZE(evs))) > 0)
		for (int i = 0; i < k; i++)
			told[n++] = (struct told){evs[i].ts, evs[i].lost_before,
						  value(m, &evs[i], "common_pid")};
	assert_int_equal(k, 0);
	return n;
}

static void parts_are_the_whole(void **state)
{
	FOR_EACH_ORDER(m)
	{
		struct kft_stream *parts[8];
		struct told whole[8];
		struct told told[8];
		size_t n = 0;

		add_switches(&m);
		struct kft_stream *s = m.trace->buffers.data[0].streams.data[0];
		assert_int_equal(tell(&m, s, whole), 8);
		assert_int_equal(s->ops->split(s, m.bytes.len, parts, 8), 0);
		assert_int_equal(s->ops->split(s, 1, parts, 8), 4);
		for (size_t i = 0; i < 4; i++) {
			n += tell(&m, parts[i], told + n);
			assert_int_equal(parts[i]->lost_after, 0);
			parts[i]->ops->destroy(parts[i]);
		}
		assert_int_equal(n, 8);
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(told[i].ts, whole[i].ts);
			assert_int_equal(told[i].lost, whole[i].lost);
			assert_int_equal(told[i].pid, whole[i].pid);
		}
	}
}

/* The loss that follows from damage is reported in the part that has the damage. */
static void parts_do_not_begin_behind_damage(void **state)
{
	struct maker m = {};
	struct kft_stream *parts[8];

	for (unsigned int i = 0; i < 4; i++) {
		begin_packet(&m, i * 100, i, 0);
		put_header(&m, i == 1 ? 9 : 1, i * 100 + 1);
		put(&m, 0, 4);
		end_packet(&m);
	}
	open_trace(&m);
	struct kft_stream *s = m.trace->buffers.data[0].streams.data[0];
	/* The second packet is damaged: the third has to be with it. */
	assert_int_equal(s->ops->split(s, 1, parts, 8), 3);
	for (size_t i = 0; i < 3; i++) {
		struct told told[4];

		assert_int_equal(tell(&m, parts[i], told), 1);
		assert_true(told[0].lost == (i == 1 ? KFT_LOST_UNKNOWN : 0));
		assert_int_equal(parts[i]->damage_count, i == 1);
		parts[i]->ops->destroy(parts[i]);
	}
	finish(&m);
}

static size_t count_events(struct maker *m)
{
	struct kft_merge *merge = start(m, 0);
	const struct kft_event *ev;
	size_t n = 0;

	while (kft_merge_next(merge, &ev) > 0)
		n++;
	kft_merge_destroy(merge);
	return n;
}

static bool is_damaged(const struct maker *m)
{
	const struct kft_buffer *b = &m->trace->buffers.data[0];

	return m->trace->damage.code ||
	       (b->streams.len && b->streams.data[0]->damage_count);
}

static void damage_costs_one_packet(void **state)
{
	FOR_EACH_ORDER(m)
	{
		add_switches(&m);
		assert_int_equal(count_events(&m), 8);
		assert_false(is_damaged(&m));
		/* The magic of the second packet, which is found again with the third. */
		size_t second = 0;
		for (size_t i = 64; i < m.bytes.len && !second; i += 64)
			if (memcmp(m.bytes.buf + i, m.bytes.buf, 4) == 0)
				second = i;
		m.bytes.buf[second] ^= 1;
		open_trace(&m);
		assert_int_equal(count_events(&m), 7);
		assert_true(is_damaged(&m));
		assert_non_null(strstr(m.trace->damage.msg, "'x_3': packet at byte"));
		m.bytes.buf[second] ^= 1;
		/* An event of no class ends its packet. */
		m.bytes.buf[52] ^= m.big ? 0x28 : 5;
		open_trace(&m);
		assert_int_equal(count_events(&m), 5);
		assert_true(is_damaged(&m));
	}
}

static void a_file_may_be_cut_anywhere(void **state)
{
	FOR_EACH_ORDER(m)
	{
		add_switches(&m);
		size_t size = m.bytes.len;
		size_t last = 0;

		for (m.bytes.len = 0; m.bytes.len < size; m.bytes.len++) {
			open_trace(&m);
			size_t n = count_events(&m);
			assert_in_range(n, last, 8);
			/* Whole packets are a whole trace. */
			assert_true(is_damaged(&m) || m.bytes.len % 64 == 0);
			last = n;
		}
	}
}

static void what_cannot_be_is_refused(void **state)
{
	static const struct {
		const char *text;
		const char *what;
	} wrong[] = {
		{"event { name = e; fields := struct { string s[n]; }; };", "'n'"},
		{"event { name = e; fields := struct { variant <s> { string a; } v; }; };",
		 "'s'"},
		{"event { name = e; stream_id = 4; fields := struct { }; };",
		 "no stream"},
		{"event { name = e; fields := struct { integer { size = 8; } n;"
		 " variant <n> { string a; } v; }; };",
		 "not an enum"},
		/* The length is a field that follows later, so that it is not known yet. */
		{"event { name = e; fields := struct {"
		 " integer { size = 8; } a[event.fields.n]; integer { size = 8; } n; }; };",
		 "'event.fields.n'"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct maker m = {};
		struct kft_err e = {};
		char text[512];

		(void)snprintf(text, sizeof(text), "trace { byte_order = le; };\n%s",
			       wrong[i].text);
		assert_int_equal(open_text(&m, text, &e), -EINVAL);
		if (!strstr(e.msg, wrong[i].what))
			fail_msg("%s: %s", wrong[i].text, e.msg);
		finish(&m);
	}
}

/* Types of types of types: 2^40 fields must not be made. */
static void types_that_multiply_are_refused(void **state)
{
	struct kft_strbuf sb = {};
	struct maker m = {};
	struct kft_err e = {};

	kft_strbuf_adds(&sb, "trace { byte_order = le; };\n"
			     "struct s0 { integer { size = 8; } a; };\n");
	for (unsigned int i = 1; i <= 30; i++)
		kft_strbuf_addf(&sb, "struct s%u { struct s%u a; struct s%u b; };\n", i,
				i - 1, i - 1);
	kft_strbuf_adds(&sb, "event { name = e; fields := struct { struct s30 a; }; };");
	assert_int_equal(open_text(&m, kft_strbuf_cstr(&sb), &e), -EINVAL);
	kft_strbuf_finish(&sb);
	finish(&m);
}

/* A print format with all names of all values would be longer than any format text. */
static void events_with_too_many_names_are_printed_by_their_fields(void **state)
{
	struct kft_strbuf sb = {};
	struct kft_strbuf line = {};
	struct maker m = {};
	struct kft_err e = {};
	struct kft_printer *p;

	kft_strbuf_adds(&sb, "trace { byte_order = le; };\n"
			     "enum k : integer { size = 8; } {");
	for (unsigned int i = 0; i < 200; i++)
		kft_strbuf_addf(&sb, "a_rather_long_name_of_value_%u,", i);
	kft_strbuf_adds(&sb, "};\nevent { name = e; fields := struct {");
	for (unsigned int i = 0; i < 40; i++)
		kft_strbuf_addf(&sb, "enum k f%u;", i);
	kft_strbuf_adds(&sb, "}; };");
	kft_strbuf_fill(&m.bytes, '\x07', 40);
	if (open_text(&m, kft_strbuf_cstr(&sb), &e) < 0)
		fail_msg("%s", e.msg);
	struct kft_merge *merge = start(&m, 0);
	const struct kft_event *ev = next(merge);
	assert_int_equal(kft_printer_create(m.trace, &p), 0);
	kft_printer_info(p, ev, &line);
	assert_non_null(strstr(kft_strbuf_cstr(&line), "f39=7"));
	kft_printer_destroy(p);
	kft_merge_destroy(merge);
	kft_strbuf_finish(&line);
	kft_strbuf_finish(&sb);
	finish(&m);
}

/* 2^32 times nothing takes no bytes, but time. */
static void arrays_of_nothing_are_damage(void **state)
{
	struct maker m = {};
	struct kft_err e = {};

	kft_strbuf_fill(&m.bytes, '\0', 64);
	assert_int_equal(
		open_text(&m,
			  "trace { byte_order = le; };\n"
			  "stream { event.header := struct { integer { size = 8; } "
			  "id; }; };\n"
			  "event { id = 0; name = e; fields := struct {"
			  " struct { } a[4294967296]; }; };",
			  &e),
		0);
	assert_int_equal(count_events(&m), 0);
	assert_true(is_damaged(&m));
	finish(&m);
}

/* A length in the packet's context, one in the event's header, and two events of its own. */
static void lengths_may_be_in_scopes_around(void **state)
{
	static const char bytes[] = "\x02" /* of the packet */
				    "\x01\x00\x03"
				    "cde"
				    "\x02\x03\x01"
				    "ab"
				    "fgh"
				    "i"
				    "\x01\x00\x01"
				    "j"
				    "\x02\x01\x02"
				    "kl"
				    "m"
				    "no";
	struct maker m = {};
	struct kft_err e = {};

	kft_strbuf_add(&m.bytes, bytes, sizeof(bytes) - 1);
	int r = open_text(
		&m,
		"typealias integer { size = 8; align = 8; } := u8;\n"
		"typealias integer { size = 8; align = 8; encoding = UTF8; } := char;\n"
		"trace { byte_order = le; };\n"
		"stream { packet.context := struct { u8 p; };\n"
		"  event.header := struct { u8 id; u8 h; }; };\n"
		"event { name = a; id = 1; fields := struct { u8 n; char x[n]; }; };\n"
		"event { name = b; id = 2; fields := struct { u8 n;\n"
		"  char y[stream.packet.context.p]; char z[stream.event.header.h];\n"
		"  char x[n]; }; };",
		&e);
	if (r < 0)
		fail_msg("%s", e.msg);
	assert_int_equal(count_events(&m), 4);
	assert_false(is_damaged(&m));
	finish(&m);
}

/* Events without any bits would all begin at the same place, without end. */
static void events_of_nothing_are_damage(void **state)
{
	struct maker m = {};
	struct kft_err e = {};

	kft_strbuf_fill(&m.bytes, '\0', 64);
	assert_int_equal(open_text(&m,
				   "trace { byte_order = le; };\n"
				   "event { name = e; fields := struct { }; };",
				   &e),
			 0);
	assert_int_equal(count_events(&m), 1);
	assert_true(is_damaged(&m));
	finish(&m);
}

/* kft's export has a class for each call, LTTng has one in each channel. */
static void classes_with_one_format_are_one_kind(void **state)
{
	static const char *const calls =
		"event { name = syscall_entry_read; id = 4; stream_id = 0;\n"
		"  fields := struct { s64 _id; u64 _args[6]; }; };\n"
		"event { name = syscall_entry_write; id = 5; stream_id = 0;\n"
		"  fields := struct { s64 _id; u64 _args[6]; }; };\n"
		"event { name = syscall_entry_ioctl; id = 6; stream_id = 0;\n"
		"  fields := struct { u64 _fd; }; };\n";
	struct maker m = {};
	struct kft_err e = {};
	char text[4096];

	begin_packet(&m, SECOND, 0, 0);
	for (uint64_t id = 4; id < 6; id++) {
		put_header(&m, (unsigned int)id, SECOND + id);
		put(&m, id - 4, 8);
		for (unsigned int i = 0; i < 6; i++)
			put(&m, i, 8);
	}
	end_packet(&m);
	size_t n = (size_t)snprintf(text, sizeof(text), METADATA, "le");
	(void)snprintf(text + n, sizeof(text) - n, "%s", calls);
	assert_int_equal(open_text(&m, text, &e), 0);
	const struct kft_class *c = kft_class_table_find(&m.trace->classes,
							 "raw_syscalls", "sys_enter");
	struct kft_merge *merge = start(&m, 0);

	assert_non_null(c);
	for (uint64_t i = 0; i < 2; i++) {
		const struct kft_event *ev = next(merge);

		assert_int_equal(ev->id, c->id);
		assert_int_equal(value(&m, ev, "id"), i);
	}
	kft_merge_destroy(merge);
	assert_non_null(
		kft_class_table_find(&m.trace->classes, "syscalls", "sys_enter_ioctl"));
	finish(&m);
}

static void lttng_names_lead_back_to_the_kernels(void **state)
{
	/* Names of lttng-modules 2.13. */
	static const char *const known[][3] = {
		{"irq", "softirq_entry", "irq_softirq_entry"},
		{"irq", "irq_handler_exit", "irq_handler_exit"},
		{"kmem", "kmalloc", "kmem_kmalloc"},
		{"kmem", "kmem_cache_alloc", "kmem_cache_alloc"},
		{"kmem", "mm_page_alloc", "kmem_mm_page_alloc"},
		{"timer", "hrtimer_start", "timer_hrtimer_start"},
		{"timer", "timer_start", "timer_start"},
		{"power", "cpu_idle", "power_cpu_idle"},
		{"net", "netif_receive_skb", "net_if_receive_skb"},
		{"net", "net_dev_xmit", "net_dev_xmit"},
		{"net", "napi_gro_frags_entry", "net_napi_gro_frags_entry"},
		{"skb", "kfree_skb", "skb_kfree"},
		{"syscalls", "sys_exit_read", "syscall_exit_read"},
		{"printk", "console", "printk_console"},
		{"irq_vectors", "local_timer_exit", "x86_irq_vectors_local_timer_exit"},
	};
	/* kmem_cache_x would be read as kmem:kmem_cache_x. */
	static const char *const others[][2] = {{"kmem", "cache_x"},
						{"timer", "tick_stop"},
						{"ftrace", "print"},
						{"", ""}};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		struct kft_ctf_lttng_name lttng;
		struct kft_ctf_kernel_name back;

		assert_true(kft_ctf_lttng_name(known[i][0], known[i][1], &lttng));
		assert_string_equal(lttng.name, known[i][2]);
		kft_ctf_kernel_name(lttng.name, &back);
		assert_string_equal(back.system, known[i][0]);
		assert_string_equal(back.name, known[i][1]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		struct kft_ctf_lttng_name lttng;

		assert_false(kft_ctf_lttng_name(others[i][0], others[i][1], &lttng));
	}
}

/* user_events may have such names. */
static void long_names_are_kept(void **state)
{
	struct kft_ctf_kernel_name name;
	char text[256] = "user_events:";

	memset(text + strlen(text), 'x', 230);
	kft_ctf_kernel_name(text, &name);
	assert_string_equal(name.system, "user_events");
	assert_string_equal(name.name, text + strlen("user_events:"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(long_names_are_kept),
	cmocka_unit_test(classes_with_one_format_are_one_kind),
	cmocka_unit_test(lttng_names_lead_back_to_the_kernels),
	cmocka_unit_test(short_times_go_on_where_the_packet_began),
	cmocka_unit_test(records_are_the_kernels),
	cmocka_unit_test(a_switch_is_one_copy),
	cmocka_unit_test(odd_fields_are_read_and_printed),
	cmocka_unit_test(who_runs_is_told_by_switches),
	cmocka_unit_test(names_of_tasks_come_from_events),
	cmocka_unit_test(losses_are_where_they_happened),
	cmocka_unit_test(missing_packets_are_a_loss_of_unknown_size),
	cmocka_unit_test(packets_are_sorted_by_time),
	cmocka_unit_test(parts_are_the_whole),
	cmocka_unit_test(parts_do_not_begin_behind_damage),
	cmocka_unit_test(damage_costs_one_packet),
	cmocka_unit_test(a_file_may_be_cut_anywhere),
	cmocka_unit_test(what_cannot_be_is_refused),
	cmocka_unit_test(types_that_multiply_are_refused),
	cmocka_unit_test(events_with_too_many_names_are_printed_by_their_fields),
	cmocka_unit_test(arrays_of_nothing_are_damage),
	cmocka_unit_test(events_of_nothing_are_damage),
	cmocka_unit_test(lengths_may_be_in_scopes_around),
};

T_MAIN(tests)

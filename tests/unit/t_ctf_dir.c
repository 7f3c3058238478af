// SPDX-License-Identifier: GPL-2.0-only
#include "page.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "derive/engine/ahead.h"
#include "base/mapped.h"
#include "base/strbuf.h"
#include "file/registry.h"
#include "model/merge.h"
#include "tmpdir.h"

/* Events of a time and a number, all of one name. */
#define METADATA                                                              \
	"/* CTF 1.8 */\n"                                                     \
	"typealias integer { size = 32; align = 8; } := u32;\n"               \
	"typealias integer { size = 8; align = 8; } := u8;\n"                 \
	"trace { major = 1; minor = 8; byte_order = le;\n"                    \
	"  uuid = \"01020304-0506-0708-090a-0b0c0d0e0f10\";\n"                \
	"  packet.header := struct { u32 magic; u8 uuid[16]; }; };\n"         \
	"clock { name = %s; freq = 1000000000; offset_s = 1; };\n"            \
	"stream { event.header := struct { integer { size = 64; align = 8;\n" \
	"  map = clock.%s.value; } timestamp; }; };\n"                        \
	"event { name = \"%s\"; fields := struct { u32 n; }; };\n"

#define EVENTS 5

static void make_dirs(struct tmpdir *d, const char *dir)
{
	char part[64];

	for (const char *p = dir; (p = strchr(p, '/')); p++) {
		(void)snprintf(part, sizeof(part), "%.*s", (int)(p - dir), dir);
		(void)mkdir(tmpdir_path(d, part), 0700);
	}
	assert_int_equal(mkdir(tmpdir_path(d, dir), 0700), 0);
}

/* Writes a trace with events at `first` and every 100 units later; uuid is its first byte. */
static void write_trace(struct tmpdir *d, const char *dir, const char *event,
			uint64_t first, uint8_t uuid)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf bytes = {};
	char name[80];
	char text[2048];

	make_dirs(d, dir);
	(void)snprintf(text, sizeof(text), METADATA, "mono", "mono", event);
	(void)snprintf(name, sizeof(name), "%s/metadata", dir);
	tmpdir_write(d, name, text, strlen(text));
	t_put(&bytes, false, 0xc1fc1fc1, 4);
	for (unsigned int i = 0; i < 16; i++)
		t_put(&bytes, false, uuid + i, 1);
	for (unsigned int i = 0; i < EVENTS; i++) {
		t_put(&bytes, false, first + 100 * i, 8);
		t_put(&bytes, false, i, 4);
	}
	(void)snprintf(name, sizeof(name), "%s/stream_0", dir);
	tmpdir_write(d, name, bytes.buf, bytes.len);
}

static struct kft_trace *open_below(struct tmpdir *d, const char *dir)
{
	struct kft_trace *t;
	struct kft_err e = {};

	if (kft_file_open(tmpdir_path(d, dir), &t, &e) < 0)
		fail_msg("%s", e.msg);
	return t;
}

static void check_next(struct kft_trace *t, struct kft_merge *m, uint64_t ts,
		       const char *name, const char *buffer)
{
	const struct kft_event *ev;

	assert_int_equal(kft_merge_next(m, &ev), 1);
	assert_int_equal(ev->ts, UINT64_C(1000000000) + ts);
	assert_string_equal(kft_trace_class(t, ev->id)->name, name);
	assert_string_equal(t->buffers.data[ev->buffer].name, buffer);
}

/* LTTng's: the kernel's trace, one of all programs of a user, one of a single program. */
static void traces_of_a_directory_are_read_as_one(void **state)
{
	struct tmpdir *d = *state;
	const struct kft_event *ev;
	struct kft_merge *m;

	write_trace(d, "s/kernel", "tick", 10, 1);
	write_trace(d, "s/ust/pid/prog-17-20260101", "tock", 20, 1);
	write_trace(d, "s/ust/uid/1000/64-bit", "tack", 30, 1);
	struct kft_trace *t = open_below(d, "s");
	assert_int_equal(t->damage.code, 0);
	assert_int_equal(t->buffers.len, 3);
	assert_int_equal(kft_merge_create(t, NULL, &m), 0);
	for (unsigned int i = 0; i < EVENTS; i++) {
		check_next(t, m, 10 + 100 * i, "tick", "kernel/stream");
		check_next(t, m, 20 + 100 * i, "tock", "ust/pid/prog-17-20260101/stream");
		check_next(t, m, 30 + 100 * i, "tack", "ust/uid/1000/64-bit/stream");
	}
	assert_int_equal(kft_merge_next(m, &ev), 0);
	kft_merge_destroy(m);
	kft_trace_destroy(t);
	/* A buffer that is the only one has no name. */
	t = open_below(d, "s/ust/pid");
	assert_int_equal(t->buffers.len, 1);
	assert_string_equal(t->buffers.data[0].name, "");
	kft_trace_destroy(t);
}

/* Lines of metadata that replace the one that declares the clock. */
static void write_clock(struct tmpdir *d, const char *dir, const char *clock)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	char text[2048];

	write_trace(d, dir, "tick", 10, 1);
	(void)snprintf(text, sizeof(text), METADATA, "mono", "mono", "tick");
	char *at = strstr(text, "clock {");
	char *end = strchr(at, '\n');
	kft_strbuf_add(&name, text, (size_t)(at - text));
	kft_strbuf_adds(&name, clock);
	kft_strbuf_adds(&name, end);
	(void)snprintf(text, sizeof(text), "%s/metadata", dir);
	tmpdir_write(d, text, kft_strbuf_cstr(&name), name.len);
}

/* Two machines, two boots, and clocks that count from different moments. */
static void traces_of_different_clocks_are_refused(void **state)
{
	static const struct {
		const char *a;
		const char *b;
		const char *why; /* NULL: they belong together */
	} pairs[] = {
		{"clock { name = mono; offset_s = 1; uuid = \"a-b\"; };",
		 "clock { name = mono; offset_s = 2; uuid = \"a-b\"; };", NULL},
		{"clock { name = mono; offset_s = 1; uuid = \"a-b\"; };",
		 "clock { name = mono; offset_s = 1; uuid = \"a-c\"; };",
		 "clocks are different"},
		{"clock { name = mono; offset_s = 1700000000; };",
		 "clock { name = mono; };", "counts from 1970"},
		{"env { hostname = \"north\"; }; clock { name = mono; };",
		 "env { hostname = \"north\"; }; clock { name = mono; };", NULL},
		{"env { hostname = \"north\"; }; clock { name = mono; };",
		 "env { hostname = \"south\"; }; clock { name = mono; };", "machines"},
	};
	struct tmpdir *d = *state;

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		struct kft_trace *t = NULL;
		struct kft_err e = {};
		char dir[32];

		(void)snprintf(dir, sizeof(dir), "pair%zu/a", i);
		write_clock(d, dir, pairs[i].a);
		dir[strlen(dir) - 1] = 'b';
		write_clock(d, dir, pairs[i].b);
		dir[strlen(dir) - 2] = '\0';
		int r = kft_file_open(tmpdir_path(d, dir), &t, &e);

		assert_int_equal(r, pairs[i].why ? -EINVAL : 0);
		if (pairs[i].why && !strstr(e.msg, pairs[i].why))
			fail_msg("%s", e.msg);
		kft_trace_destroy(t);
	}
}

static void a_broken_trace_does_not_hide_the_others(void **state)
{
	struct tmpdir *d = *state;
	struct kft_trace *t;
	struct kft_err e = {};

	make_dirs(d, "s/kernel");
	tmpdir_write(d, "s/kernel/metadata", "event {", 7);
	assert_true(kft_file_open(tmpdir_path(d, "s"), &t, &e) < 0);
	assert_non_null(strstr(e.msg, "metadata"));
	write_trace(d, "s/ust", "tock", 20, 1);
	t = open_below(d, "s");
	assert_int_equal(t->damage.code, -EINVAL);
	assert_non_null(strstr(t->damage.msg, "'kernel'"));
	assert_int_equal(t->buffers.len, 1);
	assert_string_equal(t->buffers.data[0].name, "ust/stream");
	kft_trace_destroy(t);
}

/* A link may lead back up, or to the traces of another user. */
static void links_are_not_followed_far(void **state)
{
	struct tmpdir *d = *state;

	write_trace(d, "s/a/b", "tick", 10, 1);
	assert_int_equal(symlink("..", tmpdir_path(d, "s/a/up")), 0);
	assert_int_equal(mkfifo(tmpdir_path(d, "s/fifo"), 0600), 0);
	struct kft_trace *t = open_below(d, "s");
	assert_int_equal(t->buffers.len, 1);
	kft_trace_destroy(t);
}

static void packets_with_another_uuid_are_read_with_a_note(void **state)
{
	struct tmpdir *d = *state;
	struct kft_merge *m;

	write_trace(d, "s", "tick", 10, 2);
	struct kft_trace *t = open_below(d, "s");
	assert_int_equal(t->damage.code, 0);
	assert_int_equal(t->notes.len, 1);
	assert_non_null(strstr(t->notes.data[0].text, "UUID"));
	assert_int_equal(kft_merge_create(t, NULL, &m), 0);
	for (unsigned int i = 0; i < EVENTS; i++)
		check_next(t, m, 10 + 100 * i, "tick", "");
	kft_merge_destroy(m);
	kft_trace_destroy(t);
}

/* More seconds after 1970 than 64 bits of nanoseconds hold. */
static void a_clock_that_is_far_away_counts_from_its_own_zero(void **state)
{
	static const char near[] = "offset_s = 1;";
	struct tmpdir *d = *state;
	char text[2048];
	_cleanup_(kft_strbuf_finish) struct kft_strbuf far = {};
	struct kft_merge *m;

	write_trace(d, "s", "tick", 10, 1);
	(void)snprintf(text, sizeof(text), METADATA, "mono", "mono", "tick");
	char *offset = strstr(text, near);
	assert_non_null(offset);
	*offset = '\0';
	kft_strbuf_addf(&far, "%soffset_s = 1351530929945824323;%s", text,
			offset + strlen(near));
	tmpdir_write(d, "s/metadata", kft_strbuf_cstr(&far), far.len);
	struct kft_trace *t = open_below(d, "s");
	assert_int_equal(t->notes.len, 1);
	assert_non_null(strstr(t->notes.data[0].text, "clock 'mono' begins"));
	assert_false(t->meta.wall.is_known);
	assert_int_equal(kft_merge_create(t, NULL, &m), 0);
	const struct kft_event *ev;
	assert_int_equal(kft_merge_next(m, &ev), 1);
	assert_int_equal(ev->ts, 10);
	kft_merge_destroy(m);
	kft_trace_destroy(t);
}

static void metadata_without_streams_is_read_with_a_note(void **state)
{
	struct tmpdir *d = *state;

	write_trace(d, "s", "tick", 10, 1);
	tmpdir_write(d, "s/stream_0", "", 0);
	struct kft_trace *t = open_below(d, "s");
	assert_int_equal(t->damage.code, 0);
	assert_int_equal(t->notes.len, 1);
	assert_string_equal(t->notes.data[0].text,
			    "no events: no stream file beside 'metadata' has data");
	kft_trace_destroy(t);
}

/* Plain, and in packets as LTTng writes it. */
static void ctf_2_may_be_in_packets(void **state)
{
	static const char json[] = "\x1e{\"type\":\"preamble\",\"version\":2}\n"
				   "\x1e{\"type\":\"data-stream-class\"}\n";
	const uint32_t bits = (37 + sizeof(json) - 1) * 8;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf packet = {};
	struct tmpdir *d = *state;

	t_put(&packet, false, 0x75d11d57, 4);
	kft_strbuf_adds(&packet, "UUID--16-bytes--");
	t_put(&packet, false, 0, 4);
	t_put(&packet, false, bits, 4);
	t_put(&packet, false, bits, 4);
	t_put(&packet, false, 0x0002 << 24, 5);
	kft_strbuf_adds(&packet, json);
	make_dirs(d, "s");
	for (int i = 0; i < 2; i++) {
		struct kft_trace *t = NULL;
		struct kft_err e = {};

		tmpdir_write(d, "s/metadata", i ? packet.buf : json,
			     i ? packet.len : sizeof(json) - 1);
		int r = kft_file_open(tmpdir_path(d, i ? "s" : "s/metadata"), &t, &e);
		assert_int_equal(r, HAVE_JSON ? 0 : -ENOTSUP);
		if (r < 0)
			assert_non_null(strstr(e.hint, "ctf-1.8"));
		kft_trace_destroy(t);
	}
}

static void on_sigbus(int sig, siginfo_t *info, void *context)
{
	if (!kft_mapped_fault(info->si_addr))
		_exit(1);
}

static size_t read_here(struct kft_trace *t)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	size_t n = 0;

	assert_int_equal(kft_merge_create(t, NULL, &m), 0);
	while (kft_merge_next(m, &ev) > 0)
		n++;
	return n;
}

static size_t read_in_thread(struct kft_trace *t)
{
	_cleanup_(kft_engine_destroyp) struct kft_engine *engine = NULL;
	const struct kft_interval_sink none = {};
	const struct kft_scope all = {};

	assert_int_equal(kft_engine_create(t, NULL, 0, &none, &engine), 0);
	assert_int_equal(kft_ahead_run(t, &all, engine, 1), 0);
	return t->buffers.data[0].streams.data[0]->n_read;
}

/* Twice: found while its packets are read, and while they are looked for again. */
static void check_shrinking(struct tmpdir *d, size_t (*read_all)(struct kft_trace *t))
{
	struct sigaction sa = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO};

	assert_int_equal(sigaction(SIGBUS, &sa, NULL), 0);
	write_trace(d, "s", "tick", 10, 1);
	/* Many pages of events. */
	for (unsigned int i = 0; i < 6; i++) {
		size_t len;
		_cleanup_free_ uint8_t *bytes = tmpdir_read(d, "s/stream_0", &len);
		_cleanup_free_ uint8_t *more = malloc(8 * len);

		assert_non_null(more);
		memcpy(more, bytes, len);
		size_t all = len;
		for (unsigned int k = 0; k < 4; k++, all += len - 20)
			memcpy(more + all, bytes + 20, len - 20);
		tmpdir_write(d, "s/stream_0", more, all);
	}
	struct kft_trace *t = open_below(d, "s");
	const struct kft_stream *s = t->buffers.data[0].streams.data[0];
	assert_int_equal(truncate(tmpdir_path(d, "s/stream_0"), 4096 * 3), 0);
	assert_in_range(read_all(t), 1, 4096 * 3 / 12);
	assert_int_equal(s->damage_count, 1);
	assert_non_null(strstr(s->damage.msg, "became shorter"));
	assert_non_null(strstr(s->damage.msg, "stream_0"));
	kft_trace_destroy(t);
	(void)signal(SIGBUS, SIG_DFL);
}

static void a_file_that_shrinks_is_damage(void **state)
{
	check_shrinking(*state, read_here);
}

static void a_file_that_shrinks_is_damage_in_any_thread(void **state)
{
	check_shrinking(*state, read_in_thread);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, tmpdir_setup, tmpdir_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(traces_of_a_directory_are_read_as_one),
		TEST(traces_of_different_clocks_are_refused),
		TEST(a_broken_trace_does_not_hide_the_others),
		TEST(links_are_not_followed_far),
		TEST(packets_with_another_uuid_are_read_with_a_note),
		TEST(a_clock_that_is_far_away_counts_from_its_own_zero),
		TEST(metadata_without_streams_is_read_with_a_note),
		TEST(ctf_2_may_be_in_packets),
		TEST(a_file_that_shrinks_is_damage),
		TEST(a_file_that_shrinks_is_damage_in_any_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

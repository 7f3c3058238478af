// SPDX-License-Identifier: GPL-2.0-only
#include "dat.h"

#include <errno.h>
#include <stdio.h>

#include "file/tracedat/format.h"
#include "file/tracedat/read/read.h"
#include "model/merge.h"

static struct kft_trace *open_cut(const struct t_dat *dat, size_t len, struct kft_err *e)
{
	struct kft_trace *t;
	int r = kft_tracedat_open(t_dat_fd(dat, len), "x.dat", &t, e);

	if (r < 0) {
		assert_int_equal(e->code, r);
		return NULL;
	}
	return t;
}

static struct kft_trace *open_whole(const struct t_dat *dat)
{
	struct kft_err e = {};
	struct kft_trace *t = open_cut(dat, dat->bytes.len, &e);

	if (!t)
		fail_msg("%s", e.msg);
	return t;
}

/* Reads all events and checks those of kft_test:beat; returns how many. */
static size_t check_events(struct kft_trace *t, const struct t_dat_spec *s)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	unsigned int next[2][8] = {};
	size_t n = 0;

	assert_int_equal(kft_merge_create(t, NULL, &m), 0);
	while (kft_merge_next(m, &ev) > 0) {
		assert_in_range(ev->buffer, 0, 1);
		assert_in_range(ev->cpu, 0, 7);
		unsigned int i = next[ev->buffer][ev->cpu]++;
		const struct kft_class *c = kft_trace_class(t, ev->id);
		uint64_t v;

		assert_non_null(c);
		assert_string_equal(c->name, "beat");
		assert_true(kft_event_int(ev, kft_class_field(c, "n"), t->swap, &v));
		assert_int_equal(v, i);
		assert_int_equal(ev->ts, t_dat_ts(ev->cpu, i / T_DAT_PAGE_EVENTS,
						  i % T_DAT_PAGE_EVENTS));
		assert_int_equal(ev->size, 12);
		n++;
	}
	return n;
}

static const struct {
	unsigned int version;
	const char *codec;
} files[] = {
	{6, "none"},
	{7, "none"},
#if HAVE_ZSTD
	{7, "zstd"},
#endif
#if HAVE_ZLIB
	{7, "zlib"},
#endif
};

/* Calls check with each kind of file there is. */
static void for_each_kind(void (*check)(const struct t_dat *))
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		for (unsigned int k = 0; k < 8; k++) {
			struct t_dat dat;
			struct t_dat_spec spec = {
				.version = files[i].version,
				.codec = files[i].codec,
				.big = k & 1,
				.long_size = k & 2 ? 4 : 8,
				.instance = k & 4,
			};

			t_dat_build(&dat, &spec);
			check(&dat);
			t_dat_finish(&dat);
		}
	}
}

static void check_whole(const struct t_dat *dat)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_whole(dat);
	const struct t_dat_spec *s = &dat->spec;
	size_t n_buffers = 1 + s->instance;

	assert_string_equal(t->damage.msg, "");
	assert_int_equal(t->notes.len, 0);
	assert_int_equal(t->meta.big_endian, s->big);
	assert_int_equal(t->meta.long_size, s->long_size);
	assert_int_equal(t->meta.page_size, s->page_size);
	assert_int_equal(t->meta.cpu_count, s->n_cpus);
	assert_int_equal(t->buffers.len, n_buffers);
	assert_string_equal(t->buffers.data[0].name, "");
	assert_string_equal(t->buffers.data[0].clock.name, "mono");
	if (s->instance)
		assert_string_equal(t->buffers.data[1].name, "two");
	assert_int_equal(check_events(t, s),
			 n_buffers * s->n_cpus * s->n_pages * T_DAT_PAGE_EVENTS);
	kft_vec_for_each(&t->buffers, b) {
		assert_int_equal(b->streams.len, s->n_cpus);
		kft_vec_for_each(&b->streams, stream)
			assert_int_equal((*stream)->damage_count, 0);
	}
}

static void every_kind_of_file_is_read(void **state)
{
	for_each_kind(check_whole);
}

static bool blob_is(const struct kft_blob *b, const char *s)
{
	return b->len == strlen(s) && memcmp(b->data, s, b->len) == 0;
}

static void check_meta(const struct t_dat *dat)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_whole(dat);
	const struct kft_meta *m = &t->meta;

	assert_int_equal(m->formats.len, 2);
	assert_string_equal(m->formats.data[0].system, "ftrace");
	assert_string_equal(m->formats.data[1].system, "kft_test");
	assert_memory_equal(m->header_page.data, "\tfield: u64 timestamp;", 22);
	assert_true(blob_is(&m->header_event, "# compressed entry header\n"));
	assert_true(blob_is(kft_trace_kallsyms(t), "ffffffff81000000 T _text\n"));
	assert_true(blob_is(&m->printk_formats, "0xffffffff82000000 : \"hi\"\n"));
	assert_true(blob_is(&m->cmdlines, "17 seventeen\n"));
	assert_true(blob_is(&m->uname, "Linux test"));
	assert_true(blob_is(&m->trace_clock, "local [mono] boot"));
	assert_string_equal(m->clock.name, "mono");
	assert_true(m->trace_id == 0x1122334455667788);
	assert_int_equal(m->stats.len, 1);
	assert_int_equal(m->stats.data[0].cpu, 1);
	assert_int_equal(m->stats.data[0].unread, 3);
	assert_int_equal(m->stats.data[0].overrun, 4);
	assert_int_equal(m->stats.data[0].commit_overrun, 5);
	assert_int_equal(m->stats.data[0].dropped_events, 7);
	assert_int_equal(m->stats.data[0].read_events, 8);
	assert_null(m->stats.data[0].buffer);
}

static void all_metadata_is_there_to_be_written_again(void **state)
{
	for_each_kind(check_meta);
}

/* Events in pages of the main buffer that the first len bytes hold whole. */
static size_t whole_events(const struct t_dat *dat, size_t len)
{
	size_t n = 0;

	kft_vec_for_each(&dat->pages, at) {
		/* A page counts only when all of its bytes are in the file. */
		size_t end = *at + dat->spec.page_size;

		n += end <= len ? T_DAT_PAGE_EVENTS : 0;
	}
	return n;
}

/*
 * A file that is cut anywhere is reported as damaged, and its whole pages are still read, even
 * when the table of pages is lost.
 */
static void check_cuts(const struct t_dat *dat)
{
	bool plain = strcmp(dat->spec.codec, "none") == 0;
	size_t last = 0;

	for (size_t len = 0; len < dat->bytes.len; len++) {
		struct kft_err e = {};
		_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_cut(dat, len,
									     &e);

		if (!t) {
			/* Only the bytes before the metadata are indispensable. */
			assert_in_range(len, 0, 60);
			continue;
		}
		size_t n = check_events(t, &dat->spec);
		if (plain)
			assert_true(n >= whole_events(dat, len));
		assert_true(n >= last || len < dat->pages.data[0]);
		last = n;
		bool damaged = t->damage.code != 0;
		kft_vec_for_each(&t->buffers, b)
			kft_vec_for_each(&b->streams, s)
				damaged |= (*s)->damage_count != 0;
		assert_true(damaged);
	}
}

static void a_file_cut_at_any_byte_gives_what_it_has(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct t_dat_spec spec = {.version = files[i].version,
					  .codec = files[i].codec,
					  .big = i & 1,
					  .page_size = 128,
					  .instance = true};
		struct t_dat dat;

		t_dat_build(&dat, &spec);
		check_cuts(&dat);
		t_dat_finish(&dat);
	}
}

/* Cut before the options that say where the events of the (last) buffer are. */
static void lost_options_cost_no_events(void **state)
{
	for (size_t i = 1; i < ARRAY_SIZE(files); i++) {
		for (unsigned int k = 0; k < 4; k++) {
			struct t_dat_spec spec = {.codec = files[i].codec,
						  .big = k & 1,
						  .instance = k & 2,
						  .n_cpus = 3};
			struct kft_err e = {};
			struct t_dat dat;

			t_dat_build(&dat, &spec);
			size_t cut = dat.options.data[dat.options.len - 1];
			struct kft_trace *t = open_cut(&dat, cut, &e);
			assert_non_null(t);
			assert_int_equal(t->damage.code, -ENODATA);
			assert_int_equal(check_events(t, &spec), (k & 2 ? 2 : 1) * 45);
			assert_true(t->notes.len > 0);
			kft_trace_destroy(t);
			t_dat_finish(&dat);
		}
	}
}

static void options_that_go_round_end(void **state)
{
	struct t_dat dat;

	t_dat_build(&dat, &(struct t_dat_spec){});
	const struct t_dat_field *link = NULL;
	kft_vec_for_each(&dat.fields, f)
		if (strcmp(f->name, "offset of the next options") == 0)
			link = f;
	assert_non_null(link);
	t_patch(&dat.bytes, link->offset, false, dat.options.data[0], 8);
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_whole(&dat);
	assert_int_equal(t->damage.code, -EBADMSG);
	assert_non_null(strstr(t->damage.msg, "before"));
	assert_int_equal(check_events(t, &dat.spec), 30);
	t_dat_finish(&dat);
}

static void what_metadata_asks_for_is_limited(void **state)
{
	if (ARRAY_SIZE(files) < 3)
		skip();
	struct t_dat dat;
	size_t n = 0;

	t_dat_build(&dat, &(struct t_dat_spec){.codec = files[2].codec});
	kft_vec_for_each(&dat.fields, f)
		if (strcmp(f->name, "plain size") == 0 && n++ == 0)
			t_patch(&dat.bytes, f->offset, false,
				KFT_TRACEDAT_MAX_SECTION_BYTES + 1, 4);
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_whole(&dat);
	assert_int_equal(t->damage.code, -EFBIG);
	assert_non_null(strstr(t->damage.msg, "header info at byte"));
	/* Without the header the layout is a guess, which is right here. */
	assert_int_equal(check_events(t, &dat.spec), 30);
	t_dat_finish(&dat);
}

static void a_cpu_comes_once(void **state)
{
	struct t_dat dat;

	t_dat_build(&dat, &(struct t_dat_spec){});
	/* The table of two CPUs follows the section, option and buffer headers. */
	size_t table = dat.options.data[1] + 16 + 6 + 8 + 1 + 5 + 4 + 4;
	t_patch(&dat.bytes, table + 20, false, 0, 4);
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_whole(&dat);
	assert_int_equal(t->damage.code, -EBADMSG);
	assert_non_null(strstr(t->damage.msg, "CPU 0 comes twice"));
	assert_int_equal(t->buffers.data[0].streams.len, 1);
	t_dat_finish(&dat);
}

/* Counts events without checking their content, which may be nonsense. */
static size_t count_events(struct kft_trace *t)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	size_t n = 0;

	assert_int_equal(kft_merge_create(t, NULL, &m), 0);
	while (kft_merge_next(m, &ev) > 0)
		n++;
	return n;
}

static bool is_damaged(const struct kft_trace *t)
{
	kft_vec_for_each(&t->buffers, b)
		kft_vec_for_each(&b->streams, s)
			if ((*s)->damage_count)
				return true;
	return t->damage.code != 0;
}

static bool mentions_a_place(const struct kft_trace *t)
{
	return !t->damage.code || strstr(t->damage.msg, " at byte ") ||
	       strstr(t->damage.msg, "parts of an unfinished");
}

/*
 * Numbers that can be wrong without a loss: an option repeats one of them, a clock may be
 * missing, and the content of event sections and of compressed metadata has its own length.
 */
static bool is_harmless(const struct t_dat_field *f)
{
	return strcmp(f->name, "flags of a section") == 0 ||
	       strcmp(f->name, "size of a section") == 0 ||
	       strcmp(f->name, "length of the clocks") == 0 ||
	       strcmp(f->name, "number of CPUs before the options") == 0;
}

/* Each number in turn becomes the largest there is: that never goes unnoticed. */
static void check_broken(const struct t_dat *dat)
{
	/* Half of the kinds have everything that the others have. */
	if (dat->spec.big != dat->spec.instance)
		return;
	kft_vec_for_each(&dat->fields, f) {
		uint8_t *at = (uint8_t *)dat->bytes.buf + f->offset;
		struct kft_err e = {};
		uint8_t saved[8];

		memcpy(saved, at, f->size);
		memset(at, 0xff, f->size);
		struct kft_trace *t = open_cut(dat, dat->bytes.len, &e);
		if (t) {
			(void)count_events(t);
			if (!is_damaged(t) && !is_harmless(f))
				fail_msg("%s at %zu: nobody noticed", f->name, f->offset);
			assert_true(mentions_a_place(t));
		}
		kft_trace_destroy(t);
		/* Other wrong values can look right; they must not do harm. */
		for (int v = 0; v < 3; v++) {
			memset(at, v, f->size);
			t = open_cut(dat, dat->bytes.len, &e);
			if (t)
				(void)count_events(t);
			kft_trace_destroy(t);
		}
		memcpy(at, saved, f->size);
	}
}

static void no_broken_number_goes_unnoticed(void **state)
{
	for_each_kind(check_broken);
}

static void text_of_a_latency_tracer_is_no_trace(void **state)
{
	struct kft_err e = {};
	struct t_dat dat;

	t_dat_build(&dat, &(struct t_dat_spec){.version = 6});
	char *tag = memmem(dat.bytes.buf, dat.bytes.len, "flyrecord", 10);
	assert_non_null(tag);
	memcpy(tag, "latency  ", 10);
	assert_null(open_cut(&dat, dat.bytes.len, &e));
	assert_int_equal(e.code, -ENOTSUP);
	assert_non_null(strstr(e.msg, "latency tracer"));
	assert_true(*e.hint);
	t_dat_finish(&dat);
}

/* Else a file of a few KB could ask for gigabytes to be read. */
static void cpus_have_no_pages_in_common(void **state)
{
	const struct t_dat_spec spec = {
		.version = 6, .n_cpus = 8, .n_pages = 3, .instance = true};
	struct t_dat dat;
	uint64_t first = 0;
	size_t read = 0;

	t_dat_build(&dat, &spec);
	/* Every CPU of both buffers claims all bytes from the first CPU's data to the end. */
	kft_vec_for_each(&dat.fields, f) {
		if (strcmp(f->name, "offset of a CPU") == 0) {
			const char *p = dat.bytes.buf + f->offset;

			first = first ? first : kft_load_u64(p, KFT_HOST_BIG_ENDIAN);
			t_patch(&dat.bytes, f->offset, false, first, 8);
		}
		if (strcmp(f->name, "size of a CPU") == 0)
			t_patch(&dat.bytes, f->offset, false, dat.bytes.len - first, 8);
	}
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_whole(&dat);
	assert_int_equal(t->damage.code, -EBADMSG);
	assert_non_null(strstr(t->damage.msg, "are those of CPU"));
	kft_vec_for_each(&t->buffers, b)
		read += b->streams.len;
	assert_int_equal(read, 2);
	t_dat_finish(&dat);
}

static void unknown_things_are_skipped_with_a_note(void **state)
{
	struct kft_strbuf options = {};
	struct t_dat dat;

	t_dat_option(&options, false, 40000, "abc", 3);
	t_dat_option(&options, false, KFT_OPTION_HOOK, "hook", 5);
	t_dat_build(&dat, &(struct t_dat_spec){.options = &options});
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_whole(&dat);
	assert_int_equal(t->damage.code, 0);
	assert_int_equal(t->notes.len, 1);
	assert_string_equal(t->notes.data[0].text, "unknown option 40000 skipped");
	assert_memory_equal(dat.bytes.buf + t->notes.data[0].offset, "\x40\x9c", 2);
	assert_int_equal(check_events(t, &dat.spec), 30);
	kft_strbuf_finish(&options);
	t_dat_finish(&dat);
}

static void broken_options_cost_only_themselves(void **state)
{
	static const uint16_t ids[] = {1, 7, 8, 11, 12, 14, 0x6b66, 3};

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		struct kft_strbuf options = {};
		struct t_dat dat;
		char name[32];

		t_dat_option(&options, false, ids[i], "\xff", 1);
		t_dat_option(&options, false, KFT_OPTION_COMMAND, "kft record", 11);
		t_dat_option(&options, false, KFT_OPTION_KERNEL_LINE, "quiet", 6);
		t_dat_build(&dat, &(struct t_dat_spec){.options = &options});
		_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_whole(&dat);
		(void)snprintf(name, sizeof(name), "option %u (", ids[i]);
		assert_int_equal(t->damage.code, -EBADMSG);
		assert_non_null(strstr(t->damage.msg, name));
		assert_true(blob_is(&t->meta.command, "kft record"));
		assert_true(blob_is(&t->meta.kernel_line, "quiet"));
		assert_int_equal(check_events(t, &dat.spec), 30);
		kft_strbuf_finish(&options);
		t_dat_finish(&dat);
	}
}

static void instances_have_statistics_of_their_own(void **state)
{
	struct kft_strbuf options = {};
	struct t_dat dat;

	t_dat_option(&options, false, KFT_OPTION_CPUSTAT, "\nBuffer: two\n\n", 15);
	t_dat_option(&options, false, KFT_OPTION_CPUSTAT, "CPU: 0\noverrun: 9\n", 19);
	t_dat_build(&dat, &(struct t_dat_spec){.options = &options});
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_whole(&dat);
	assert_int_equal(t->meta.stats.len, 2);
	assert_null(t->meta.stats.data[0].buffer);
	assert_string_equal(t->meta.stats.data[1].buffer, "two");
	assert_int_equal(t->meta.stats.data[1].overrun, 9);
	kft_strbuf_finish(&options);
	t_dat_finish(&dat);
}

static void pages_of_any_size_are_read(void **state)
{
	static const uint32_t sizes[] = {128, 4096, 16384, 65536, 1 << 20};

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct t_dat dat;

		t_dat_build(&dat, &(struct t_dat_spec){.page_size = sizes[i]});
		check_whole(&dat);
		t_dat_finish(&dat);
	}
}

static void cycles_of_a_calibrated_clock_are_nanoseconds(void **state)
{
	struct kft_strbuf options = {};
	struct t_dat dat;
	uint8_t scale[16] = {[0] = 2, [4] = 1};

	t_dat_option(&options, false, KFT_OPTION_TRACECLOCK, "[x86-tsc]", 10);
	t_dat_build(&dat, &(struct t_dat_spec){.version = 6});
	t_dat_finish(&dat);
	t_dat_build(&dat, &(struct t_dat_spec){.options = &options});
	struct kft_trace *t = open_whole(&dat);
	assert_int_equal(t->meta.clock.unit, KFT_CLOCK_COUNT);
	kft_trace_destroy(t);
	t_dat_finish(&dat);
	t_dat_option(&options, false, KFT_OPTION_TSC2NSEC, scale, sizeof(scale));
	t_dat_build(&dat, &(struct t_dat_spec){.options = &options});
	t = open_whole(&dat);
	assert_int_equal(t->buffers.data[0].clock.unit, KFT_CLOCK_NS);
	assert_int_equal(check_events(t, &dat.spec), 30);
	kft_trace_destroy(t);
	t_dat_finish(&dat);
	kft_strbuf_finish(&options);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(lost_options_cost_no_events),
	cmocka_unit_test(options_that_go_round_end),
	cmocka_unit_test(what_metadata_asks_for_is_limited),
	cmocka_unit_test(a_cpu_comes_once),
	cmocka_unit_test(no_broken_number_goes_unnoticed),
	cmocka_unit_test(text_of_a_latency_tracer_is_no_trace),
	cmocka_unit_test(cpus_have_no_pages_in_common),
	cmocka_unit_test(unknown_things_are_skipped_with_a_note),
	cmocka_unit_test(broken_options_cost_only_themselves),
	cmocka_unit_test(instances_have_statistics_of_their_own),
	cmocka_unit_test(pages_of_any_size_are_read),
	cmocka_unit_test(cycles_of_a_calibrated_clock_are_nanoseconds),
	cmocka_unit_test(every_kind_of_file_is_read),
	cmocka_unit_test(all_metadata_is_there_to_be_written_again),
	cmocka_unit_test(a_file_cut_at_any_byte_gives_what_it_has),
};

T_MAIN(tests)

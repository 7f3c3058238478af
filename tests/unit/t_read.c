// SPDX-License-Identifier: GPL-2.0-only
#include "dat.h"

#include <errno.h>

#include "file/tracedat/read.h"
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
	assert_true(blob_is(&m->kallsyms, "ffffffff81000000 T _text\n"));
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
		/* Behind a page that is the last of its file there is the next thing. */
		size_t end = *at + dat->spec.page_size;

		n += end <= len ? T_DAT_PAGE_EVENTS : 0;
	}
	return n;
}

/*
 * Whatever is cut off, nothing breaks, the rest says that it is damaged, and the whole
 * pages that are left are read, even where the table that tells of them is gone.
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
			/* Only what comes before the metadata is indispensable. */
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

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_kind_of_file_is_read),
	cmocka_unit_test(all_metadata_is_there_to_be_written_again),
	cmocka_unit_test(a_file_cut_at_any_byte_gives_what_it_has),
};

T_MAIN(tests)

// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>

#include "base/cursor.h"
#include "file/tracedat/format.h"
#include "file/tracedat/write/write.h"
#include "file/tracedat/write/encode.h"
#include "sample.h"

#if HAVE_ZSTD
#include <zstd.h>
#endif

/* A file that was written, and the position for reading it. */
struct file {
	uint8_t *data; /* owned */
	size_t len;
	bool swap;
};

static struct kft_cursor at(const struct file *f, uint64_t offset)
{
	struct kft_cursor c = kft_cursor_init(f->data, f->len, f->swap);

	assert_true(kft_cursor_skip(&c, offset));
	return c;
}

static uint16_t u16(struct kft_cursor *c)
{
	uint16_t v = 0;

	assert_true(kft_cursor_u16(c, &v));
	return v;
}

static uint32_t u32(struct kft_cursor *c)
{
	uint32_t v = 0;

	assert_true(kft_cursor_u32(c, &v));
	return v;
}

static uint64_t u64(struct kft_cursor *c)
{
	uint64_t v = 0;

	assert_true(kft_cursor_u64(c, &v));
	return v;
}

static const char *str(struct kft_cursor *c)
{
	const char *s = "";

	assert_true(kft_cursor_str(c, &s));
	return s;
}

static struct file content(int fd, bool big_endian)
{
	struct file f = {.swap = big_endian != kft_host_is_big_endian()};

	f.data = sample_content(fd, &f.len);
	return f;
}

/* The sample trace: CPU 0 has two pages, CPU 1 one, of which a tail is the second half. */
struct sample {
	struct kft_meta meta;
	struct kft_page_source sources[2];
	struct kft_tracedat_buffer buffers[2];
	uint8_t tail[SAMPLE_PAGE_BYTES];
};

static void make(struct sample *s)
{
	*s = (struct sample){};
	sample_meta(&s->meta);
	sample_page(s->tail, 1000, 10);
	s->sources[0] = (struct kft_page_source){
		.cpu = 0, .fd = sample_pages_fd(0, 2), .bytes = 2 * SAMPLE_PAGE_BYTES};
	s->sources[1] = (struct kft_page_source){.cpu = 1,
						 .fd = sample_pages_fd(600, 1),
						 .bytes = SAMPLE_PAGE_BYTES,
						 .tail = s->tail,
						 .tail_bytes = SAMPLE_PAGE_BYTES};
	s->buffers[0] = (struct kft_tracedat_buffer){.name = "",
						     .clock = "mono",
						     .page_size = SAMPLE_PAGE_BYTES,
						     .sources = s->sources,
						     .n_sources = 2};
	s->buffers[1] = (struct kft_tracedat_buffer){.name = "other",
						     .clock = "local",
						     .page_size = SAMPLE_PAGE_BYTES,
						     .sources = &s->sources[1],
						     .n_sources = 1};
}

static void unmake(struct sample *s)
{
	(void)close(s->sources[0].fd);
	(void)close(s->sources[1].fd);
	kft_meta_finish(&s->meta);
}

static void assert_page_of(const struct file *f, uint64_t offset, uint32_t first,
			   uint32_t n)
{
	uint8_t want[SAMPLE_PAGE_BYTES];

	sample_page(want, first, n);
	assert_true(offset + sizeof(want) <= f->len);
	assert_memory_equal(f->data + offset, want, sizeof(want));
}

/* "tracing", version, byte order, long, page size; the cursor is after them. */
static struct kft_cursor start(const struct file *f, const char *version, bool big_endian)
{
	struct kft_cursor c = at(f, 0);
	const uint8_t *p = NULL;

	assert_true(kft_cursor_bytes(&c, KFT_TRACEDAT_MAGIC_BYTES, &p));
	assert_memory_equal(p, "\x17\x08\x44tracing", KFT_TRACEDAT_MAGIC_BYTES);
	assert_string_equal(str(&c), version);
	assert_true(kft_cursor_bytes(&c, 2, &p));
	assert_int_equal(p[0], big_endian);
	assert_int_equal(p[1], 8);
	assert_int_equal(u32(&c), SAMPLE_PAGE_BYTES);
	return c;
}

/* Follows section headers to the end of the file; counts each id in seen. */
static void walk_sections(const struct file *f, uint64_t offset, unsigned int seen[32])
{
	while (offset < f->len) {
		struct kft_cursor c = at(f, offset);
		uint16_t id = u16(&c);

		(void)u16(&c);
		(void)u32(&c);
		assert_true(id < 32);
		seen[id]++;
		offset += KFT_SECTION_HEADER_BYTES + u64(&c);
	}
	assert_int_equal(offset, f->len);
}

/*
 * Follows the chain of options from its first section. Section offsets must lead to
 * sections of their id. Counts ids (kft's from 32 on); fills where with BUFFER's data.
 */
static void walk_options(const struct file *f, uint64_t offset, unsigned int seen[64],
			 struct kft_cursor buffers[4])
{
	unsigned int n_buffers = 0;

	while (offset) {
		struct kft_cursor c = at(f, offset);
		struct kft_cursor body = {};

		assert_int_equal(u16(&c), KFT_SECTION_OPTIONS);
		assert_int_equal(u16(&c), 0);
		(void)u32(&c);
		assert_true(kft_cursor_sub(&c, u64(&c), &body));
		offset = 0;
		while (kft_cursor_left(&body)) {
			uint16_t id = u16(&body);
			struct kft_cursor o = {};

			assert_true(kft_cursor_sub(&body, u32(&body), &o));
			seen[id >= KFT_OPTION_LIVE ? 32 + (id - KFT_OPTION_LIVE) : id]++;
			if (id >= KFT_OPTION_HEADER_INFO && id <= KFT_OPTION_CMDLINES) {
				struct kft_cursor s = at(f, u64(&o));

				assert_int_equal(u16(&s), id);
			} else if (id == KFT_OPTION_BUFFER) {
				assert_true(n_buffers < 4);
				buffers[n_buffers++] = o;
			} else if (id == KFT_OPTION_DONE) {
				offset = u64(&o);
				assert_int_equal(kft_cursor_left(&body), 0);
			}
		}
	}
}

#define LIVE	32
#define LOST	33
#define TGIDS	34
#define COMMAND 35

static void check_v7(bool big_endian)
{
	_cleanup_close_ int fd = sample_file();
	unsigned int sections[32] = {};
	unsigned int options[64] = {};
	struct kft_cursor buffers[4] = {};
	struct kft_tracedat_opts opts = {};
	struct kft_err e = {};
	struct sample s;

	make(&s);
	s.meta.big_endian = big_endian;
	assert_int_equal(kft_tracedat_write(fd, &s.meta, s.buffers, 2, &opts, &e), 0);
	struct file f = content(fd, big_endian);
	struct kft_cursor c = start(&f, "7", big_endian);
	assert_string_equal(str(&c), "none");
	assert_string_equal(str(&c), "");
	uint64_t first = u64(&c);
	walk_sections(&f, c.pos, sections);
	for (size_t id = KFT_SECTION_STRINGS; id <= KFT_SECTION_CMDLINES; id++)
		assert_int_equal(sections[id], 1);
	assert_int_equal(sections[KFT_SECTION_OPTIONS], 3);
	assert_int_equal(sections[KFT_SECTION_BUFFER], 2);

	walk_options(&f, first, options, buffers);
	assert_int_equal(options[KFT_OPTION_BUFFER], 2);
	assert_int_equal(options[KFT_OPTION_CPUSTAT], 2);
	assert_int_equal(options[KFT_OPTION_CPUCOUNT], 1);
	assert_int_equal(options[KFT_OPTION_TRACEID], 1);
	assert_int_equal(options[LIVE], 0);
	assert_int_equal(options[LOST], 0);
	assert_int_equal(options[TGIDS], 1);
	assert_int_equal(options[COMMAND], 1);

	struct kft_cursor *b = &buffers[0];
	struct kft_cursor section = at(&f, u64(b));
	assert_int_equal(u16(&section), KFT_SECTION_BUFFER);
	assert_string_equal(str(b), "");
	assert_string_equal(str(b), "mono");
	assert_int_equal(u32(b), SAMPLE_PAGE_BYTES);
	assert_int_equal(u32(b), 2);
	static const uint32_t firsts[2][2] = {{0, SAMPLE_EVENTS_IN_PAGE}, {600, 1000}};
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		assert_int_equal(u32(b), cpu);
		uint64_t offset = u64(b);
		assert_int_equal(offset % SAMPLE_PAGE_BYTES, 0);
		assert_int_equal(u64(b), 2 * SAMPLE_PAGE_BYTES);
		assert_page_of(&f, offset, firsts[cpu][0], SAMPLE_EVENTS_IN_PAGE);
		assert_page_of(&f, offset + SAMPLE_PAGE_BYTES, firsts[cpu][1],
			       cpu ? 10 : SAMPLE_EVENTS_IN_PAGE);
	}
	(void)u64(&buffers[1]);
	assert_string_equal(str(&buffers[1]), "other");
	assert_string_equal(str(&buffers[1]), "local");
	free(f.data);
	unmake(&s);
}

static void version_7_hangs_together(void **state)
{
	check_v7(false);
	check_v7(true);
}

static void a_cpu_without_data_is_left_out(void **state)
{
	_cleanup_close_ int fd = sample_file();
	unsigned int options[64] = {};
	struct kft_cursor buffers[4] = {};
	struct kft_tracedat_opts opts = {};
	struct sample s;

	make(&s);
	s.sources[0].bytes = 0;
	assert_int_equal(kft_tracedat_write(fd, &s.meta, s.buffers, 1, &opts, NULL), 0);
	struct file f = content(fd, false);
	struct kft_cursor c = start(&f, "7", false);
	(void)str(&c);
	(void)str(&c);
	walk_options(&f, u64(&c), options, buffers);
	(void)u64(&buffers[0]);
	(void)str(&buffers[0]);
	(void)str(&buffers[0]);
	(void)u32(&buffers[0]);
	assert_int_equal(u32(&buffers[0]), 1);
	assert_int_equal(u32(&buffers[0]), 1);
	free(f.data);
	unmake(&s);
}

static void a_live_file_has_no_buffer(void **state)
{
	_cleanup_close_ int fd = sample_file();
	unsigned int sections[32] = {};
	unsigned int options[64] = {};
	struct kft_cursor buffers[4] = {};
	struct sample s;

	make(&s);
	assert_int_equal(kft_tracedat_write_live(fd, &s.meta, KFT_TRACEDAT_PLAIN, NULL),
			 0);
	struct file f = content(fd, false);
	struct kft_cursor c = start(&f, "7", false);
	assert_string_equal(str(&c), "none");
	(void)str(&c);
	uint64_t first = u64(&c);
	walk_sections(&f, c.pos, sections);
	walk_options(&f, first, options, buffers);
	assert_int_equal(options[LIVE], 1);
	assert_int_equal(options[KFT_OPTION_BUFFER], 0);
	assert_int_equal(options[KFT_OPTION_EVENT_FORMATS], 1);
	assert_int_equal(sections[KFT_SECTION_BUFFER], 0);
	free(f.data);
	unmake(&s);
}

/* Skips a text with its length of 8 bytes (wide) or 4. */
static void skip_text(struct kft_cursor *c, bool wide)
{
	assert_true(kft_cursor_skip(c, wide ? u64(c) : u32(c)));
}

static void skip_formats(struct kft_cursor *c)
{
	for (uint32_t n = u32(c); n > 0; n--)
		skip_text(c, true);
}

/* "flyrecord", a place for each CPU, the clock. */
static void check_v6_buffer(const struct file *f, struct kft_cursor *c, const char *clock,
			    const uint32_t firsts[2])
{
	assert_string_equal(str(c), "flyrecord");
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		uint64_t offset = u64(c);
		uint64_t size = u64(c);

		assert_int_equal(size, firsts[cpu] == UINT32_MAX ? 0 : 8192);
		assert_int_equal(offset % SAMPLE_PAGE_BYTES, 0);
		if (size)
			assert_page_of(f, offset, firsts[cpu], SAMPLE_EVENTS_IN_PAGE);
	}
	const uint8_t *text = NULL;
	uint64_t len = u64(c);
	assert_int_equal(len, strlen(clock));
	assert_true(kft_cursor_bytes(c, len, &text));
	assert_memory_equal(text, clock, len);
}

static void version_6_is_in_its_order(void **state)
{
	_cleanup_close_ int fd = sample_file();
	const struct kft_tracedat_opts opts = {.file_version = 6};
	uint64_t instance = 0;
	struct sample s;

	make(&s);
	assert_int_equal(kft_tracedat_write(fd, &s.meta, s.buffers, 2, &opts, NULL), 0);
	struct file f = content(fd, false);
	struct kft_cursor c = start(&f, "6", false);
	assert_string_equal(str(&c), "header_page");
	skip_text(&c, true);
	assert_string_equal(str(&c), "header_event");
	skip_text(&c, true);
	skip_formats(&c);
	assert_int_equal(u32(&c), 1);
	assert_string_equal(str(&c), "kft_test");
	skip_formats(&c);
	skip_text(&c, false);
	skip_text(&c, false);
	skip_text(&c, true);
	assert_int_equal(u32(&c), 2);
	assert_string_equal(str(&c), "options  ");
	for (uint16_t id = u16(&c); id != KFT_OPTION_DONE; id = u16(&c)) {
		struct kft_cursor o = {};

		assert_true(kft_cursor_sub(&c, u32(&c), &o));
		if (id == KFT_OPTION_BUFFER) {
			instance = u64(&o);
			assert_string_equal(str(&o), "other");
		}
	}
	check_v6_buffer(&f, &c, "[mono]", (const uint32_t[]){0, 600});
	c = at(&f, instance);
	check_v6_buffer(&f, &c, "[local]", (const uint32_t[]){UINT32_MAX, 600});
	free(f.data);
	unmake(&s);
}

static void what_cannot_be_written_is_refused(void **state)
{
	_cleanup_close_ int fd = sample_file();
	struct kft_tracedat_opts opts = {.file_version = 5};
	struct kft_err e = {};
	struct sample s;
	size_t len;

	make(&s);
	assert_int_equal(kft_tracedat_write(fd, &s.meta, s.buffers, 1, &opts, &e),
			 -EINVAL);
	opts = (struct kft_tracedat_opts){.file_version = 6,
					  .compress = KFT_TRACEDAT_ZSTD};
	assert_int_equal(kft_tracedat_write(fd, &s.meta, s.buffers, 1, &opts, &e),
			 -EINVAL);
	opts = (struct kft_tracedat_opts){.file_version = 6};
	s.buffers[1].page_size = 8192;
	assert_int_equal(kft_tracedat_write(fd, &s.meta, s.buffers, 2, &opts, &e),
			 -EINVAL);
	opts.file_version = 7;
	s.sources[0].bytes--;
	assert_int_equal(kft_tracedat_write(fd, &s.meta, s.buffers, 1, &opts, &e),
			 -EINVAL);
	assert_string_equal(e.msg, "CPU 0 has a part of a page");
	s.sources[0].bytes++;
	s.sources[1].cpu = 2;
	assert_int_equal(kft_tracedat_write(fd, &s.meta, s.buffers, 1, &opts, &e),
			 -EINVAL);
	s.sources[1].cpu = 0;
	assert_int_equal(kft_tracedat_write(fd, &s.meta, s.buffers, 1, &opts, &e),
			 -EINVAL);
	assert_int_equal(kft_tracedat_write(fd, &s.meta, s.buffers, 0, &opts, &e),
			 -EINVAL);
	free(sample_content(fd, &len));
	assert_int_equal(len, 0);
	unmake(&s);
}

static void a_full_disk_is_reported(void **state)
{
	struct kft_tracedat_opts opts = {};
	struct kft_err e = {};
	struct sample s;
	_cleanup_close_ int fd = open("/dev/full", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		skip();
	make(&s);
	assert_int_equal(kft_tracedat_write(fd, &s.meta, s.buffers, 1, &opts, &e),
			 -ENOSPC);
	assert_non_null(strstr(e.msg, "No space left on device"));
	unmake(&s);
}

#if HAVE_ZSTD

static void told(void *arg, uint64_t done, uint64_t total)
{
	uint64_t *last = arg;

	assert_true(done > *last && done <= total);
	*last = done;
}

static void compressed_chunks_hold_the_pages(void **state)
{
	const uint32_t pages = 300;
	_cleanup_close_ int fd = sample_file();
	unsigned int sections[32] = {};
	unsigned int options[64] = {};
	struct kft_cursor buffers[4] = {};
	uint64_t last = 0;
	const struct kft_tracedat_opts opts = {.compress = KFT_TRACEDAT_ZSTD,
					       .threads = 3,
					       .progress = told,
					       .progress_arg = &last};
	struct sample s;

	make(&s);
	(void)close(s.sources[0].fd);
	s.sources[0].fd = sample_pages_fd(0, pages);
	s.sources[0].bytes = pages * SAMPLE_PAGE_BYTES;
	assert_int_equal(kft_tracedat_write(fd, &s.meta, s.buffers, 1, &opts, NULL), 0);
	assert_int_equal(last, (pages + 2) * SAMPLE_PAGE_BYTES);

	struct file f = content(fd, false);
	struct kft_cursor c = start(&f, "7", false);
	assert_string_equal(str(&c), "zstd");
	assert_string_equal(str(&c), ZSTD_versionString());
	uint64_t first = u64(&c);
	walk_sections(&f, c.pos, sections);
	walk_options(&f, first, options, buffers);
	struct kft_cursor *b = &buffers[0];
	struct kft_cursor section = at(&f, u64(b));
	(void)u16(&section);
	assert_int_equal(u16(&section), KFT_SECTION_COMPRESSED);
	(void)str(b);
	(void)str(b);
	(void)u32(b);
	assert_int_equal(u32(b), 2);
	assert_int_equal(u32(b), 0);
	c = at(&f, u64(b));
	const uint64_t end = c.pos + 4 + u64(b);
	uint32_t page = 0;
	for (uint32_t chunks = u32(&c); chunks > 0; chunks--) {
		uint32_t packed_len = u32(&c);
		uint32_t plain_len = u32(&c);
		const uint8_t *packed = NULL;
		_cleanup_free_ uint8_t *plain = malloc(plain_len);

		assert_int_equal(plain_len % SAMPLE_PAGE_BYTES, 0);
		assert_true(kft_cursor_bytes(&c, packed_len, &packed));
		assert_int_equal(ZSTD_decompress(plain, plain_len, packed, packed_len),
				 plain_len);
		for (uint32_t i = 0; i < plain_len; i += SAMPLE_PAGE_BYTES, page++) {
			uint8_t want[SAMPLE_PAGE_BYTES];

			sample_page(want, page * SAMPLE_EVENTS_IN_PAGE,
				    SAMPLE_EVENTS_IN_PAGE);
			assert_memory_equal(plain + i, want, sizeof(want));
		}
	}
	assert_int_equal(page, pages);
	assert_int_equal(c.pos, end);
	free(f.data);
	unmake(&s);
}

#endif

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(version_7_hangs_together),
	cmocka_unit_test(a_cpu_without_data_is_left_out),
	cmocka_unit_test(a_live_file_has_no_buffer),
	cmocka_unit_test(version_6_is_in_its_order),
	cmocka_unit_test(what_cannot_be_written_is_refused),
	cmocka_unit_test(a_full_disk_is_reported),
#if HAVE_ZSTD
	cmocka_unit_test(compressed_chunks_hold_the_pages),
#endif
};

T_MAIN(tests)

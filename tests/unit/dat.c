// SPDX-License-Identifier: GPL-2.0-only
#include "dat.h"

#include <stdio.h>
#include <sys/mman.h>
#if HAVE_ZSTD
#include <zstd.h>
#endif
#if HAVE_ZLIB
#include <zlib.h>
#endif

#include "base/io.h"
#include "formats.h"

static const char format[] = BEAT_FORMAT;
static const char print_format[] =
	"name: print\nID: 5\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"print fmt: \"%s\", REC->buf\n";

uint64_t t_dat_ts(unsigned int cpu, unsigned int page, unsigned int k)
{
	return UINT64_C(1000000000) + page * 10000 + cpu * 500 + k * 1000;
}

static void put(struct t_dat *dat, uint64_t v, unsigned int size)
{
	t_put(&dat->bytes, dat->spec.big, v, size);
}

static void field(struct t_dat *dat, const char *name, uint64_t v, unsigned int size)
{
	struct t_dat_field f = {name, dat->bytes.len, size};

	assert_true(kft_vec_push(&dat->fields, f));
	put(dat, v, size);
}

static void text(struct t_dat *dat, const char *s)
{
	kft_strbuf_add(&dat->bytes, s, strlen(s) + 1);
}

static void sized(struct t_dat *dat, const char *name, const char *s, unsigned int size)
{
	field(dat, name, strlen(s), size);
	kft_strbuf_adds(&dat->bytes, s);
}

static void put_headers(struct t_dat *dat)
{
	char page[400];
	unsigned int l = dat->spec.long_size;

	(void)snprintf(page, sizeof(page),
		       "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		       "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
		       "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		       "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:1;\n",
		       l, 8 + l, dat->spec.page_size - 8 - l);
	text(dat, "header_page");
	sized(dat, "length of header_page", page, 8);
	text(dat, "header_event");
	sized(dat, "length of header_event", "# compressed entry header\n", 8);
}

static void put_ftrace(struct t_dat *dat)
{
	field(dat, "number of ftrace formats", 1, 4);
	sized(dat, "length of an ftrace format", print_format, 8);
}

static void put_events(struct t_dat *dat)
{
	field(dat, "number of systems", 1, 4);
	text(dat, "kft_test");
	field(dat, "number of formats", 1, 4);
	sized(dat, "length of a format", format, 8);
}

static void put_kallsyms(struct t_dat *dat)
{
	sized(dat, "length of kallsyms", "ffffffff81000000 T _text\n", 4);
}

static void put_printk(struct t_dat *dat)
{
	sized(dat, "length of printk formats", "0xffffffff82000000 : \"hi\"\n", 4);
}

static void put_cmdlines(struct t_dat *dat)
{
	sized(dat, "length of command lines", "17 seventeen\n", 8);
}

static void (*const parts[])(struct t_dat *) = {put_headers,  put_ftrace, put_events,
						put_kallsyms, put_printk, put_cmdlines};

void t_dat_option(struct kft_strbuf *sb, bool big, uint16_t id, const void *data,
		  size_t len)
{
	t_put(sb, big, id, 2);
	t_put(sb, big, len, 4);
	kft_strbuf_add(sb, data, len);
}

static void option(struct t_dat *dat, uint16_t id, const void *data, size_t len)
{
	put(dat, id, 2);
	field(dat, "length of an option", len, 4);
	kft_strbuf_add(&dat->bytes, data, len);
}

static void put_options(struct t_dat *dat)
{
	static const char stat[] = "CPU: 1\nentries: 3\noverrun: 4\ncommit overrun: 5\n"
				   "bytes: 6\ndropped events: 7\nread events: 8\n";

	if (dat->spec.version == 7)
		option(dat, 4, "local [mono] boot", sizeof("local [mono] boot"));
	else
		option(dat, 4, "", 0);
	option(dat, 5, "Linux test", sizeof("Linux test"));
	put(dat, 8, 2);
	put(dat, 4, 4);
	field(dat, "number of CPUs", dat->spec.n_cpus, 4);
	option(dat, 2, stat, sizeof(stat));
	put(dat, 11, 2);
	put(dat, 8, 4);
	put(dat, 0x1122334455667788, 8);
	if (dat->spec.options)
		kft_strbuf_add(&dat->bytes, dat->spec.options->buf,
			       dat->spec.options->len);
}

static void align(struct t_dat *dat)
{
	while (dat->bytes.len % dat->spec.page_size)
		kft_strbuf_addc(&dat->bytes, 0);
}

void t_dat_page(const struct t_dat *dat, struct kft_strbuf *out, unsigned int cpu,
		unsigned int i)
{
	struct t_page p = {};

	t_page_start(&p, dat->spec.big, dat->spec.long_size, t_dat_ts(cpu, i, 0));
	for (unsigned int k = 0; k < T_DAT_PAGE_EVENTS; k++) {
		t_page_word(&p, 3, k ? 1000 : 0);
		t_put(&p.bytes, p.big, T_DAT_ID, 2);
		t_put(&p.bytes, p.big, 0, 2);
		t_put(&p.bytes, p.big, 17, 4);
		t_put(&p.bytes, p.big, i * T_DAT_PAGE_EVENTS + k, 4);
	}
	t_page_end(&p, dat->spec.page_size, 0);
	kft_strbuf_add(out, p.bytes.buf, p.bytes.len);
	t_page_finish(&p);
}

static size_t compress_block(const char *codec, const char *in, size_t len, char *out,
			     size_t room)
{
#if HAVE_ZSTD
	if (strcmp(codec, "zstd") == 0) {
		size_t n = ZSTD_compress(out, room, in, len, 1);
		assert_false(ZSTD_isError(n));
		return n;
	}
#endif
#if HAVE_ZLIB
	if (strcmp(codec, "zlib") == 0) {
		uLongf n = room;
		assert_int_equal(compress((Bytef *)out, &n, (const Bytef *)in, len),
				 Z_OK);
		return n;
	}
#endif
	fail_msg("no %s", codec);
	return 0;
}

/* u32 packed size, u32 size, bytes: of a section, and of a chunk. */
static void put_packed(struct t_dat *dat, const char *in, size_t len)
{
	size_t room = len * 2 + 1000;
	_cleanup_free_ char *out = malloc(room);
	size_t n = compress_block(dat->spec.codec, in, len, out, room);

	field(dat, "packed size", n, 4);
	field(dat, "plain size", len, 4);
	kft_strbuf_add(&dat->bytes, out, n);
}

static bool packed(const struct t_dat *dat)
{
	return strcmp(dat->spec.codec, "none") != 0;
}

/* Writes one page per chunk, so that a CPU has several chunks. */
static void put_cpu(struct t_dat *dat, unsigned int cpu, bool is_main)
{
	if (packed(dat))
		field(dat, "number of chunks", dat->spec.n_pages, 4);
	for (unsigned int i = 0; i < dat->spec.n_pages; i++) {
		struct kft_strbuf page = {};

		t_dat_page(dat, &page, cpu, i);
		if (is_main)
			assert_true(kft_vec_push(&dat->pages, dat->bytes.len));
		if (packed(dat))
			put_packed(dat, page.buf, page.len);
		else
			kft_strbuf_add(&dat->bytes, page.buf, page.len);
		kft_strbuf_finish(&page);
	}
}

static void start(struct t_dat *dat)
{
	kft_strbuf_add(&dat->bytes, "\x17\x08\x44tracing", 10);
	text(dat, dat->spec.version == 6 ? "6" : "7");
	field(dat, "byte order", dat->spec.big, 1);
	field(dat, "long size", dat->spec.long_size, 1);
	field(dat, "page size", dat->spec.page_size, 4);
}

static void patch(struct t_dat *dat, size_t at, uint64_t v)
{
	t_patch(&dat->bytes, at, dat->spec.big, v, 8);
}

static void put_table_v6(struct t_dat *dat, bool is_main)
{
	kft_strbuf_add(&dat->bytes, "flyrecord", 10);
	size_t table = dat->bytes.len;
	for (unsigned int cpu = 0; cpu < dat->spec.n_cpus; cpu++) {
		field(dat, "offset of a CPU", 0, 8);
		field(dat, "size of a CPU", 0, 8);
	}
	sized(dat, "length of the clocks", "local [mono] boot", 8);
	for (unsigned int cpu = 0; cpu < dat->spec.n_cpus; cpu++) {
		align(dat);
		patch(dat, table + cpu * 16, dat->bytes.len);
		put_cpu(dat, cpu, is_main);
		patch(dat, table + cpu * 16 + 8,
		      (uint64_t)dat->spec.n_pages * dat->spec.page_size);
	}
}

static void build_v6(struct t_dat *dat)
{
	size_t instance = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		parts[i](dat);
	field(dat, "number of CPUs before the options", dat->spec.n_cpus, 4);
	kft_strbuf_add(&dat->bytes, "options  ", 10);
	put_options(dat);
	if (dat->spec.instance) {
		put(dat, 3, 2);
		put(dat, 12, 4);
		instance = dat->bytes.len;
		field(dat, "offset of an instance", 0, 8);
		text(dat, "two");
	}
	put(dat, 0, 2);
	put_table_v6(dat, true);
	if (!instance)
		return;
	patch(dat, instance, dat->bytes.len);
	kft_strbuf_add(&dat->bytes, "options  ", 10);
	put(dat, 0, 2);
	put_table_v6(dat, false);
}

static size_t section(struct t_dat *dat, uint16_t id, bool is_packed)
{
	size_t at = dat->bytes.len;

	field(dat, "id of a section", id, 2);
	field(dat, "flags of a section", is_packed, 2);
	put(dat, 0, 4);
	field(dat, "size of a section", 0, 8);
	return at;
}

static void end_section(struct t_dat *dat, size_t at)
{
	patch(dat, at + 8, dat->bytes.len - at - 16);
}

static size_t put_part_v7(struct t_dat *dat, size_t i)
{
	size_t at = section(dat, 16 + i, packed(dat));

	if (!packed(dat)) {
		parts[i](dat);
	} else {
		struct t_dat plain = {.spec = dat->spec};

		parts[i](&plain);
		put_packed(dat, plain.bytes.buf, plain.bytes.len);
		t_dat_finish(&plain);
	}
	end_section(dat, at);
	return at;
}

/* Writes the pages, and the BUFFER option that describes them. */
static void put_buffer_v7(struct t_dat *dat, const char *name, struct kft_strbuf *option)
{
	bool big = dat->spec.big;
	size_t at = section(dat, 3, packed(dat));

	t_put(option, big, at, 8);
	kft_strbuf_add(option, name, strlen(name) + 1);
	kft_strbuf_add(option, "mono", 5);
	t_put(option, big, dat->spec.page_size, 4);
	t_put(option, big, dat->spec.n_cpus, 4);
	for (unsigned int cpu = 0; cpu < dat->spec.n_cpus; cpu++) {
		align(dat);
		t_put(option, big, cpu, 4);
		t_put(option, big, dat->bytes.len, 8);
		size_t from = dat->bytes.len;
		put_cpu(dat, cpu, !*name);
		/* trace-cmd leaves the number of chunks out. */
		t_put(option, big, dat->bytes.len - from - (packed(dat) ? 4 : 0), 8);
	}
	end_section(dat, at);
}

/* Ends the options so far with DONE and makes them a section that *link points to. */
static void end_options(struct t_dat *dat, size_t at, size_t *link)
{
	assert_true(kft_vec_push(&dat->options, at));
	put(dat, 0, 2);
	put(dat, 8, 4);
	patch(dat, *link, at);
	*link = dat->bytes.len;
	field(dat, "offset of the next options", 0, 8);
	end_section(dat, at);
}

/* Keeps trace-cmd's order: metadata, options, then the pages and options of each buffer. */
static void build_v7(struct t_dat *dat)
{
	static const char *const names[] = {"", "two"};
	size_t offsets[ARRAY_SIZE(parts)];

	text(dat, dat->spec.codec);
	text(dat, "1.0");
	size_t link = dat->bytes.len;
	field(dat, "offset of the options", 0, 8);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		offsets[i] = put_part_v7(dat, i);
	size_t at = section(dat, 0, false);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		put(dat, 16 + i, 2);
		put(dat, 8, 4);
		field(dat, "offset of a section", offsets[i], 8);
	}
	put_options(dat);
	end_options(dat, at, &link);
	size_t n = dat->spec.no_buffers ? 0 : 1u + dat->spec.instance;
	for (size_t i = 0; i < n; i++) {
		struct kft_strbuf buffer = {};

		put_buffer_v7(dat, names[i], &buffer);
		at = section(dat, 0, false);
		option(dat, 3, buffer.buf, buffer.len);
		end_options(dat, at, &link);
		kft_strbuf_finish(&buffer);
	}
}

void t_dat_build(struct t_dat *dat, const struct t_dat_spec *spec)
{
	*dat = (struct t_dat){.spec = *spec};
	struct t_dat_spec *s = &dat->spec;
	s->version = s->version ? s->version : 7;
	s->long_size = s->long_size ? s->long_size : 8;
	s->codec = s->codec ? s->codec : "none";
	s->page_size = s->page_size ? s->page_size : 256;
	s->n_cpus = s->n_cpus ? s->n_cpus : 2;
	s->n_pages = s->n_pages ? s->n_pages : 3;
	start(dat);
	if (s->version == 6)
		build_v6(dat);
	else
		build_v7(dat);
	assert_true(kft_strbuf_ok(&dat->bytes));
}

void t_dat_finish(struct t_dat *dat)
{
	kft_strbuf_finish(&dat->bytes);
	kft_vec_finish(&dat->fields);
	kft_vec_finish(&dat->pages);
	kft_vec_finish(&dat->options);
}

int t_dat_fd(const struct t_dat *dat, size_t len)
{
	int fd = memfd_create("dat", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(kft_write_all(fd, dat->bytes.buf, len), 0);
	return fd;
}

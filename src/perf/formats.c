// SPDX-License-Identifier: LGPL-2.1-or-later
/* Describes the events that samples are written as. */
#include "perf/formats.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/io.h"
#include "base/strbuf.h"
#include "decode/format.h"
#include "model/class.h"

#define FORMAT_MAX_BYTES (64U << 10)

/* Ids of events grow from small numbers on, so that the largest ones are free. */
#define FIRST_ID 65500

#define COMMON                                                                         \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELD(type, name, offset, size, sign)                          \
	"\tfield:" type " " name ";\toffset:" #offset ";\tsize:" #size \
	";\tsigned:" #sign ";\n"

struct field {
	const char *type;
	const char *name;
	unsigned int offset; /* in bytes, like size */
	unsigned int size;
	bool is_signed;
};

#define FIELDS_MAX 8

/* In the order of enum kft_perf_type. A sample is called as the event. */
static const struct {
	const char *name;
	struct field fields[FIELDS_MAX + 1]; /* ends with a field without a name */
	const char *print;
} types[KFT_PERF_N_TYPES] = {
	{NULL,
	 {{"u64", "ip", 8, 8, false},
	  {"u64", "period", 16, 8, false},
	  {"int", "tgid", 24, 4, true}},
	 "\"ip=%pS period=%llu\", (void *)REC->ip, REC->period"},
	{"mmap",
	 {{"int", "tgid", 8, 4, true},
	  {"__data_loc char[]", "filename", 12, 4, false},
	  {"u64", "addr", 16, 8, false},
	  {"u64", "len", 24, 8, false},
	  {"u64", "pgoff", 32, 8, false},
	  {"u64", "inode", 40, 8, false},
	  {"u32", "major", 48, 4, false},
	  {"u32", "minor", 52, 4, false}},
	 "\"tgid=%d addr=0x%llx len=0x%llx pgoff=0x%llx filename=%s\", REC->tgid, REC->addr, "
	 "REC->len, REC->pgoff, __get_str(filename)"},
	{"exec", {{"int", "tgid", 8, 4, true}}, "\"tgid=%d\", REC->tgid"},
	{"fork",
	 {{"int", "tgid", 8, 4, true},
	  {"int", "tid", 12, 4, true},
	  {"int", "parent", 16, 4, true}},
	 "\"tgid=%d tid=%d parent=%d\", REC->tgid, REC->tid, REC->parent"},
	{"throttle", {{"u64", "id", 8, 8, false}}, "\"id=%llu\", REC->id"},
	{"unthrottle", {{"u64", "id", 8, 8, false}}, "\"id=%llu\", REC->id"},
};

#define CALLER(i) "(void *)REC->caller[" #i "]"
#define STACK_PRINT                                                                           \
	"\nprint fmt: \"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" \"\\t=> %ps\\n\\t=> %ps\\n"    \
	"\\t=> %ps\\n\" \"\\t=> %ps\\n\\t=> %ps\\n\", " CALLER(0) ", " CALLER(1) ", " CALLER( \
		2) ", " CALLER(3) ", " CALLER(4) ", " CALLER(5) ", " CALLER(6) ", " CALLER(7) "\n"

/* Linux 6.18's, for a recording without tracefs. */
static const char kernel_stack[] =
	"name: kernel_stack\nID: 4\nformat:\n" COMMON FIELD("int", "size", 8, 4, 1)
		FIELD("unsigned long", "caller[8]", 16, 64, 0) STACK_PRINT;
static const char user_stack[] = "name: user_stack\nID: 13\nformat:\n" COMMON FIELD(
	"unsigned int", "tgid", 8, 4, 0) FIELD("unsigned long", "caller[8]", 16, 64, 0)
	STACK_PRINT;

static int add_text(struct kft_meta *m, const char *system, const char *text, size_t len)
{
	struct kft_format_text f = {.system = system};
	int r = kft_meta_set_blob(m, &f.text, text, len);

	return r == 0 && !kft_vec_push(&m->formats, f) ? -ENOMEM : r;
}

/* Format texts call an event cpu_clock: '-' is an operator there for libtraceevent. */
static void add_name(struct kft_strbuf *sb, const char *name)
{
	for (; *name; name++)
		kft_strbuf_addc(sb, *name == '-' ? '_' : *name);
}

static int add_type(struct kft_meta *m, size_t type, const char *event, uint16_t *ret_id)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	*ret_id = FIRST_ID + type;
	kft_strbuf_adds(&sb, "name: ");
	add_name(&sb, types[type].name ? types[type].name : event);
	kft_strbuf_addf(&sb, "\nID: %u\nformat:\n" COMMON, *ret_id);
	for (const struct field *field = types[type].fields; field->name; field++)
		kft_strbuf_addf(&sb, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
				field->type, field->name, field->offset, field->size,
				field->is_signed);
	kft_strbuf_addf(&sb, "\nprint fmt: %s\n", types[type].print);
	return kft_strbuf_ok(&sb) ? add_text(m, "perf", sb.buf, sb.len) : -ENOMEM;
}

static uint32_t offset_of(const struct kft_class *c, const char *name)
{
	const struct kft_field *f = kft_class_field(c, name);

	return f ? f->offset : 0;
}

static int parse_stack(const char *text, size_t len, struct kft_perf_stack_format *ret)
{
	struct kft_arena arena = {};
	struct kft_class c;
	int r = kft_format_parse("ftrace", text, len, sizeof(long), NULL, &arena, &c);

	if (r == 0)
		*ret = (struct kft_perf_stack_format){
			.id = c.id,
			.callers = offset_of(&c, "caller"),
			.size = offset_of(&c, "size"),
			.tgid = offset_of(&c, "tgid"),
		};
	kft_arena_finish(&arena);
	return r < 0 || ret->callers ? r : -EINVAL;
}

static int add_stack(const struct kft_host *host, const char *path, const char *fallback,
		     struct kft_meta *m, struct kft_perf_stack_format *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = host->tracefs_fd < 0
			? -ENOENT
			: kft_read_at(host->tracefs_fd, path, FORMAT_MAX_BYTES, &sb);

	if (r == 0)
		r = parse_stack(sb.buf, sb.len, ret);
	if (r < 0) {
		kft_strbuf_clear(&sb);
		kft_strbuf_adds(&sb, fallback);
		r = kft_strbuf_ok(&sb) ? parse_stack(sb.buf, sb.len, ret) : -ENOMEM;
	}
	return r < 0 ? r : add_text(m, "ftrace", sb.buf, sb.len);
}

int kft_perf_formats_add(const struct kft_host *host, const char *event,
			 struct kft_meta *meta, struct kft_perf_formats *ret)
{
	int r = add_stack(host, "events/ftrace/kernel_stack/format", kernel_stack, meta,
			  &ret->kernel);

	if (r == 0)
		r = add_stack(host, "events/ftrace/user_stack/format", user_stack, meta,
			      &ret->user);
	for (size_t i = 0; i < KFT_PERF_N_TYPES && r == 0; i++)
		r = add_type(meta, i, event, &ret->ids[i]);
	return r;
}

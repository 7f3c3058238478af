// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes event classes for samples of perf without a tracepoint format. */
#include "file/perf/classes.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"

/* The ids of ftrace's kernel_stack and user_stack events since Linux 2.6.31. */
#define KERNEL_STACK_ID 4
#define USER_STACK_ID	12

/* enum perf_hw_id and enum perf_sw_ids of <linux/perf_event.h>, in perf's spelling. */
static const char *const hardware[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};
static const char *const software[] = {
	"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches",
};

static const struct {
	const char *name;
	const char *type;
	uint32_t bytes;
	uint64_t sample_bit;
} parts[KFT_PERF_N_PARTS] = {
	[KFT_PERF_PART_IP] = {"ip", "unsigned long long", 8, KFT_PERF_SAMPLE_IP},
	[KFT_PERF_PART_ADDR] = {"addr", "unsigned long long", 8, KFT_PERF_SAMPLE_ADDR},
	[KFT_PERF_PART_PERIOD] = {"period", "unsigned long long", 8,
				  KFT_PERF_SAMPLE_PERIOD},
	[KFT_PERF_PART_TGID] = {"tgid", "int", 4, KFT_PERF_SAMPLE_TID},
	[KFT_PERF_PART_RAW] = {"raw", "unsigned char", 0, KFT_PERF_SAMPLE_RAW},
};

uint32_t kft_perf_part_bytes(enum kft_perf_part part)
{
	return parts[part].bytes;
}

bool kft_perf_has_part(const struct kft_perf_attr *a, enum kft_perf_part part)
{
	return a->sample_type & parts[part].sample_bit;
}

static void add_field(struct kft_strbuf *sb, const char *type, const char *name,
		      uint32_t offset, uint32_t size, bool is_signed)
{
	kft_strbuf_addf(sb, "\tfield:%s %s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", type,
			name, size ? "" : "[]", offset, size, is_signed);
}

static void add_head(struct kft_strbuf *sb, const char *name, uint16_t id)
{
	kft_strbuf_addf(sb, "name: %s\nID: %u\nformat:\n", name, id);
	add_field(sb, "unsigned short", "common_type", 0, 2, false);
	add_field(sb, "unsigned char", "common_flags", 2, 1, false);
	add_field(sb, "unsigned char", "common_preempt_count", 3, 1, false);
	add_field(sb, "int", "common_pid", 4, 4, true);
	kft_strbuf_addc(sb, '\n');
}

static int add_text(struct kft_perf *p, const char *system, struct kft_strbuf *sb)
{
	const char *text = kft_strbuf_cstr(sb);
	char *copy = kft_arena_strndup(&p->trace->meta.arena, text, sb->len);

	if (!kft_strbuf_ok(sb) || !copy)
		return -ENOMEM;
	struct kft_format_text f = {.system = system, .text = {copy, sb->len}};
	int r = kft_class_table_add(&p->trace->classes, system, copy, sb->len);
	/* A format text made here always has an ID line, so only memory can run out. */
	if (r < 0)
		return r;
	return kft_vec_push(&p->trace->meta.formats, f) ? 0 : -ENOMEM;
}

static bool is_taken(const struct kft_perf *p, uint16_t id)
{
	return kft_map_get(&p->trace->classes.by_id, id);
}

/*
 * Prefers wish, then the highest free id, as the kernel counts up. 0 when all are taken.
 */
static uint16_t free_id(const struct kft_perf *p, uint16_t wish)
{
	if (wish && !is_taken(p, wish))
		return wish;
	for (uint16_t id = UINT16_MAX; id; id--)
		if (!is_taken(p, id))
			return id;
	return 0;
}

static const char *known_name(const struct kft_perf_attr *a)
{
	if (a->type == KFT_PERF_TYPE_HARDWARE && a->config < ARRAY_SIZE(hardware))
		return hardware[a->config];
	if (a->type == KFT_PERF_TYPE_SOFTWARE && a->config < ARRAY_SIZE(software))
		return software[a->config];
	return NULL;
}

static void add_name(const struct kft_perf_attr *a, struct kft_strbuf *sb)
{
	const char *name = a->name ? a->name : known_name(a);

	if (name)
		kft_strbuf_adds(sb, name);
	else
		kft_strbuf_addf(sb, "type_%u_config_%" PRIx64, a->type, a->config);
}

static void add_parts(struct kft_strbuf *sb, const struct kft_perf_attr *a)
{
	uint32_t offset = KFT_PERF_COMMON_BYTES;

	for (size_t i = 0; i < KFT_PERF_N_PARTS; i++) {
		if (!kft_perf_has_part(a, i))
			continue;
		add_field(sb, parts[i].type, parts[i].name, offset, parts[i].bytes,
			  i == KFT_PERF_PART_TGID);
		offset += parts[i].bytes;
	}
}

/* The instruction is printed by its symbol, data in hex; other parts need no print fmt. */
static void add_print(struct kft_strbuf *sb, const struct kft_perf_attr *a)
{
	if (!kft_perf_has_part(a, KFT_PERF_PART_IP) ||
	    kft_perf_has_part(a, KFT_PERF_PART_RAW))
		return;
	kft_strbuf_adds(sb, "\nprint fmt: \"ip=%pS");
	if (kft_perf_has_part(a, KFT_PERF_PART_ADDR))
		kft_strbuf_adds(sb, " addr=0x%llx");
	if (kft_perf_has_part(a, KFT_PERF_PART_PERIOD))
		kft_strbuf_adds(sb, " period=%llu");
	kft_strbuf_adds(sb, "\", (void *)REC->ip");
	if (kft_perf_has_part(a, KFT_PERF_PART_ADDR))
		kft_strbuf_adds(sb, ", REC->addr");
	if (kft_perf_has_part(a, KFT_PERF_PART_PERIOD))
		kft_strbuf_adds(sb, ", REC->period");
	kft_strbuf_addc(sb, '\n');
}

/* Gives an event other than a tracepoint an id and a class. */
static int add_sampled(struct kft_perf *p, struct kft_perf_attr *a)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	a->id = free_id(p, 0);
	if (!a->id) {
		kft_trace_note(p->trace, p->start,
			       "%" PRIu64 " samples are not shown: too many events",
			       a->samples);
		return 0;
	}
	add_name(a, &name);
	add_head(&sb, kft_strbuf_cstr(&name), a->id);
	add_parts(&sb, a);
	add_print(&sb, a);
	return add_text(p, "perf", &sb);
}

/* Makes a class without fields from the name "system:event". */
static int add_unknown(struct kft_perf *p, const struct kft_perf_attr *a)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const char *system = "tracepoint";

	if (a->name)
		kft_strbuf_adds(&name, a->name);
	else
		kft_strbuf_addf(&name, "event_%" PRIu64, a->config);
	const char *text = kft_strbuf_cstr(&name);
	const char *colon = strchr(text, ':');
	if (colon) {
		system = kft_arena_strndup(&p->trace->arena, text, colon - text);
		text = colon + 1;
	}
	if (!system)
		return -ENOMEM;
	add_head(&sb, text, a->config);
	add_field(&sb, "unsigned char", "data", KFT_PERF_COMMON_BYTES, 0, false);
	return add_text(p, system, &sb);
}

static int add_stack(struct kft_perf *p, const char *name, uint16_t wish,
		     uint16_t *ret_id)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	uint32_t size = p->trace->meta.long_size;

	*ret_id = free_id(p, wish);
	if (!*ret_id)
		return 0;
	add_head(&sb, name, *ret_id);
	kft_strbuf_addf(&sb,
			"\tfield:unsigned long caller[8];\toffset:%u;\tsize:%u;"
			"\tsigned:0;\n",
			KFT_PERF_COMMON_BYTES, 8 * size);
	return add_text(p, "ftrace", &sb);
}

static int add_throttle(struct kft_perf *p, const char *name, uint16_t *ret_id)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	*ret_id = free_id(p, 0);
	if (!*ret_id)
		return 0;
	add_head(&sb, name, *ret_id);
	add_field(&sb, "unsigned long long", "id", KFT_PERF_COMMON_BYTES, 8, false);
	return add_text(p, "perf", &sb);
}

static int add_class(struct kft_perf *p, struct kft_perf_attr *a, size_t *unknown)
{
	if (!a->is_raw_event)
		return add_sampled(p, a);
	if (a->config > UINT16_MAX || is_taken(p, a->config))
		return 0;
	(*unknown)++;
	return add_unknown(p, a);
}

static int add_made_up(struct kft_perf *p, bool chains)
{
	int r = 0;

	if (chains)
		r = add_stack(p, "kernel_stack", KERNEL_STACK_ID, &p->kernel_stack_id);
	if (chains && r == 0)
		r = add_stack(p, "user_stack", USER_STACK_ID, &p->user_stack_id);
	if (p->has_throttle && r == 0)
		r = add_throttle(p, "throttle", &p->throttle_id);
	if (p->has_throttle && r == 0)
		r = add_throttle(p, "unthrottle", &p->unthrottle_id);
	return r;
}

int kft_perf_add_classes(struct kft_perf *p)
{
	bool chains = false;
	size_t unknown = 0;
	int r = 0;

	kft_vec_for_each(&p->attrs.list, a) {
		if (!a->samples || r < 0)
			continue;
		r = add_class(p, a, &unknown);
		chains = chains || (a->sample_type & KFT_PERF_SAMPLE_CALLCHAIN);
	}
	if (unknown)
		kft_trace_note(p->trace, p->start,
			       "formats of %zu tracepoints are not in the file, so that "
			       "their fields are not known%s",
			       unknown,
			       p->trace->unfinished && !p->is_pipe
				       ? ": perf writes them when it ends"
				       : "");
	return r < 0 ? r : add_made_up(p, chains);
}

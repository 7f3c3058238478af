// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the options of a trace.dat file. */
#include "file/tracedat/read/option.h"

#include <errno.h>
#include <stdio.h>

#include "file/tracedat/read/cpustat.h"
#include "file/tracedat/read/lost.h"

/* A handler gets one option's data. 0, -EBADMSG when it is too short or malformed. */
typedef int option_fn(struct kft_dat_reader *d, struct kft_cursor *c);

/* The text up to the end or the first NUL. */
static struct kft_blob rest_as_text(struct kft_cursor *c)
{
	const char *p = (const char *)c->base + c->pos;
	size_t len = strnlen(p, kft_cursor_left(c));

	return (struct kft_blob){.data = p, .len = len};
}

static int add_date(struct kft_dat_reader *d, struct kft_cursor *c)
{
	/* The text is the offset to the time of day in microseconds. */
	d->trace->meta.wall = (struct kft_wall){.is_known = true};
	return kft_dat_stamps_add_text(&d->stamps, c, 1000);
}

static int add_offset(struct kft_dat_reader *d, struct kft_cursor *c)
{
	return kft_dat_stamps_add_text(&d->stamps, c, 1);
}

static int set_time_shift(struct kft_dat_reader *d, struct kft_cursor *c)
{
	return kft_dat_stamps_time_shift(&d->stamps, c);
}

static int set_tsc2nsec(struct kft_dat_reader *d, struct kft_cursor *c)
{
	return kft_dat_stamps_tsc2nsec(&d->stamps, c);
}

static int set_clock(struct kft_dat_reader *d, struct kft_cursor *c)
{
	struct kft_meta *m = &d->trace->meta;

	/* In v6 the option is empty, and the text follows the table of CPUs. */
	d->has_clock_text = true;
	m->trace_clock = rest_as_text(c);
	if (!m->trace_clock.len)
		return 0;
	return kft_clock_parse(m->trace_clock.data, m->trace_clock.len, &m->clock) < 0
		       ? -EBADMSG
		       : 0;
}

static int set_uname(struct kft_dat_reader *d, struct kft_cursor *c)
{
	d->trace->meta.uname = rest_as_text(c);
	return 0;
}

static int set_version(struct kft_dat_reader *d, struct kft_cursor *c)
{
	d->trace->meta.version = rest_as_text(c);
	return 0;
}

static int set_command(struct kft_dat_reader *d, struct kft_cursor *c)
{
	d->trace->meta.command = rest_as_text(c);
	return 0;
}

static int set_kernel_line(struct kft_dat_reader *d, struct kft_cursor *c)
{
	d->trace->meta.kernel_line = rest_as_text(c);
	return 0;
}

static int set_run(struct kft_dat_reader *d, struct kft_cursor *c)
{
	d->trace->meta.run = rest_as_text(c);
	return 0;
}

static int set_devices(struct kft_dat_reader *d, struct kft_cursor *c)
{
	d->trace->meta.devices = rest_as_text(c);
	return 0;
}

static int set_tgids(struct kft_dat_reader *d, struct kft_cursor *c)
{
	d->trace->meta.tgids = rest_as_text(c);
	return 0;
}

static int set_names(struct kft_dat_reader *d, struct kft_cursor *c)
{
	d->trace->meta.names = (struct kft_blob){(const char *)c->base, c->size};
	return 0;
}

static int set_wall(struct kft_dat_reader *d, struct kft_cursor *c)
{
	struct kft_wall wall = {.is_known = true};

	c->swap = KFT_HOST_BIG_ENDIAN; /* kft's own options are little endian */
	if (!kft_cursor_u64(c, &wall.add))
		return -EBADMSG;
	d->trace->meta.wall = wall;
	return 0;
}

static int set_cpu_count(struct kft_dat_reader *d, struct kft_cursor *c)
{
	uint32_t n;

	if (!kft_cursor_u32(c, &n) || n > KFT_TRACEDAT_MAX_CPUS)
		return -EBADMSG;
	d->trace->meta.cpu_count = n;
	return 0;
}

static int set_trace_id(struct kft_dat_reader *d, struct kft_cursor *c)
{
	return kft_cursor_u64(c, &d->trace->meta.trace_id) ? 0 : -EBADMSG;
}

static int set_lost(struct kft_dat_reader *d, struct kft_cursor *c)
{
	return kft_dat_read_lost(&d->trace->meta, c);
}

static int set_live(struct kft_dat_reader *d, struct kft_cursor *c)
{
	struct kft_dat_live live = {.is_live = true};
	const char *clock;
	uint32_t version;

	c->swap = KFT_HOST_BIG_ENDIAN; /* kft's own options are little endian */
	if (!kft_cursor_u32(c, &version) || version != KFT_TRACEDAT_LIVE_VERSION ||
	    !kft_cursor_u32(c, &live.page_size) || !kft_cursor_u32(c, &live.cpu_count) ||
	    live.cpu_count > KFT_TRACEDAT_MAX_CPUS || !kft_cursor_str(c, &clock) ||
	    strlen(clock) >= sizeof(live.clock))
		return -EBADMSG;
	memcpy(live.clock, clock, strlen(clock));
	d->live = live;
	return 0;
}

/* u32 page size, u32 count, then for each CPU: u32 CPU, u64 offset, u64 size */
static int read_cpu_table(struct kft_dat_buffer *b, struct kft_cursor *c)
{
	uint32_t n;

	if (!kft_cursor_u32(c, &b->page_size) || !kft_cursor_u32(c, &n) ||
	    n > KFT_TRACEDAT_MAX_CPUS)
		return -EBADMSG;
	for (uint32_t i = 0; i < n; i++) {
		struct kft_dat_cpu cpu;

		if (!kft_cursor_u32(c, &cpu.cpu) || !kft_cursor_u64(c, &cpu.offset) ||
		    !kft_cursor_u64(c, &cpu.size) || cpu.cpu >= KFT_TRACEDAT_MAX_CPUS)
			return -EBADMSG;
		if (!kft_vec_push(&b->cpus, cpu))
			return -ENOMEM;
	}
	return 0;
}

static int read_buffer(struct kft_dat_reader *d, struct kft_cursor *c, bool has_text,
		       struct kft_dat_buffer *b)
{
	b->has_text = has_text;
	if (!kft_cursor_u64(c, &b->offset) || !kft_cursor_str(c, &b->name))
		return -EBADMSG;
	if (d->version == 6)
		return 0;
	if (!kft_cursor_str(c, &b->clock))
		return -EBADMSG;
	return has_text ? 0 : read_cpu_table(b, c);
}

static int add_any_buffer(struct kft_dat_reader *d, struct kft_cursor *c, bool has_text)
{
	struct kft_dat_buffer b = {};
	int r = d->buffers.len == KFT_TRACEDAT_MAX_BUFFERS
			? -EBADMSG
			: read_buffer(d, c, has_text, &b);

	/* If the table is truncated, the CPUs before that are used. */
	if (r < 0 && !b.cpus.len) {
		kft_vec_finish(&b.cpus);
		return r;
	}
	if (!kft_vec_push(&d->buffers, b)) {
		kft_vec_finish(&b.cpus);
		return -ENOMEM;
	}
	return r;
}

static int add_buffer(struct kft_dat_reader *d, struct kft_cursor *c)
{
	return add_any_buffer(d, c, false);
}

static int add_buffer_text(struct kft_dat_reader *d, struct kft_cursor *c)
{
	return add_any_buffer(d, c, true);
}

static int add_stat(struct kft_dat_reader *d, struct kft_cursor *c)
{
	const struct kft_blob text = rest_as_text(c);

	return kft_dat_read_cpustat(d, &text);
}

static int ignore(struct kft_dat_reader *d, struct kft_cursor *c)
{
	return 0;
}

static const struct option {
	uint16_t id;
	bool keep; /* keep in meta.kept_options: written again with the trace */
	const char *name;
	option_fn *read;
} options[] = {
	{KFT_OPTION_DATE, true, "DATE", add_date},
	{KFT_OPTION_CPUSTAT, false, "CPUSTAT", add_stat},
	{KFT_OPTION_BUFFER, false, "BUFFER", add_buffer},
	{KFT_OPTION_TRACECLOCK, false, "TRACECLOCK", set_clock},
	{KFT_OPTION_UNAME, false, "UNAME", set_uname},
	{KFT_OPTION_HOOK, true, "HOOK", ignore},
	{KFT_OPTION_OFFSET, true, "OFFSET", add_offset},
	{KFT_OPTION_CPUCOUNT, false, "CPUCOUNT", set_cpu_count},
	{KFT_OPTION_VERSION, false, "VERSION", set_version},
	{KFT_OPTION_PROCMAPS, true, "PROCMAPS", ignore},
	{KFT_OPTION_TRACEID, false, "TRACEID", set_trace_id},
	{KFT_OPTION_TIME_SHIFT, true, "TIME_SHIFT", set_time_shift},
	{KFT_OPTION_GUEST, true, "GUEST", ignore},
	{KFT_OPTION_TSC2NSEC, true, "TSC2NSEC", set_tsc2nsec},
	{KFT_OPTION_BUFFER_TEXT, false, "BUFFER_TEXT", add_buffer_text},
	{KFT_OPTION_BTF_FILE, false, "BTF_FILE", ignore},
	{KFT_OPTION_LAST_BOOT_INFO, true, "LAST_BOOT_INFO", ignore},
	{KFT_OPTION_MODULES_FILE, false, "MODULES_FILE", ignore},
	{KFT_OPTION_LIVE, false, "kft's LIVE", set_live},
	{KFT_OPTION_LOST, false, "kft's LOST", set_lost},
	{KFT_OPTION_TGIDS, false, "kft's TGIDS", set_tgids},
	{KFT_OPTION_COMMAND, false, "kft's COMMAND", set_command},
	{KFT_OPTION_KERNEL_LINE, false, "kft's KERNEL_LINE", set_kernel_line},
	{KFT_OPTION_RUN, false, "kft's RUN", set_run},
	{KFT_OPTION_NAMES, false, "kft's NAMES", set_names},
	{KFT_OPTION_WALL, false, "kft's WALL", set_wall},
	{KFT_OPTION_DEVICES, false, "kft's DEVICES", set_devices},
};

static const struct option *find_option(uint16_t id)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].id == id)
			return &options[i];
	return NULL;
}

/* Options with the file offset of a metadata section (version 7). */
static const char *const part_names[KFT_DAT_N_PARTS] = {
	[KFT_DAT_HEADER_INFO] = "header info",
	[KFT_DAT_FTRACE_EVENTS] = "ftrace event formats",
	[KFT_DAT_EVENT_FORMATS] = "event formats",
	[KFT_DAT_KALLSYMS] = "kallsyms",
	[KFT_DAT_PRINTK] = "printk formats",
	[KFT_DAT_CMDLINES] = "command lines",
};

static bool is_part(uint16_t id)
{
	return id >= KFT_OPTION_HEADER_INFO && id <= KFT_OPTION_CMDLINES;
}

static int set_part(struct kft_dat_reader *d, uint16_t id, struct kft_cursor *c)
{
	size_t i = id - KFT_OPTION_HEADER_INFO;

	d->parts[i].what = part_names[i];
	return kft_cursor_u64(c, &d->parts[i].offset) ? 0 : -EBADMSG;
}

static int keep(struct kft_meta *m, uint16_t id, const struct kft_cursor *c)
{
	struct kft_persistent_option o = {
		.id = id, .data = {.data = (const char *)c->base, .len = c->size}};

	return kft_vec_push(&m->kept_options, o) ? 0 : -ENOMEM;
}

static int read_option(struct kft_dat_reader *d, uint16_t id, struct kft_cursor *c)
{
	const struct option *o = find_option(id);

	if (d->version > 6 && is_part(id))
		return set_part(d, id, c);
	if (!o)
		return -ENOENT;
	int r = o->read(d, c);
	return r == 0 && o->keep ? keep(&d->trace->meta, id, c) : r;
}

static void judge(struct kft_dat_reader *d, const struct kft_dat_extent *x,
		  const struct kft_cursor *c, size_t at, uint16_t id, int r)
{
	const struct option *o = find_option(id);
	const char *name = o		 ? o->name
			   : is_part(id) ? part_names[id - KFT_OPTION_HEADER_INFO]
					 : "unknown";
	const struct kft_cursor start = {.pos = at};
	char problem[80];

	if (r == -ENOENT) {
		kft_trace_note(d->trace, x->offset + at, "unknown option %u skipped", id);
		return;
	}
	(void)snprintf(problem, sizeof(problem), "option %u (%s) %s", id, name,
		       r == -ENOMEM ? "does not fit in memory"
				    : "is too short or makes no sense");
	kft_dat_damage_at(d, x, &start, problem);
}

int kft_dat_read_options(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			 struct kft_cursor *c, uint64_t *ret_next)
{
	uint16_t id;
	uint32_t len;
	struct kft_cursor data;

	*ret_next = 0;
	for (;;) {
		size_t at = c->pos;

		if (!kft_cursor_u16(c, &id))
			break;
		/* In version 6 the list ends with an id without size. */
		if (id == KFT_OPTION_DONE && d->version == 6)
			return 0;
		if (!kft_cursor_u32(c, &len) || len > KFT_TRACEDAT_MAX_OPTION_BYTES ||
		    !kft_cursor_sub(c, len, &data) ||
		    d->n_options++ == KFT_TRACEDAT_MAX_OPTIONS) {
			c->pos = at;
			break;
		}
		if (id == KFT_OPTION_DONE)
			return kft_cursor_u64(&data, ret_next)
				       ? 0
				       : kft_dat_damage_at(d, x, c, "DONE is too short");
		int r = read_option(d, id, &data);
		if (r < 0)
			judge(d, x, c, at, id, r);
	}
	return kft_dat_damage_at(d, x, c, "an option runs past the end");
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Collects a trace's metadata. */
#include "tracefs/drain/collect.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

#include "base/dir.h"
#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "capture/origin.h"
#include "tracefs/control/cpus.h"
#include "tracefs/control/control_file.h"
#include "decode/module_symbols.h"

#define FORMAT_MAX_BYTES  (1U << 20)
#define HEADER_MAX_BYTES  (64U << 10)
#define MODULES_MAX_BYTES (1U << 20)
#define PRINTK_MAX_BYTES  (64U << 20)
#define EVENTS_MAX_BYTES  (64U << 20)
#define DEVICES_MAX_BYTES (64U << 10)
/* Event ids have 16 bits. */
#define FORMATS_MAX 65536

/* Reads one file into a blob of the meta. */
static int read_blob(struct kft_meta *m, int dirfd, const char *path, size_t max_bytes,
		     struct kft_blob *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = kft_read_at(dirfd, path, max_bytes, &sb);

	return r < 0 ? r : kft_meta_set_blob(m, ret, sb.buf, sb.len);
}

static int add_format(struct kft_collect *c, int system_fd, const char *system,
		      const char *event)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_format_text format = {};
	char path[NAME_MAX + 16];

	(void)snprintf(path, sizeof(path), "%s/format", event);
	int r = kft_read_at(system_fd, path, FORMAT_MAX_BYTES, &sb);
	/*
	 * The entry is a file such as "enable", or the module of the event was just
	 * unloaded.
	 */
	if (r == -ENOENT || r == -ENOTDIR || r == -ENODEV)
		return 0;
	if (r < 0)
		return r;
	uint64_t key = (kft_hash_bytes(sb.buf, sb.len) ^
			kft_hash_bytes(system, strlen(system))) >>
		       1;
	if (kft_map_get(&c->seen, key))
		return 0;
	if (!kft_map_put(&c->seen, key) || c->meta->formats.len >= FORMATS_MAX)
		return -ENOMEM;
	r = kft_meta_set_blob(c->meta, &format.text, sb.buf, sb.len);
	format.system = kft_arena_strdup(&c->meta->arena, system);
	if (r < 0 || !format.system || !kft_vec_push(&c->meta->formats, format))
		return -ENOMEM;
	return 0;
}

static int add_system(struct kft_collect *c, int events_fd, const char *system)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(events_fd, system);
	const char *name;
	int r = 0;

	if (!dir)
		return errno == ENOMEM ? -ENOMEM : 0; /* no system, or gone */
	while (r == 0 && (name = kft_dir_next(dir)))
		r = add_format(c, dirfd(dir), system, name);
	return r;
}

static bool is_wanted(const struct kft_collect *c, const char *system)
{
	return !c->only_group || strcmp(system, "ftrace") == 0 ||
	       strcmp(system, c->only_group) == 0;
}

static int add_formats(struct kft_collect *c)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(c->host->tracefs_fd, "events");
	const char *name;
	int r = 0;

	if (!dir)
		return -errno;
	while (r == 0 && (name = kft_dir_next(dir)))
		if (is_wanted(c, name))
			r = add_system(c, dirfd(dir), name);
	return r;
}

/* The list of events changes when a module with events is loaded or unloaded. */
static uint64_t hash_events(const struct kft_host *host)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = kft_read_at(host->tracefs_fd, "available_events", EVENTS_MAX_BYTES, &sb);

	return r < 0 ? 0 : kft_hash_bytes(sb.buf, sb.len);
}

/* If the blocks are damaged, only their symbols are missing. */
static int join_symbols(struct kft_collect *c, const struct kft_blob *blocks)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf all = {};
	int r = kft_modules_join(&c->meta->kallsyms, blocks, &all);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	return kft_meta_set_blob(c->meta, &c->meta->kallsyms, all.buf, all.len);
}

static int add_symbols(struct kft_collect *c)
{
	int r = kft_origin_add_symbols(c->host, c->notify, c->meta);
	const struct kft_blob *earlier = c->earlier_modules;

	return r == 0 && c->meta->kallsyms.len && earlier && earlier->len
		       ? join_symbols(c, earlier)
		       : r;
}

static int read_again(int fd, size_t max_bytes, struct kft_strbuf *sb)
{
	return lseek(fd, 0, SEEK_SET) < 0 ? -errno : kft_read_fd(fd, max_bytes, sb);
}

/* The time on the clock of the events; 0 when programs cannot read that clock. */
static uint64_t trace_now(const struct kft_collect *c)
{
	clockid_t id;

	return kft_clock_id(c->meta->clock.name, &id) ? kft_clock_ns(id) : 0;
}

/*
 * Makes *now the list of the last look, and adds blocks for modules that are new or gone.
 * False when /proc/kallsyms, which has the symbols of new modules, cannot be read: the
 * next look tries again.
 */
static bool take_modules(struct kft_collect *c, struct kft_strbuf *now)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf kallsyms = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf gone = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf added = {};

	kft_modules_minus(&c->modules, now, &gone);
	kft_modules_minus(now, &c->modules, &added);
	kft_module_events_look(&c->events, now);
	if (!gone.len && !added.len && !c->events.unseen.len)
		return true;
	if (added.len &&
	    read_again(c->kallsyms_fd, KFT_KALLSYMS_MAX_BYTES, &kallsyms) < 0)
		return false;
	const struct kft_blob text = {kallsyms.buf, kallsyms.len};

	if (!c->modules_changed) {
		kft_modules_add_blocks(&c->modules, &c->meta->kallsyms, &c->blocks);
		c->first_blocks = c->blocks.len;
	}
	if (c->looked_ns)
		kft_modules_add_times(c->looked_ns, trace_now(c), &c->blocks);
	kft_modules_add_unseen(&c->events.unseen, &c->blocks);
	kft_strbuf_clear(&c->events.unseen);
	kft_modules_add_gone(&gone, &c->blocks);
	kft_modules_add_blocks(&added, &text, &c->blocks);
	kft_strbuf_finish(&c->modules);
	c->modules = *now;
	*now = (struct kft_strbuf){};
	c->modules_changed = true;
	return true;
}

/* Lists the modules that are loaded now; false when they cannot be read. */
static bool list_modules(const struct kft_collect *c, struct kft_strbuf *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf proc = {};

	if (!c->is_open || read_again(c->modules_fd, MODULES_MAX_BYTES, &proc) < 0)
		return false;
	kft_modules_list(&proc, ret);
	return kft_strbuf_ok(ret);
}

/* A failure is ignored: a kernel without modules has no list of them. */
static void begin_modules(struct kft_collect *c)
{
	int flags = O_RDONLY | O_CLOEXEC;

	c->modules_fd = openat(c->host->root_fd, "proc/modules", flags);
	c->kallsyms_fd = openat(c->host->root_fd, "proc/kallsyms", flags);
	c->is_open = true;
	c->looked_ns = trace_now(c);
	(void)list_modules(c, &c->modules);
	kft_module_events_look(&c->events, &c->modules);
}

static void finish_modules(struct kft_collect *c)
{
	if (c->is_open) {
		kft_closep(&c->modules_fd);
		kft_closep(&c->kallsyms_fd);
		kft_module_events_end(&c->events);
	}
	kft_strbuf_finish(&c->modules);
	kft_strbuf_finish(&c->blocks);
}
void kft_collect_modules(struct kft_collect *c)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf now = {};
	uint64_t ns = trace_now(c);

	if (!c->meta->kallsyms.len || !list_modules(c, &now))
		return;
	if (take_modules(c, &now))
		c->looked_ns = ns;
}

static int complete_symbols(struct kft_collect *c)
{
	kft_collect_modules(c);
	if (!kft_strbuf_ok(&c->blocks))
		return -ENOMEM;
	const struct kft_blob blocks = {c->blocks.buf, c->blocks.len};

	return c->modules_changed ? join_symbols(c, &blocks) : 0;
}

/* Bytes of a page of this instance. header_page describes the top-level buffer only. */
static uint32_t page_size(const struct kft_collect *c)
{
	uint64_t kb;

	if (kft_control_file_read_u64(c->instance_fd, "buffer_subbuf_size_kb", &kb) ==
		    0 &&
	    kb > 0 && kb <= UINT32_MAX / 1024)
		return kb * 1024;
	return sysconf(_SC_PAGESIZE);
}

static int add_header(struct kft_collect *c)
{
	struct kft_meta *m = c->meta;
	int fd = c->host->tracefs_fd;
	int r = read_blob(m, fd, "events/header_page", HEADER_MAX_BYTES, &m->header_page);

	if (r == 0)
		r = read_blob(m, fd, "events/header_event", HEADER_MAX_BYTES,
			      &m->header_event);
	m->big_endian = KFT_HOST_BIG_ENDIAN;
	if (r == 0)
		r = kft_ring_layout_parse(m->header_page.data, m->header_page.len,
					  m->big_endian, &c->layout);
	if (r < 0)
		return r;
	/* The size of the kernel's long, which may differ from this program's. */
	m->long_size = c->layout.commit_size;
	return 0;
}

static int add_clock(struct kft_collect *c)
{
	struct kft_meta *m = c->meta;
	int r = read_blob(m, c->instance_fd, "trace_clock", HEADER_MAX_BYTES,
			  &m->trace_clock);

	return r < 0 ? r
		     : kft_clock_parse(m->trace_clock.data, m->trace_clock.len,
				       &m->clock);
}

static int add_cpu_count(struct kft_collect *c)
{
	struct kft_cpus cpus = {};
	int r = kft_cpus_list(c->instance_fd, &cpus);

	if (r == 0)
		c->meta->cpu_count = cpus.data[cpus.len - 1] + 1;
	kft_vec_finish(&cpus);
	return r;
}

int kft_collect_shape(struct kft_collect *c, struct kft_err *e)
{
	int r = add_header(c);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read how the kernel's trace pages look");
	c->meta->page_size = page_size(c);
	r = add_cpu_count(c);

	return r < 0 ? kft_err_sys(e, r, "cannot list the CPUs of tracefs") : 0;
}

int kft_collect_begin(struct kft_collect *c, struct kft_err *e)
{
	int r = kft_collect_shape(c, e);

	if (r < 0)
		return r;
	r = add_clock(c);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read the trace clock");
	kft_origin_add_wall(c->meta);
	c->events_hash = hash_events(c->host);
	r = add_formats(c);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read the formats of the events");
	if (HAVE_SESSION_NAMES)
		begin_modules(c);
	r = add_symbols(c);
	if (r == 0)
		r = kft_origin_add(c->meta);
	if (r == 0)
		r = read_blob(c->meta, c->host->tracefs_fd, "printk_formats",
			      PRINTK_MAX_BYTES, &c->meta->printk_formats);
	if (r != -ENOMEM)
		r = read_blob(c->meta, c->host->root_fd, "proc/partitions",
			      DEVICES_MAX_BYTES, &c->meta->devices);
	if (r == -ENOMEM)
		return kft_err_sys(e, r, "cannot read the kernel's formats and symbols");
	return 0;
}

int kft_collect_end(struct kft_collect *c, struct kft_err *e)
{
	int r = HAVE_SESSION_NAMES ? complete_symbols(c) : 0;

	if (r < 0)
		return kft_err_sys(e, r, "cannot add the symbols of new modules");
	if (hash_events(c->host) != c->events_hash)
		r = add_formats(c);
	return r < 0 ? kft_err_sys(e, r, "cannot read the formats of new events") : 0;
}

void kft_collect_finish(struct kft_collect *c)
{
	kft_map_finish(&c->seen);
	if (HAVE_SESSION_NAMES)
		finish_modules(c);
}

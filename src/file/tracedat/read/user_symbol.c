// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names addresses of programs by the mappings in a trace. */
#include "file/tracedat/read/user_symbol.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "model/merge.h"

/* Longer names of files are left out. */
#define PATH_BYTES 4096

/* The fields of the three types of events; those of the same name have one number. */
enum field {
	TGID,
	ADDR,
	LEN,
	PGOFF,
	INODE,
	MAJOR,
	MINOR,
	FILENAME,
	TID,
	PARENT,
	N_FIELDS
};

static const char *const names[N_FIELDS] = {
	[TGID] = "tgid",     [ADDR] = "addr",	      [LEN] = "len",
	[PGOFF] = "pgoff",   [INODE] = "inode",	      [MAJOR] = "major",
	[MINOR] = "minor",   [FILENAME] = "filename", [TID] = "tid",
	[PARENT] = "parent",
};

struct type {
	const struct kft_class *cls; /* NULL: the trace has no such events */
	const struct kft_field *fields[N_FIELDS]; /* NULL: not in this type */
};

struct load {
	struct kft_dat_maps *maps;
	struct kft_trace
		*trace; /* owned: the file again, as others read the trace's streams */
	struct type mmap;
	struct type exec;
	struct type fork;
	uint64_t wanted[KFT_ID_WORDS];
};

static void find_type(struct load *l, const char *name, struct type *ret)
{
	ret->cls = kft_class_table_find(&l->trace->classes, "perf", name);
	if (!ret->cls)
		return;
	for (size_t i = 0; i < N_FIELDS; i++)
		ret->fields[i] = kft_class_field(ret->cls, names[i]);
	kft_bits_add(l->wanted, ret->cls->id);
}

static bool is_of(const struct kft_event *ev, const struct type *t)
{
	return t->cls && ev->id == t->cls->id;
}

/* 0 for a field that the event does not have. */
static uint64_t number(const struct load *l, const struct type *t,
		       const struct kft_event *ev, enum field field)
{
	const struct kft_field *f = t->fields[field];
	uint64_t v = 0;

	return f && kft_event_int(ev, f, l->trace->swap, &v) ? v : 0;
}

/* -E2BIG: the file is left out. */
static int add_file(struct load *l, const struct kft_event *ev, uint32_t *ret,
		    bool *ret_is_vdso)
{
	const struct type *t = &l->mmap;
	const struct kft_user_file_id id = {
		.device = makedev(number(l, t, ev, MAJOR), number(l, t, ev, MINOR)),
		.inode = number(l, t, ev, INODE),
	};
	char path[PATH_BYTES];
	const char *text;
	size_t len;

	if (!t->fields[FILENAME] ||
	    !kft_event_str(ev, t->fields[FILENAME], l->trace->swap, &text, &len) ||
	    len >= sizeof(path))
		return -E2BIG;
	memcpy(path, text, len);
	path[len] = '\0';
	*ret_is_vdso = strcmp(path, "[vdso]") == 0;
	return kft_user_files_add(&l->maps->files, path, &id, ret);
}

static int add_map(struct load *l, const struct kft_event *ev)
{
	const struct type *t = &l->mmap;
	uint64_t len = number(l, t, ev, LEN);
	struct kft_mapping m = {
		.since = ev->ts,
		.start = number(l, t, ev, ADDR),
		.offset = number(l, t, ev, PGOFF),
	};
	bool is_vdso = false;
	int r = len ? add_file(l, ev, &m.file, &is_vdso) : -E2BIG;

	if (r < 0)
		return r == -E2BIG ? 0 : r;
	m.last = m.start + KFT_MIN(len - 1, UINT64_MAX - m.start);
	return kft_address_spaces_map(&l->maps->spaces, number(l, t, ev, TGID), m,
				      is_vdso);
}

static int add_event(struct load *l, const struct kft_event *ev)
{
	struct kft_address_spaces *as = &l->maps->spaces;
	const struct type *t = &l->fork;

	if (is_of(ev, &l->mmap))
		return add_map(l, ev);
	if (is_of(ev, &l->exec))
		return kft_address_spaces_exec(as, number(l, &l->exec, ev, TGID), ev->ts);
	return kft_address_spaces_fork(as, number(l, t, ev, TID), number(l, t, ev, TGID),
				       number(l, t, ev, PARENT), true, ev->ts);
}

static int read_events(struct load *l)
{
	const struct kft_scope scope = {.wanted = l->wanted};
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;

	find_type(l, "mmap", &l->mmap);
	find_type(l, "exec", &l->exec);
	find_type(l, "fork", &l->fork);
	int r = kft_merge_create(l->trace, &scope, &m);

	while (r >= 0 && (r = kft_merge_next(m, &ev)) > 0)
		r = add_event(l, ev);
	return r;
}

static int load(struct kft_dat_reader *d)
{
	struct load l = {.maps = &d->maps};
	int fd = fcntl(d->in.fd, F_DUPFD_CLOEXEC, 0);
	int r = fd < 0 ? -errno : d->maps.open(fd, d->maps.path, &l.trace, NULL);

	if (r == 0)
		r = read_events(&l);
	kft_trace_destroy(l.trace);
	return r < 0 ? r : kft_address_spaces_sort(&d->maps.spaces);
}

/* After a failure addresses are shown as numbers. */
static void load_once(struct kft_dat_reader *d)
{
	int r;

	if (d->maps.is_loaded)
		return;
	d->maps.is_loaded = true;
	r = HAVE_USER_SYMBOLS ? load(d) : 0;
	if (!HAVE_USER_SYMBOLS)
		kft_trace_note(d->trace, 0,
			       "user-space addresses have no names: this small build of "
			       "kft reads no programs");
	if (r < 0 || d->maps.spaces.full)
		kft_trace_note(d->trace, 0, "some user-space addresses have no names: %s",
			       r < 0 ? strerror(-r) : "too many mappings");
	if (r < 0) {
		kft_address_spaces_finish(&d->maps.spaces);
		d->maps.spaces = (struct kft_address_spaces){};
	}
}

/* Threads from before the start have no event: the table of tasks knows their processes. */
static const struct kft_mapping *find(const struct kft_trace *t,
				      const struct kft_dat_maps *m, uint32_t pid,
				      uint64_t addr, uint64_t ts)
{
	const struct kft_mapping *found = kft_address_spaces_find(&m->spaces, pid, addr,
								  ts);
	const struct kft_task *task = found ? NULL : kft_task_get(&t->tasks, pid);

	return task && task->tgid && task->tgid != pid
		       ? kft_address_spaces_find(&m->spaces, task->tgid, addr, ts)
		       : found;
}

static bool user_symbol(struct kft_trace *t, uint32_t pid, uint64_t addr, uint64_t ts,
			struct kft_user_symbol *ret)
{
	struct kft_dat_reader *d = t->reader;

	(void)pthread_mutex_lock(&d->maps.lock);
	load_once(d);
	const struct kft_mapping *m = HAVE_USER_SYMBOLS ? find(t, &d->maps, pid, addr, ts)
							: NULL;
	if (m)
		*ret = kft_user_files_find(&d->maps.files, m->file,
					   addr - m->start + m->offset);
	(void)pthread_mutex_unlock(&d->maps.lock);
	return m;
}

int kft_dat_user_symbol_init(struct kft_dat_reader *d, const char *path,
			     int (*open)(int fd, const char *path, struct kft_trace **ret,
					 struct kft_err *e))
{
	if (!kft_class_table_find(&d->trace->classes, "perf", "mmap"))
		return 0;
	d->maps.path = kft_arena_strdup(&d->trace->arena, path);
	if (!d->maps.path)
		return -ENOMEM;
	d->maps.open = open;
	(void)pthread_mutex_init(&d->maps.lock, NULL);
	d->trace->user_symbol = user_symbol;
	return 0;
}

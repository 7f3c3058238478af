// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the mappings of tasks, and names addresses by them. */
#include "file/perf/user_symbol.h"

#include <errno.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "file/perf/state.h"

/* A record to be read, at its place in the order of time. */
struct entry {
	uint64_t ts;
	uint64_t offset;
};

struct load {
	struct kft_perf *p;
	struct kft_perf_maps *maps;
	struct kft_dat_walk w;
	KFT_VEC(struct entry) entries;
};

static void load_finish(struct load *l)
{
	kft_dat_walk_finish(&l->w);
	kft_vec_finish(&l->entries);
}

/* The whole record at an offset from the start of all records; NULL: it cannot be read. */
static const uint8_t *get_record(struct load *l, uint64_t offset, size_t *ret_size)
{
	const uint8_t *rec;

	l->w.pos = l->p->start + offset;
	if (!kft_dat_walk_bytes(&l->w, KFT_PERF_RECORD_HEADER_BYTES, &rec))
		return NULL;
	*ret_size = kft_load_u16(rec + 6, l->p->in.swap);
	l->w.pos = l->p->start + offset;
	return *ret_size >= KFT_PERF_RECORD_HEADER_BYTES &&
			       kft_dat_walk_bytes(&l->w, *ret_size, &rec)
		       ? rec
		       : NULL;
}

/* The NUL-terminated text up to the cursor's end; NULL: it has no end. */
static const char *get_path(struct kft_cursor *c)
{
	const char *path;

	return kft_cursor_str(c, &path) && *path ? path : NULL;
}

/* The build-id of a path, which has a length of 0 until it is known. -E2BIG, -ENOMEM. */
static int id_of_path(struct kft_perf_maps *m, const char *path,
		      struct kft_user_file_id **ret)
{
	uint32_t number;
	int r = kft_intern(&m->paths, path, strlen(path), &number);

	if (r == 0 && number >= KFT_USER_FILES_MAX)
		r = -E2BIG;
	if (r == 0 && number == m->ids.len &&
	    !kft_vec_push(&m->ids, (struct kft_user_file_id){}))
		r = -ENOMEM;
	if (r == 0)
		*ret = &m->ids.data[number];
	return r;
}

/* BUILD_ID: u32 pid, u8 build_id[24], char path[]; the length may be in build_id[20]. */
static int add_build_id(struct kft_perf_maps *m, const uint8_t *rec, struct kft_cursor *c,
			bool swap)
{
	struct kft_user_file_id *id;
	const uint8_t *bytes;

	if (!kft_cursor_skip(c, 4) || !kft_cursor_bytes(c, 24, &bytes))
		return 0;
	const char *path = get_path(c);
	int r = path ? id_of_path(m, path, &id) : -E2BIG;
	if (r < 0)
		return r == -E2BIG ? 0 : r;
	id->build_id_len = KFT_BUILD_ID_MAX;
	if (kft_load_u16(rec + 4, swap) & KFT_PERF_MISC_BUILD_ID_SIZE)
		id->build_id_len = KFT_MIN(bytes[20], (uint8_t)KFT_BUILD_ID_MAX);
	memset(id->build_id, 0, sizeof(id->build_id));
	memcpy(id->build_id, bytes, id->build_id_len);
	return 0;
}

static int add_build_ids(struct load *l)
{
	const bool swap = l->p->in.swap;
	const uint64_t bytes = l->maps->build_ids_bytes;
	_cleanup_free_ uint8_t *data = NULL;
	int r = 0;

	if (!bytes || bytes > KFT_PERF_MAX_FEATURE_BYTES)
		return 0;
	data = malloc(bytes);
	if (!data)
		return -ENOMEM;
	if (kft_dat_input_read(&l->p->in, l->maps->build_ids, data, bytes) < 0)
		return 0;
	for (size_t at = 0; r == 0 && bytes - at >= KFT_PERF_RECORD_HEADER_BYTES;) {
		const size_t size = kft_load_u16(data + at + 6, swap);

		if (size < KFT_PERF_RECORD_HEADER_BYTES || size > bytes - at)
			break;
		struct kft_cursor c = kft_cursor_init(data + at, size, swap);
		if (kft_cursor_skip(&c, KFT_PERF_RECORD_HEADER_BYTES))
			r = add_build_id(l->maps, data + at, &c, swap);
		at += size;
	}
	return r;
}

/* Sorts the records by time, and reads the build-ids of a pipe. perf's own have time 0. */
static int add_entry(struct load *l, uint64_t offset)
{
	const bool swap = l->p->in.swap;
	size_t size;
	const uint8_t *rec = get_record(l, offset, &size);

	if (!rec)
		return 0;
	struct entry entry = {kft_perf_place(l->p, rec, size).ts, offset};
	if (entry.ts == UINT64_MAX)
		entry.ts = 0;
	if (kft_load_u32(rec, swap) != KFT_PERF_RECORD_BUILD_ID)
		return kft_vec_push(&l->entries, entry) ? 0 : -ENOMEM;
	struct kft_cursor c = kft_cursor_init(rec, size, swap);
	return kft_cursor_skip(&c, KFT_PERF_RECORD_HEADER_BYTES)
		       ? add_build_id(l->maps, rec, &c, swap)
		       : 0;
}

static int by_time(const void *pa, const void *pb)
{
	const struct entry *a = pa;
	const struct entry *b = pb;

	if (a->ts != b->ts)
		return a->ts < b->ts ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* MMAP2: u32 major, u32 minor, u64 inode, u64 generation; or the length of a build-id and it. */
static bool get_id(struct kft_cursor *c, bool has_build_id, struct kft_user_file_id *ret)
{
	const uint8_t *bytes;
	uint32_t major;
	uint32_t minor;

	if (has_build_id) {
		if (!kft_cursor_bytes(c, 24, &bytes))
			return false;
		ret->build_id_len = KFT_MIN(bytes[0], (uint8_t)KFT_BUILD_ID_MAX);
		memcpy(ret->build_id, bytes + 4, ret->build_id_len);
		return true;
	}
	if (!kft_cursor_u32(c, &major) || !kft_cursor_u32(c, &minor) ||
	    !kft_cursor_u64(c, &ret->inode) || !kft_cursor_skip(c, 8))
		return false;
	ret->device = makedev(major, minor);
	return true;
}

/* Adds the file of a mapping. A build-id that is known for its path counts more than an inode. */
static int add_file(struct kft_perf_maps *m, const char *path,
		    const struct kft_user_file_id *id, uint32_t *ret)
{
	struct kft_user_file_id *known;
	int r = id_of_path(m, path, &known);

	if (r < 0)
		return r;
	return kft_user_files_add(&m->files, path,
				  known->build_id_len && !id->build_id_len ? known : id,
				  ret);
}

/* MMAP: u32 pid (tgid), u32 tid, u64 addr, len, pgoff; MMAP2: more, u32 prot, flags; path */
static int add_map(struct load *l, struct kft_cursor *c, uint32_t type, uint16_t misc,
		   uint64_t ts)
{
	struct kft_mapping m = {.since = ts};
	struct kft_user_file_id id = {};
	uint64_t len;
	uint32_t tgid;
	uint32_t pid;

	if (!kft_cursor_u32(c, &tgid) || !kft_cursor_u32(c, &pid) ||
	    !kft_cursor_u64(c, &m.start) || !kft_cursor_u64(c, &len) ||
	    !kft_cursor_u64(c, &m.offset) ||
	    (type == KFT_PERF_RECORD_MMAP2 &&
	     (!get_id(c, misc & KFT_PERF_MISC_MMAP_BUILD_ID, &id) ||
	      !kft_cursor_skip(c, 8))))
		return 0;
	const char *path = get_path(c);
	/* The kernel and its modules are mapped for the task -1. */
	if (!path || !len || tgid == UINT32_MAX ||
	    (misc & KFT_PERF_MISC_CPUMODE) == KFT_PERF_MISC_CPUMODE_KERNEL)
		return 0;
	m.last = m.start + KFT_MIN(len - 1, UINT64_MAX - m.start);
	int r = add_file(l->maps, path, &id, &m.file);
	if (r == 0)
		r = kft_address_spaces_map(&l->maps->spaces, tgid, m,
					   strcmp(path, "[vdso]") == 0);
	if (r == 0 && pid != tgid)
		r = kft_address_spaces_thread(&l->maps->spaces, pid, tgid, ts);
	return r == -E2BIG ? 0 : r;
}

/* FORK: u32 pid (tgid), u32 ppid, u32 tid, u32 ptid; COMM: u32 pid (tgid), u32 tid */
static int add_task(struct load *l, struct kft_cursor *c, uint32_t type, uint16_t misc,
		    uint64_t ts)
{
	struct kft_address_spaces *as = &l->maps->spaces;
	const bool is_exec = misc & KFT_PERF_MISC_EXEC;
	uint32_t tgid;
	uint32_t parent = 0;
	uint32_t pid;

	if (!kft_cursor_u32(c, &tgid) ||
	    (type == KFT_PERF_RECORD_FORK && !kft_cursor_u32(c, &parent)) ||
	    !kft_cursor_u32(c, &pid))
		return 0;
	if (type == KFT_PERF_RECORD_FORK)
		return kft_address_spaces_fork(as, pid, tgid, parent, !is_exec, ts);
	if (is_exec)
		return kft_address_spaces_exec(as, tgid, ts);
	return pid == tgid ? 0 : kft_address_spaces_thread(as, pid, tgid, ts);
}

static int add_record(struct load *l, const struct entry *entry)
{
	const bool swap = l->p->in.swap;
	size_t size;
	const uint8_t *rec = get_record(l, entry->offset, &size);

	if (!rec)
		return 0;
	const struct kft_perf_attr *a = kft_perf_attrs_of_other(&l->p->attrs, rec, size);
	const uint32_t type = kft_load_u32(rec, swap);
	const uint16_t misc = kft_load_u16(rec + 4, swap);
	struct kft_cursor c = kft_cursor_init(rec, size, swap);
	if (!kft_cursor_skip(&c, KFT_PERF_RECORD_HEADER_BYTES))
		return 0;
	/* The struct sample_id at the record's end is not part of the path. */
	if (a)
		c.size -= a->back_bytes;
	if (type == KFT_PERF_RECORD_MMAP || type == KFT_PERF_RECORD_MMAP2)
		return add_map(l, &c, type, misc, entry->ts);
	return add_task(l, &c, type, misc, entry->ts);
}

static int load(struct kft_perf *p)
{
	_cleanup_(load_finish) struct load l = {.p = p, .maps = &p->maps};
	int r = kft_dat_walk_init(&l.w, &p->data, p->start);

	if (r == 0)
		r = add_build_ids(&l);
	for (size_t i = 0; r == 0 && i < p->maps.records.len; i++)
		r = add_entry(&l, p->maps.records.data[i]);
	if (l.entries.len)
		qsort(l.entries.data, l.entries.len, sizeof(*l.entries.data), by_time);
	for (size_t i = 0; r == 0 && i < l.entries.len; i++)
		r = add_record(&l, &l.entries.data[i]);
	return r == 0 ? kft_address_spaces_sort(&p->maps.spaces) : r;
}

/* Without memory the addresses are shown as numbers. */
static void load_once(struct kft_perf *p)
{
	if (p->maps.is_loaded)
		return;
	p->maps.is_loaded = true;
	if (load(p) < 0) {
		kft_address_spaces_finish(&p->maps.spaces);
		p->maps.spaces = (struct kft_address_spaces){};
	}
}

bool kft_perf_user_symbol(struct kft_trace *t, uint32_t pid, uint64_t addr, uint64_t ts,
			  struct kft_user_symbol *ret)
{
	struct kft_perf *p = t->reader;
	const struct kft_mapping *m;

	(void)pthread_mutex_lock(&p->maps.lock);
	load_once(p);
	m = kft_address_spaces_find(&p->maps.spaces, pid, addr, ts);
	if (m)
		*ret = kft_user_files_find(&p->maps.files, m->file,
					   addr - m->start + m->offset);
	(void)pthread_mutex_unlock(&p->maps.lock);
	return m;
}

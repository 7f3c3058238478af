// SPDX-License-Identifier: LGPL-2.1-or-later
/* Remembers the files that tasks had mapped. */
#include "model/address_spaces.h"

#include <errno.h>
#include <stdlib.h>

#define NO_SPACE UINT32_MAX

/* Mappings of one entry of bounds. */
#define GROUP 64

/* Limit for the forks and execs back to the space in which a file was mapped. */
#define PARENTS_MAX 64

void kft_address_spaces_finish(struct kft_address_spaces *as)
{
	kft_vec_finish(&as->mappings);
	kft_vec_finish(&as->bounds);
	kft_vec_finish(&as->spaces);
	kft_vec_finish(&as->uses);
	kft_map_finish(&as->current);
}

static uint32_t current_space(const struct kft_address_spaces *as, uint32_t pid)
{
	const uint64_t *space = kft_map_get(&as->current, pid);

	return space && *space ? *space - 1 : NO_SPACE;
}

static int use_space(struct kft_address_spaces *as, uint32_t pid, uint32_t space,
		     uint64_t ts)
{
	const struct kft_space_use use = {
		.since = ts, .pid = pid, .space = space, .order = as->uses.len};
	uint64_t *now = kft_map_put(&as->current, pid);

	if (!now)
		return -ENOMEM;
	if (as->uses.len == KFT_MAPPINGS_MAX) {
		as->full = true;
		return 0;
	}
	*now = space + 1;
	return kft_vec_push(&as->uses, use) ? 0 : -ENOMEM;
}

/* Begins a space for a process; the limit of uses is one for spaces, too. */
static int add_space(struct kft_address_spaces *as, uint32_t tgid, uint32_t parent,
		     bool is_exec, uint64_t ts)
{
	const struct kft_address_space space = {.parent = parent,
						.is_exec = is_exec,
						.parent_until = ts,
						.replaced = UINT64_MAX};

	if (as->uses.len < KFT_MAPPINGS_MAX && !kft_vec_push(&as->spaces, space))
		return -ENOMEM;
	return use_space(as, tgid, as->spaces.len - 1, ts);
}

/* The space of a process of which nothing was heard before begins with the trace. */
static int space_of(struct kft_address_spaces *as, uint32_t tgid, uint32_t *ret)
{
	*ret = current_space(as, tgid);
	if (*ret != NO_SPACE)
		return 0;
	int r = add_space(as, tgid, NO_SPACE, false, 0);
	*ret = current_space(as, tgid);
	return r;
}

int kft_address_spaces_thread(struct kft_address_spaces *as, uint32_t pid, uint32_t tgid,
			      uint64_t ts)
{
	uint32_t space;
	int r = space_of(as, tgid, &space);

	if (r < 0 || space == NO_SPACE || current_space(as, pid) == space)
		return r;
	return use_space(as, pid, space, ts);
}

int kft_address_spaces_fork(struct kft_address_spaces *as, uint32_t pid, uint32_t tgid,
			    uint32_t parent, bool is_copy, uint64_t ts)
{
	if (pid != tgid)
		return kft_address_spaces_thread(as, pid, tgid, ts);
	return add_space(as, pid, is_copy ? current_space(as, parent) : NO_SPACE, false,
			 ts);
}

int kft_address_spaces_exec(struct kft_address_spaces *as, uint32_t tgid, uint64_t ts)
{
	return add_space(as, tgid, current_space(as, tgid), true, ts);
}

/*
 * A task inside execve() still has the user-space stack of the program that called it,
 * and the kernel maps the new program's files and then its vdso meanwhile. So the next
 * mapping after these is the first one that the new program made itself.
 */
static void note_vdso(struct kft_address_space *space, uint64_t ts, bool is_vdso)
{
	if (space->is_exec && space->has_vdso && !is_vdso)
		space->replaced = KFT_MIN(space->replaced, ts);
	space->has_vdso |= is_vdso;
}

int kft_address_spaces_map(struct kft_address_spaces *as, uint32_t tgid,
			   struct kft_mapping m, bool is_vdso)
{
	int r = space_of(as, tgid, &m.space);

	if (r < 0 || m.space == NO_SPACE || m.last < m.start)
		return r;
	note_vdso(&as->spaces.data[m.space], m.since, is_vdso);
	if (as->mappings.len == KFT_MAPPINGS_MAX) {
		as->full = true;
		return 0;
	}
	m.order = as->mappings.len;
	return kft_vec_push(&as->mappings, m) ? 0 : -ENOMEM;
}

static int by_space(const void *pa, const void *pb)
{
	const struct kft_mapping *a = pa;
	const struct kft_mapping *b = pb;

	if (a->space != b->space)
		return a->space < b->space ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int by_pid(const void *pa, const void *pb)
{
	const struct kft_space_use *a = pa;
	const struct kft_space_use *b = pb;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int add_bounds(struct kft_address_spaces *as)
{
	kft_vec_for_each(&as->mappings, m) {
		const size_t i = m - as->mappings.data;
		const struct kft_address_range all = {UINT64_MAX, 0};

		if (i % GROUP == 0 && !kft_vec_push(&as->bounds, all))
			return -ENOMEM;
		struct kft_address_range *b = &as->bounds.data[i / GROUP];
		b->start = KFT_MIN(b->start, m->start);
		b->last = KFT_MAX(b->last, m->last);
		struct kft_address_space *space = &as->spaces.data[m->space];
		space->first = space->end ? space->first : i;
		space->end = i + 1;
	}
	return 0;
}

int kft_address_spaces_sort(struct kft_address_spaces *as)
{
	if (as->mappings.len)
		qsort(as->mappings.data, as->mappings.len, sizeof(*as->mappings.data),
		      by_space);
	if (as->uses.len)
		qsort(as->uses.data, as->uses.len, sizeof(*as->uses.data), by_pid);
	kft_map_finish(&as->current);
	as->current = (struct kft_map){};
	return add_bounds(as);
}

/* The space that a task used at a time: that of its last use up to then. */
static uint32_t space_at(const struct kft_address_spaces *as, uint32_t pid, uint64_t ts)
{
	/* Binary search for the first use that is later, or of a later pid. */
	size_t lo = kft_count_leading(as->uses.len, mid,
				      as->uses.data[mid].pid < pid ||
					      (as->uses.data[mid].pid == pid &&
					       as->uses.data[mid].since <= ts));
	return lo && as->uses.data[lo - 1].pid == pid ? as->uses.data[lo - 1].space
						      : NO_SPACE;
}

/* The latest mapping in a space that has the address and was there at ts. */
static const struct kft_mapping *find_in(const struct kft_address_spaces *as,
					 const struct kft_address_space *space,
					 uint64_t addr, uint64_t ts)
{
	for (size_t i = space->end; i-- > space->first;) {
		const struct kft_address_range *b = &as->bounds.data[i / GROUP];
		const struct kft_mapping *m = &as->mappings.data[i];

		if (addr < b->start || addr > b->last) {
			i -= i % GROUP;
			continue;
		}
		if (m->since <= ts && addr >= m->start && addr <= m->last)
			return m;
	}
	return NULL;
}

const struct kft_mapping *kft_address_spaces_find(const struct kft_address_spaces *as,
						  uint32_t pid, uint64_t addr,
						  uint64_t ts)
{
	uint32_t at = space_at(as, pid, ts);

	for (unsigned int i = 0; i < PARENTS_MAX && at != NO_SPACE; i++) {
		const struct kft_address_space *space = &as->spaces.data[at];
		const struct kft_mapping *m = find_in(as, space, addr, ts);

		if (m)
			return m;
		if (ts >= space->replaced)
			return NULL;
		ts = KFT_MIN(ts, space->parent_until);
		at = space->parent;
	}
	return NULL;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes records of perf events as the events of a trace. */
#include "perf/writer.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/cursor.h"
#include "base/io.h"
#include "decode/task_names.h"

/* Addresses of a stack, so that its event fits into a page; kernels record 127 by default. */
#define CALLERS_MAX 256
#define STACK_BYTES (16 + CALLERS_MAX * sizeof(long))
/* ftrace's events have room for as many, and some readers take that number for granted. */
#define CALLERS_MIN 8

static int flush(void *arg, const void *page, size_t size)
{
	struct kft_perf_writer *w = arg;
	int r = kft_pwrite_all(w->fd, page, size, w->offset);

	if (r < 0 || w->is_showing)
		return r;
	w->offset += size;
	w->bytes += size;
	return 0;
}

int kft_perf_writer_open(struct kft_perf_writer *w,
			 const struct kft_perf_formats *formats, int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);
	uint32_t page_size = (uint32_t)sysconf(_SC_PAGESIZE);

	*w = (struct kft_perf_writer){
		.formats = formats, .fd = fd, .offset = at < 0 ? 0 : (uint64_t)at};
	int r = kft_page_builder_init(&w->pages, page_size, KFT_HOST_BIG_ENDIAN,
				      sizeof(long));
	w->pages.flush = flush;
	w->pages.arg = w;
	return r;
}

void kft_perf_writer_close(struct kft_perf_writer *w)
{
	kft_page_builder_finish(&w->pages);
}

int kft_perf_writer_show(struct kft_perf_writer *w)
{
	w->is_showing = true;
	int r = w->is_shown ? 0 : kft_page_builder_show(&w->pages);
	w->is_showing = false;
	w->is_shown = r == 0;
	return r;
}

int kft_perf_writer_add(struct kft_perf_writer *w, uint64_t ts, const void *event,
			size_t size)
{
	w->ts = KFT_MAX(w->ts, ts);
	int r = kft_page_builder_add(&w->pages, w->ts, event, size, w->lost);
	if (r < 0)
		return r;
	w->lost = 0;
	w->is_shown = false;
	return 0;
}

static struct kft_perf_common common(uint16_t type, uint32_t tid)
{
	return (struct kft_perf_common){.type = type, .pid = (int32_t)tid};
}

static int add_stack(struct kft_perf_writer *w, uint64_t ts, uint32_t tid, uint32_t tgid,
		     const struct kft_perf_stack_format *f, const uint64_t *callers,
		     size_t n)
{
	_Alignas(8) uint8_t event[STACK_BYTES] = {};
	const struct kft_perf_common head = common(f->id, tid);
	size_t size = f->callers;

	if (!n)
		return 0;
	n = KFT_MIN(n, (size_t)CALLERS_MAX);
	memcpy(event, &head, sizeof(head));
	if (f->size)
		memcpy(event + f->size, &(uint32_t){n}, sizeof(uint32_t));
	if (f->tgid)
		memcpy(event + f->tgid, &tgid, sizeof(tgid));
	for (size_t i = 0; i < n; i++, size += sizeof(long))
		memcpy(event + size, &(unsigned long){callers[i]}, sizeof(long));
	if (n < CALLERS_MIN && !f->size)
		size = f->callers + CALLERS_MIN * sizeof(long);
	return kft_perf_writer_add(w, ts, event, size);
}

/* A part of a call chain begins with a marker that says where its addresses are. */
static size_t part_len(const uint64_t *chain, size_t n)
{
	size_t len = 0;

	while (len < n && chain[len] < (uint64_t)PERF_CONTEXT_MAX)
		len++;
	return len;
}

static int add_stacks(struct kft_perf_writer *w, uint64_t ts, uint32_t tid, uint32_t tgid,
		      const uint64_t *chain, size_t n)
{
	int r = 0;

	for (size_t i = 0; i < n && r == 0;) {
		uint64_t marker = chain[i++];
		size_t len = part_len(chain + i, n - i);

		if (marker == (uint64_t)PERF_CONTEXT_KERNEL)
			r = add_stack(w, ts, tid, tgid, &w->formats->kernel, chain + i,
				      len);
		else if (marker == (uint64_t)PERF_CONTEXT_USER)
			r = add_stack(w, ts, tid, tgid, &w->formats->user, chain + i,
				      len);
		i += len;
	}
	return r;
}

/* The order of members is that of KFT_PERF_SAMPLE_TYPE in perf_event_open(2). */
struct sample {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
	uint64_t period;
	uint64_t n;
	uint64_t chain[];
};

static int take_sample(struct kft_perf_writer *w, const struct sample *s)
{
	const struct kft_perf_sample_event ev = {
		.common = common(w->formats->ids[KFT_PERF_TYPE_SAMPLE], s->tid),
		.ip = s->ip,
		.period = s->period,
		.tgid = (int32_t)s->pid,
	};
	size_t room = (s->header.size - sizeof(*s)) / sizeof(uint64_t);
	int r = kft_perf_writer_add(w, s->time, &ev, KFT_PERF_SAMPLE_BYTES);

	w->events++;
	return r < 0 ? r
		     : add_stacks(w, s->time, s->tid, s->pid, s->chain,
				  KFT_MIN((size_t)s->n, room));
}

/* The end of all records but samples. */
struct trailer {
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
};

static struct trailer trailer_of(const struct perf_event_header *h)
{
	struct trailer t;

	memcpy(&t, (const uint8_t *)h + h->size - sizeof(t), sizeof(t));
	return t;
}

struct lost {
	struct perf_event_header header;
	uint64_t id;
	uint64_t n;
	struct trailer trailer;
};

static int take_lost(struct kft_perf_writer *w, const struct lost *l)
{
	w->lost += l->n;
	w->lost_events += l->n;
	return 0;
}

struct throttle {
	struct perf_event_header header;
	uint64_t time;
	uint64_t id;
	uint64_t stream_id;
	struct trailer trailer;
};

static int take_throttle(struct kft_perf_writer *w, const struct throttle *t)
{
	bool ends = t->header.type == PERF_RECORD_UNTHROTTLE;
	const struct kft_perf_throttle_event ev = {
		.common = common(w->formats->ids[ends ? KFT_PERF_TYPE_UNTHROTTLE
						      : KFT_PERF_TYPE_THROTTLE],
				 t->trailer.tid),
		.id = t->id,
	};

	w->throttled += !ends;
	return kft_perf_writer_add(w, t->time, &ev, sizeof(ev));
}

struct comm {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	char comm[];
};

/* A full table costs the names of the newest tasks only. */
static void add_name(struct kft_perf_writer *w, const struct kft_task_name *name,
		     uint32_t tgid)
{
	if (!w->tasks || w->names->len >= KFT_TASK_NAMES_MAX_BYTES)
		return;
	(void)!kft_task_set_comm(w->tasks, name->pid, name->comm, strlen(name->comm));
	(void)!kft_task_set_tgid(w->tasks, name->pid, tgid);
	kft_task_name_encode(w->names, name);
}

static int take_comm(struct kft_perf_writer *w, const struct comm *c)
{
	const struct trailer t = trailer_of(&c->header);
	bool is_exec = c->header.misc & PERF_RECORD_MISC_COMM_EXEC;
	struct kft_task_name name = {.ts = t.time, .pid = c->tid, .is_renamed = true};

	memcpy(name.comm, c->comm, strnlen(c->comm, sizeof(name.comm) - 1));
	add_name(w, &name, c->pid);
	const struct kft_perf_task_event ev = {
		.common = common(w->formats->ids[KFT_PERF_TYPE_EXEC], c->tid),
		.tgid = (int32_t)c->pid,
	};
	return is_exec ? kft_perf_writer_add(w, t.time, &ev,
					     offsetof(struct kft_perf_task_event, tid))
		       : 0;
}

struct fork {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t ppid;
	uint32_t tid;
	uint32_t ptid;
	uint64_t time;
	struct trailer trailer;
};

/* A task that does not execute a program keeps the name that its parent has. */
static void add_child_name(struct kft_perf_writer *w, const struct fork *f)
{
	struct kft_task_name name = {.ts = f->time, .pid = f->tid};
	const struct kft_task *parent = w->tasks ? kft_task_get(w->tasks, f->ptid) : NULL;

	if (!parent || !parent->comm)
		return;
	memcpy(name.comm, parent->comm, strnlen(parent->comm, sizeof(name.comm) - 1));
	add_name(w, &name, f->pid);
}

static int take_fork(struct kft_perf_writer *w, const struct fork *f)
{
	const struct kft_perf_task_event ev = {
		.common = common(w->formats->ids[KFT_PERF_TYPE_FORK], f->ptid),
		.tgid = (int32_t)f->pid,
		.tid = (int32_t)f->tid,
		.parent = (int32_t)f->ppid,
	};

	add_child_name(w, f);
	return kft_perf_writer_add(w, f->time, &ev, sizeof(ev));
}

struct mmap2 {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	uint64_t addr;
	uint64_t len;
	uint64_t pgoff;
	uint32_t major;
	uint32_t minor;
	uint64_t inode;
	uint64_t generation;
	uint32_t prot;
	uint32_t flags;
	char filename[];
};

int kft_perf_writer_add_map(struct kft_perf_writer *w, uint64_t ts, int32_t tid,
			    const struct kft_perf_mmap_event *map, const char *filename)
{
	uint8_t event[sizeof(*map) + PATH_MAX];
	size_t len = strnlen(filename, w->pages.page_size - 256 - sizeof(*map)) + 1;
	struct kft_perf_mmap_event head = *map;

	head.common = common(w->formats->ids[KFT_PERF_TYPE_MMAP], (uint32_t)tid);
	len = KFT_MIN(len, (size_t)PATH_MAX);
	head.filename = (uint32_t)(len << 16 | sizeof(head));
	memcpy(event, &head, sizeof(head));
	memcpy(event + sizeof(head), filename, len - 1);
	event[sizeof(head) + len - 1] = '\0';
	return kft_perf_writer_add(w, ts, event, sizeof(head) + len);
}

static int take_mmap(struct kft_perf_writer *w, const struct mmap2 *m)
{
	const struct trailer t = trailer_of(&m->header);
	const struct kft_perf_mmap_event ev = {
		.tgid = (int32_t)m->pid,
		.addr = m->addr,
		.len = m->len,
		.pgoff = m->pgoff,
		.inode = m->inode,
		.major = m->major,
		.minor = m->minor,
	};

	return kft_perf_writer_add_map(w, t.time, (int32_t)m->tid, &ev, m->filename);
}

/* The smallest size of each type of records; 0: it is ignored. */
static const size_t sizes[] = {
	[PERF_RECORD_MMAP2] = sizeof(struct mmap2) + 8 + sizeof(struct trailer),
	[PERF_RECORD_LOST] = sizeof(struct lost),
	[PERF_RECORD_COMM] = sizeof(struct comm) + 8 + sizeof(struct trailer),
	[PERF_RECORD_THROTTLE] = sizeof(struct throttle),
	[PERF_RECORD_UNTHROTTLE] = sizeof(struct throttle),
	[PERF_RECORD_FORK] = sizeof(struct fork),
	[PERF_RECORD_SAMPLE] = sizeof(struct sample),
};

int kft_perf_writer_take(struct kft_perf_writer *w, const struct perf_event_header *h)
{
	if (h->type >= ARRAY_SIZE(sizes) || !sizes[h->type] || h->size < sizes[h->type])
		return 0;
	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		return take_sample(w, (const void *)h);
	case PERF_RECORD_MMAP2:
		return take_mmap(w, (const void *)h);
	case PERF_RECORD_COMM:
		return take_comm(w, (const void *)h);
	case PERF_RECORD_FORK:
		return take_fork(w, (const void *)h);
	case PERF_RECORD_LOST:
		return take_lost(w, (const void *)h);
	default:
		return take_throttle(w, (const void *)h);
	}
}

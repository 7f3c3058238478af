// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the processes that start in a boot. */
#include "analysis/boot/processes.h"

#include <errno.h>
#include <stdlib.h>

#include "base/bits.h"

#define PROCESSES_MAX 20000

enum { FORK, EXEC, EXIT };

void kft_boot_bins_add(const struct kft_boot_bins *b, const struct kft_interval *i,
		       uint64_t bins[KFT_BOOT_BINS])
{
	for (uint64_t at = i->begin_ns; at < i->end_ns;) {
		uint64_t bin = (at - b->begin_ns) / b->length_ns;
		uint64_t until = i->end_ns;

		/* A damaged trace may have time stamps far after its end. */
		if (bin < KFT_BOOT_BINS - 1)
			until = KFT_MIN(b->begin_ns + (bin + 1) * b->length_ns, until);
		bins[KFT_MIN(bin, (uint64_t)KFT_BOOT_BINS - 1)] += until - at;
		at = until;
	}
}

void kft_boot_processes_finish(struct kft_boot_processes *p)
{
	kft_map_finish(&p->by_pid);
	kft_vec_finish(&p->list);
}

void kft_boot_processes_init(struct kft_boot_processes *p, struct kft_trace *t,
			     const struct kft_boot_bins *bins, uint64_t end_ns,
			     uint64_t *wanted)
{
	static const char *const names[][3] = {
		[FORK] = {"sched_process_fork", "child_pid", "parent_pid"},
		[EXEC] = {"sched_process_exec", "pid", "pid"},
		[EXIT] = {"sched_process_exit", "pid", "pid"},
	};

	p->swap = t->swap;
	p->bins = *bins;
	p->end_ns = end_ns;
	for (int i = 0; i < KFT_BOOT_LIFE_EVENTS; i++) {
		const struct kft_class *cls = kft_class_table_find(&t->classes, "sched",
								   names[i][0]);

		if (!cls)
			continue;
		p->events[i].pid = kft_class_field(cls, names[i][1]);
		p->events[i].parent = kft_class_field(cls, names[i][2]);
		if (!p->events[i].pid || !p->events[i].parent)
			continue;
		p->events[i].id = cls->id;
		kft_bits_add(wanted, cls->id);
	}
}

/* A fork always makes a new process, because the kernel reuses pids. */
static int make(struct kft_boot_processes *p, int32_t pid, uint64_t ts,
		struct kft_boot_process **ret)
{
	uint64_t *slot = kft_map_put(&p->by_pid, (uint32_t)pid);
	const struct kft_boot_process fresh = {
		.pid = pid, .parent = -1, .begin_ns = ts, .end_ns = p->end_ns};

	if (!slot)
		return -ENOMEM;
	if (p->list.len == PROCESSES_MAX)
		return -E2BIG;
	if (!kft_vec_push(&p->list, fresh))
		return -ENOMEM;
	*slot = p->list.len;
	*ret = &p->list.data[*slot - 1];
	return 0;
}

static int find(struct kft_boot_processes *p, int32_t pid, uint64_t ts,
		struct kft_boot_process **ret)
{
	const uint64_t *slot = kft_map_get(&p->by_pid, (uint32_t)pid);

	if (!slot)
		return make(p, pid, ts, ret);
	*ret = &p->list.data[*slot - 1];
	return 0;
}

int kft_boot_processes_event(struct kft_boot_processes *p, const struct kft_event *ev)
{
	struct kft_boot_process *process;
	uint64_t pid;
	uint64_t parent;
	int what = 0;

	while (what < KFT_BOOT_LIFE_EVENTS && p->events[what].id != ev->id)
		what++;
	if (what == KFT_BOOT_LIFE_EVENTS ||
	    !kft_event_int(ev, p->events[what].pid, p->swap, &pid) ||
	    !kft_event_int(ev, p->events[what].parent, p->swap, &parent))
		return 0;
	int r = what == FORK ? make(p, (int32_t)pid, ev->ts, &process)
			     : find(p, (int32_t)pid, p->bins.begin_ns, &process);

	if (r < 0)
		return r;
	if (what == FORK)
		process->parent = (int32_t)parent;
	if (what == EXEC)
		process->exec_ns = ev->ts;
	if (what == EXIT)
		process->end_ns = ev->ts;
	return 0;
}

int kft_boot_processes_ran(struct kft_boot_processes *p, const struct kft_interval *i)
{
	struct kft_boot_process *process;
	int r = find(p, i->pid, i->begin_ns, &process);

	if (r < 0)
		return r;
	process->cpu_ns += kft_interval_ns(i);
	kft_boot_bins_add(&p->bins, i, process->bins);
	return 0;
}

static int compare(const void *pa, const void *pb)
{
	const struct kft_boot_process *a = pa;
	const struct kft_boot_process *b = pb;

	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

void kft_boot_processes_sort(struct kft_boot_processes *p)
{
	if (p->list.len)
		qsort(p->list.data, p->list.len, sizeof(*p->list.data), compare);
}

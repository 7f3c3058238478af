// SPDX-License-Identifier: LGPL-2.1-or-later
/* Describes the parts of an answer of kft why in words. */
#include "analysis/why/why.h"

#include <string.h>

#include "derive/kinds/kinds.h"
#include "derive/kinds/reclaim.h"
#include "model/block_device.h"

const char *kft_why_comm(const struct kft_why *w, int32_t pid, uint64_t ts)
{
	const struct kft_why_task *task = kft_why_task_find(&w->facts, pid);
	const struct kft_why_birth *birth = task ? kft_why_birth_after(task, ts) : NULL;

	return kft_task_comm_longest(&w->trace->tasks, (uint32_t)pid,
				     birth ? birth->ts : ts, w->interval.begin_ns,
				     w->interval.end_ns);
}

/* Whether an answer about programs has several tasks with this name. */
static bool is_shared(const struct kft_why *w, const char *comm)
{
	kft_vec_for_each(&w->programs.list, p)
		if (strcmp(kft_intern_text(&w->programs.names, p->name), comm) == 0)
			return p->is_shared;
	return false;
}

void kft_why_add_task(const struct kft_why *w, int32_t pid, uint64_t ts,
		      struct kft_strbuf *sb)
{
	const char *comm = kft_why_comm(w, pid, ts);

	kft_strbuf_add_escaped(sb, comm, strlen(comm));
	if (pid && !is_shared(w, comm))
		kft_strbuf_addf(sb, "-%d", pid);
}

static void add_key(const struct kft_why *w, const char *kind_name, uint64_t key,
		    struct kft_strbuf *sb)
{
	const struct kft_interval_kind *kind = kft_interval_kind_find(kind_name);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};

	if (!kind) {
		kft_strbuf_addu(sb, key, 1);
		return;
	}
	kft_interval_key_text(w->trace, kind, key, &name);
	kft_strbuf_add_escaped(sb, kft_strbuf_cstr(&name), name.len);
}

static void add_function(const struct kft_why *w, uint64_t addr, struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};

	kft_key_function(w->trace, addr, &name);
	kft_strbuf_add_escaped(sb, kft_strbuf_cstr(&name), name.len);
}

void kft_why_add_mode(const struct kft_why *w, enum kft_why_mode mode, uint64_t what,
		      struct kft_strbuf *sb)
{
	switch (mode) {
	case KFT_WHY_MODE_UNKNOWN:
		break;
	case KFT_WHY_MODE_SYSCALL:
		kft_strbuf_adds(sb, " in ");
		add_key(w, "syscall", what, sb);
		break;
	case KFT_WHY_MODE_WORK:
		kft_strbuf_adds(sb, " in the work ");
		add_function(w, what, sb);
		break;
	case KFT_WHY_MODE_USER:
		kft_strbuf_adds(sb, " in user mode");
		break;
	case KFT_WHY_MODE_HANDLER:
		kft_strbuf_adds(sb, " in the handler of ");
		add_key(w, "signal", what, sb);
		break;
	case KFT_WHY_MODE_KERNEL:
		kft_strbuf_adds(sb, " in the kernel");
		break;
	}
}

static void add_cpu(const struct kft_why_segment *s, const char *before,
		    struct kft_strbuf *sb)
{
	if (s->cpu != KFT_WHY_NO_CPU)
		kft_strbuf_addf(sb, "%sCPU %u", before, s->cpu);
}

static void add_priorities(const struct kft_why_segment *s, struct kft_strbuf *sb)
{
	if (s->prio == s->own_prio)
		return;
	if (s->prio != KFT_WHY_NO_PRIO && s->own_prio != KFT_WHY_NO_PRIO)
		kft_strbuf_addf(sb, " (priority %d against %d)", s->prio, s->own_prio);
	else if (s->prio != KFT_WHY_NO_PRIO)
		kft_strbuf_addf(sb, " (priority %d)", s->prio);
}

/* Appends an interrupt, softirq, tasklet or timer function with its name. */
static void add_irq(const struct kft_why *w, const struct kft_why_segment *s,
		    struct kft_strbuf *sb)
{
	static const struct {
		const char *kind;
		const char *word;
	} words[] = {
		{"irq", "interrupt "},		{"vector", "interrupt "},
		{"softirq", "softirq "},	{"tasklet", "tasklet "},
		{"hrtimer", "timer function "}, {"timer", "timer function "},
	};
	const char *word = "";

	if (!s->kind) {
		kft_strbuf_adds(sb, "an interrupt");
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcmp(words[i].kind, s->kind->name) == 0)
			word = words[i].word;
	kft_strbuf_adds(sb, word);
	add_key(w, s->kind->name, s->what, sb);
}

static void add_behind(const struct kft_why *w, const struct kft_why_segment *s,
		       struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "waiting for");
	add_cpu(s, " ", sb);
	kft_strbuf_adds(sb, " behind ");
	kft_why_add_task(w, s->pid, s->begin, sb);
	add_priorities(s, sb);
	if (s->mode == KFT_WHY_MODE_WORK)
		kft_why_add_mode(w, s->mode, s->what, sb);
	if (s->cause == KFT_WHY_HELD)
		kft_strbuf_adds(sb, ", although a reschedule was due");
}

static void add_silence(const struct kft_why *w, const struct kft_why_segment *s,
			struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "nothing was seen");
	add_cpu(s, " on ", sb);
	if (s->pid >= 0) {
		kft_strbuf_adds(sb, ", where ");
		kft_why_add_task(w, s->pid, s->begin, sb);
		kft_strbuf_adds(sb, " was");
	}
	if (s->cause == KFT_WHY_STILL)
		kft_strbuf_adds(
			sb, ", nor on any other that had work: the machine stood still");
	else if (s->what == KFT_WHY_OTHERS_WORKED)
		kft_strbuf_adds(sb,
				", while others worked: interrupts off, or a host that "
				"did not run this CPU");
	else
		kft_strbuf_adds(sb, ": interrupts off, or the machine stood still");
}

/* Appends the task that spends this time, unless it is the explained task. */
static void add_subject(const struct kft_why *w, const struct kft_why_segment *s,
			struct kft_strbuf *sb)
{
	if (!s->link)
		return;
	kft_why_add_task(w, w->path.links.data[s->link].pid, s->begin, sb);
	kft_strbuf_addc(sb, ' ');
}

/* A lock of the kernel is known by its address, that of a program by its owner. */
static void add_lock(const struct kft_why *w, const struct kft_why_segment *s,
		     struct kft_strbuf *sb)
{
	if (s->mode != KFT_WHY_MODE_SYSCALL) {
		kft_strbuf_adds(sb, "spinning on the lock ");
		add_key(w, "lock", s->what, sb);
		return;
	}
	kft_strbuf_adds(sb, "spinning");
	kft_why_add_mode(w, s->mode, s->what, sb);
	kft_strbuf_adds(sb, " on the lock that ");
	kft_why_add_task(w, s->pid, s->begin, sb);
	kft_strbuf_adds(sb, " has");
}

static void add_segment(const struct kft_why *w, const struct kft_why_segment *s,
			struct kft_strbuf *sb)
{
	switch (s->cause) {
	case KFT_WHY_RUN:
		kft_strbuf_adds(sb, s->pid >= 0 ? "running" : "its own work");
		kft_why_add_mode(w, s->mode, s->what, sb);
		break;
	case KFT_WHY_DEP:
	case KFT_WHY_BUSY:
		kft_why_add_task(w, s->pid, s->begin, sb);
		kft_strbuf_adds(sb, " running");
		kft_why_add_mode(w, s->mode, s->what, sb);
		if (s->cause == KFT_WHY_BUSY)
			add_cpu(s, " on ", sb);
		break;
	case KFT_WHY_FAULT:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "in page faults, one after the other");
		break;
	case KFT_WHY_RECLAIM:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "reclaiming memory, as ");
		kft_strbuf_adds(sb, kft_why_reclaim_reason(s->what));
		break;
	case KFT_WHY_SPIN:
		add_subject(w, s, sb);
		add_lock(w, s, sb);
		break;
	case KFT_WHY_IRQ:
	case KFT_WHY_SOFTIRQ:
	case KFT_WHY_CALLBACK:
		add_irq(w, s, sb);
		add_cpu(s, " on ", sb);
		break;
	case KFT_WHY_SILENT:
	case KFT_WHY_STILL:
		add_silence(w, s, sb);
		break;
	case KFT_WHY_CPU:
	case KFT_WHY_HELD:
		add_subject(w, s, sb);
		add_behind(w, s, sb);
		break;
	case KFT_WHY_THROTTLED:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb,
				s->cpu == KFT_WHY_NO_CPU
					? "held back by a CPU quota (cgroup cpu.max)"
					: "ready to run and not run although a CPU was "
					  "idle, as by a quota");
		break;
	case KFT_WHY_LIMITED:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, s->own_prio < 0
					    ? "held back by the limit of its deadline "
					      "(sched_runtime in each sched_period)"
					    : "held back by the limit of all real-time "
					      "tasks (sched_rt_runtime_us, fair server)");
		break;
	case KFT_WHY_IDLE_EXIT:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "waiting for the idle");
		add_cpu(s, " ", sb);
		kft_strbuf_adds(sb, " to wake up");
		break;
	case KFT_WHY_WAY:
		kft_strbuf_adds(sb, "the wake-up by ");
		kft_why_add_task(w, s->pid, s->begin, sb);
		add_cpu(s, " on ", sb);
		kft_strbuf_adds(sb, " was on its way");
		break;
	case KFT_WHY_STOPPED:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "stopped by a signal");
		if (s->pid >= 0) {
			kft_strbuf_adds(sb, " of ");
			kft_why_add_task(w, s->pid, s->begin, sb);
		}
		break;
	case KFT_WHY_SLEEP:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "asleep until the time that was asked for");
		break;
	case KFT_WHY_SLACK:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "asleep in the slack of its timer");
		break;
	case KFT_WHY_TIMEOUT:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "asleep until a timeout");
		break;
	case KFT_WHY_TIMER:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "waiting for the timer ");
		add_function(w, s->what, sb);
		break;
	case KFT_WHY_IO_QUEUE:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "waiting, its request in the queue of device ");
		kft_add_block_device(&w->trace->meta, s->what, ',', sb);
		break;
	case KFT_WHY_IO_DEVICE:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "waiting for a request that device ");
		kft_add_block_device(&w->trace->meta, s->what, ',', sb);
		kft_strbuf_adds(sb, " worked on");
		break;
	case KFT_WHY_IO:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "waiting until a request to device ");
		kft_add_block_device(&w->trace->meta, s->what, ',', sb);
		kft_strbuf_adds(sb, " was made");
		break;
	case KFT_WHY_DEVICE:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "waiting for ");
		add_irq(w, s, sb);
		break;
	case KFT_WHY_IDLE:
		add_cpu(s, "", sb);
		kft_strbuf_adds(sb, " was idle");
		break;
	case KFT_WHY_BLOCKED:
		add_subject(w, s, sb);
		kft_strbuf_adds(sb, "waiting; its waker is not in the trace");
		break;
	case KFT_WHY_LOST:
		kft_strbuf_adds(sb, "events were lost");
		add_cpu(s, " on ", sb);
		break;
	case KFT_WHY_UNKNOWN:
	case KFT_WHY_CAUSES:
		kft_strbuf_adds(sb, "the trace does not say");
		break;
	}
}

const char *kft_why_reclaim_reason(uint64_t key)
{
	return key == KFT_RECLAIM_OF_CGROUP ? "its cgroup is at its limit (memory.max)"
					    : "little is free";
}

static void add_behind_many(const struct kft_why *w, const struct kft_why_row *row,
			    struct kft_strbuf *sb)
{
	const char *most = kft_intern_text(&w->programs.names, row->most_behind);

	add_subject(w, &row->like, sb);
	kft_strbuf_addf(sb, "waiting for a CPU behind %u programs, most (%.1f %%) ",
			row->n_behind,
			100.0 * (double)row->most_behind_ns /
				(double)kft_interval_ns(&w->interval));
	kft_strbuf_add_escaped(sb, most, strlen(most));
}

void kft_why_add_row(const struct kft_why *w, const struct kft_why_row *row,
		     struct kft_strbuf *sb)
{
	if (row->n_behind > 1)
		add_behind_many(w, row, sb);
	else
		add_segment(w, &row->like, sb);
}

/* Appends a blocking chain, such as "waiting for mid-13, that for low-12 (in futex)". */
void kft_why_add_chain(const struct kft_why *w, const struct kft_why_row *row,
		       struct kft_strbuf *sb)
{
	uint32_t chain[64];
	size_t n = 0;

	for (uint32_t l = row->like.link; l && n < ARRAY_SIZE(chain);
	     l = w->path.links.data[l].up)
		chain[n++] = l;
	for (size_t i = n; i-- > 0;) {
		const struct kft_why_link *link = &w->path.links.data[chain[i]];

		kft_strbuf_adds(sb, i + 1 < n ? ", that for " : "waiting for ");
		if (link->by_packet)
			kft_strbuf_adds(sb, "a packet of ");
		kft_why_add_task(w, link->pid, row->like.begin, sb);
		/* A row of programs has links of several calls. */
		if (!w->is_command && (link->mode == KFT_WHY_MODE_SYSCALL ||
				       link->mode == KFT_WHY_MODE_WORK)) {
			kft_strbuf_adds(sb, " (");
			_cleanup_(kft_strbuf_finish) struct kft_strbuf mode = {};

			kft_why_add_mode(w, link->mode, link->what, &mode);
			kft_strbuf_adds(sb, kft_strbuf_cstr(&mode) + 1);
			kft_strbuf_addc(sb, ')');
		}
	}
}

/* Appends the interval as an argument of kft why, such as "syscall:read". */
void kft_why_add_what(const struct kft_why *w, struct kft_strbuf *sb)
{
	const struct kft_interval *i = &w->interval;

	if (!i->kind) {
		kft_strbuf_adds(sb, w->is_command ? "the command" : "this time");
		return;
	}
	kft_strbuf_addf(sb, "%s:", i->kind->name);
	add_key(w, i->kind->name, i->key, sb);
}

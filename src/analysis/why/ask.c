// SPDX-License-Identifier: LGPL-2.1-or-later
/* Selects the intervals that a question of kft why is about. */
#include "analysis/why/ask.h"

#include <stdio.h>
#include <string.h>

#include "analysis/why/recorder.h"
#include "base/scan.h"
#include "base/units.h"
#include "derive/kinds/kinds.h"
#include "derive/kinds/task_state.h"

bool kft_why_ask_kinds(struct kft_why_ask *ask, const char *name)
{
	bool is_group = false;

	for (size_t i = 0; kft_interval_kinds[i]; i++) {
		const struct kft_interval_kind *kind = kft_interval_kinds[i];

		if (!kind->group || strcmp(kind->group, name) != 0)
			continue;
		is_group = true;
		if (!kind->is_instant && strcmp(kind->name, "irq-gap") != 0 &&
		    ask->n_kinds < KFT_WHY_KINDS_MAX)
			ask->kinds[ask->n_kinds++] = kind;
	}
	const struct kft_interval_kind *kind = kft_interval_kind_find(name);

	if (!is_group && kind && !kind->is_instant)
		ask->kinds[ask->n_kinds++] = kind;
	return ask->n_kinds > 0;
}

bool kft_why_is_surprising(const struct kft_interval_kind *kind)
{
	static const char others[] =
		"cpu irq-gap futex signal idle frequency mark-gap initcall migration "
		"fault napi printk";

	return !kind->is_instant && !kft_has_word(others, kind->name);
}

/* Calls that wait for an event that may never come: a long one is not a problem by itself. */
static bool waits_for_anything(struct kft_strbuf *name)
{
	static const char calls[] =
		"accept accept4 clock_nanosleep epoll_pwait epoll_wait epoll_pwait2 futex "
		"futex_wait io_getevents io_uring_enter nanosleep pause poll ppoll "
		"pselect6 read recvfrom recvmsg recvmmsg rt_sigsuspend rt_sigtimedwait "
		"select wait4 waitid restart_syscall exit exit_group vfork";

	return kft_has_word(calls, kft_strbuf_cstr(name));
}

/*
 * Whether a state of a task is an interval to be explained. A wait for a CPU after a
 * wake-up always is. Preemption happens to every task that computes for long, so it only
 * counts if the question names a task or a kind, or if nothing else was found. Being
 * blocked (on a page of a mapped file, for example, without a system call), stopped or
 * traced counts if the question names only a task.
 */
static enum kft_why_meaning state_means(const struct kft_why_ask *ask, uint64_t state)
{
	switch (state) {
	case KFT_TASK_WAITING:
		return KFT_WHY_MEANT;
	case KFT_TASK_PREEMPTED:
		return ask->n_kinds || ask->task ? KFT_WHY_MEANT : KFT_WHY_MEANT_LAST;
	case KFT_TASK_BLOCKED:
	case KFT_TASK_STOPPED:
	case KFT_TASK_TRACED:
		return !ask->n_kinds && ask->task ? KFT_WHY_MEANT : KFT_WHY_NOT_MEANT;
	default:
		return KFT_WHY_NOT_MEANT;
	}
}

bool kft_why_is_tick(const struct kft_trace *t, uint64_t function)
{
	static const char *const names[] = {"tick_nohz_handler", "tick_sched_timer"};
	const struct kft_symbol *s = kft_symbol_lookup(&t->symbols, function);

	for (size_t i = 0; s && s->addr == function && i < ARRAY_SIZE(names); i++)
		if (s->name_len == strlen(names[i]) &&
		    memcmp(s->name, names[i], s->name_len) == 0)
			return true;
	return false;
}

static bool is_called(struct kft_strbuf *name, const char *key)
{
	const char *text = kft_strbuf_cstr(name);
	size_t len = strlen(key);

	/* "24 (eth0)" matches the number alone, as the name is unknown until eth0 interrupts. */
	if (*text && !text[strspn(text, "0123456789")] && strstr(key, " ("))
		len = (size_t)(strstr(key, " (") - key);
	return strncmp(text, key, len) == 0 &&
	       (!text[len] || strncmp(text + len, " (", 2) == 0);
}

enum kft_why_meaning kft_why_ask_means(const struct kft_why_ask *ask, struct kft_trace *t,
				       const struct kft_interval_kind *kind, uint64_t key)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	char number[24];

	if (key == KFT_INTERVAL_NO_KEY)
		return KFT_WHY_NOT_MEANT;
	if (kind == &kft_kind_task && !ask->key)
		return state_means(ask, key);
	kft_interval_key_text(t, kind, key, &name);
	(void)snprintf(number, sizeof(number), "%lld", (long long)key);
	if (ask->key && !is_called(&name, ask->key) && strcmp(number, ask->key) != 0)
		return KFT_WHY_NOT_MEANT;
	if (!ask->key && strcmp(kind->name, "syscall") == 0 && waits_for_anything(&name))
		return KFT_WHY_MEANT_LAST;
	return strcmp(kind->name, "hrtimer-late") == 0 && kft_why_is_tick(t, key)
		       ? KFT_WHY_MEANT_TICK
		       : KFT_WHY_MEANT;
}

bool kft_why_is_of_task(const struct kft_interval *i)
{
	static const char others[] = "hrtimer-late block block-queued work-queued";

	if (!i->kind)
		return i->pid >= 0;
	return !i->kind->per_cpu && !kft_has_word(others, i->kind->name);
}

static bool is_of_command(const struct kft_why_command *c, const struct kft_interval *i)
{
	return kft_why_is_of_task(i) && i->begin_ns >= c->run.begin &&
	       i->end_ns <= c->run.end && kft_why_command_has(c, i->pid, i->begin_ns);
}

bool kft_why_ask_has_task(const struct kft_why_ask *ask, const struct kft_trace *t,
			  const struct kft_interval *i)
{
	const char *task = ask->task;
	uint64_t pid;

	if (ask->command)
		return is_of_command(ask->command, i);
	/* The idle task's functions last as long as its CPU has nothing to do. */
	if (!task)
		return ask->key || i->kind != &kft_kind_function || i->pid != 0;
	/* A question about a task excludes time of CPUs and devices, such as late timers. */
	if (!ask->n_kinds && !kft_why_is_of_task(i))
		return false;
	if (kft_parse_u64(task, &pid) == 0 && pid == (uint32_t)i->pid)
		return true;
	return strcmp(kft_task_comm_at(&t->tasks, (uint32_t)i->pid, i->begin_ns), task) ==
	       0;
}

bool kft_why_ask_is_recorder(const struct kft_why_ask *ask, const struct kft_trace *t,
			     const struct kft_interval *i)
{
	if (ask->n_kinds || ask->is_moment || ask->task || ask->command ||
	    !kft_why_is_of_task(i))
		return false;
	return kft_why_is_recorder(
		t, kft_task_comm_at(&t->tasks, (uint32_t)i->pid, i->begin_ns));
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes the kernel find conditions, by histogram triggers. */
#include "watch/in_kernel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/err.h"
#include "base/units.h"
#include "tracefs/sources/hist.h"
#include "derive/kinds/kinds.h"
#include "derive/kinds/task_state.h"
#include "model/syscall.h"
#include "plan/intervals.h"

/*
 * Sizes of the tables: pids of tasks of one name in about a day,
 * and interrupts on all CPUs.
 */
#define TASKS_ROOM 16384
#define NAMES_ROOM 2048
#define CPUS_ROOM  2048

/* the kernel's TASK_COMM_LEN */
#define COMM_BYTES 16

struct moment {
	const char *event;
	const char *keys;
	const char *comm; /* for waits: field with the name of the task */
	const char *filter;
};

#define RUNNABLE "!(prev_state & 255) && prev_pid != 0"
#define ARRIVES                                                     \
	{                                                           \
		"sched:sched_switch", "next_pid", "next_comm", NULL \
	}
#define LEAVES                                                          \
	{                                                               \
		"sched:sched_switch", "prev_pid", "prev_comm", RUNNABLE \
	}

/*
 * The events of an interval. A kind with several possible beginnings has
 * several entries in a row.
 */
static const struct recipe {
	const struct kft_interval_kind *kind;
	struct moment begin;
	struct moment end;
	struct moment cancel;
	const char *key;
	uint32_t room;
} recipes[] = {
	{&kft_kind_irq,
	 {"irq:irq_handler_entry", "common_cpu,irq", NULL, NULL},
	 {"irq:irq_handler_exit", "common_cpu,irq", NULL, NULL},
	 {},
	 "int irq",
	 CPUS_ROOM},
	{&kft_kind_softirq,
	 {"irq:softirq_entry", "common_cpu,vec", NULL, NULL},
	 {"irq:softirq_exit", "common_cpu,vec", NULL, NULL},
	 {},
	 "unsigned int vec",
	 CPUS_ROOM},
	{&kft_kind_syscall,
	 {"raw_syscalls:sys_enter", "common_pid", NULL, NULL},
	 {"raw_syscalls:sys_exit", "common_pid", NULL, NULL},
	 {"sched:sched_process_exit", "pid", NULL, NULL},
	 "long id",
	 TASKS_ROOM},
	/*
	 * A wake-up of a runnable task starts no wait: that task is
	 * switched out as runnable.
	 */
	{&kft_kind_task,
	 {"sched:sched_waking", "pid", "comm", NULL},
	 ARRIVES,
	 LEAVES,
	 "pid_t next_pid",
	 NAMES_ROOM},
	{&kft_kind_task,
	 {"sched:sched_wakeup_new", "pid", "comm", NULL},
	 ARRIVES,
	 {},
	 "pid_t next_pid",
	 NAMES_ROOM},
	{&kft_kind_task, LEAVES, ARRIVES, {}, "pid_t next_pid", NAMES_ROOM},
};

/* The number of the condition's system call; negative: any call, or an unknown name. */
static int64_t syscall_of(const struct kft_condition *c)
{
	struct utsname u;

	if (!c->key || uname(&u) < 0)
		return -1;
	return kft_syscall_number(kft_syscalls_of(u.machine, strlen(u.machine)), c->key);
}

/* Excludes the watcher's own calls: each report would cause more calls. */
static int syscall_filter(const struct kft_condition *c, char **ret)
{
	int64_t nr = syscall_of(c);
	long own = getpid();

	return nr < 0 ? asprintf(ret, "common_pid != %ld", own)
		      : asprintf(ret, "id == %lld && common_pid != %ld", (long long)nr,
				 own);
}

char *kft_in_kernel_filter(const struct kft_condition *c, const char *event)
{
	char *text = NULL;
	uint64_t irq;
	int n = 0;

	if (c->key && strncmp(event, "irq_handler_", 12) == 0 &&
	    kft_parse_u64(c->key, &irq) == 0)
		n = asprintf(&text, "irq == %s", c->key);
	if (strncmp(event, "sys_e", 5) == 0)
		n = syscall_filter(c, &text);
	return n < 0 ? NULL : text;
}

/* Names can only be compared as a whole, and between quotes. */
static bool can_filter_task(const struct kft_condition *c)
{
	return c->task && !c->key && strlen(c->task) < COMM_BYTES &&
	       !strchr(c->task, '"');
}

/* Waits of all tasks would soon fill the tables, so a name is required. */
static bool can_be_found(const struct kft_condition *c,
			 const struct kft_interval_kind *kind)
{
	if (kind == &kft_kind_syscall)
		return !c->key || syscall_of(c) >= 0;
	return kind != &kft_kind_task || can_filter_task(c);
}

/* The first recipe for the condition; NULL: there is none. */
static const struct recipe *find(const struct kft_condition *c)
{
	const struct kft_interval_kind *kind = c->when == KFT_WHEN_INTERVAL
						       ? kft_interval_kind_find(c->what)
						       : NULL;

	for (size_t i = 0; HAVE_HIST && kind && i < ARRAY_SIZE(recipes); i++)
		if (recipes[i].kind == kind && can_be_found(c, kind))
			return &recipes[i];
	return NULL;
}

static const struct recipe *next(const struct recipe *r)
{
	return HAVE_HIST && r + 1 < recipes + ARRAY_SIZE(recipes) && r[1].kind == r->kind
		       ? r + 1
		       : NULL;
}

bool kft_in_kernel_is_found(const struct kft_conditions *conditions, size_t index)
{
	return conditions->in_kernel && find(&conditions->data[index]);
}

void kft_in_kernel_name(size_t index, size_t way, char ret[static KFT_IN_KERNEL_NAME_MAX])
{
	(void)snprintf(ret, KFT_IN_KERNEL_NAME_MAX, KFT_HIST_PREFIX "%ld_%zu_%zu",
		       (long)getpid(), index, way);
}

/* Makes an event of the plan; the caller frees its filter. -ENOMEM. */
static int moment(const struct kft_condition *c, const struct moment *m,
		  struct kft_plan_moment *ret)
{
	*ret = (struct kft_plan_moment){.event = m->event, .keys = m->keys};
	if (!m->event)
		return 0;
	if (!m->comm) {
		ret->filter = kft_in_kernel_filter(c, strchr(m->event, ':') + 1);
		return 0;
	}
	int n = asprintf(&ret->filter, "%s == \"%s\"%s%s", m->comm, c->task,
			 m->filter ? " && " : "", m->filter ? m->filter : "");

	return n < 0 ? -ENOMEM : 0;
}

static int add(const struct kft_condition *c, const struct recipe *r, char *name,
	       struct kft_plan *p, struct kft_err *e)
{
	struct kft_plan_interval interval = {
		.name = name,
		.key = r->key,
		.room = r->room,
		.min_ns = c->ns,
	};
	int n = moment(c, &r->begin, &interval.begin);

	if (n == 0)
		n = moment(c, &r->end, &interval.end);
	if (n == 0)
		n = moment(c, &r->cancel, &interval.cancel);
	n = n < 0 ? kft_err_set(e, n, "out of memory")
		  : kft_plan_add_interval(p, &interval, e);
	free(interval.begin.filter);
	free(interval.end.filter);
	free(interval.cancel.filter);
	return n;
}

int kft_in_kernel_plan(const struct kft_condition *c, size_t index, struct kft_plan *p,
		       struct kft_err *e)
{
	size_t way = 0;
	int n = 0;

	for (const struct recipe *r = find(c); r && n == 0; r = next(r)) {
		char name[KFT_IN_KERNEL_NAME_MAX];

		kft_in_kernel_name(index, way++, name);
		n = add(c, r, name, p, e);
	}
	return n;
}

int kft_in_kernel_find(struct kft_trace *t, const struct kft_condition *c, size_t index,
		       struct kft_in_kernel *ret)
{
	*ret = (struct kft_in_kernel){};
	for (const struct recipe *r = find(c); r; r = next(r)) {
		struct kft_in_kernel_way *way = &ret->ways[ret->n];
		char name[KFT_IN_KERNEL_NAME_MAX];

		kft_in_kernel_name(index, ret->n++, name);
		way->cls = kft_class_table_find(&t->classes, "synthetic", name);
		way->lat = way->cls ? kft_class_field(way->cls, "lat") : NULL;
		way->key = way->cls ? kft_class_field(way->cls, "key") : NULL;
		if (!way->lat || !way->key)
			return -ENOENT;
	}
	return 0;
}

static uint64_t value(const struct kft_field *field, const struct kft_event *ev,
		      bool swap)
{
	uint64_t v = 0;

	return kft_event_int(ev, field, swap, &v) ? v : 0;
}

static const struct kft_in_kernel_way *way_of(const struct kft_in_kernel *k, uint16_t id)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->ways[i].cls->id == id)
			return &k->ways[i];
	return NULL;
}

bool kft_in_kernel_interval(const struct kft_in_kernel *k,
			    const struct kft_interval_kind *kind,
			    const struct kft_event *ev, int32_t pid, bool swap,
			    struct kft_interval *ret)
{
	const struct kft_in_kernel_way *way = HAVE_HIST ? way_of(k, ev->id) : NULL;

	if (!way)
		return false;
	*ret = (struct kft_interval){
		.kind = kind,
		.key = value(way->key, ev, swap),
		.begin_ns = ev->ts - value(way->lat, ev, swap),
		.end_ns = ev->ts,
		.pid = pid,
		.cpu = ev->cpu,
		.end_cpu = ev->cpu,
	};
	if (kind == &kft_kind_task) {
		ret->pid = (int32_t)ret->key;
		ret->key = KFT_TASK_WAITING;
	}
	return true;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Has the kernel look for what conditions wait for. */
#include "watch/in_kernel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/units.h"
#include "capture/tracefs/hist.h"
#include "derive/kinds.h"
#include "model/plan_intervals.h"
#include "model/syscall.h"

/* Room for the tasks that a machine has in a day or so, and for its interrupts on all CPUs. */
#define TASKS_ROOM 16384
#define CPUS_ROOM  2048

static const struct recipe {
	const struct kft_interval_kind *kind;
	const char *begin;
	const char *end;
	const char *keys;
	const char *key;
	uint32_t room;
} recipes[] = {
	{&kft_kind_irq, "irq:irq_handler_entry", "irq:irq_handler_exit", "common_cpu,irq",
	 "int irq", CPUS_ROOM},
	{&kft_kind_softirq, "irq:softirq_entry", "irq:softirq_exit", "common_cpu,vec",
	 "unsigned int vec", CPUS_ROOM},
	{&kft_kind_syscall, "raw_syscalls:sys_enter", "raw_syscalls:sys_exit",
	 "common_pid", "long id", TASKS_ROOM},
};

/* Negative: all of them, or none that is known. */
static int64_t syscall_of(const struct kft_condition *c)
{
	struct utsname u;

	if (!c->key || uname(&u) < 0)
		return -1;
	return kft_syscall_number(kft_syscalls_of(u.machine, strlen(u.machine)), c->key);
}

/* A watcher that is told of its own calls makes more of them. */
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

static const struct recipe *find(const struct kft_condition *c)
{
	const struct kft_interval_kind *kind = c->when == KFT_WHEN_INTERVAL
						       ? kft_interval_kind_find(c->what)
						       : NULL;

	for (size_t i = 0; i < ARRAY_SIZE(recipes); i++)
		if (recipes[i].kind == kind)
			return &recipes[i];
	return NULL;
}

bool kft_in_kernel_is_found(const struct kft_conditions *conditions, size_t index)
{
	const struct kft_condition *c = &conditions->data[index];
	const struct recipe *r = HAVE_HIST && conditions->in_kernel ? find(c) : NULL;

	/* All calls of all tasks would soon fill the table. */
	return r && (r->kind != &kft_kind_syscall || syscall_of(c) >= 0);
}

void kft_in_kernel_name(size_t index, char ret[static KFT_IN_KERNEL_NAME_MAX])
{
	(void)snprintf(ret, KFT_IN_KERNEL_NAME_MAX, KFT_HIST_PREFIX "%ld_%zu",
		       (long)getpid(), index);
}

int kft_in_kernel_plan(const struct kft_condition *c, size_t index, struct kft_plan *p,
		       struct kft_err *e)
{
	const struct recipe *r = find(c);
	_cleanup_free_ char *filter = kft_in_kernel_filter(c, strchr(r->begin, ':') + 1);
	char name[KFT_IN_KERNEL_NAME_MAX];

	kft_in_kernel_name(index, name);
	const struct kft_plan_interval interval = {
		.name = name,
		.begin = {r->begin, r->keys, filter},
		.end = {r->end, r->keys, filter},
		.key = r->key,
		.room = r->room,
		.min_ns = c->ns,
	};

	return kft_plan_add_interval(p, &interval, e);
}

int kft_in_kernel_find(struct kft_trace *t, size_t index, struct kft_in_kernel *ret)
{
	char name[KFT_IN_KERNEL_NAME_MAX];

	kft_in_kernel_name(index, name);
	ret->cls = kft_class_table_find(&t->classes, "synthetic", name);
	ret->lat = ret->cls ? kft_class_field(ret->cls, "lat") : NULL;
	ret->key = ret->cls ? kft_class_field(ret->cls, "key") : NULL;
	return ret->lat && ret->key ? 0 : -ENOENT;
}

static uint64_t value(const struct kft_field *field, const struct kft_event *ev,
		      bool swap)
{
	uint64_t v = 0;

	return kft_event_int(ev, field, swap, &v) ? v : 0;
}

struct kft_interval kft_in_kernel_interval(const struct kft_in_kernel *k,
					   const struct kft_interval_kind *kind,
					   const struct kft_event *ev, int32_t pid,
					   bool swap)
{
	return (struct kft_interval){
		.kind = kind,
		.key = value(k->key, ev, swap),
		.begin_ns = ev->ts - value(k->lat, ev, swap),
		.end_ns = ev->ts,
		.pid = pid,
		.cpu = ev->cpu,
		.end_cpu = ev->cpu,
	};
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the code that uses <kft/ktrace.h>, makes trace events of its calls, and switches the
 * calls on while a session records these events.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include <kft/ktrace.h>

#include "names.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* Protects units, users, and the members of each unit that change. */
static DEFINE_MUTEX(lock);
static LIST_HEAD(units);
static unsigned int users[KTRACE_KINDS]; /* events of a kind that are enabled */

static atomic_t missed = ATOMIC_INIT(0);
module_param_named(missed, missed.counter, int, 0444);
MODULE_PARM_DESC(missed,
		 "calls from idle CPUs that RCU does not watch, which are not recorded");

/* The buffers of traces are found by RCU. */
static __always_inline bool can_record(void)
{
	if (likely(rcu_is_watching()))
		return true;
	atomic_inc(&missed);
	return false;
}

static void op_log2(const struct ktrace_unit *u, u8 func, u8 event, u64 u1, u64 u2)
{
	if (can_record())
		trace_ktrace_log2(u->number, func, event, u1, u2);
}

static void op_log4(const struct ktrace_unit *u, u8 func, u8 event, u32 u1, u32 u2,
		    u32 u3, u32 u4)
{
	if (can_record())
		trace_ktrace_log4(u->number, func, event, u1, u2, u3, u4);
}

static void op_scope(const struct ktrace_unit *u, u8 func, const void *scope, bool begins)
{
	if (!can_record())
		return;
	if (begins)
		trace_ktrace_scope_begin(u->number, func, scope);
	else
		trace_ktrace_scope_end(u->number, func, scope);
}

/* A line has an end of its own in every output. */
static size_t without_newline(const char *text, size_t len)
{
	return len && text[len - 1] == '\n' ? len - 1 : len;
}

/* On the stack: a buffer for each CPU would need one for each context that interrupts another. */
static void op_vprintf(const char *fmt, va_list ap)
{
	char text[KTRACE_TEXT_MAX];
	size_t len = vscnprintf(text, sizeof(text), fmt, ap);

	if (can_record())
		trace_kpprintf(text, without_newline(text, len));
}

static void op_record(const char *text)
{
	size_t len = strnlen(text, KTRACE_TEXT_MAX - 1);

	if (can_record())
		trace_kptrace_write_record(text, without_newline(text, len));
}

static void op_control(enum ktrace_kind kind, unsigned long ip)
{
	if (!can_record())
		return;
	if (kind == KTRACE_MARK)
		trace_kptrace_mark(ip);
	else if (kind == KTRACE_PAUSE)
		trace_kptrace_pause(ip);
	else
		trace_kptrace_restart(ip);
}

static const struct ktrace_ops ops = {
	.log2 = op_log2,
	.log4 = op_log4,
	.scope = op_scope,
	.vprintf = op_vprintf,
	.record = op_record,
	.control = op_control,
};

static void switch_unit(struct ktrace_unit *u, enum ktrace_kind kind, bool on)
{
	if (on)
		static_key_enable(&u->keys[kind]);
	else
		static_key_disable(&u->keys[kind]);
}

/*
 * An enabled event holds this module: when a module with events goes, the kernel empties the
 * buffers of all sessions that had them.
 */
static int switch_on(enum ktrace_kind kind)
{
	struct ktrace_unit *u;

	if (!try_module_get(THIS_MODULE))
		return -EBUSY;
	mutex_lock(&lock);
	if (users[kind]++ == 0)
		list_for_each_entry(u, &units, list) switch_unit(u, kind, true);
	mutex_unlock(&lock);
	return 0;
}

static void switch_off(enum ktrace_kind kind)
{
	struct ktrace_unit *u;

	mutex_lock(&lock);
	if (--users[kind] == 0)
		list_for_each_entry(u, &units, list) switch_unit(u, kind, false);
	mutex_unlock(&lock);
	module_put(THIS_MODULE);
}

#define DEFINE_SWITCH(name, kind)           \
	int ktrace_switch_on_##name(void)   \
	{                                   \
		return switch_on(kind);     \
	}                                   \
	void ktrace_switch_off_##name(void) \
	{                                   \
		switch_off(kind);           \
	}
KTRACE_SWITCHES(DEFINE_SWITCH)

static void set_format(struct trace_event_call *call, const char *conversions,
		       const char *values)
{
	const char *format = ktrace_names_format(conversions, values);

	if (format)
		WRITE_ONCE(call->print_fmt, (char *)format);
}

static void set_formats(void)
{
	set_format(&event_ktrace_log2, " u1=%llu u2=%llu", ", REC->u1, REC->u2");
	set_format(&event_ktrace_log4, " u1=%u u2=%u u3=%u u4=%u",
		   ", REC->u1, REC->u2, REC->u3, REC->u4");
	set_format(&event_ktrace_scope_begin, "", NULL);
	set_format(&event_ktrace_scope_end, "", NULL);
}

/* Restores the formats without names, before the memory of the names is freed. */
static void reset_formats(void)
{
	event_ktrace_log2.print_fmt = print_fmt_ktrace_log2;
	event_ktrace_log4.print_fmt = print_fmt_ktrace_log4;
	event_ktrace_scope_begin.print_fmt = print_fmt_ktrace_scope;
	event_ktrace_scope_end.print_fmt = print_fmt_ktrace_scope;
	/* It takes event_mutex, which whoever prints a format holds. There is no such event. */
	trace_set_clr_event("ktrace", "none", 0);
}

static struct ktrace_unit *unit_of(struct tracepoint *tp)
{
	return strcmp(tp->name, KTRACE_BEACON)
		       ? NULL
		       : container_of(tp, struct ktrace_unit, beacon);
}

static void add_unit(struct tracepoint *tp, void *unused)
{
	struct ktrace_unit *u = unit_of(tp);
	unsigned int kind;

	if (!u)
		return;
	mutex_lock(&lock);
	if (ktrace_names_add(u))
		set_formats();
	WRITE_ONCE(u->ops, &ops);
	list_add(&u->list, &units);
	for (kind = 0; kind < KTRACE_KINDS; kind++)
		if (users[kind])
			switch_unit(u, kind, true);
	mutex_unlock(&lock);
}

/* Its module ends, or this one does. */
static void remove_unit(struct tracepoint *tp, void *unused)
{
	struct ktrace_unit *u = unit_of(tp);

	if (!u)
		return;
	mutex_lock(&lock);
	WRITE_ONCE(u->ops, NULL);
	list_del(&u->list);
	mutex_unlock(&lock);
}

static int notify(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *mod = ((struct tp_module *)data)->mod;
	unsigned int i;

	for (i = 0; i < mod->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]);

		if (state == MODULE_STATE_COMING)
			add_unit(tp, NULL);
		else if (state == MODULE_STATE_GOING)
			remove_unit(tp, NULL);
	}
	return NOTIFY_OK;
}

static struct notifier_block notifier = {.notifier_call = notify};

static void nothing(void *unused)
{
}

/*
 * Waits for calls that began while their event was still enabled. No event is enabled now, as
 * that would hold a reference to this module. synchronize_rcu() does not wait for a CPU in the
 * idle loop; a call there has interrupts off, so the IPI is answered only after the call.
 */
static void wait_for_calls(void)
{
	synchronize_rcu();
	on_each_cpu(nothing, NULL, 1);
}

static void finish(void)
{
	for_each_kernel_tracepoint(remove_unit, NULL);
	wait_for_calls();
	reset_formats();
	ktrace_names_finish();
}

static int __init ktrace_init(void)
{
	int r;

	set_formats();
	for_each_kernel_tracepoint(add_unit, NULL);
	r = register_tracepoint_module_notifier(&notifier);
	if (r)
		finish();
	return r;
}

/* To unregister calls the notifier for each module, as if they went. */
static void __exit ktrace_exit(void)
{
	unregister_tracepoint_module_notifier(&notifier);
	finish();
}

module_init(ktrace_init);
module_exit(ktrace_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Trace events of the calls of <kft/ktrace.h>");

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_KTRACE_H
#define KFT_KTRACE_H

/*
 * Cheap messages from kernel code into the traces that are being recorded, as trace events of
 * the module ktrace (system "ktrace", one event for each call):
 *
 *	#define MY_FUNCS(F)  F(my_open) F(my_interrupt)
 *	#define MY_EVENTS(E) E(QUEUE_FULL)
 *	KTRACE_IDS(MY_FUNCS, MY_EVENTS)
 *
 *	ktrace_log2(KT_FUNC_my_open, KT_FUNC_EXIT, ns, result);		two u64
 *	ktrace_log4(KT_FUNC_my_interrupt, KT_QUEUE_FULL, a, b, c, d);	four u32
 *	ktrace_scope(KT_FUNC_my_open);		from here to the end of the block
 *	kpprintf("state %d", state);		text, up to KTRACE_TEXT_MAX - 1 bytes
 *	kptrace_write_record(text);		the same without a format
 *	kptrace_mark();				a plain mark
 *	kptrace_pause(); kptrace_restart();	pause the sessions that ask for it
 *
 * Any context may call these: process, softirq, hard interrupt, NMI, with interrupts off and
 * with scheduler locks held. They take no locks, allocate nothing and never sleep. Code that
 * the kernel marks noinstr may not call them; a call from an idle CPU that RCU does not watch
 * is counted in /sys/module/ktrace/parameters/missed instead of recorded.
 *
 * While no session records an event, its call is one nop and its arguments are not evaluated;
 * ktrace_scope() is a nop at each end of the scope, and a byte on the stack.
 * Nothing here needs a symbol of the module ktrace: it finds the code that uses this header,
 * whichever of the two is loaded first, and without it calls stay nops. Without
 * CONFIG_TRACEPOINTS they are checked by the compiler and leave no code.
 *
 * Ids are constants that KTRACE_IDS has declared; anything else is a compile error, as is an
 * argument of kpprintf() that does not fit its format.
 */
#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/preempt.h>
#include <linux/stringify.h>
#include <linux/tracepoint.h>
#include <linux/types.h>

/* Size of the text of kpprintf() and kptrace_write_record(), with its NUL. */
#define KTRACE_TEXT_MAX 256

/* The events that every user has; those of KTRACE_IDS follow. */
enum { KT_FUNC_ENTRY, KT_FUNC_EXIT, KTRACE_LAST_COMMON_EVENT = KT_FUNC_EXIT };
enum { ktrace_event_KT_FUNC_ENTRY, ktrace_event_KT_FUNC_EXIT };

/* Switched on and off each for itself. */
enum ktrace_kind {
	KTRACE_LOG2,
	KTRACE_LOG4,
	KTRACE_SCOPE,
	KTRACE_PRINTF,
	KTRACE_RECORD,
	KTRACE_MARK,
	KTRACE_PAUSE,
	KTRACE_RESTART,
	KTRACE_KINDS,
};

/* Names of the ids of a unit; they live as long as it does. */
struct ktrace_names {
	const char *const *funcs;
	unsigned int n_funcs;
	const char *const *events;
	unsigned int n_events;
};

struct ktrace_unit;

/* The functions of the module ktrace. Callers have preemption off. */
struct ktrace_ops {
	void (*log2)(const struct ktrace_unit *u, u8 func, u8 event, u64 u1, u64 u2);
	void (*log4)(const struct ktrace_unit *u, u8 func, u8 event, u32 u1, u32 u2,
		     u32 u3, u32 u4);
	void (*scope)(const struct ktrace_unit *u, u8 func, const void *scope,
		      bool begins);
	void (*vprintf)(const char *fmt, va_list ap);
	void (*record)(const char *text);
	void (*control)(enum ktrace_kind kind, unsigned long ip);
};

/* The part of this header that each source file using it has for itself. */
struct ktrace_unit {
	/*
	 * A tracepoint that is never called. The module ktrace gets the tracepoints of every
	 * module from the kernel, and recognises the unit by the name of this one.
	 */
	struct tracepoint beacon;
	const char *module;
	const struct ktrace_names *names;
	struct static_key keys[KTRACE_KINDS];
	/* The rest belongs to the module ktrace. ops is NULL while that is not loaded. */
	const struct ktrace_ops *ops;
	struct list_head list;
	u16 number;
};

/* Name of the beacon; it changes with the layout of struct ktrace_unit. */
#define KTRACE_BEACON "kft_ktrace_1"

/* Defined by KTRACE_IDS; without that a unit has no ids. */
static const struct ktrace_names ktrace_this_names;

#ifdef CONFIG_TRACEPOINTS
static struct ktrace_unit __tracepoint_ktrace_this_unit __used = {
	.beacon.name = KTRACE_BEACON,
	.module = KBUILD_MODNAME,
	.names = &ktrace_this_names,
	.keys = {[0 ... KTRACE_KINDS - 1] = STATIC_KEY_INIT_FALSE},
};

/* __TRACEPOINT_ENTRY() of <linux/tracepoint.h> takes only a struct tracepoint. */
#ifdef CONFIG_HAVE_ARCH_PREL32_RELOCATIONS
asm("	.section \"__tracepoints_ptrs\", \"a\"\n"
    "	.balign 4\n"
    "	.long __tracepoint_ktrace_this_unit - .\n"
    "	.previous\n");
#else
static struct tracepoint *const ktrace_this_beacon __used
	__section("__tracepoints_ptrs") = &__tracepoint_ktrace_this_unit.beacon;
#endif

#define ktrace_is_on(kind) static_key_false(&__tracepoint_ktrace_this_unit.keys[kind])

/* With preemption off until it is over, as the module waits for calls with synchronize_rcu(). */
#define ktrace_call(function, ...)                                         \
	do {                                                               \
		const struct ktrace_ops *ktrace_ops;                       \
                                                                           \
		preempt_disable_notrace();                                 \
		ktrace_ops = READ_ONCE(__tracepoint_ktrace_this_unit.ops); \
		if (ktrace_ops)                                            \
			ktrace_ops->function(__VA_ARGS__);                 \
		preempt_enable_notrace();                                  \
	} while (0)
#define KTRACE_THIS_UNIT (&__tracepoint_ktrace_this_unit)
#else
#define ktrace_is_on(kind) false
#define ktrace_call(function, ...)                                                \
	do {                                                                      \
		if (0)                                                            \
			((const struct ktrace_ops *)NULL)->function(__VA_ARGS__); \
	} while (0)
#define KTRACE_THIS_UNIT NULL
#endif

/* Out of line, so that a call that is off costs its place nothing but the nop. */
#define KTRACE_ON static __maybe_unused noinline notrace

KTRACE_ON void ktrace_log2_on(u8 func, u8 event, u64 u1, u64 u2)
{
	ktrace_call(log2, KTRACE_THIS_UNIT, func, event, u1, u2);
}

KTRACE_ON void ktrace_log4_on(u8 func, u8 event, u32 u1, u32 u2, u32 u3, u32 u4)
{
	ktrace_call(log4, KTRACE_THIS_UNIT, func, event, u1, u2, u3, u4);
}

KTRACE_ON void ktrace_scope_on(u8 func, void *scope, bool begins)
{
	ktrace_call(scope, KTRACE_THIS_UNIT, func, scope, begins);
}

KTRACE_ON __printf(1, 2) void ktrace_printf_on(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	ktrace_call(vprintf, fmt, ap);
	va_end(ap);
}

KTRACE_ON void ktrace_record_on(const char *text)
{
	ktrace_call(record, text);
}

KTRACE_ON void ktrace_control_on(enum ktrace_kind kind, unsigned long ip)
{
	ktrace_call(control, kind, ip);
}

/*
 * KTRACE_IDS(FUNCS, EVENTS) declares KT_FUNC_name for each F(name) of FUNCS, numbered from 0,
 * and KT_name for each E(name) of EVENTS, numbered from 2; reports show the names. Once in a
 * source file, before the first call; the files of a module may share it in a header.
 */
#define KTRACE_FUNC_ID(name)	    KT_FUNC_##name,
#define KTRACE_FUNC_DECLARED(name)  ktrace_func_KT_FUNC_##name = KT_FUNC_##name,
#define KTRACE_FUNC_NAME(name)	    #name,
#define KTRACE_EVENT_ID(name)	    KT_##name,
#define KTRACE_EVENT_DECLARED(name) ktrace_event_KT_##name = KT_##name,
#define KTRACE_EVENT_NAME(name)	    #name,
/* The end of a scope is a function for each id: its begin need not store the id anywhere. */
#define KTRACE_SCOPE_END(name)                                                      \
	static __always_inline __maybe_unused void ktrace_scope_end_KT_FUNC_##name( \
		char *scope)                                                        \
	{                                                                           \
		if (ktrace_is_on(KTRACE_SCOPE))                                     \
			ktrace_scope_on(KT_FUNC_##name, scope, false);              \
	}

#define KTRACE_IDS(FUNCS, EVENTS)                                                      \
	enum { FUNCS(KTRACE_FUNC_ID) KTRACE_N_FUNCS };                                 \
	enum { FUNCS(KTRACE_FUNC_DECLARED) KTRACE_FUNCS_DECLARED };                    \
	enum {                                                                         \
		KTRACE_EVENTS_FOLLOW = KTRACE_LAST_COMMON_EVENT,                       \
		EVENTS(KTRACE_EVENT_ID) KTRACE_N_EVENTS                                \
	};                                                                             \
	enum { EVENTS(KTRACE_EVENT_DECLARED) KTRACE_EVENTS_DECLARED };                 \
	_Static_assert(KTRACE_N_FUNCS <= 256, "the id of a function has 8 bits");      \
	_Static_assert(KTRACE_N_EVENTS <= 256, "the id of an event has 8 bits");       \
	static const char *const ktrace_func_names[] = {FUNCS(KTRACE_FUNC_NAME) NULL}; \
	static const char *const ktrace_event_names[] = {"FUNC_ENTRY", "FUNC_EXIT",    \
							 EVENTS(KTRACE_EVENT_NAME)};   \
	static const struct ktrace_names ktrace_this_names = {                         \
		.funcs = ktrace_func_names,                                            \
		.n_funcs = KTRACE_N_FUNCS,                                             \
		.events = ktrace_event_names,                                          \
		.n_events = KTRACE_N_EVENTS,                                           \
	};                                                                             \
	FUNCS(KTRACE_SCOPE_END)

/* For KTRACE_IDS of a file that has no events of its own, or no functions. */
#define KTRACE_NONE(X)

#define ktrace_log2(func, event, u1, u2)                                             \
	do {                                                                         \
		if (ktrace_is_on(KTRACE_LOG2))                                       \
			ktrace_log2_on(ktrace_func_##func, ktrace_event_##event, u1, \
				       u2);                                          \
	} while (0)

#define ktrace_log4(func, event, u1, u2, u3, u4)                                         \
	do {                                                                             \
		if (ktrace_is_on(KTRACE_LOG4))                                           \
			ktrace_log4_on(ktrace_func_##func, ktrace_event_##event, u1, u2, \
				       u3, u4);                                          \
	} while (0)

/* A declaration: its scope ends where a variable's would. The address of it is its identity. */
#define ktrace_scope(func)		ktrace_scope_named(func, __UNIQUE_ID(ktrace_scope))
#define ktrace_scope_named(func, scope) ktrace_scope_declare(func, scope)
#define ktrace_scope_declare(func, scope)                                  \
	char scope __attribute__((cleanup(ktrace_scope_end_##func)));      \
	do {                                                               \
		if (ktrace_is_on(KTRACE_SCOPE))                            \
			ktrace_scope_on(ktrace_func_##func, &scope, true); \
	} while (0)

#define kpprintf(fmt, ...)                                                \
	do {                                                              \
		_Pragma("GCC diagnostic push")                            \
			_Pragma("GCC diagnostic error \"-Wformat\"") if ( \
				ktrace_is_on(KTRACE_PRINTF))              \
				ktrace_printf_on(fmt, ##__VA_ARGS__);     \
		_Pragma("GCC diagnostic pop")                             \
	} while (0)

static __always_inline __maybe_unused void kptrace_write_record(const char *text)
{
	if (ktrace_is_on(KTRACE_RECORD))
		ktrace_record_on(text);
}

/* Inline, so that the event has the address of the caller. */
static __always_inline __maybe_unused void kptrace_mark(void)
{
	if (ktrace_is_on(KTRACE_MARK))
		ktrace_control_on(KTRACE_MARK, _THIS_IP_);
}

/*
 * Pauses each session that records the event kptrace_pause and has the trigger
 * "traceoff if common_pid >= 0" on it; other sessions go on. The trigger "traceon" on
 * kptrace_restart ends the pause.
 */
static __always_inline __maybe_unused void kptrace_pause(void)
{
	if (ktrace_is_on(KTRACE_PAUSE))
		ktrace_control_on(KTRACE_PAUSE, _THIS_IP_);
}

static __always_inline __maybe_unused void kptrace_restart(void)
{
	if (ktrace_is_on(KTRACE_RESTART))
		ktrace_control_on(KTRACE_RESTART, _THIS_IP_);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/* The trace events of the module: one for each call of <kft/ktrace.h>, with its name. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ktrace

#if !defined(KTRACE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define KTRACE_TRACE_H

#include <linux/tracepoint.h>

#include "switch.h"

/*
 * unit is the number of the module or file that made the call: numbers of functions and events are
 * unique within a unit only. names.h replaces the print format in the trace by one with the names of
 * all units; TP_printk below serves the kernel's own file, trace.
 */
TRACE_EVENT_FN(ktrace_log2,
	TP_PROTO(u16 unit, u8 func, u8 event, u64 u1, u64 u2),
	TP_ARGS(unit, func, event, u1, u2),
	TP_STRUCT__entry(
		__field(u64, u1)
		__field(u64, u2)
		__field(u16, unit)
		__field(u8, func)
		__field(u8, event)
	),
	TP_fast_assign(
		__entry->u1 = u1;
		__entry->u2 = u2;
		__entry->unit = unit;
		__entry->func = func;
		__entry->event = event;
	),
	TP_printk("func=%s event=%s u1=%llu u2=%llu",
		  ktrace_func_name(p, __entry->unit, __entry->func),
		  ktrace_event_name(p, __entry->unit, __entry->event), __entry->u1,
		  __entry->u2),
	ktrace_switch_on_log2, ktrace_switch_off_log2);

TRACE_EVENT_FN(ktrace_log4,
	TP_PROTO(u16 unit, u8 func, u8 event, u32 u1, u32 u2, u32 u3, u32 u4),
	TP_ARGS(unit, func, event, u1, u2, u3, u4),
	TP_STRUCT__entry(
		__field(u32, u1)
		__field(u32, u2)
		__field(u32, u3)
		__field(u32, u4)
		__field(u16, unit)
		__field(u8, func)
		__field(u8, event)
	),
	TP_fast_assign(
		__entry->u1 = u1;
		__entry->u2 = u2;
		__entry->u3 = u3;
		__entry->u4 = u4;
		__entry->unit = unit;
		__entry->func = func;
		__entry->event = event;
	),
	TP_printk("func=%s event=%s u1=%u u2=%u u3=%u u4=%u",
		  ktrace_func_name(p, __entry->unit, __entry->func),
		  ktrace_event_name(p, __entry->unit, __entry->event), __entry->u1,
		  __entry->u2, __entry->u3, __entry->u4),
	ktrace_switch_on_log4, ktrace_switch_off_log4);

/* The field scope is different for scopes that are open at the same time. */
DECLARE_EVENT_CLASS(ktrace_scope,
	TP_PROTO(u16 unit, u8 func, const void *scope),
	TP_ARGS(unit, func, scope),
	TP_STRUCT__entry(
		__field(const void *, scope)
		__field(u16, unit)
		__field(u8, func)
	),
	TP_fast_assign(
		__entry->scope = scope;
		__entry->unit = unit;
		__entry->func = func;
	),
	TP_printk("%s", ktrace_func_name(p, __entry->unit, __entry->func)));

DEFINE_EVENT_FN(ktrace_scope, ktrace_scope_begin,
	TP_PROTO(u16 unit, u8 func, const void *scope),
	TP_ARGS(unit, func, scope),
	ktrace_switch_on_scope, ktrace_switch_off_scope);

DEFINE_EVENT_FN(ktrace_scope, ktrace_scope_end,
	TP_PROTO(u16 unit, u8 func, const void *scope),
	TP_ARGS(unit, func, scope),
	ktrace_switch_on_scope, ktrace_switch_off_scope);

/* len is without the NUL. */
DECLARE_EVENT_CLASS(ktrace_text,
	TP_PROTO(const char *text, size_t len),
	TP_ARGS(text, len),
	TP_STRUCT__entry(__dynamic_array(char, text, len + 1)),
	TP_fast_assign(
		memcpy(__get_str(text), text, len);
		__get_str(text)[len] = '\0';
	),
	TP_printk("%s", __get_str(text)));

DEFINE_EVENT_FN(ktrace_text, kpprintf,
	TP_PROTO(const char *text, size_t len),
	TP_ARGS(text, len),
	ktrace_switch_on_printf, ktrace_switch_off_printf);

DEFINE_EVENT_FN(ktrace_text, kptrace_write_record,
	TP_PROTO(const char *text, size_t len),
	TP_ARGS(text, len),
	ktrace_switch_on_record, ktrace_switch_off_record);

/* ip is the place of the call. */
DECLARE_EVENT_CLASS(ktrace_control,
	TP_PROTO(unsigned long ip),
	TP_ARGS(ip),
	TP_STRUCT__entry(__field(unsigned long, ip)),
	TP_fast_assign(__entry->ip = ip;),
	TP_printk("%pS", (void *)__entry->ip));

DEFINE_EVENT_FN(ktrace_control, kptrace_mark,
	TP_PROTO(unsigned long ip),
	TP_ARGS(ip),
	ktrace_switch_on_mark, ktrace_switch_off_mark);

DEFINE_EVENT_FN(ktrace_control, kptrace_pause,
	TP_PROTO(unsigned long ip),
	TP_ARGS(ip),
	ktrace_switch_on_pause, ktrace_switch_off_pause);

DEFINE_EVENT_FN(ktrace_control, kptrace_restart,
	TP_PROTO(unsigned long ip),
	TP_ARGS(ip),
	ktrace_switch_on_restart, ktrace_switch_off_restart);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>

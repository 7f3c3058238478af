/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KTRACE_NAMES_H
#define KTRACE_NAMES_H

/*
 * The names of ids. They are copied, and kept until this module goes: events of a driver that
 * is gone still have names. Units of one module with the same names share a number.
 */
#include <linux/trace_seq.h>
#include <linux/types.h>

struct ktrace_unit;

/* A unit has this number when there was no memory for its names: reports show numbers instead. */
#define KTRACE_UNIT_NAMELESS 0xffff

/* Sets u->number. Returns true when the unit has new names. The caller serialises the calls. */
bool ktrace_names_add(struct ktrace_unit *u);
void ktrace_names_finish(void);

/* Append a name to the text of an event, or the number, and return it. */
const char *ktrace_func_name(struct trace_seq *p, u16 unit, u8 func);
const char *ktrace_event_name(struct trace_seq *p, u16 unit, u8 event);

/*
 * The "print fmt" of an event with all names in it, in the notation of the kernel's
 * __print_symbolic(), which all readers of traces know. Valid until ktrace_names_finish();
 * NULL without memory. Behind function and event come conversions with their values, such as
 * " u1=%llu" and ", REC->u1"; without values it is the function alone.
 */
const char *ktrace_names_format(const char *conversions, const char *values);

#endif

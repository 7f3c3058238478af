// SPDX-License-Identifier: GPL-2.0-only
#include "names.h"

#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <kft/ktrace.h>

#define UNITS_MAX      1024
#define NAME_MAX_BYTES 64 /* longer names are cut */

/* The names of a unit: those of its functions, then those of its events. */
struct names {
	char module[NAME_MAX_BYTES];
	unsigned int n_funcs;
	unsigned int n_events;
	char text[][NAME_MAX_BYTES];
};

/* Print fmts live as long as this module, as the kernel may be printing one at any time. */
struct format {
	struct list_head list;
	char text[];
};

/* Grows only; readers of an element need no lock. */
static struct names *units[UNITS_MAX];
static unsigned int n_units;
static LIST_HEAD(formats);

static const char *name_of(const struct ktrace_unit *u, unsigned int i)
{
	unsigned int n_funcs = u->names->n_funcs;

	return i < n_funcs ? u->names->funcs[i] : u->names->events[i - n_funcs];
}

static bool is_same(const struct names *n, const struct ktrace_unit *u)
{
	unsigned int i;

	if (strncmp(n->module, u->module, NAME_MAX_BYTES - 1) ||
	    n->n_funcs != u->names->n_funcs || n->n_events != u->names->n_events)
		return false;
	for (i = 0; i < n->n_funcs + n->n_events; i++)
		if (strncmp(n->text[i], name_of(u, i), NAME_MAX_BYTES - 1))
			return false;
	return true;
}

static struct names *copy_names(const struct ktrace_unit *u)
{
	unsigned int n = u->names->n_funcs + u->names->n_events;
	struct names *copy = kzalloc(struct_size(copy, text, n), GFP_KERNEL);
	unsigned int i;

	if (!copy)
		return NULL;
	strscpy(copy->module, u->module, NAME_MAX_BYTES);
	copy->n_funcs = u->names->n_funcs;
	copy->n_events = u->names->n_events;
	for (i = 0; i < n; i++)
		strscpy(copy->text[i], name_of(u, i), NAME_MAX_BYTES);
	return copy;
}

bool ktrace_names_add(struct ktrace_unit *u)
{
	struct names *copy;
	unsigned int i;

	u->number = KTRACE_UNIT_NAMELESS;
	if (!u->names->n_events)
		return false;
	for (i = 0; i < n_units; i++)
		if (is_same(units[i], u)) {
			u->number = i;
			return false;
		}
	copy = i < UNITS_MAX ? copy_names(u) : NULL;
	if (!copy) {
		pr_warn("ktrace: no memory for the names of %s\n", u->module);
		return false;
	}
	units[i] = copy;
	u->number = i;
	smp_store_release(&n_units, i + 1);
	return true;
}

void ktrace_names_finish(void)
{
	struct format *f, *next;

	list_for_each_entry_safe(f, next, &formats, list) kvfree(f);
	while (n_units)
		kfree(units[--n_units]);
}

/* Text in the part of the event that is being printed, as the kernel wants it to be. */
static const char *print_name(struct trace_seq *p, const struct names *n, unsigned int i,
			      u8 id)
{
	const char *start = trace_seq_buffer_ptr(p);

	if (n)
		trace_seq_puts(p, n->text[i]);
	else
		trace_seq_printf(p, "0x%x", id);
	trace_seq_putc(p, '\0');
	return start;
}

static const struct names *names_of(u16 unit)
{
	return unit < smp_load_acquire(&n_units) ? units[unit] : NULL;
}

const char *ktrace_func_name(struct trace_seq *p, u16 unit, u8 func)
{
	const struct names *n = names_of(unit);

	return print_name(p, n && func < n->n_funcs ? n : NULL, func, func);
}

const char *ktrace_event_name(struct trace_seq *p, u16 unit, u8 event)
{
	const struct names *n = names_of(unit);

	return print_name(p, n && event < n->n_events ? n : NULL,
			  n ? n->n_funcs + event : 0, event);
}

/* A text that is measured first (buf is NULL, size 0) and then written. */
struct text {
	char *buf;
	size_t size;
	size_t len;
};

static __printf(2, 3) void add(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	t->len += t->buf ? vscnprintf(t->buf + t->len, t->size - t->len, fmt, ap)
			 : vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
}

/*
 * libtraceevent takes an operator there only within parentheses. A list has an element also
 * without names, as an empty one is no valid notation.
 */
static void add_symbols(struct text *t, bool funcs)
{
	unsigned int i, id;

	add(t, "__print_symbolic(((REC->unit << 8) | REC->%s), ",
	    funcs ? "func" : "event");
	for (i = 0; i < n_units; i++) {
		const struct names *n = units[i];
		unsigned int first = funcs ? 0 : n->n_funcs;

		for (id = 0; id < (funcs ? n->n_funcs : n->n_events); id++)
			add(t, "{ 0x%x, \"%s\" }, ", i << 8 | id, n->text[first + id]);
	}
	add(t, "{ 0x7fffffff, \"\" })");
}

static void add_format(struct text *t, const char *conversions, const char *values)
{
	if (!values) {
		add(t, "\"%%s\", ");
		add_symbols(t, true);
		return;
	}
	add(t, "\"func=%%s event=%%s%s\", ", conversions);
	add_symbols(t, true);
	add(t, ", ");
	add_symbols(t, false);
	add(t, "%s", values);
}

const char *ktrace_names_format(const char *conversions, const char *values)
{
	struct text t = {};
	struct format *f;

	add_format(&t, conversions, values);
	f = kvmalloc(struct_size(f, text, t.len + 1), GFP_KERNEL);
	if (!f)
		return NULL;
	t = (struct text){.buf = f->text, .size = t.len + 1};
	add_format(&t, conversions, values);
	list_add(&f->list, &formats);
	return f->text;
}

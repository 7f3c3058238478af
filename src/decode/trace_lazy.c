// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses a trace's texts on first use. */
#include "decode/trace_lazy.h"

#include <string.h>

#include "base/strbuf.h"
#include "decode/cmdlines.h"
#include "decode/kallsyms.h"
#include "decode/printfmt/printk.h"
#include "decode/task_names.h"

static void note(struct kft_trace *t, const char *what, int r, size_t bad)
{
	if (r < 0)
		kft_trace_note(t, 0, "%s: out of memory, some names are missing", what);
	else if (bad)
		kft_trace_note(t, 0, "%s: %zu lines not understood", what, bad);
}

/* Modules that a note names. */
#define UNSEEN_NAMES_MAX 8

/* The name in the next line about an unseen module, and moves *p behind it; NULL: there is none. */
static const char *next_unseen(const char **p, const char *end, size_t *ret_len)
{
	static const char start[] = "\n0 a " KFT_KALLSYMS_UNSEEN;
	const char *line;

	while ((line = memmem(*p, (size_t)(end - *p), start, sizeof(start) - 1))) {
		*p = line + sizeof(start) - 1;
		const char *stop = memchr(*p, '\n', (size_t)(end - *p));
		size_t len = (size_t)((stop ? stop : end) - *p);
		const char *open = memchr(*p, '[', len);
		const char *close = memchr(*p, ']', len);

		if (open && close > open) {
			*ret_len = (size_t)(close - open - 1);
			return open + 1;
		}
	}
	return NULL;
}

/* Notes the modules that came and went between two looks of the recorder. */
static void note_unseen(struct kft_trace *t, const struct kft_blob *kallsyms)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf names = {};
	const char *end = kallsyms->data + kallsyms->len;
	const char *p = kallsyms->data;
	const char *name;
	bool any_dropped = false;
	size_t n = 0;
	size_t len;

	while (p < end && (name = next_unseen(&p, end, &len))) {
		bool is_dropped = len == strlen(KFT_MODULES_DROPPED) &&
				  memcmp(name, KFT_MODULES_DROPPED, len) == 0;

		any_dropped |= is_dropped;
		if (is_dropped || ++n > UNSEEN_NAMES_MAX)
			continue;
		kft_strbuf_adds(&names, n > 1 ? ", " : "");
		kft_strbuf_add_escaped(&names, name, len);
	}
	if (n)
		kft_trace_note(
			t, 0,
			"kernel modules came and went between two looks at them (%s%s): "
			"their functions have no names, or those of other modules",
			kft_strbuf_cstr(&names), n > UNSEEN_NAMES_MAX ? ", ..." : "");
	if (any_dropped)
		kft_trace_note(
			t, 0,
			"the kernel dropped announcements of removed modules: modules may "
			"have come and gone between two looks at them, and their functions "
			"have no names, or those of other modules");
}

const struct kft_symbol_table *kft_trace_symbols(struct kft_trace *t)
{
	size_t bad = 0;

	if (!t->have_symbols) {
		t->have_symbols = true;
		const struct kft_blob *text = kft_trace_kallsyms(t);
		int r = kft_kallsyms_parse(text->data, text->len, &t->symbols, &bad);
		note(t, "kallsyms", r, bad);
		if (HAVE_SESSION_NAMES)
			note_unseen(t, text);
	}
	return &t->symbols;
}

const struct kft_task_table *kft_trace_tasks(struct kft_trace *t)
{
	size_t bad = 0;

	if (!t->have_tasks) {
		t->have_tasks = true;
		if (t->load_tasks)
			t->load_tasks(t);
		int r = kft_cmdlines_parse(t->meta.cmdlines.data, t->meta.cmdlines.len,
					   &t->tasks, &bad);
		note(t, "saved_cmdlines", r, bad);
		r = kft_tgids_parse(t->meta.tgids.data, t->meta.tgids.len, &t->tasks,
				    &bad);
		note(t, "saved_tgids", r, bad);
		r = kft_task_names_parse(t->meta.names.data, t->meta.names.len,
					 &t->tasks);
		note(t, "names of tasks", r, 0);
	}
	return &t->tasks;
}

const struct kft_map *kft_trace_printk(struct kft_trace *t)
{
	size_t bad = 0;

	if (!t->have_printk) {
		t->have_printk = true;
		int r = kft_printkfmt_parse(t->meta.printk_formats.data,
					    t->meta.printk_formats.len, &t->arena,
					    &t->printk, &bad);
		note(t, "printk_formats", r, bad);
	}
	return &t->printk;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses a trace's texts on first use. */
#include "decode/trace_lazy.h"

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

const struct kft_symbol_table *kft_trace_symbols(struct kft_trace *t)
{
	size_t bad = 0;

	if (!t->have_symbols) {
		t->have_symbols = true;
		const struct kft_blob *text = kft_trace_kallsyms(t);
		int r = kft_kallsyms_parse(text->data, text->len, &t->symbols, &bad);
		note(t, "kallsyms", r, bad);
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

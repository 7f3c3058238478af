// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the steps of a boot in records of the function tracer. */
#include "derive/boot_steps.h"

#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "derive/calls/func_event.h"
#include "model/boot_steps.h"
#include "model/merge.h"

/* An idle task on another CPU also calls some of the functions, outside of the boot. */
static bool is_boot_thread(const struct kft_event *ev, const struct kft_func_event *fe)
{
	return fe->pid == 1 || (fe->pid == 0 && ev->cpu == 0);
}

/* The name of the step that begins at the address; NULL: none. */
static const char *find_step(const struct kft_symbol_table *symbols, uint64_t addr)
{
	/* A function calls the tracer a few bytes behind its beginning. */
	const struct kft_symbol *s = kft_symbol_lookup(symbols, addr);

	for (size_t i = 0; s && i < kft_boot_steps_count; i++)
		if (strlen(kft_boot_steps[i]) == s->name_len &&
		    memcmp(kft_boot_steps[i], s->name, s->name_len) == 0)
			return kft_boot_steps[i];
	return NULL;
}

static void end_last(struct kft_boot_step_list *out, uint64_t ts)
{
	struct kft_boot_step *last = out->list.len ? &out->list.data[out->list.len - 1]
						   : NULL;

	if (!last || last->ended)
		return;
	last->dur_ns = ts > last->start_ns ? ts - last->start_ns : 0;
	last->ended = true;
}

static int add(struct kft_boot_step_list *out, const char *name, uint64_t ts)
{
	const struct kft_boot_step step = {.name = name, .start_ns = ts};

	if (out->list.len >= KFT_BOOT_STEPS_MAX)
		return -E2BIG;
	end_last(out, ts);
	return kft_vec_push(&out->list, step) ? 0 : -ENOMEM;
}

void kft_boot_steps_finish(struct kft_boot_step_list *s)
{
	kft_vec_finish(&s->list);
}

int kft_boot_steps_find(struct kft_trace *t, const struct kft_scope *scope,
			const struct kft_symbol_table *symbols,
			struct kft_boot_step_list *ret)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	struct kft_scope only = scope ? *scope : (struct kft_scope){};
	struct kft_boot_step_list out = {};
	struct kft_func_reader reader;
	const struct kft_class *level = kft_class_table_find(&t->classes, "initcall",
							     "initcall_level");
	const struct kft_event *ev;

	kft_func_reader_init(&reader, t);
	if (level)
		kft_bits_add(reader.wanted, level->id);
	only.wanted = reader.wanted;
	int r = kft_merge_create(t, &only, &m);
	while (r == 0 && (r = kft_merge_next(m, &ev)) > 0) {
		struct kft_func_event fe;

		r = 0;
		if (level && ev->id == level->id)
			end_last(&out, ev->ts);
		kft_func_event_read(&reader, ev, &fe);
		if (fe.kind != KFT_FUNC_EVENT_CALL || !is_boot_thread(ev, &fe))
			continue;
		const char *name = find_step(symbols, fe.func);
		if (name)
			r = add(&out, name, ev->ts);
	}
	if (r < 0)
		kft_boot_steps_finish(&out);
	else
		*ret = out;
	return r;
}

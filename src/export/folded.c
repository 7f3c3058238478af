// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Exports folded stacks: of calls of functions, else recorded stacks, else
 * stacks of waiting tasks.
 */
#include <errno.h>

#include "analysis/flame.h"
#include "decode/trace_lazy.h"
#include "export/export_impl.h"
#include "output/flame.h"

int kft_export_stacks(struct kft_export *x, struct kft_stacks *stacks, bool *ret_is_time)
{
	static const enum kft_flame_of choices[] = {KFT_FLAME_CALLS, KFT_FLAME_STACKS,
						    KFT_FLAME_OFF_CPU};
	const struct kft_symbol_table *symbols = kft_trace_symbols(x->trace);
	int r = -ENODATA;

	for (size_t i = 0; r == -ENODATA && i < ARRAY_SIZE(choices); i++) {
		*x->e = (struct kft_err){};
		*ret_is_time = choices[i] != KFT_FLAME_STACKS;
		r = kft_flame_run(x->trace, x->scope, choices[i], symbols, stacks, x->e);
	}
	x->events = stacks->frames.len;
	return r;
}

static int write_folded(struct kft_export *x)
{
	struct kft_stacks stacks;
	bool is_time;

	kft_stacks_init(&stacks);
	int r = kft_export_stacks(x, &stacks, &is_time);

	if (r == 0)
		kft_flame_folded(&stacks, &x->sb);
	kft_stacks_finish(&stacks);
	return r;
}

const struct kft_export_format kft_export_folded = {
	.summary = "stacks of calls by time, a line each",
	.viewer = "flamegraph.pl, speedscope, inferno",
	.is_text = true,
	.write = write_folded,
};

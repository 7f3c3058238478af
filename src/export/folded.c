// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Exports folded stacks: of calls of functions, else of samples, else recorded ones, else
 * stacks of waiting tasks.
 */
#include "analysis/flame.h"
#include "decode/trace_lazy.h"
#include "export/export_impl.h"
#include "output/flame.h"

int kft_export_stacks(struct kft_export *x, struct kft_stacks *stacks, bool *ret_is_time)
{
	enum kft_flame_of of;
	int r = kft_flame_best(x->trace, x->scope, kft_trace_symbols(x->trace), stacks,
			       &of, x->e);

	*ret_is_time = r == 0 && kft_flame_is_time(x->trace, of);
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

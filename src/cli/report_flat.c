// SPDX-License-Identifier: GPL-2.0-only
/* Prints calls one per line for `kft report`. */
#include "cli/report_flat.h"

#include "analysis/calls.h"
#include "cli/calls_input.h"
#include "decode/trace_lazy.h"
#include "output/calls_flat.h"

static bool is_chosen(const struct cli_report_flat *how, const struct kft_call_node *call)
{
	for (size_t i = 0; i < how->n_pids; i++)
		if (call->pid >= 0 && (uint32_t)call->pid == how->pids[i])
			return true;
	return !how->n_pids;
}

static int write_calls(struct cli *c, const struct cli_report_flat *how,
		       const struct kft_call_tree *tree, struct kft_calls_flat *flat)
{
	bool any = false;

	kft_vec_for_each(&tree->nodes, call) {
		if (!is_chosen(how, call))
			continue;
		any = true;
		if (how->json)
			kft_calls_flat_json(flat, call, &c->out.sb);
		else
			kft_calls_flat_text(flat, call, &c->out.sb);
		if (cli_out_drain(&c->out) < 0)
			return CLI_FAILED;
	}
	if (!any && how->n_pids)
		cli_print_note("no call of the trace matches the options");
	return CLI_OK;
}

int cli_report_flat(struct cli *c, const struct cli_report_flat *how)
{
	_cleanup_(kft_call_tree_finish) struct kft_call_tree tree = {};
	_cleanup_(kft_intern_finish) struct kft_intern names = {};
	struct kft_nest_sink sink = kft_calls_sink(&tree);
	struct kft_calls_found found = {};
	int status = cli_calls_feed_trace(c, how->path, how->trace, how->scope, &sink,
					  &names, &found);

	if (status == CLI_FAILED)
		return status;
	struct kft_calls_flat flat = {
		.trace = how->trace, .names = &names, .start_ns = found.start_ns};

	(void)kft_trace_tasks(how->trace);
	int written = write_calls(c, how, &tree, &flat);

	return written == CLI_OK ? status : written;
}

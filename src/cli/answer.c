// SPDX-License-Identifier: GPL-2.0-only
/* Prints the result of a verb. */
#include "cli/answer.h"

int cli_set_json(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	*(int *)opt->value = KFT_OUTPUT_json;
	return 0;
}

static void drain(void *arg)
{
	(void)cli_out_drain(arg);
}

int cli_answer(struct cli *c, int format, bool all, const struct kft_result *result)
{
	const struct kft_output_how how = {
		.all = all, .width = c->out.width, .drain = drain, .arg = &c->out};

	kft_outputs[format](result, &how, &c->out.sb);
	return cli_out_flush(&c->out) < 0 ? CLI_FAILED : CLI_OK;
}

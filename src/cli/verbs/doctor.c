// SPDX-License-Identifier: GPL-2.0-only
/* `kft doctor`: checks the tracing features of this kernel. */
#include <stdio.h>

#include <kft/host.h>

#include "capture/host.h"
#include "capture/interrupt.h"
#include "cli/answer.h"
#include "cli/doctor.h"

/* Enough for the table's first columns and some words. */
#define WIDTH_MIN 72

static int arg_format;

static const struct kft_opt opts[] = {
	CLI_FORMAT_OPT(arg_format),
	CLI_JSON_OPT(arg_format),
	{},
};

static void show_progress(void *arg, const struct kft_mechanism *p, size_t idx)
{
	fprintf(stderr, "\r\033[K[%zu/%zu] %s", idx + 1, kft_n_mechanisms, p->title);
}

static int answer(struct cli *c, const struct kft_doctor_report *report)
{
	_cleanup_(kft_result_finish) struct kft_result result = {};

	if (arg_format != KFT_OUTPUT_text) {
		doctor_result(report, &result);
		return cli_answer(c, arg_format, true, &result);
	}
	doctor_text(report, KFT_MAX(cli_width(), (size_t)WIDTH_MIN), &c->out.sb);
	return CLI_OK;
}

static int examine(struct cli *c, struct kft_host *host, int stop_fd)
{
	bool terminal = isatty(STDERR_FILENO);
	struct kft_doctor_report report = {};
	struct kft_doctor_opts how = {
		.host = host,
		.stop_fd = stop_fd,
		.progress = terminal ? show_progress : NULL,
	};

	int r = kft_doctor_run(&how, &report, &c->err);

	if (terminal)
		fputs("\r\033[K", stderr);
	if (report.left_over[0])
		cli_print_note("%s", report.left_over);
	int status = CLI_FAILED;

	if (r >= 0) {
		status = answer(c, &report);
		if (!doctor_can_record(&report))
			status = CLI_FAILED;
	}
	kft_doctor_report_finish(&report);
	return status;
}

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;

	struct kft_interrupt interrupt;

	if (kft_host_open(NULL, &host, &c->err) < 0 ||
	    kft_interrupt_open(&interrupt, &c->err) < 0)
		return CLI_FAILED;
	int status = examine(c, host, interrupt.fd);

	kft_interrupt_close(&interrupt);
	return status;
}

const struct cli_verb cli_verb_doctor = {
	.name = "doctor",
	.group = CLI_GROUP_KERNEL,
	.summary = "check which tracing features this kernel supports",
	.about =
		"Each mechanism is tried, nothing is guessed from versions. What is tried is "
		"put back. Needs root to know everything, works without.",
	.opts = opts,
	.run = run,
};

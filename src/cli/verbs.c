// SPDX-License-Identifier: GPL-2.0-only
/* The table of all verbs. */
#include "cli/verb.h"

#include <errno.h>

#include "base/err.h"
#include "base/suggest.h"
#include "cli/answer.h"

extern const struct cli_verb cli_verb_addr2sym;
extern const struct cli_verb cli_verb_boot;
extern const struct cli_verb cli_verb_config;
extern const struct cli_verb cli_verb_doctor;
extern const struct cli_verb cli_verb_export;
extern const struct cli_verb cli_verb_flame;
extern const struct cli_verb cli_verb_help_verb;
extern const struct cli_verb cli_verb_kd;
extern const struct cli_verb cli_verb_list;
extern const struct cli_verb cli_verb_log;
extern const struct cli_verb cli_verb_report;
extern const struct cli_verb cli_verb_set;
extern const struct cli_verb cli_verb_sets;
extern const struct cli_verb cli_verb_stats;
extern const struct cli_verb cli_verb_record;
extern const struct cli_verb cli_verb_why;
extern const struct cli_verb cli_verb_recover;
extern const struct cli_verb cli_verb_reset;
extern const struct cli_verb cli_verb_sym2addr;
extern const struct cli_verb cli_verb_run;
extern const struct cli_verb cli_verb_load;
extern const struct cli_verb cli_verb_prime;
extern const struct cli_verb cli_verb_start;
extern const struct cli_verb cli_verb_stop;
extern const struct cli_verb cli_verb_pause;
extern const struct cli_verb cli_verb_resume;
extern const struct cli_verb cli_verb_mark;
extern const struct cli_verb cli_verb_flight;
extern const struct cli_verb cli_verb_snapshot;
extern const struct cli_verb cli_verb_status;
extern const struct cli_verb cli_verb_save;
extern const struct cli_verb cli_verb_trace;
extern const struct cli_verb cli_verb_view;

/* Verbs that small builds leave to another machine, which gets a copy of the trace. */
static const char *const left_out[] = {"addr2sym", "export", "flame", "sym2addr", "view"};

/*
 * `kft help` lists the verbs of each group in this order. One per line, to avoid
 * conflicts between branches.
 */
/* clang-format off */
const struct cli_verb *const cli_verbs[] = {
	&cli_verb_record,
	&cli_verb_flight,
	&cli_verb_snapshot,
	&cli_verb_mark,
#if HAVE_TRACE
	&cli_verb_trace,
#endif
	&cli_verb_report,
	&cli_verb_stats,
	&cli_verb_why,
#if HAVE_VIEW
	&cli_verb_view,
#endif
#if HAVE_VIEWERS
	&cli_verb_flame,
	&cli_verb_export,
#endif
	&cli_verb_recover,
	&cli_verb_run,
	&cli_verb_load,
	&cli_verb_prime,
	&cli_verb_config,
	&cli_verb_kd,
	&cli_verb_log,
#if HAVE_VIEWERS
	&cli_verb_addr2sym,
	&cli_verb_sym2addr,
#endif
	&cli_verb_boot,
	&cli_verb_status,
	&cli_verb_start,
	&cli_verb_stop,
	&cli_verb_pause,
	&cli_verb_resume,
	&cli_verb_save,
	&cli_verb_set,
	&cli_verb_reset,
	&cli_verb_list,
	&cli_verb_sets,
	&cli_verb_doctor,
	&cli_verb_help_verb,
	NULL,
};
/* clang-format on */

const struct cli_verb *cli_verb_find(const char *name)
{
	for (const struct cli_verb *const *v = cli_verbs; *v; v++)
		if (strcmp((*v)->name, name) == 0)
			return *v;
	return NULL;
}

int cli_verb_unknown(struct cli *c, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf near_text = {};
	struct kft_suggest near;

	for (size_t i = 0; !HAVE_VIEWERS && i < ARRAY_SIZE(left_out); i++) {
		if (strcmp(left_out[i], name) == 0) {
			(void)cli_left_out(&c->err, name);
			return CLI_USAGE;
		}
	}
	(void)kft_err_set(&c->err, -EINVAL, "unknown verb '%s'", name);
	kft_suggest_init(&near, name);
	for (const struct cli_verb *const *v = cli_verbs; *v; v++)
		kft_suggest_add(&near, (*v)->name, strlen((*v)->name));
	if (kft_suggest_text(&near, &near_text))
		kft_err_hint(&c->err, "%s", kft_strbuf_cstr(&near_text));
	else
		kft_err_hint(&c->err, "`kft help` lists the verbs");
	return CLI_USAGE;
}

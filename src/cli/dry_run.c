// SPDX-License-Identifier: GPL-2.0-only
/* Shows how plans would be carried out: --dry-run of record, run and flight. */
#include "cli/dry_run.h"

#include "base/err.h"
#include "base/io.h"
#include "capture/interrupt.h"
#include "capture/share.h"
#include "tracefs/sources/events.h"
#include "tracefs/sources/probe_events.h"
#include "cli/answer.h"
#include "doctor/means.h"
#include "watch/in_kernel.h"

static const struct kft_result_column columns[] = {
	{"run", "RUN", .is_optional = true},
	{"source", "SOURCE", .is_text = true},
	{"what", "WHAT", .is_text = true},
	{"by", "BY", .is_text = true},
	{"can", "CAN", .is_text = true},
	{"cost", "COST", .is_text = true},
	{"because", "BECAUSE", .is_text = true, .is_optional = true},
	{"remedy", "NEEDS", .is_text = true, .is_optional = true},
	{"lost", "LOST WITHOUT", .is_text = true, .for_programs = true},
	{"mechanism", "MECHANISM", .is_text = true, .for_programs = true},
};

/* The means of a plan, and the results of trying them. */
struct trial {
	struct kft_means_list means;
	struct kft_mechanism *rows; /* owned */
	size_t n_rows;
	struct kft_doctor_report report;
};

static void trial_finish(struct trial *t)
{
	kft_means_finish(&t->means);
	kft_doctor_report_finish(&t->report);
	free(t->rows);
}

/* Patterns and probes without a match are errors, as in a recording. */
static int check_names(struct kft_host *host, const struct kft_plan *plan,
		       struct kft_err *e)
{
	struct kft_event_choices choices = {};
	int r = plan->n_events ? kft_event_choices_resolve(host, plan, &choices, e) : 0;

	kft_event_choices_finish(&choices);
	return r == 0 && plan->n_probes
		       ? kft_probe_events_create(host, "", plan, NULL, NULL, e)
		       : r;
}

/* A plan that no backend takes, or not all with one clock, is refused as in a recording. */
static int try_plan(struct kft_host *host, const struct kft_plan *plan, bool detached,
		    int stop_fd, struct trial *t, struct kft_err *e)
{
	struct kft_shares unused;
	int r = kft_shares_of_plan(plan, detached, &unused, e);

	if (r == 0)
		r = check_names(host, plan, e);
	if (r < 0)
		return r;
	r = kft_means_of_plan(plan, &t->means);
	if (r == 0)
		r = kft_means_mechanisms(&t->means, &t->rows, &t->n_rows);
	if (r < 0)
		return kft_err_sys(e, r, "cannot make the plan");
	const struct kft_doctor_opts how = {
		.host = host,
		.stop_fd = stop_fd,
		.mechanisms = t->rows,
		.n_mechanisms = t->n_rows,
	};
	return kft_doctor_run(&how, &t->report, e);
}

/* The result of the means' mechanism; NULL: kft does it itself. */
static const struct kft_doctor_result *result_of(const struct trial *t,
						 const struct kft_means *m, size_t *ret)
{
	for (size_t i = 0; m->mechanism && i < t->n_rows; i++)
		if (strcmp(t->rows[i].id, m->mechanism) == 0) {
			*ret = i;
			return &t->report.results[i];
		}
	return NULL;
}

static void put_words(struct kft_result *ret, struct kft_result_table *table,
		      const char *words)
{
	kft_result_put(table,
		       words && *words ? kft_value_text(ret, words) : kft_value_none());
}

/* Adds a row; true when the means are available. */
static bool add_row(struct kft_result *ret, struct kft_result_table *table, size_t run,
		    const struct trial *t, const struct kft_means *m)
{
	size_t at = 0;
	const struct kft_doctor_result *res = result_of(t, m, &at);
	bool full = !res || res->state == KFT_DOCTOR_YES;

	kft_result_put(table, run ? kft_value_count(run) : kft_value_none());
	kft_result_put(table, kft_value_word(m->source));
	kft_result_put(table, kft_value_text(ret, m->what));
	kft_result_put(table, kft_value_word(m->by));
	kft_result_put(table,
		       kft_value_word(res ? kft_doctor_state_name(res->state) : "yes"));
	kft_result_put(table, kft_value_word(m->cost));
	put_words(ret, table, full ? NULL : res->detail);
	put_words(ret, table, full ? NULL : kft_doctor_remedy(&t->rows[at], res));
	put_words(ret, table, full ? NULL : t->rows[at].without);
	put_words(ret, table, m->mechanism);
	return !res || res->state >= KFT_DOCTOR_LIMITED;
}

/* Adds a plan: 1 when all means are available, else 0. */
static int add_plan(struct kft_host *host, const struct kft_plan *plan, bool detached,
		    size_t run, int stop_fd, struct kft_result *ret,
		    struct kft_result_table *table, struct kft_err *e)
{
	_cleanup_(trial_finish) struct trial t = {};
	bool can = true;
	int r = try_plan(host, plan, detached, stop_fd, &t, e);

	if (t.report.left_over[0])
		cli_print_note("%s", t.report.left_over);
	if (r < 0)
		return r;
	kft_vec_for_each(&t.means.items, m)
		can &= add_row(ret, table, run, &t, m);
	return can;
}

/* Whether the kernel finds a condition's intervals itself, by synthetic events. */
static bool is_found_in_kernel(struct kft_host *host, const struct cli_watch *w, size_t i)
{
	struct kft_conditions conditions = w->opts.conditions;

	conditions.in_kernel = true;
	return host->tracefs_fd >= 0 &&
	       kft_find_at(host->tracefs_fd, "synthetic_events") == 0 &&
	       kft_in_kernel_is_found(&conditions, i);
}

static void add_condition(struct kft_host *host, const struct cli_watch *w, size_t i,
			  const char *text, struct kft_result *ret,
			  struct kft_result_table *table)
{
	static const char *const by[][2] = {
		{"kft, which reads the events while it records",
		 "reading each event that could meet it"},
		{"synthetic events of the kernel", "a histogram at its events"},
		{"kft, by the clock", "a timer"},
	};
	const char *const *words = w->conditions.data[i].when == KFT_WHEN_TIME ? by[2]
				   : is_found_in_kernel(host, w, i)	       ? by[1]
									       : by[0];

	kft_result_put(table, kft_value_none());
	kft_result_put(table, kft_value_word("on"));
	kft_result_put(table, kft_value_text(ret, text));
	kft_result_put(table, kft_value_word(words[0]));
	kft_result_put(table, kft_value_word("yes"));
	kft_result_put(table, kft_value_word(words[1]));
	for (size_t column = 6; column < ARRAY_SIZE(columns); column++)
		kft_result_put(table, kft_value_none());
}

static int add_conditions(struct kft_host *host, const struct cli_watch_args *args,
			  struct kft_result *ret, struct kft_result_table *table,
			  struct kft_err *e)
{
	struct cli_watch w = {};
	int r = args->on.len ? cli_watch_parse(args, "/", &w, e) : 0;

	for (size_t i = 0; r == 0 && i < args->on.len; i++)
		add_condition(host, &w, i, args->on.data[i], ret, table);
	cli_watch_finish(&w);
	return r;
}

int cli_dry_run(struct cli *c, int format, const struct kft_plan *plans, size_t n,
		bool detached, const struct cli_watch_args *watch)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	_cleanup_(kft_result_finish) struct kft_result result = {};
	struct kft_interrupt interrupt = {.fd = -1};
	bool can = true;
	int r = kft_host_open(NULL, &host, &c->err);

	if (r == 0)
		r = kft_interrupt_open(&interrupt, &c->err);
	struct kft_result_table *table = kft_result_add_table(&result, "plan", columns,
							      ARRAY_SIZE(columns));
	for (size_t i = 0; r >= 0 && i < n; i++) {
		r = add_plan(host, &plans[i], detached, n > 1 ? i + 1 : 0, interrupt.fd,
			     &result, table, &c->err);
		can &= r > 0;
	}
	if (r >= 0 && watch)
		r = add_conditions(host, watch, &result, table, &c->err);
	kft_interrupt_close(&interrupt);
	if (r < 0)
		return CLI_FAILED;
	kft_result_add(&result, "can", "Can be recorded here", kft_value_bool(can));
	int status = cli_answer(c, format, true, &result);
	return status == CLI_OK && !can ? CLI_FAILED : status;
}

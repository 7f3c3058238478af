// SPDX-License-Identifier: LGPL-2.1-or-later
/* Checks and lowers a configuration for a boot. */
#include "plan/boot.h"

#include <errno.h>

#include "plan/format.h"
#include "plan/kft/lower.h"

/*
 * Functions of init/main.c that are entered before function_graph can record,
 * which is from core_initcall on. If one returns only later, its calls lack their
 * begin and end in the trace.
 */
static const struct {
	const char *name;
	bool returns_late; /* returns after recording began, or never */
} early[] = {
	{"start_kernel", true},	     {"rest_init", true},
	{"kernel_init", true},	     {"kernel_init_freeable", true},
	{"do_basic_setup", true},    {"do_initcalls", true},
	{"setup_arch", false},	     {"time_init", false},
	{"console_init", false},     {"mm_init", false},
	{"mm_core_init", false},     {"sched_init", false},
	{"trace_init", false},	     {"early_trace_init", false},
	{"vfs_caches_init", false},  {"smp_init", false},
	{"sched_init_smp", false},   {"do_pre_smp_initcalls", false},
	{"calibrate_delay", false},  {"mem_init", false},
	{"smp_prepare_cpus", false}, {"page_alloc_init_late", false},
};

static bool at_function(const struct kft_config_trigger *t)
{
	return t->kind == KFT_TRIGGER_ENTRY || t->kind == KFT_TRIGGER_EXIT;
}

/* Whether the trigger fires before the kernel can trace. */
static bool is_early(const struct kft_config_trigger *t, bool *ret_returns_late)
{
	for (size_t i = 0; at_function(t) && i < ARRAY_SIZE(early); i++) {
		if (strcmp(early[i].name, t->func.word) != 0)
			continue;
		*ret_returns_late = early[i].returns_late;
		return true;
	}
	return false;
}

static void check_func(const struct kft_config_func *f, struct kft_diags *diags)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_.*?[]-";

	if (f->kind == KFT_FUNC_ADDR) {
		kft_diag_add(diags, f->pos, "'%s': a boot takes functions by name",
			     f->word);
		kft_diag_hint(diags, "the next boot may put it at another address");
	} else if (f->word[strspn(f->word, plain)]) {
		kft_diag_add(diags, f->pos,
			     "'%s': this cannot stand on a kernel's command line",
			     f->word);
		kft_diag_hint(diags, "letters, digits, _ . - and * ? [ ] can");
	}
}

static void check_start(const struct kft_config_trigger *t, struct kft_diags *diags)
{
	bool late;

	if (!at_function(t))
		return;
	check_func(&t->func, diags);
	if (t->kind == KFT_TRIGGER_ENTRY || !is_early(t, &late) || !late)
		return;
	kft_diag_add(diags, t->func.pos,
		     "'%s': is entered before the kernel can trace, so that its return "
		     "goes unnoticed",
		     t->func.word);
	kft_diag_hint(diags,
		      "without a start trigger everything is recorded that can be");
}

static void check_stop(const struct kft_config_trigger *t, struct kft_diags *diags)
{
	bool late;

	if (!at_function(t))
		return;
	check_func(&t->func, diags);
	if (!is_early(t, &late))
		return;
	kft_diag_add(diags, t->func.pos,
		     "'%s': is entered before the kernel can trace (at core_initcall): "
		     "the run would never stop there",
		     t->func.word);
	kft_diag_hint(diags,
		      "'trigger stop entry run_init_process' stops when the kernel "
		      "has booted");
}

static void refuse(const struct kft_run_config *run, enum kft_clause clause,
		   const char *why, const char *remedy, struct kft_diags *diags)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	if (!kft_run_config_has(run, clause))
		return;
	kft_clause_format(run, clause, &text);
	kft_diag_add(diags, run->clauses[clause], "'%.80s': %s", kft_strbuf_cstr(&text),
		     why);
	kft_diag_hint(diags, "%s", remedy);
}

static void check_run(const struct kft_run_config *run, struct kft_diags *diags)
{
	check_start(&run->start, diags);
	check_stop(&run->stop, diags);
	kft_vec_for_each(&run->funclist, f)
		check_func(f, diags);
	kft_vec_for_each(&run->nofunclist, f)
		check_func(f, diags);
	if (run->start.kind == KFT_TRIGGER_EVENT)
		refuse(run, KFT_CLAUSE_START, "a boot starts at functions and times",
		       "leave it out, or name a function", diags);
	if (run->stop.kind == KFT_TRIGGER_EVENT)
		refuse(run, KFT_CLAUSE_STOP, "a boot stops at functions and times",
		       "leave it out, or name a function", diags);
	refuse(run, KFT_CLAUSE_AUTOREPEAT, "a machine boots once",
	       "leave it out, or use 'kft run' on a machine that is up", diags);
	refuse(run, KFT_CLAUSE_EVENT, "a boot records calls and initcalls only",
	       "leave it out, or use 'kft run' on a machine that is up", diags);
	refuse(run, KFT_CLAUSE_WATCH, "watch is not available at boot",
	       "leave it out, or use 'kft run' on a machine that is up", diags);
}

int kft_config_boot_check(const struct kft_config *c, struct kft_diags *diags)
{
	if (c->runs.len > 1) {
		kft_diag_add(diags, c->runs.data[1].pos,
			     "a boot carries out one run, the file has %zu", c->runs.len);
		kft_diag_hint(diags, "put the others into files of their own");
	}
	if (c->runs.len)
		check_run(&c->runs.data[0], diags);
	return kft_diags_any(diags) ? -EINVAL : 0;
}

int kft_run_config_lower_boot(const struct kft_run_config *run, struct kft_plan *ret,
			      struct kft_err *e)
{
	struct kft_run_config seen = *run;
	bool late;

	if (is_early(&run->start, &late))
		seen.start = (struct kft_config_trigger){.kind = KFT_TRIGGER_NONE};
	return kft_run_config_lower(&seen, ret, e);
}

/*
 * How a boot carries out each clause, and how saving the trace does; NULL: nothing to do.
 */
static const struct way {
	enum kft_clause clause;
	unsigned int triggers; /* bits of enum kft_trigger_kind; 0: not for triggers */
	const char *boot;
	const char *save;
} ways[] = {
	{KFT_CLAUSE_START, 1u << KFT_TRIGGER_TIME, NULL,
	 "cut at this time of the kernel's clock, which is that of dmesg"},
	{KFT_CLAUSE_START, 1u << KFT_TRIGGER_ENTRY | 1u << KFT_TRIGGER_EXIT,
	 "a probe on the function, from fs_initcall on, records when it is reached; "
	 "initcalls are known before that",
	 "cut where the function was reached first"},
	{KFT_CLAUSE_STOP, 1u << KFT_TRIGGER_TIME, NULL,
	 "cut so long after the start; without a start trigger that is the kernel's time "
	 "0, as in dmesg"},
	{KFT_CLAUSE_STOP, 1u << KFT_TRIGGER_ENTRY | 1u << KFT_TRIGGER_EXIT,
	 "a probe on the function, from fs_initcall on, records when it is reached; "
	 "initcalls are known before that; recording goes on",
	 "cut where the function was reached first after the start"},
	{KFT_CLAUSE_MINTIME, 0,
	 "tracing_thresh: shorter calls never reach the buffer; whole microseconds",
	 "a rest below a microsecond"},
	{KFT_CLAUSE_MAXTIME, 0, NULL, "longer calls are dropped"},
	{KFT_CLAUSE_NOINTS, 0, "hard interrupts are left out (nofuncgraph-irqs)",
	 "calls in soft interrupts are dropped"},
	{KFT_CLAUSE_ONLYINTS, 0, NULL, "other calls are dropped"},
	{KFT_CLAUSE_FUNCLIST, 0,
	 "ftrace_filter, for the kernel itself: modules are loaded too late for it",
	 NULL},
	{KFT_CLAUSE_NOFUNCLIST, 0, "ftrace_notrace", NULL},
	{KFT_CLAUSE_PID, 0, NULL, "calls of other tasks are dropped"},
	{KFT_CLAUSE_COMM, 0, NULL,
	 "calls of other tasks are dropped, by the name that a task had last"},
	{KFT_CLAUSE_LOGENTRIES, 0, NULL, "cut after so many calls"},
	{KFT_CLAUSE_OVERWRITE, 0,
	 "the oldest records are overwritten when the buffer is full, until the trace is "
	 "saved",
	 NULL},
	{KFT_CLAUSE_UNTIMED, 0, "entries and exits are recorded one by one", NULL},
	{KFT_CLAUSE_PRIME, 0, "a boot is always primed", NULL},
};

static unsigned int trigger_bit(const struct kft_run_config *run, enum kft_clause clause)
{
	if (clause == KFT_CLAUSE_START)
		return 1u << run->start.kind;
	return clause == KFT_CLAUSE_STOP ? 1u << run->stop.kind : 0;
}

static void explain_clause(const struct kft_run_config *run, const struct way *w,
			   struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	const char *boot = w->boot;
	const char *save = w->save;
	bool late;

	if (!kft_run_config_has(run, w->clause) ||
	    (w->triggers && !(w->triggers & trigger_bit(run, w->clause))))
		return;
	if (w->clause == KFT_CLAUSE_START && is_early(&run->start, &late)) {
		boot = "the function runs before the kernel can trace: recording begins "
		       "with the tracer";
		save = NULL;
	}
	kft_clause_format(run, w->clause, &text);
	kft_strbuf_adds(sb, "  ");
	kft_strbuf_add_escaped(sb, kft_strbuf_cstr(&text), KFT_MIN(text.len, 100u));
	kft_strbuf_adds(sb, text.len > 100 ? " ...\n" : "\n");
	if (boot)
		kft_strbuf_addf(sb, "      at boot: %s\n", boot);
	if (save)
		kft_strbuf_addf(sb, "      when saved: %s\n", save);
}

void kft_config_boot_explain(const struct kft_run_config *run, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb,
			"  (always)\n"
			"      at boot: function_graph records calls from core_initcall "
			"on, and initcalls are recorded as events\n");
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		explain_clause(run, &ways[i], sb);
	if (run->stop.kind == KFT_TRIGGER_NONE)
		kft_strbuf_adds(sb, "  (no stop trigger)\n"
				    "      recording ends when the trace is saved\n");
	if (!run->overwrite)
		kft_strbuf_adds(sb,
				"  (no overwrite)\n"
				"      recording also ends when the buffer is full\n");
	if (!run->funclist.len)
		kft_strbuf_adds(
			sb,
			"  (no funclist)\n"
			"      every function is traced: the boot takes 6 to 10 times as long; "
			"'kft boot --light' costs next to nothing\n");
	if (!run->mintime_ns && !run->funclist.len)
		kft_strbuf_adds(sb, "  (neither mintime nor funclist)\n"
				    "      every call is recorded: the buffer is full "
				    "within moments\n");
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Chooses the mechanism that carries out each clause. */
#include "plan/carry.h"

#include <errno.h>

#include "plan/format.h"

#define CAP(c)		 (offsetof(struct kft_config_caps, c) + 1)
#define FUNCTION_TRIGGER (1u << KFT_TRIGGER_ENTRY | 1u << KFT_TRIGGER_EXIT)

/*
 * The first row for a clause with a capability that the kernel has is used. A row for triggers
 * applies only to the kinds in its set.
 */
static const struct way {
	enum kft_clause clause;
	unsigned int triggers; /* bits of enum kft_trigger_kind; 0: not for triggers */
	size_t cap; /* CAP() of the needed capability; 0: none needed */
	struct kft_carry carry;
} ways[] = {
	{KFT_CLAUSE_START,
	 FUNCTION_TRIGGER,
	 CAP(kprobes),
	 {KFT_CARRY_KERNEL, "a probe on the function turns tracing on and records when"}},
	{KFT_CLAUSE_START,
	 FUNCTION_TRIGGER,
	 0,
	 {KFT_CARRY_REFUSED,
	  "kprobe events are missing, without which nothing starts a run at a function",
	  "use a kernel with CONFIG_KPROBE_EVENTS and no lockdown, or start by time or "
	  "with 'kft start'"}},
	{KFT_CLAUSE_START,
	 1u << KFT_TRIGGER_EVENT,
	 0,
	 {KFT_CARRY_KERNEL, "the event's own trigger turns tracing on"}},
	{KFT_CLAUSE_STOP,
	 1u << KFT_TRIGGER_EVENT,
	 0,
	 {KFT_CARRY_KERNEL, "the event's own trigger turns tracing off"}},
	{KFT_CLAUSE_START,
	 1u << KFT_TRIGGER_TIME,
	 0,
	 {KFT_CARRY_SESSION, "a timer of the session's keeper; records before the exact "
			     "time are cut off"}},
	{KFT_CLAUSE_STOP,
	 FUNCTION_TRIGGER,
	 CAP(kprobes),
	 {KFT_CARRY_KERNEL,
	  "a probe on the function turns tracing off and records when"}},
	{KFT_CLAUSE_STOP,
	 FUNCTION_TRIGGER,
	 0,
	 {KFT_CARRY_REFUSED,
	  "kprobe events are missing, without which nothing stops a run at a function",
	  "use a kernel with CONFIG_KPROBE_EVENTS and no lockdown, or stop by time or "
	  "with 'kft stop'"}},
	{KFT_CLAUSE_STOP,
	 1u << KFT_TRIGGER_TIME,
	 0,
	 {KFT_CARRY_SESSION, "a timer of the session's keeper; records after the exact "
			     "time are cut off"}},
	{KFT_CLAUSE_MINTIME,
	 0,
	 CAP(thresh),
	 {KFT_CARRY_KERNEL, "tracing_thresh, set before the tracer: short calls never "
			    "reach the buffer; it counts whole microseconds, the rest is "
			    "dropped while draining"}},
	{KFT_CLAUSE_MINTIME, 0, 0, {KFT_CARRY_DRAIN, "by each call's duration"}},
	{KFT_CLAUSE_MAXTIME,
	 0,
	 0,
	 {KFT_CARRY_DRAIN, "by each call's duration: no kernel has an upper bound"}},
	{KFT_CLAUSE_NOINTS,
	 0,
	 CAP(irqs_option),
	 {KFT_CARRY_BOTH,
	  "calls in hard interrupts by the tracer's option funcgraph-irqs, "
	  "those in soft interrupts while draining, by each record's "
	  "context"}},
	{KFT_CLAUSE_NOINTS, 0, 0, {KFT_CARRY_DRAIN, "by each record's context"}},
	{KFT_CLAUSE_ONLYINTS, 0, 0, {KFT_CARRY_DRAIN, "by each record's context"}},
	{KFT_CLAUSE_FUNCLIST,
	 0,
	 CAP(function_filter),
	 {KFT_CARRY_KERNEL, "set_ftrace_filter, by index, read back to verify"}},
	{KFT_CLAUSE_FUNCLIST,
	 0,
	 0,
	 {KFT_CARRY_REFUSED, "functions cannot be chosen here",
	  "use a kernel with CONFIG_DYNAMIC_FTRACE, and no lockdown"}},
	{KFT_CLAUSE_NOFUNCLIST,
	 0,
	 CAP(function_filter),
	 {KFT_CARRY_KERNEL, "set_ftrace_notrace, by index, read back to verify"}},
	{KFT_CLAUSE_NOFUNCLIST,
	 0,
	 0,
	 {KFT_CARRY_REFUSED, "functions cannot be chosen here",
	  "use a kernel with CONFIG_DYNAMIC_FTRACE, and no lockdown"}},
	{KFT_CLAUSE_PID, 0, CAP(pid_filter), {KFT_CARRY_KERNEL, "set_ftrace_pid"}},
	{KFT_CLAUSE_PID, 0, 0, {KFT_CARRY_DRAIN, "by each record's task"}},
	{KFT_CLAUSE_COMM, 0, 0, {KFT_CARRY_DRAIN, "by the name of each record's task"}},
	{KFT_CLAUSE_EVENT,
	 0,
	 0,
	 {KFT_CARRY_KERNEL,
	  "recorded in the buffer of the calls, with the kernel's own filter"}},
	{KFT_CLAUSE_WATCH,
	 0,
	 CAP(stack_tracer),
	 {KFT_CARRY_BOTH,
	  "the kernel's only stack tracer, restored afterwards; kft reads it 50 times a "
	  "second and saves new stacks"}},
	{KFT_CLAUSE_WATCH,
	 0,
	 0,
	 {KFT_CARRY_REFUSED, "this kernel has no stack tracer",
	  "use a kernel with CONFIG_STACK_TRACER, or leave the watch out"}},
	{KFT_CLAUSE_LOGENTRIES,
	 0,
	 0,
	 {KFT_CARRY_BOTH,
	  "the run is stopped at that number of records; if kft filters calls itself, "
	  "they are read out and counted from time to time, and cut "
	  "exactly at the end"}},
	{KFT_CLAUSE_AUTOREPEAT,
	 0,
	 0,
	 {KFT_CARRY_SESSION, "triggers without a count: each start and stop is kept"}},
	{KFT_CLAUSE_OVERWRITE,
	 0,
	 0,
	 {KFT_CARRY_KERNEL, "the ring buffer of the kernel in its overwrite mode"}},
	{KFT_CLAUSE_UNTIMED,
	 0,
	 0,
	 {KFT_CARRY_KERNEL, "function_graph without a threshold records both ends"}},
	{KFT_CLAUSE_PRIME,
	 0,
	 0,
	 {KFT_CARRY_SESSION, "'kft load' goes on to 'kft prime'"}},
};

static bool has_cap(const struct kft_config_caps *caps, size_t cap)
{
	return !cap || *((const bool *)caps + cap - 1);
}

static unsigned int trigger_bit(const struct kft_run_config *run, enum kft_clause clause)
{
	if (clause == KFT_CLAUSE_START)
		return 1u << run->start.kind;
	return clause == KFT_CLAUSE_STOP ? 1u << run->stop.kind : 0;
}

struct kft_carry kft_clause_carry(const struct kft_run_config *run,
				  enum kft_clause clause,
				  const struct kft_config_caps *caps)
{
	static const struct kft_carry unknown = {KFT_CARRY_REFUSED, "no way is known",
						 "leave the clause out"};
	unsigned int bit = trigger_bit(run, clause);

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		const struct way *w = &ways[i];

		if (w->clause == clause && (!w->triggers || w->triggers & bit) &&
		    has_cap(caps, w->cap))
			return w->carry;
	}
	return unknown;
}

struct kft_carry kft_run_carry(const struct kft_config_caps *caps)
{
	if (!caps->function_graph)
		return (struct kft_carry){
			KFT_CARRY_REFUSED,
			"the function_graph tracer cannot be used here",
			"it needs root, CONFIG_FUNCTION_GRAPH_TRACER, and no lockdown"};
	if (caps->graph_instances)
		return (struct kft_carry){
			KFT_CARRY_KERNEL,
			"the function_graph tracer in an instance of its own", NULL};
	return (struct kft_carry){
		KFT_CARRY_KERNEL,
		"the function_graph tracer of the top level, which is one for the whole "
		"kernel: taken under a lock and given back as it was",
		NULL};
}

int kft_run_config_possible(const struct kft_run_config *run,
			    const struct kft_config_caps *caps, struct kft_diags *diags)
{
	struct kft_carry tracer = kft_run_carry(caps);

	if (tracer.where == KFT_CARRY_REFUSED) {
		kft_diag_add(diags, run->pos, "%s", tracer.how);
		kft_diag_hint(diags, "%s", tracer.remedy);
	}
	for (int c = 0; c < KFT_CLAUSE_COUNT; c++) {
		if (!kft_run_config_has(run, c))
			continue;
		struct kft_carry carry = kft_clause_carry(run, c, caps);

		if (carry.where != KFT_CARRY_REFUSED)
			continue;
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

		kft_clause_format(run, c, &text);
		kft_diag_add(diags, run->clauses[c], "'%.80s': %s",
			     kft_strbuf_cstr(&text), carry.how);
		kft_diag_hint(diags, "%s", carry.remedy);
	}
	return kft_diags_any(diags) ? -EINVAL : 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Filters calls by task, context and duration. */
#include "analysis/cut/filter.h"

#include <errno.h>

#include "base/glob.h"
#include "model/irq_name.h"

/* enum trace_flag_type of the kernel: NMI, soft and hard interrupt. */
#define FLAGS_INTERRUPT (0x40u | 0x10u | 0x08u)

/* The others that kft_irq_name knows are a task's. */
static int find_irq_funcs(struct kft_cut_filter *f)
{
	const struct kft_symbol_table *symbols = &f->trace->symbols;

	kft_vec_for_each(&symbols->syms, sym) {
		enum kft_irq_name is = kft_irq_name_find(sym->name, sym->name_len);

		if (is != KFT_IRQ_NAME_NONE && is != KFT_IRQ_NAME_CALLS_SOFTIRQS &&
		    !kft_vec_push(&f->irq_funcs, sym->addr))
			return -ENOMEM;
	}
	return 0;
}

int kft_cut_filter_init(struct kft_cut_filter *f, struct kft_trace *t,
			const struct kft_plan *plan, bool tasks_filtered)
{
	*f = (struct kft_cut_filter){
		.plan = plan, .trace = t, .tasks_filtered = tasks_filtered};
	if (plan->functions.n_comms)
		f->tasks = &t->tasks;
	return plan->functions.context ? find_irq_funcs(f) : 0;
}

void kft_cut_filter_finish(struct kft_cut_filter *f)
{
	kft_vec_finish(&f->irq_funcs);
}

/* By the name that the task had then. */
static bool comm_matches(const struct kft_cut_filter *f, const struct kft_cut_record *ev)
{
	const struct kft_plan_functions *wanted = &f->plan->functions;
	const char *comm = kft_task_comm_at(f->tasks, (uint32_t)ev->pid, ev->ev->ts);

	for (size_t i = 0; i < wanted->n_comms; i++)
		if (kft_glob(wanted->comms[i], comm))
			return true;
	return false;
}

bool kft_cut_filter_wants_task(const struct kft_cut_filter *f,
			       const struct kft_cut_record *ev)
{
	bool found = !f->plan->n_pids || f->tasks_filtered;

	for (size_t i = 0; !found && i < f->plan->n_pids; i++)
		found = f->plan->pids[i] == ev->pid;
	return found && (!f->tasks || comm_matches(f, ev));
}

static bool is_in_interrupt(const struct kft_cut_filter *f,
			    const struct kft_cut_record *ev)
{
	if (ev->flags & FLAGS_INTERRUPT)
		return true;
	kft_vec_for_each(&f->irq_funcs, addr) {
		if (ev->func < *addr || !kft_cut_is_near(ev->func, *addr))
			continue;
		const struct kft_symbol *sym = kft_symbol_lookup(&f->trace->symbols,
								 ev->func);

		if (sym && sym->addr == *addr)
			return true;
	}
	return false;
}

enum kft_verdict kft_cut_filter_place(const struct kft_cut_filter *f,
				      const struct kft_cut_record *ev,
				      enum kft_verdict otherwise)
{
	bool in_interrupt = f->plan->functions.context && is_in_interrupt(f, ev);

	if (f->plan->functions.context == KFT_CONTEXT_TASK && in_interrupt)
		return KFT_VERDICT_INTERRUPT;
	if (f->plan->functions.context == KFT_CONTEXT_INTERRUPT && !in_interrupt)
		return KFT_VERDICT_NO_INTERRUPT;
	return kft_cut_filter_wants_task(f, ev) ? otherwise : KFT_VERDICT_TASK;
}

enum kft_verdict kft_cut_filter_call(const struct kft_cut_filter *f,
				     const struct kft_cut_record *exit,
				     enum kft_verdict otherwise)
{
	const struct kft_plan_functions *wanted = &f->plan->functions;

	if (wanted->min_ns && exit->duration_ns < wanted->min_ns)
		return KFT_VERDICT_SHORT;
	if (wanted->max_ns && exit->duration_ns > wanted->max_ns)
		return KFT_VERDICT_LONG;
	return kft_cut_filter_place(f, exit, otherwise);
}

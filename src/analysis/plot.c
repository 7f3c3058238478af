// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes plots of intervals. */
#include "analysis/plot.h"

#include <errno.h>
#include <stdlib.h>

#include "derive/engine/ahead.h"
#include "model/span.h"

struct plotting {
	struct kft_trace *trace;
	const struct kft_interval_question *question;
	struct kft_plot **plots;
	uint64_t begin_ns;
	uint64_t end_ns;
};

static int get_plot(struct plotting *f, const struct kft_interval_kind *kind,
		    struct kft_plot **ret)
{
	size_t i = 0;

	while (f->question->kinds[i] != kind)
		i++;
	if (!f->plots[i])
		f->plots[i] = calloc(1, sizeof(**f->plots));
	if (!f->plots[i])
		return -ENOMEM;
	*ret = f->plots[i];
	(*ret)->kind = kind->name;
	(*ret)->begin_ns = f->begin_ns;
	(*ret)->end_ns = f->end_ns;
	return 0;
}

/* "read, cat-123, CPU 1" */
static void describe(struct plotting *f, const struct kft_interval *i,
		     struct kft_strbuf *sb)
{
	kft_interval_key_text(f->trace, i->kind, i->key, sb);
	if (i->pid >= 0)
		kft_strbuf_addf(
			sb, ", %s-%d",
			kft_task_comm_at(&f->trace->tasks, (uint32_t)i->pid, i->begin_ns),
			i->pid);
	kft_strbuf_addf(sb, ", CPU %u", i->cpu);
}

static int take(void *arg, const struct kft_interval *i)
{
	struct plotting *f = arg;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf what = {};
	uint64_t ns = kft_interval_ns(i);
	struct kft_plot *p;

	if (i->flags || i->kind->is_instant ||
	    (f->question->where &&
	     !kft_interval_where_match(f->question->where, f->trace, i)))
		return 0;
	int r = get_plot(f, i->kind, &p);

	if (r < 0)
		return r;
	if (kft_plot_rank(p, ns) < KFT_PLOT_WORST)
		describe(f, i, &what);
	kft_plot_add(p, i->begin_ns, ns, kft_strbuf_cstr(&what));
	return kft_strbuf_ok(&what) ? 0 : -ENOMEM;
}

int kft_plots_run(struct kft_trace *t, const struct kft_interval_question *q,
		  const struct kft_scope *scope,
		  struct kft_plot *ret[KFT_INTERVAL_KINDS_MAX])
{
	struct plotting f = {.trace = t, .question = q, .plots = ret};
	const struct kft_interval_sink sink = {take, &f};

	if (!kft_span_of(t, scope, &f.begin_ns, &f.end_ns))
		return 0;
	return kft_engine_run(t, scope, q->kinds, q->n_kinds, &sink);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Adds formats of events of the kernel's command line that have no directory in tracefs. */
#include "session/boot/mend.h"

#include <errno.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "tracefs/sources/probes.h"
#include "model/merge.h"

enum { PROBES_MAX = 2 };

/* An event that has records but no format in the trace. */
struct unknown {
	uint16_t id;
	uint32_t bytes; /* of its first record */
};

struct mending {
	struct kft_trace *trace;
	struct unknown unknown[PROBES_MAX]; /* by id, lowest first */
	size_t n_unknown; /* may exceed PROBES_MAX */
};

static void add_unknown(struct mending *m, const struct kft_event *ev)
{
	size_t at = KFT_MIN(m->n_unknown, (size_t)PROBES_MAX);

	for (size_t i = 0; i < at; i++)
		if (m->unknown[i].id == ev->id)
			return;
	m->n_unknown++;
	if (at == PROBES_MAX)
		return;
	while (at && m->unknown[at - 1].id > ev->id) {
		m->unknown[at] = m->unknown[at - 1];
		at--;
	}
	m->unknown[at] = (struct unknown){ev->id, ev->size};
}

static int find_unknown(struct mending *m)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *merge = NULL;
	const struct kft_event *ev;
	int r = kft_merge_create(m->trace, NULL, &merge);

	while (r == 0 && (r = kft_merge_next(merge, &ev)) > 0) {
		if (!kft_trace_class(m->trace, ev->id))
			add_unknown(m, ev);
		r = 0;
	}
	return r;
}

static bool is_return(const struct kft_plan_trigger *t)
{
	return t->kind == KFT_TRIGGER_EXIT;
}

static bool lacks(struct kft_trace *t, const struct kft_plan_trigger *trigger,
		  const char *event)
{
	return (trigger->kind == KFT_TRIGGER_ENTRY || is_return(trigger)) &&
	       !kft_class_table_find(&t->classes, KFT_BOOT_GROUP, event);
}

static void add_field(struct kft_strbuf *sb, const char *name, uint32_t offset,
		      uint32_t size)
{
	kft_strbuf_addf(sb,
			"\tfield:unsigned long %s;\toffset:%u;\tsize:%u;\tsigned:0;\n",
			name, offset, size);
}

/* Writes a format as trace_probe.c does for a probe without arguments. */
static void add_format(struct kft_strbuf *sb, const char *event, uint16_t id,
		       bool returns, uint32_t size)
{
	kft_strbuf_addf(
		sb,
		"name: %s\nID: %u\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\t"
		"signed:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n",
		event, id);
	add_field(sb, returns ? "__probe_func" : "__probe_ip", 8, size);
	if (returns)
		add_field(sb, "__probe_ret_ip", 8 + size, size);
	kft_strbuf_adds(sb, returns ? "\nprint fmt: \"(%lx <- %lx)\", REC->__probe_func, "
				      "REC->__probe_ret_ip\n"
				    : "\nprint fmt: \"(%lx)\", REC->__probe_ip\n");
}

static int describe(struct mending *m, const struct kft_plan_trigger *trigger,
		    const char *event, uint16_t id)
{
	struct kft_trace *t = m->trace;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_format_text format = {.system = KFT_BOOT_GROUP};

	add_format(&sb, event, id, is_return(trigger), t->meta.long_size);
	if (!kft_strbuf_ok(&sb))
		return -ENOMEM;
	int r = kft_meta_set_blob(&t->meta, &format.text, sb.buf, sb.len);
	if (r == 0 && !kft_vec_push(&t->meta.formats, format))
		r = -ENOMEM;
	return r < 0 ? r
		     : kft_class_table_add(&t->classes, KFT_BOOT_GROUP, format.text.data,
					   format.text.len);
}

/*
 * Describes the events of the triggers. The start's probe is made first and has the lower
 * id.
 */
static int describe_all(struct mending *m, const struct kft_plan *plan)
{
	bool start = lacks(m->trace, &plan->start, KFT_PROBE_START);
	bool stop = lacks(m->trace, &plan->stop, KFT_PROBE_STOP);
	size_t at = 0;
	int r = 0;

	/*
	 * If only one of an entry's and a return's probe fired, the size of its record
	 * identifies it.
	 */
	if (start && stop && m->n_unknown == 1 &&
	    is_return(&plan->start) != is_return(&plan->stop))
		start = is_return(&plan->start) ==
			(m->unknown[0].bytes >= 8 + 2 * m->trace->meta.long_size);
	if (start && at < m->n_unknown)
		r = describe(m, &plan->start, KFT_PROBE_START, m->unknown[at++].id);
	if (r == 0 && stop && at < m->n_unknown)
		r = describe(m, &plan->stop, KFT_PROBE_STOP, m->unknown[at].id);
	return r;
}

int kft_boot_mend(struct kft_trace *t, const struct kft_plan *plan, struct kft_err *e)
{
	struct mending m = {.trace = t};

	if (!lacks(t, &plan->start, KFT_PROBE_START) &&
	    !lacks(t, &plan->stop, KFT_PROBE_STOP))
		return 0;
	int r = find_unknown(&m);
	/* If there are more events without a format, the triggers' cannot be identified. */
	if (r == 0 && m.n_unknown <= PROBES_MAX)
		r = describe_all(&m, plan);
	return r < 0 ? kft_err_sys(e, r, "cannot look for the triggers' events") : 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the records of several backends to one trace. */
#include "capture/shared_sink.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

static struct kft_shared_part *part_of(struct kft_sink *s)
{
	return container_of(s, struct kft_shared_part, sink);
}

static struct kft_sink *trace_of(struct kft_sink *s)
{
	return part_of(s)->shared->trace;
}

/* Whether the lead has the format, as one of the kernel's that two backends write. */
static bool has_format(const struct kft_meta *lead, const struct kft_format_text *f)
{
	kft_vec_for_each(&lead->formats, own)
		if (own->text.len == f->text.len && strcmp(own->system, f->system) == 0 &&
		    memcmp(own->text.data, f->text.data, f->text.len) == 0)
			return true;
	return false;
}

/*
 * Joins the metadata of all backends: ret has vectors of its own for formats and statistics; the
 * rest is borrowed from the lead.
 */
static int join_meta(const struct kft_shared_sink *s, bool at_end, struct kft_meta *ret)
{
	const struct kft_shared_part *lead = &s->parts[s->n - 1];

	const struct kft_meta *lead_meta = at_end ? lead->ended : lead->begun;

	*ret = *lead_meta;
	memset(&ret->formats, 0, sizeof(ret->formats));
	memset(&ret->stats, 0, sizeof(ret->stats));
	for (size_t i = s->n; i-- > 0;) {
		const struct kft_shared_part *p = &s->parts[i];
		const struct kft_meta *m = at_end ? p->ended : p->begun;

		/* A backend that was never started has no metadata of the end. */
		if (!m)
			m = p->begun;
		kft_vec_for_each(&m->formats, f)
			if ((p == lead || !has_format(lead_meta, f)) &&
			    !kft_vec_push(&ret->formats, *f))
				return -ENOMEM;
		kft_vec_for_each(&m->stats, stat) {
			struct kft_cpu_stat own = *stat;

			if (p != lead && !own.buffer)
				own.buffer = p->name;
			if (!kft_vec_push(&ret->stats, own))
				return -ENOMEM;
		}
	}
	return 0;
}

static void finish_joined(struct kft_meta *m)
{
	kft_vec_finish(&m->formats);
	kft_vec_finish(&m->stats);
}

static int open_buffers(struct kft_shared_sink *s, struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; i + 1 < s->n && r == 0; i++) {
		struct kft_shared_part *p = &s->parts[i];
		const struct kft_buffer_shape shape = {
			.page_size = p->begun->page_size,
			.cpu_count = p->begun->cpu_count,
		};

		r = s->trace->ops->buffer(s->trace, p->name, &shape, &p->buffer, e);
	}
	return r;
}

static int lead_begin(struct kft_sink *sink, const struct kft_meta *meta,
		      struct kft_err *e)
{
	struct kft_shared_sink *s = part_of(sink)->shared;
	struct kft_meta all = {};

	part_of(sink)->begun = meta;
	int r = join_meta(s, false, &all);
	r = r < 0 ? kft_err_memory(e) : s->trace->ops->begin(s->trace, &all, e);
	finish_joined(&all);
	return r < 0 ? r : open_buffers(s, e);
}

static int lead_cpu_fd(struct kft_sink *s, uint32_t cpu, int *ret_fd, struct kft_err *e)
{
	return trace_of(s)->ops->cpu_fd(trace_of(s), cpu, ret_fd, e);
}

static int lead_buffer(struct kft_sink *s, const char *name,
		       const struct kft_buffer_shape *shape, struct kft_sink **ret,
		       struct kft_err *e)
{
	return trace_of(s)->ops->buffer(trace_of(s), name, shape, ret, e);
}

static int lead_lost(struct kft_sink *s, const struct kft_lost_range *range)
{
	return trace_of(s)->ops->lost(trace_of(s), range);
}

static int lead_tasks(struct kft_sink *s, const struct kft_blob *cmdlines,
		      const struct kft_blob *tgids)
{
	return trace_of(s)->ops->tasks(trace_of(s), cmdlines, tgids);
}

static void lead_names(struct kft_sink *s, const void *records, size_t len)
{
	if (trace_of(s)->ops->names)
		trace_of(s)->ops->names(trace_of(s), records, len);
}

static int lead_modules(struct kft_sink *s, const char *blocks, size_t len)
{
	return trace_of(s)->ops->modules
		       ? trace_of(s)->ops->modules(trace_of(s), blocks, len)
		       : 0;
}

static int part_begin(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e)
{
	part_of(s)->begun = meta;
	return 0;
}

static int part_cpu_fd(struct kft_sink *s, uint32_t cpu, int *ret_fd, struct kft_err *e)
{
	struct kft_sink *buffer = part_of(s)->buffer;

	return buffer->ops->cpu_fd(buffer, cpu, ret_fd, e);
}

static int part_lost(struct kft_sink *s, const struct kft_lost_range *range)
{
	struct kft_sink *buffer = part_of(s)->buffer;

	return buffer->ops->lost(buffer, range);
}

/* Ignores tasks, because the lead reports the tasks of the whole machine. */
static int part_tasks(struct kft_sink *s, const struct kft_blob *cmdlines,
		      const struct kft_blob *tgids)
{
	return 0;
}

static int part_end(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e)
{
	part_of(s)->ended = meta;
	return 0;
}

static const struct kft_sink_ops lead_ops = {
	.begin = lead_begin,
	.cpu_fd = lead_cpu_fd,
	.buffer = lead_buffer,
	.lost = lead_lost,
	.tasks = lead_tasks,
	.names = lead_names,
	.modules = lead_modules,
	.end = part_end,
};

static const struct kft_sink_ops part_ops = {
	.begin = part_begin,
	.cpu_fd = part_cpu_fd,
	.lost = part_lost,
	.tasks = part_tasks,
	.end = part_end,
};

int kft_shared_sink_init(struct kft_shared_sink *s, struct kft_sink *trace,
			 const char *const *names, size_t n, struct kft_err *e)
{
	if (!trace->ops->buffer || trace->ops->take_fd)
		return kft_err_set(e, -EOPNOTSUPP,
				   "%s and %s are recorded together to a file only",
				   names[0], names[1]);
	*s = (struct kft_shared_sink){.trace = trace, .n = n};
	for (size_t i = 0; i < s->n; i++)
		s->parts[i] = (struct kft_shared_part){
			.sink.ops = i + 1 == s->n ? &lead_ops : &part_ops,
			.shared = s,
			.name = names[i],
		};
	return 0;
}

int kft_shared_sink_end(struct kft_shared_sink *s, struct kft_err *e)
{
	struct kft_meta all = {};
	int r = join_meta(s, true, &all);

	r = r < 0 ? kft_err_memory(e) : s->trace->ops->end(s->trace, &all, e);
	finish_joined(&all);
	return r;
}

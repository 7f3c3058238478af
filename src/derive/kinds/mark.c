// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Markers of programs (docs/formats/marks.md): scopes from their beginning to their end,
 * and the time from one instant to the next of the same name.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "derive/engine/async.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"
#include "model/mark.h"

/* False for markers without intervals: values, kft's own, empty ones. */
static bool parse(const struct kft_kind_input *in, struct kft_mark *ret)
{
	const char *text = in->texts[0];

	*ret = kft_mark_parse(text, in->fields[0]);
	if (ret->type == 'I' && !ret->name.len)
		return false;
	return ret->type != 'C' && !(in->fields[0] >= 5 && memcmp(text, "kft: ", 5) == 0);
}

static uint64_t name_number(const struct kft_kind_input *in, struct kft_mark_text name)
{
	return kft_names_number(in->names, name.data, name.len);
}

struct scopes {
	void *nested; /* owned; scopes of threads */
	void *async; /* owned; scopes that may end in another thread */
};

static void destroy(void *state)
{
	struct scopes *s = state;

	if (s->nested)
		kft_nested_pairs_destroy(s->nested);
	if (s->async)
		kft_async_destroy(s->async);
	free(s);
}

static int create(struct kft_trace *t, void **ret_state)
{
	struct scopes *s = calloc(1, sizeof(*s));
	int r = s ? kft_nested_pairs_create(t, &s->nested) : -ENOMEM;

	if (!r)
		r = kft_async_create(t, &s->async);
	if (!r)
		*ret_state = s;
	else if (s)
		destroy(s);
	return r;
}

static uint64_t async_id(const struct kft_kind_input *in, const struct kft_mark *m)
{
	return kft_async_id(
		name_number(in, m->name),
		kft_async_id(name_number(in, m->pid), name_number(in, m->cookie)));
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	struct scopes *s = state;
	uint64_t thread = (uint32_t)in->pid;
	struct kft_mark m;

	if (!parse(in, &m))
		return 0;
	struct kft_interval i = kft_nested_pairs_interval(kind, KFT_INTERVAL_NO_KEY, in);

	if (m.type != 'E' && m.type != 'I')
		i.key = name_number(in, m.name);
	switch (m.type) {
	case 'B':
		return kft_nested_pairs_begin(s->nested, thread, 0, &i, in, sink);
	case 'E':
		return kft_nested_pairs_end(s->nested, thread, 0, &i, in, sink);
	case 'S':
		return kft_async_begin(s->async, async_id(in, &m), &i, in, sink);
	case 'F':
		return kft_async_end(s->async, async_id(in, &m), &i, in, sink);
	default:
		return 0;
	}
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	struct scopes *s = state;
	int r = kft_nested_pairs_flush(s->nested, in, sink);

	return r < 0 ? r : kft_async_flush(s->async, in, sink);
}

static const struct kft_kind_event events[] = {{"ftrace", "print", {"buf"}}, {}};

const struct kft_interval_kind kft_kind_mark = {
	.name = "mark",
	.group = "mark",
	.about = "marks of programs, from a scope's beginning to its end",
	.key = "name",
	.events = events,
	.key_name = kft_key_text,
	.create = create,
	.feed = feed,
	.flush = flush,
	.destroy = destroy,
};

static int feed_gap(const struct kft_interval_kind *kind, void *state,
		    const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	struct kft_mark m;

	if (!parse(in, &m) || m.type != 'I')
		return 0;
	uint64_t name = name_number(in, m.name);
	struct kft_interval i = kft_nested_pairs_interval(kind, name, in);

	return kft_async_next(state, name, &i, in, sink);
}

const struct kft_interval_kind kft_kind_mark_gap = {
	.name = "mark-gap",
	.group = "mark",
	.about = "from a mark to the next one of the same name",
	.key = "name",
	.events = events,
	.key_name = kft_key_text,
	.create = kft_async_create,
	.feed = feed_gap,
	.flush = kft_async_flush,
	.destroy = kft_async_destroy,
};

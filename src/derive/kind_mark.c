// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Marks of programs (docs/formats/marks.md): scopes from their beginning to their end, and the
 * time from one moment to the next of the same name.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "derive/flights.h"
#include "derive/kinds.h"
#include "derive/pairs.h"

/* A part of a mark, not NUL terminated. */
struct text {
	const char *data;
	size_t len;
};

struct mark {
	char type; /* B E S F C, or I for every other text */
	struct text pid;
	struct text name;
	struct text cookie;
};

static struct text next_field(struct text *rest)
{
	const char *bar = rest->len ? memchr(rest->data, '|', rest->len) : NULL;
	struct text field = {rest->data, bar ? (size_t)(bar - rest->data) : rest->len};
	size_t taken = field.len + (bar != NULL);

	rest->data += taken;
	rest->len -= taken;
	return field;
}

static bool is_number(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.data[i] < '0' || t.data[i] > '9')
			return false;
	return t.len > 0;
}

/* False for what only looks like one of a type: it is a moment of that name. */
static bool parse_typed(struct text all, struct mark *m)
{
	struct text rest = all;
	struct text type = next_field(&rest);

	if (type.len != 1 || !strchr("BESFIC", type.data[0]))
		return false;
	m->type = type.data[0];
	m->pid = next_field(&rest);
	m->name = next_field(&rest);
	m->cookie = next_field(&rest);
	if (m->type == 'E')
		return m->pid.len == 0 || is_number(m->pid);
	if (!is_number(m->pid) || !m->name.len)
		return false;
	if (m->type == 'S' || m->type == 'F')
		return m->cookie.len > 0;
	if (m->type == 'C' && m->cookie.len && m->cookie.data[0] == '-')
		m->cookie = (struct text){m->cookie.data + 1, m->cookie.len - 1};
	return m->type != 'C' || is_number(m->cookie);
}

/* False for marks that are no interval's: values, kft's own, none at all. */
static bool parse(struct text all, struct mark *ret)
{
	if (all.len && all.data[all.len - 1] == '\n')
		all.len--;
	if (!all.len || (all.len >= 5 && memcmp(all.data, "kft: ", 5) == 0))
		return false;
	if (!parse_typed(all, ret))
		*ret = (struct mark){.type = 'I', .name = all};
	return ret->type != 'C';
}

static uint64_t name_number(const struct kft_kind_input *in, struct text name)
{
	return kft_names_number(in->names, name.data, name.len);
}

struct scopes {
	void *nested; /* owned; of threads */
	void *async; /* owned */
};

static void destroy(void *state)
{
	struct scopes *s = state;

	if (s->nested)
		kft_pairs_destroy(s->nested);
	if (s->async)
		kft_flights_destroy(s->async);
	free(s);
}

static int create(struct kft_trace *t, void **ret_state)
{
	struct scopes *s = calloc(1, sizeof(*s));
	int r = s ? kft_pairs_create(t, &s->nested) : -ENOMEM;

	if (!r)
		r = kft_flights_create(t, &s->async);
	if (!r)
		*ret_state = s;
	else if (s)
		destroy(s);
	return r;
}

static uint64_t async_id(const struct kft_kind_input *in, const struct mark *m)
{
	return kft_flights_id(
		name_number(in, m->name),
		kft_flights_id(name_number(in, m->pid), name_number(in, m->cookie)));
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	struct scopes *s = state;
	uint64_t thread = (uint32_t)in->pid;
	struct mark m;

	if (!parse((struct text){in->texts[0], in->fields[0]}, &m))
		return 0;
	struct kft_interval i = kft_pairs_interval(kind, KFT_INTERVAL_NO_KEY, in);

	if (m.type != 'E' && m.type != 'I')
		i.key = name_number(in, m.name);
	switch (m.type) {
	case 'B':
		return kft_pairs_begin(s->nested, thread, 0, &i, in, sink);
	case 'E':
		return kft_pairs_end(s->nested, thread, 0, &i, in, sink);
	case 'S':
		return kft_flights_begin(s->async, async_id(in, &m), &i, in, sink);
	case 'F':
		return kft_flights_end(s->async, async_id(in, &m), &i, in, sink);
	default:
		return 0;
	}
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	struct scopes *s = state;
	int r = kft_pairs_flush(s->nested, in, sink);

	return r < 0 ? r : kft_flights_flush(s->async, in, sink);
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
	struct mark m;

	if (!parse((struct text){in->texts[0], in->fields[0]}, &m) || m.type != 'I')
		return 0;
	uint64_t name = name_number(in, m.name);
	struct kft_interval i = kft_pairs_interval(kind, name, in);

	return kft_flights_next(state, name, &i, in, sink);
}

const struct kft_interval_kind kft_kind_mark_gap = {
	.name = "mark-gap",
	.group = "mark",
	.about = "from a mark to the next one of the same name",
	.key = "name",
	.events = events,
	.key_name = kft_key_text,
	.create = kft_flights_create,
	.feed = feed_gap,
	.flush = kft_flights_flush,
	.destroy = kft_flights_destroy,
};

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Handlers of hard interrupts; the value is their return value. */
#include <errno.h>
#include <stdlib.h>

#include "base/bits.h"
#include "derive/engine/async.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"

/* Interrupts below this number give their names to the trace once, higher ones each time. */
#define NAMED_MAX 1024

struct state {
	void *pairs; /* owned */
	uint64_t named[KFT_BITS_WORDS(NAMED_MAX)];
};

static void destroy(void *state)
{
	kft_nested_pairs_destroy(((struct state *)state)->pairs);
	free(state);
}

static int create(struct kft_trace *t, void **ret_state)
{
	struct state *s = calloc(1, sizeof(*s));
	int r = s ? kft_nested_pairs_create(t, &s->pairs) : -ENOMEM;

	if (r < 0)
		free(s);
	else
		*ret_state = s;
	return r;
}

static void give_name(struct state *s, const struct kft_kind_input *in)
{
	uint64_t irq = in->fields[0];
	bool is_known = irq < NAMED_MAX;

	if (is_known && kft_bits_has(s->named, irq))
		return;
	if (is_known)
		kft_bits_add(s->named, irq);
	if (in->fields[2])
		kft_names_give(in->names, &kft_kind_irq, irq, in->texts[2],
			       in->fields[2]);
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	struct state *s = state;

	if (in->event == 0)
		give_name(s, in);
	return kft_nested_pairs_by_cpu(kind, s->pairs, in, sink);
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	return kft_nested_pairs_flush(((struct state *)state)->pairs, in, sink);
}

/* Appends "24 (virtio0-req.0)". */
void kft_key_irq(struct kft_trace *t, uint64_t irq, struct kft_strbuf *sb)
{
	size_t start = sb->len;

	kft_strbuf_addi(sb, (int64_t)irq);
	kft_strbuf_adds(sb, " (");
	size_t name = sb->len;

	if (kft_names_given(&t->names, &kft_kind_irq, irq, sb))
		kft_strbuf_addc(sb, ')');
	else
		sb->len = name - 2 > start ? name - 2 : start;
}

static const struct kft_kind_event events[] = {
	{"irq", "irq_handler_entry", {"irq", "irq", "?name"}, KFT_KIND_BEGINS},
	{"irq", "irq_handler_exit", {"irq", "ret"}, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_irq = {
	.name = "irq",
	.group = "irq",
	.about = "handlers of interrupts",
	.key = "irq",
	.value = "returned",
	.per_cpu = true,
	.events = events,
	.pairs = {.n_ids = 1, .by_cpu = true},
	.key_name = kft_key_irq,
	.create = create,
	.feed = feed,
	.flush = flush,
	.destroy = destroy,
};

/* The interval from an interrupt to the next one of the same number on the same CPU. */
static int feed_gap(const struct kft_interval_kind *kind, void *state,
		    const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	struct kft_interval i = kft_nested_pairs_interval(kind, in->fields[0], in);

	return kft_async_next(state, kft_async_id(in->cpu, in->fields[0]), &i, in, sink);
}

static const struct kft_kind_event gap_events[] = {
	{"irq", "irq_handler_entry", {"irq"}},
	{},
};

const struct kft_interval_kind kft_kind_irq_gap = {
	.name = "irq-gap",
	.group = "irq",
	.about = "from an interrupt to the next one on its CPU",
	.key = "irq",
	.per_cpu = true,
	.events = gap_events,
	.key_name = kft_key_irq,
	.create = kft_async_create,
	.feed = feed_gap,
	.flush = kft_async_flush,
	.destroy = kft_async_destroy,
};

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Requests to block devices, in the queue and at the device. The value is their size in
 * bytes. Only the device and the first sector identify a request: events contain no
 * number of it.
 */
#include <errno.h>
#include <stdlib.h>

#include "derive/engine/async.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"
#include "model/block_device.h"

#define SECTOR_BYTES 512

static void device_name(struct kft_trace *t, uint64_t dev, struct kft_strbuf *sb)
{
	kft_add_block_device(&t->meta, dev, ':', sb);
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	uint64_t dev = in->fields[0];
	uint64_t id = kft_async_id(dev, in->fields[1]);
	struct kft_interval i = kft_nested_pairs_interval(kind, dev, in);

	i.value = (int64_t)(in->fields[2] * SECTOR_BYTES);
	switch (kind->events[in->event].role) {
	case KFT_KIND_BEGINS:
		return kft_async_begin(state, id, &i, in, sink);
	case KFT_KIND_ENDS:
		i.value = KFT_INTERVAL_NO_VALUE;
		return kft_async_end(state, id, &i, in, sink);
	case KFT_KIND_PREPARES:
		break;
	case KFT_KIND_CANCELS:
		kft_async_cancel(state, id);
	}
	return 0;
}

/* Requests that go to the device at once are not inserted into a queue. */
static int feed_queued(const struct kft_interval_kind *kind, void *state,
		       const struct kft_kind_input *in,
		       const struct kft_interval_sink *sink)
{
	uint64_t id = kft_async_id(in->fields[0], in->fields[1]);

	if (kind->events[in->event].role == KFT_KIND_ENDS && !kft_async_has(state, id))
		return 0;
	return feed(kind, state, in, sink);
}

#define REQUEST                              \
	{                                    \
		"dev", "sector", "nr_sector" \
	}

static const struct kft_kind_event queued_events[] = {
	{"block", "block_rq_insert", REQUEST, KFT_KIND_BEGINS},
	{"block", "block_rq_issue", REQUEST, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_block_queued = {
	.name = "block-queued",
	.group = "block",
	.about = "requests in a queue, from being inserted to being issued",
	.key = "device",
	.value = "bytes",
	.events = queued_events,
	.key_name = device_name,
	.create = kft_async_create,
	.feed = feed_queued,
	.flush = kft_async_flush,
	.destroy = kft_async_destroy,
};

/*
 * A request is often issued by another task than the one that made it: by a kworker, or
 * in an interrupt of an idle CPU. It belongs to the task that made it, or to the one that
 * first inserted it into a queue, if either is known.
 */
struct requests {
	struct kft_async *at_device;
	struct kft_async *owners; /* of requests that are not issued yet */
};

static void requests_destroy(void *state)
{
	struct requests *r = state;

	if (r->at_device)
		kft_async_destroy(r->at_device);
	if (r->owners)
		kft_async_destroy(r->owners);
	free(r);
}

static int requests_create(struct kft_trace *t, void **ret_state)
{
	struct requests *r = calloc(1, sizeof(*r));
	void *flights[2] = {};

	if (!r)
		return -ENOMEM;
	int err = kft_async_create(t, &flights[0]);
	if (err == 0)
		err = kft_async_create(t, &flights[1]);
	*r = (struct requests){flights[0], flights[1]};
	if (err < 0)
		requests_destroy(r);
	else
		*ret_state = r;
	return err;
}

#define EVENT_GETRQ 0 /* its index in events */

static const struct kft_kind_event events[] = {
	[EVENT_GETRQ] = {"block", "block_getrq", REQUEST, KFT_KIND_PREPARES},
	{"block", "block_rq_insert", REQUEST, KFT_KIND_PREPARES},
	{"block", "block_rq_issue", REQUEST, KFT_KIND_BEGINS},
	{"block", "block_rq_complete", REQUEST, KFT_KIND_ENDS},
	{"block", "block_rq_requeue", REQUEST, KFT_KIND_CANCELS},
	{},
};

/*
 * The task of a new or a requeued request is its owner. The task that inserts a request is
 * so only if no better one is known: kworkers insert requests, too.
 */
static int set_owner(struct requests *r, uint64_t id, struct kft_interval *i,
		     const struct kft_kind_input *in, bool is_sure)
{
	struct kft_interval known;

	if (!is_sure && kft_async_take(r->owners, id, in, &known) && known.value)
		*i = known;
	i->value = is_sure || i->value == 1;
	return kft_async_begin(r->owners, id, i, in, NULL);
}

static int requests_feed(const struct kft_interval_kind *kind, void *state,
			 const struct kft_kind_input *in,
			 const struct kft_interval_sink *sink)
{
	struct requests *r = state;
	struct kft_kind_input of_owner = *in;
	struct kft_interval i = kft_nested_pairs_interval(kind, in->fields[0], in);
	uint64_t id = kft_async_id(in->fields[0], in->fields[1]);

	switch (kind->events[in->event].role) {
	case KFT_KIND_PREPARES:
		return set_owner(r, id, &i, in, in->event == EVENT_GETRQ);
	case KFT_KIND_CANCELS:
		return kft_async_take(r->at_device, id, in, &i)
			       ? set_owner(r, id, &i, in, true)
			       : 0;
	case KFT_KIND_BEGINS:
		if (kft_async_take(r->owners, id, in, &i))
			of_owner.pid = i.pid;
		break;
	case KFT_KIND_ENDS:
		break;
	}
	return feed(kind, r->at_device, &of_owner, sink);
}

static int requests_flush(void *state, const struct kft_kind_input *in,
			  const struct kft_interval_sink *sink)
{
	struct requests *r = state;

	return kft_async_flush(r->at_device, in, sink);
}

const struct kft_interval_kind kft_kind_block = {
	.name = "block",
	.group = "block",
	.about = "requests at a block device, from being issued to being complete",
	.key = "device",
	.value = "bytes",
	.events = events,
	.pairs = {.n_ids = 2},
	.key_name = device_name,
	.create = requests_create,
	.feed = requests_feed,
	.flush = requests_flush,
	.destroy = requests_destroy,
};

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Requests to block devices, in the queue and at the device. The value is their size in
 * bytes. Only the device and the first sector identify a request: events contain no
 * number of it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "derive/engine/async.h"
#include "derive/engine/kinds.h"
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
 * in an interrupt of an idle CPU. It belongs to the task that inserted it, if that is
 * known.
 */
struct requests {
	struct kft_async *at_device;
	struct kft_async *inserted;
};

static void requests_destroy(void *state)
{
	struct requests *r = state;

	if (r->at_device)
		kft_async_destroy(r->at_device);
	if (r->inserted)
		kft_async_destroy(r->inserted);
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

static int requests_feed(const struct kft_interval_kind *kind, void *state,
			 const struct kft_kind_input *in,
			 const struct kft_interval_sink *sink)
{
	struct requests *r = state;
	struct kft_kind_input of_inserter = *in;
	struct kft_interval inserted;
	uint64_t id = kft_async_id(in->fields[0], in->fields[1]);
	enum kft_kind_role role = kind->events[in->event].role;

	if (role == KFT_KIND_PREPARES) {
		inserted = kft_nested_pairs_interval(kind, in->fields[0], in);
		return kft_async_begin(r->inserted, id, &inserted, in, NULL);
	}
	if (role == KFT_KIND_BEGINS && kft_async_take(r->inserted, id, in, &inserted))
		of_inserter.pid = inserted.pid;
	return feed(kind, r->at_device, &of_inserter, sink);
}

static int requests_flush(void *state, const struct kft_kind_input *in,
			  const struct kft_interval_sink *sink)
{
	struct requests *r = state;

	return kft_async_flush(r->at_device, in, sink);
}

static const struct kft_kind_event events[] = {
	{"block", "block_rq_insert", REQUEST, KFT_KIND_PREPARES},
	{"block", "block_rq_issue", REQUEST, KFT_KIND_BEGINS},
	{"block", "block_rq_complete", REQUEST, KFT_KIND_ENDS},
	{"block", "block_rq_requeue", REQUEST, KFT_KIND_CANCELS},
	{},
};

const struct kft_interval_kind kft_kind_block = {
	.name = "block",
	.group = "block",
	.about = "requests at a block device, from being issued to being complete",
	.key = "device",
	.value = "bytes",
	.events = events,
	.key_name = device_name,
	.create = requests_create,
	.feed = requests_feed,
	.flush = requests_flush,
	.destroy = requests_destroy,
};

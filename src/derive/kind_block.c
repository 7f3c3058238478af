// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Requests to block devices: in the queue, and at the device. The value is their size. What is
 * about a request has no number but its device and first sector.
 */
#include <inttypes.h>

#include "derive/flights.h"
#include "derive/kinds.h"
#include "derive/pairs.h"

#define SECTOR_BYTES 512

/* Events have the kernel's own dev_t: 12 bits and 20. */
static void device_name(struct kft_trace *t, uint64_t dev, struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "%" PRIu64 ":%" PRIu64, (dev & UINT32_MAX) >> 20,
			dev & 0xfffff);
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	uint64_t dev = in->fields[0];
	uint64_t id = kft_flights_id(dev, in->fields[1]);
	struct kft_interval i = kft_pairs_interval(kind, dev, in);

	i.value = (int64_t)(in->fields[2] * SECTOR_BYTES);
	switch (kind->events[in->event].role) {
	case KFT_KIND_BEGINS:
		return kft_flights_begin(state, id, &i, in, sink);
	case KFT_KIND_ENDS:
		i.value = KFT_INTERVAL_NO_VALUE;
		return kft_flights_end(state, id, &i, in, sink);
	case KFT_KIND_CANCELS:
		kft_flights_cancel(state, id);
	}
	return 0;
}

/* Requests that go to the device at once are not inserted into a queue. */
static int feed_queued(const struct kft_interval_kind *kind, void *state,
		       const struct kft_kind_input *in,
		       const struct kft_interval_sink *sink)
{
	uint64_t id = kft_flights_id(in->fields[0], in->fields[1]);

	if (kind->events[in->event].role == KFT_KIND_ENDS && !kft_flights_has(state, id))
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
	.create = kft_flights_create,
	.feed = feed_queued,
	.flush = kft_flights_flush,
	.destroy = kft_flights_destroy,
};

static const struct kft_kind_event events[] = {
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
	.create = kft_flights_create,
	.feed = feed,
	.flush = kft_flights_flush,
	.destroy = kft_flights_destroy,
};

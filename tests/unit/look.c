// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "look.h"

#include <fcntl.h>

#include "file/tracedat/read/read.h"
#include "sample.h"

static void count_stream(struct kft_stream *s, uint32_t *events)
{
	struct kft_event evs[64];
	int n;

	assert_true(s->cpu < LOOK_CPUS);
	while ((n = s->ops->fill(s, evs, ARRAY_SIZE(evs))) > 0)
		for (int i = 0; i < n; i++) {
			assert_int_equal(evs[i].id, SAMPLE_EVENT_ID);
			assert_int_equal(kft_load_u32(evs[i].data + 8, false),
					 events[s->cpu]++);
		}
	assert_int_equal(n, 0);
	assert_int_equal(s->damage_count, 0);
}

struct look look_at(const char *path)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err e = {};

	if (kft_tracedat_open(open(path, O_RDONLY | O_CLOEXEC), path, &t, &e) < 0)
		fail_msg("%s", e.msg);
	if (t->damage.code)
		fail_msg("%s", t->damage.msg);
	assert_int_equal(t->meta.formats.len, 2);
	struct look look = {
		.id = t->meta.trace_id,
		.unfinished = t->unfinished,
		.buffers = t->buffers.len,
		.losses = t->meta.lost.len,
	};
	for (size_t k = 0; k < KFT_MIN(t->buffers.len, (size_t)2); k++)
		kft_vec_for_each(&t->buffers.data[k].streams, s)
			count_stream(*s, k ? look.further : look.events);
	return look;
}

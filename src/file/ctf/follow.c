// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tracks the running task of a CPU for channels without sched_switch. */
#include "file/ctf/follow.h"

#include <errno.h>

#include "base/bits.h"

#define BATCH_EVENTS 64

struct kft_ctf_follow {
	const struct kft_ctf_reader *c; /* borrowed */
	struct kft_stream *switches; /* owned */
	uint64_t wanted[KFT_ID_WORDS]; /* bits of the ids of sched_switch only */
	struct kft_event evs[BATCH_EVENTS];
	int n; /* number of evs; 0: the end is reached */
	/* Index of the first event later than the time of the last request. */
	int next;
};

/* This CPU's packets in the channel with sched_switch; NULL when there are none. */
static const struct kft_ctf_lane *find_lane(const struct kft_ctf_reader *c, uint32_t cpu)
{
	kft_vec_for_each(&c->lanes, l)
		if ((*l)->cpu == cpu && c->channels.data[(*l)->channel].pid_by_switch)
			return *l;
	return NULL;
}

static void set_wanted(struct kft_ctf_follow *f)
{
	kft_vec_for_each(&f->c->classes, cls)
		if ((*cls)->next_pid_at)
			kft_bits_add(f->wanted, (*cls)->id);
}

int kft_ctf_follow_create(const struct kft_ctf_reader *c, const struct kft_ctf_lane *lane,
			  struct kft_ctf_follow **ret)
{
	const struct kft_ctf_channel *ch = &c->channels.data[lane->channel];
	const struct kft_ctf_lane *other = NULL;

	*ret = NULL;
	if (ch->lacks_pid && !ch->pid_by_switch)
		other = find_lane(c, lane->cpu);
	if (!other)
		return 0;
	struct kft_ctf_follow *f = calloc(1, sizeof(*f));
	if (!f)
		return -ENOMEM;
	f->c = c;
	f->switches = kft_ctf_stream_create(c, other, false);
	if (!f->switches) {
		(void)kft_ctf_follow_destroy(f);
		return -ENOMEM;
	}
	set_wanted(f);
	f->switches->wanted = f->wanted;
	*ret = f;
	return 0;
}

struct kft_ctf_follow *kft_ctf_follow_destroy(struct kft_ctf_follow *f)
{
	if (f && f->switches)
		f->switches->ops->destroy(f->switches);
	free(f);
	return NULL;
}

static void refill(struct kft_ctf_follow *f)
{
	int n = f->switches->ops->fill(f->switches, f->evs, BATCH_EVENTS);

	f->n = KFT_MAX(n, 0);
	f->next = 0;
}

int kft_ctf_follow_rewind(struct kft_ctf_follow *f, uint64_t since)
{
	int r = f->switches->ops->rewind(f->switches, since);

	if (r == 0)
		refill(f);
	return r;
}

int32_t kft_ctf_follow_pid(struct kft_ctf_follow *f, uint64_t ts)
{
	while (f->n && f->evs[f->next].ts <= ts)
		if (++f->next == f->n)
			refill(f);
	if (!f->n)
		return kft_ctf_stream_pid(f->switches);
	/*
	 * After lost events the next sched_switch still names the task that was running.
	 */
	const uint8_t *pid = f->evs[f->next].data + KFT_CTF_COMMON_PID;
	return (int32_t)kft_load_u32(pid, false);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Waiting for locks: those of the kernel, and of programs by futex. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "derive/kinds.h"
#include "derive/pairs.h"
#include "model/syscall.h"

static const struct kft_kind_event lock_events[] = {
	{"lock", "contention_begin", {"lock_addr"}, KFT_KIND_BEGINS},
	{"lock", "contention_end", {"lock_addr", "ret"}, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_lock = {
	.name = "lock",
	.group = "lock",
	.about = "waiting for locks of the kernel",
	.key = "lock",
	.value = "returned",
	.events = lock_events,
	.key_name = kft_key_function,
	.create = kft_pairs_create,
	.feed = kft_pairs_by_task,
	.flush = kft_pairs_flush,
	.destroy = kft_pairs_destroy,
};

/* include/uapi/linux/futex.h: operations that wait, without their flags. */
#define FUTEX_CMD_MASK 0x7f
enum {
	FUTEX_WAIT = 0,
	FUTEX_LOCK_PI = 6,
	FUTEX_WAIT_BITSET = 9,
	FUTEX_WAIT_REQUEUE_PI = 11,
	FUTEX_LOCK_PI2 = 13,
};

static bool waits(uint64_t op)
{
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_LOCK_PI:
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAIT_REQUEUE_PI:
	case FUTEX_LOCK_PI2:
		return true;
	default:
		return false;
	}
}

struct futex {
	void *pairs; /* owned */
	/* The calls' numbers on the traced machine; -1: not known. */
	int64_t futex;
	int64_t futex_time64;
};

static void destroy(void *state)
{
	kft_pairs_destroy(((struct futex *)state)->pairs);
	free(state);
}

static int create(struct kft_trace *t, void **ret_state)
{
	const struct kft_syscalls *calls = kft_trace_syscalls(t);
	struct futex *f = calloc(1, sizeof(*f));
	int r = f ? kft_pairs_create(t, &f->pairs) : -ENOMEM;

	if (r < 0) {
		free(f);
		return r;
	}
	f->futex = kft_syscall_number(calls, "futex");
	f->futex_time64 = kft_syscall_number(calls, "futex_time64");
	*ret_state = f;
	return 0;
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	struct futex *f = state;
	int64_t nr = (int64_t)in->fields[0];
	uint64_t owner = (uint32_t)in->pid;

	if (nr < 0 || (nr != f->futex && nr != f->futex_time64))
		return 0;
	struct kft_interval i = kft_pairs_interval(kind, in->fields[1], in);

	if (kind->events[in->event].role == KFT_KIND_BEGINS)
		return waits(in->fields[2])
			       ? kft_pairs_begin(f->pairs, owner, nr, &i, in, sink)
			       : 0;
	/* Of a call that does not wait no beginning was kept. */
	if (!kft_pairs_has(f->pairs, owner, nr))
		return 0;
	i.value = (int64_t)in->fields[1];
	return kft_pairs_end(f->pairs, owner, nr, &i, in, sink);
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	return kft_pairs_flush(((struct futex *)state)->pairs, in, sink);
}

static void address(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "0x%" PRIx64, key);
}

static const struct kft_kind_event futex_events[] = {
	{"raw_syscalls", "sys_enter", {"id", "args[0]", "args[1]"}, KFT_KIND_BEGINS},
	{"raw_syscalls", "sys_exit", {"id", "ret"}, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_futex = {
	.name = "futex",
	.group = "lock",
	.about = "system calls that wait for a futex",
	.key = "address",
	.value = "returned",
	.events = futex_events,
	.key_name = address,
	.create = create,
	.feed = feed,
	.flush = flush,
	.destroy = destroy,
};

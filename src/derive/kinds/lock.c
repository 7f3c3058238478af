// SPDX-License-Identifier: LGPL-2.1-or-later
/* Waiting for locks of the kernel, and of programs by futex. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "derive/kinds/syscall_form.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"
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
	.pairs = {.n_ids = 1, .by_task = true},
	.key_name = kft_key_function,
	.create = kft_nested_pairs_create,
	.feed = kft_nested_pairs_by_task,
	.flush = kft_nested_pairs_flush,
	.destroy = kft_nested_pairs_destroy,
};

/* include/uapi/linux/futex.h: operations that wait, without their flags. */
#define FUTEX_CMD_MASK 0x7f
enum {
	FUTEX_WAIT = 0,
	FUTEX_LOCK_PI = 6,
	FUTEX_UNLOCK_PI = 7,
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
	struct kft_map
		entered; /* task -> the forms (KFT_CALL_*) in which its call began */
};

static void destroy(void *state)
{
	struct futex *f = state;

	kft_nested_pairs_destroy(f->pairs);
	kft_map_finish(&f->entered);
	free(f);
}

static int create(struct kft_trace *t, void **ret_state)
{
	const struct kft_syscalls *calls = kft_trace_syscalls(t);
	struct futex *f = calloc(1, sizeof(*f));
	int r = f ? kft_nested_pairs_create(t, &f->pairs) : -ENOMEM;

	if (r < 0) {
		free(f);
		return r;
	}
	f->futex = kft_syscall_number(calls, "futex");
	f->futex_time64 = kft_syscall_number(calls, "futex_time64");
	*ret_state = f;
	return 0;
}

/* Indexes in futex_events; all later events are of the second form. */
enum { RAW_ENTER, RAW_EXIT };

static bool is_futex(const struct futex *f, int64_t nr)
{
	return nr >= 0 && (nr == f->futex || nr == f->futex_time64);
}

/* arg: the address and the operation. */
static int enter(struct futex *f, const struct kft_interval_kind *kind, uint64_t nr,
		 const uint64_t *arg, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	uint64_t owner = (uint32_t)in->pid;
	uint64_t form = in->event == RAW_ENTER ? KFT_CALL_RAW : KFT_CALL_NAMED;
	struct kft_interval i = kft_nested_pairs_interval(kind, arg[0], in);

	if (!waits(arg[1]))
		return 0;
	uint64_t *entered = kft_map_put(&f->entered, owner);

	if (!entered)
		return -ENOMEM;
	bool is_again = *entered && !(*entered & form) &&
			kft_nested_pairs_has(f->pairs, owner, nr);

	*entered = is_again ? *entered | form : form;
	return is_again ? 0 : kft_nested_pairs_begin(f->pairs, owner, nr, &i, in, sink);
}

/* A call that does not wait, or has returned in the other form, is not open. */
static int leave(struct futex *f, const struct kft_interval_kind *kind, uint64_t nr,
		 uint64_t value, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	uint64_t owner = (uint32_t)in->pid;
	struct kft_interval i = kft_nested_pairs_interval(kind, KFT_INTERVAL_NO_KEY, in);

	if (!kft_nested_pairs_has(f->pairs, owner, nr))
		return 0;
	i.value = (int64_t)value;
	return kft_nested_pairs_end(f->pairs, owner, nr, &i, in, sink);
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	struct futex *f = state;
	bool is_raw = in->event <= RAW_EXIT;
	const uint64_t *own = in->fields + (is_raw ? 1 : KFT_CALL_OWN_FIELDS);
	uint64_t nr = is_raw ? in->fields[0] : kft_call_number(in);

	if (is_raw && !is_futex(f, (int64_t)nr))
		return 0;
	return kind->events[in->event].role == KFT_KIND_BEGINS
		       ? enter(f, kind, nr, own, in, sink)
		       : leave(f, kind, nr, *own, in, sink);
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	return kft_nested_pairs_flush(((struct futex *)state)->pairs, in, sink);
}

static void address(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "0x%" PRIx64, key);
}

static const struct kft_kind_event futex_events[] = {
	[RAW_ENTER] = {"raw_syscalls",
		       "sys_enter",
		       {"id", "args[0]", "args[1]"},
		       KFT_KIND_BEGINS},
	[RAW_EXIT] = {"raw_syscalls", "sys_exit", {"id", "ret"}, KFT_KIND_ENDS},
	KFT_CALL_ENTER("sys_enter_futex", "uaddr", "op"),
	KFT_CALL_EXIT("sys_exit_futex"),
	/* The call of a 32-bit machine with 32-bit times. */
	KFT_CALL_ENTER("sys_enter_futex_time32", "uaddr", "op"),
	KFT_CALL_EXIT("sys_exit_futex_time32"),
	/* LTTng's names for calls of 32-bit programs on a 64-bit kernel. */
	KFT_CALL_ENTER("compat_sys_enter_futex", "uaddr", "op"),
	KFT_CALL_EXIT("compat_sys_exit_futex"),
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

/* Emits an instant when a task gives a lock away. */
static int feed_unlock(const struct kft_interval_kind *kind, void *state,
		       const struct kft_kind_input *in,
		       const struct kft_interval_sink *sink)
{
	bool is_raw = in->event <= RAW_EXIT;
	const uint64_t *own = in->fields + (is_raw ? 1 : KFT_CALL_OWN_FIELDS);

	if (kind->events[in->event].role != KFT_KIND_BEGINS ||
	    (is_raw && !is_futex(state, (int64_t)in->fields[0])) ||
	    (own[1] & FUTEX_CMD_MASK) != FUTEX_UNLOCK_PI)
		return 0;
	struct kft_interval i = kft_nested_pairs_interval(kind, own[0], in);

	i.end_ns = in->ts;
	i.end_cpu = in->cpu;
	return sink->take(sink->arg, &i);
}

const struct kft_interval_kind kft_kind_futex_unlock = {
	.name = "futex-unlock",
	.about = "system calls that give a futex with priority inheritance away",
	.key = "address",
	.is_instant = true,
	.events = futex_events,
	.key_name = address,
	.create = create,
	.feed = feed_unlock,
	.flush = flush,
	.destroy = destroy,
};

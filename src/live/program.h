/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "live/emit.h"

/*
 * The programs of live statistics, which run at the events that begin and end intervals. They
 * are emitted as instructions for the formats of the running kernel, without a compiler.
 */

#define KFT_LIVE_IDS_MAX 8

/* One event of a kind. */
struct kft_live_step {
	enum kft_kind_role role; /* BEGINS, ENDS or CANCELS */
	struct kft_live_value ids[KFT_LIVE_IDS_MAX];
	unsigned int n_ids;
	struct kft_live_value key; /* for BEGINS */
};

void kft_live_emit_step(struct kft_bpf_code *c, const struct kft_live_maps *maps,
			const struct kft_live_rules *rules,
			const struct kft_live_step *step);

/* The fields of scheduler events, for states of tasks. */
struct kft_live_switch {
	struct kft_live_value prev_pid;
	struct kft_live_value prev_state;
	struct kft_live_value next_pid;
	uint16_t prev_comm; /* offsets */
	uint16_t next_comm;
};

struct kft_live_wakeup {
	struct kft_live_value pid;
	struct kft_live_value target_cpu;
	uint16_t comm;
	bool is_new; /* the task's first one */
};

void kft_live_emit_switch(struct kft_bpf_code *c, const struct kft_live_maps *maps,
			  const struct kft_live_rules *rules,
			  const struct kft_live_switch *event);
void kft_live_emit_wakeup(struct kft_bpf_code *c, const struct kft_live_maps *maps,
			  const struct kft_live_rules *rules,
			  const struct kft_live_wakeup *event);

/* The fields of sched_process_fork and sched_process_free: the followed tasks. */
void kft_live_emit_fork(struct kft_bpf_code *c, const struct kft_live_maps *maps,
			const struct kft_live_value *parent,
			const struct kft_live_value *child);
void kft_live_emit_free(struct kft_bpf_code *c, const struct kft_live_maps *maps,
			const struct kft_live_value *pid);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "tracefs/drain/account.h"
#include "tracefs/drain/opts.h"
#include "tracefs/drain/pump.h"

/* State that the drains of a recording share. */
struct kft_drain_common {
	struct kft_drains_opts opts;
	int stop_fd; /* owned by the group, eventfd: readable for good once stop is set */
	int failed_fd; /* owned by the group, eventfd */
	int with_failed_fd; /* borrowed: failed_fd of the drains in opts.with; -1: none */
	atomic_bool stop; /* drain the remaining pages and end */
	pthread_mutex_t lock; /* guards err, with code 0 while nothing has failed */
	struct kft_err err; /* the first failure of any of them */
};

/* Urgency of a drain; decides its thread's nice value. */
enum kft_drain_pace {
	KFT_DRAIN_CALM,
	KFT_DRAIN_BUSY,
	KFT_DRAIN_URGENT,
};

/*
 * Drains one CPU's pages into the sink and accounts for its losses. Its thread owns it
 * from start to join.
 */
struct kft_drain {
	struct kft_drain_common *common; /* borrowed */
	int raw_fd; /* owned */
	struct kft_pump pump;
	struct kft_account account;
	enum kft_drain_pace pace;
	uint64_t burst_bytes; /* moved since the buffer was last found empty */
	_Atomic uint64_t bytes; /* moved so far; the session's thread reads it, too */
	pthread_t thread;
	bool running;
};

/* kft_drain_close() is needed even after a failure. */
int kft_drain_open(struct kft_drain *d, struct kft_drain_common *common, uint32_t cpu,
		   struct kft_err *e) __must_check;
void kft_drain_close(struct kft_drain *d);

int kft_drain_start(struct kft_drain *d) __must_check;
void kft_drain_join(struct kft_drain *d);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "capture/host.h"
#include "tracefs/control/cpus.h"
#include "decode/ring.h"
#include "model/class.h"

/*
 * The events task_newtask and task_rename, which show when a task gets a name: the
 * kernel's own table (saved_cmdlines) is small and has only the last name of a pid. The
 * events have an instance of their own, so that they neither mix with the events that the
 * user asked for nor are overwritten by them.
 */
#define KFT_NAME_EVENTS_SUFFIX "+tasks" /* of the instance; session names have no '+' */

/* Enables the events in an instance that is set up, and switches recording on. */
int kft_name_events_enable(int instance_fd) __must_check;

/* The id and the fields of one of the two events. */
struct kft_name_event {
	uint16_t id;
	struct kft_field common_pid;
	struct kft_field pid;
	struct kft_field comm;
};

/* Reads such an instance. `struct kft_name_events n = {};` is an empty reader. */
struct kft_name_events {
	int fd; /* borrowed: the instance's directory */
	struct kft_arena arena; /* of the events' fields */
	struct kft_name_event birth;
	struct kft_name_event rename;
	struct kft_ring_layout layout;
	size_t page_size;
	uint8_t *page; /* owned */
	KFT_VEC(int) raw_fds; /* owned */
	struct kft_cpus cpus;
	/*
	 * Events before this time may be missing, as unread ones were overwritten; 0:
	 * none were.
	 */
	uint64_t hole_ns;
};

/* -EOPNOTSUPP when this kernel lacks the events or their fields. n must be closed in any case. */
int kft_name_events_open(struct kft_name_events *n, const struct kft_host *host,
			 int instance_fd) __must_check;
void kft_name_events_close(struct kft_name_events *n);

/*
 * Appends the events so far as records (decode/task_names.h), as long as records has no
 * more than KFT_TASK_NAMES_MAX of them. Returns how many it left out.
 */
size_t kft_name_events_read(struct kft_name_events *n, struct kft_strbuf *records);

/*
 * The number of events, on all CPUs, that were lost because they came faster than they
 * were read.
 */
uint64_t kft_name_events_lost(const struct kft_name_events *n);

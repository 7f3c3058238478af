/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_NAME_EVENTS_H
#define KFT_TRACEFS_NAME_EVENTS_H

#include "base/strbuf.h"
#include "capture/host.h"
#include "tracefs/control/cpus.h"
#include "decode/ring.h"
#include "model/class.h"

/*
 * The events task_newtask and task_rename, which tell which task gets which name when: the
 * kernel's own table (saved_cmdlines) is small and has the last name of a pid only. They
 * have an instance of their own, so that they are neither among the events that the user
 * asked for nor pressed out of the buffers by them.
 */
#define KFT_NAME_EVENTS_SUFFIX "+tasks" /* of the instance; session names have no '+' */

/* Switches the events on in an instance that is set up, and recording. */
int kft_name_events_enable(int instance_fd) __must_check;

/* Where one of the two events has what it tells. */
struct kft_name_event {
	uint16_t id;
	struct kft_field common_pid;
	struct kft_field pid;
	struct kft_field comm;
};

/* Reads such an instance. `struct kft_name_events n = {};` is an empty one. */
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
	/* Before this time events were overwritten that nobody has read; 0: none were. */
	uint64_t hole_ns;
};

/* -errno where this kernel does not tell. n is to be closed in any case. */
int kft_name_events_open(struct kft_name_events *n, const struct kft_host *host,
			 int instance_fd) __must_check;
void kft_name_events_close(struct kft_name_events *n);

/*
 * Appends what there is now as records (decode/task_names.h), as long as records has no more
 * than KFT_TASK_NAMES_MAX of them. Returns how many it left out.
 */
size_t kft_name_events_read(struct kft_name_events *n, struct kft_strbuf *records);

/* Of all CPUs: births and renames that came faster than they were read. */
uint64_t kft_name_events_lost(const struct kft_name_events *n);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>
#include <pthread.h>

#include "decode/user_files.h"
#include "model/address_spaces.h"

struct kft_trace;

/*
 * The files that tasks had mapped, by the events perf:mmap, perf:exec and perf:fork of a
 * recording with samples. They are read when the first address is shown.
 */
struct kft_dat_maps {
	/* Path of the trace, owned by its arena; NULL: it has no such events. */
	const char *path;
	/* Opens the trace once more, because other readers use its streams. */
	int (*open)(int fd, const char *path, struct kft_trace **ret, struct kft_err *e);
	pthread_mutex_t lock; /* protects all below */
	bool is_loaded;
	struct kft_address_spaces spaces;
	struct kft_user_files files;
};

void kft_dat_maps_finish(struct kft_dat_maps *m);

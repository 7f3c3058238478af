/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_RUN_TAKE_H
#define KFT_CAPTURE_RUN_TAKE_H

#include "capture/host.h"
#include "capture/notify.h"
#include "model/sink.h"

/* What is in buffers that record no more, and all that it takes to read it. */
struct kft_take_opts {
	struct kft_host *host; /* borrowed; tracefs is open */
	int instance_fd; /* borrowed: where the buffers are */
	const char *only_group; /* borrowed: see struct kft_collect */
	const char *command_line; /* borrowed: of this program; may be NULL */
	const char *kernel_line; /* borrowed: of the kernel; NULL: not of interest */
	const struct kft_notify *notify; /* borrowed; may be NULL */
};

/* Moves it into the sink, which is begun and ended. Nothing of it is left open. */
int kft_take(const struct kft_take_opts *o, struct kft_sink *sink,
	     struct kft_err *e) __must_check;

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/ring.h"
#include "model/sink.h"

struct kft_drains;

/* The buffers to drain, and how. */
struct kft_drains_opts {
	int instance_fd; /* borrowed */
	struct kft_sink *sink; /* borrowed; begun before the start */
	size_t page_size; /* bytes of a sub-buffer */
	/*
	 * Layout of the pages, to count the written events and so notice another reader
	 * of the buffers; NULL: another reader is not noticed. Borrowed until the drains
	 * are open.
	 */
	const struct kft_ring_layout *layout;
	uint64_t buffer_bytes; /* size of each CPU's buffer */
	bool overwrite; /* drain nothing before the end */
	/*
	 * Other drains that are stopped together with these: a failure here makes their
	 * failed_fd readable, too. NULL: none.
	 */
	const struct kft_drains *with;
	/*
	 * The instance traces functions, as does the one of other_fd (borrowed; -1:
	 * none). Each thread excludes itself from both.
	 */
	bool untraced;
	int other_fd;
	/*
	 * Recording goes on after the end: the last drain takes the events that the
	 * buffers hold then, and no later ones.
	 */
	bool once;
};

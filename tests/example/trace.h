/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "capture/backend.h"
#include "model/page_build.h"
#include "ticks.h"

/* Writes the ticks to a sink, as the events "example:tick" of CPU 0. */
struct tick_trace {
	struct kft_sink *sink; /* borrowed */
	struct kft_meta meta;
	struct kft_page_builder pages;
	int fd; /* borrowed; -1 until the first page */
	uint64_t events;
	uint64_t bytes;
};

struct tick_trace_opts {
	const struct kft_host *host;
	const struct kft_notify *notify;
	const char *clock; /* NULL: mono */
	const char *command_line;
	bool leads; /* the metadata of the whole trace are wanted */
};

/* Begins the sink. tick_trace_close() is needed in any case. */
int tick_trace_begin(struct tick_trace *t, struct kft_sink *sink,
		     const struct tick_trace_opts *o, struct kft_err *e);

/* Moves the ticks that were not read. */
int tick_trace_move(struct tick_trace *t, struct ticks *from, uint64_t now_ns,
		    struct kft_err *e);

/* Ends the sink. */
int tick_trace_end(struct tick_trace *t, struct kft_err *e);
void tick_trace_close(struct tick_trace *t);

/* The time on a trace clock; NULL: mono. */
uint64_t tick_clock_ns(const char *clock);

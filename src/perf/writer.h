/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>

#include "base/strbuf.h"
#include "model/page_build.h"
#include "model/task.h"
#include "perf/formats.h"

/* The members of every record; all events of a session have them in the same order. */
#define KFT_PERF_SAMPLE_TYPE                                                        \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | \
	 PERF_SAMPLE_CALLCHAIN)

/*
 * Writes the records of a CPU's perf events to the ring-buffer pages of a trace. One thread uses
 * it; other threads may read the atomic members.
 */
struct kft_perf_writer {
	const struct kft_perf_formats *formats; /* borrowed */
	struct kft_page_builder pages;
	int fd; /* borrowed: the file of the pages */
	uint64_t offset; /* of the page that is being filled, in bytes */
	uint64_t ts; /* of the last event */
	uint64_t lost; /* events that are missing before the next one */
	/* Borrowed, both NULL if another backend finds the names of tasks. */
	struct kft_task_table *tasks;
	struct kft_strbuf *names; /* records of decode/task_names.h */
	bool is_showing; /* the page that is written is incomplete */
	bool is_shown; /* the file has all events of the page */
	_Atomic uint64_t events; /* samples */
	_Atomic uint64_t bytes;
	_Atomic uint64_t lost_events;
	uint64_t throttled; /* times that the kernel took no samples for a while */
};

/* -ENOMEM. */
int kft_perf_writer_open(struct kft_perf_writer *w,
			 const struct kft_perf_formats *formats, int fd) __must_check;
void kft_perf_writer_close(struct kft_perf_writer *w);

/* Writes an event; its common_type is set. Its time is moved to that of the last one if earlier. */
int kft_perf_writer_add(struct kft_perf_writer *w, uint64_t ts, const void *event,
			size_t size) __must_check;

/* Writes a map of a process. */
int kft_perf_writer_add_map(struct kft_perf_writer *w, uint64_t ts, int32_t tid,
			    const struct kft_perf_mmap_event *map,
			    const char *filename) __must_check;

/* Writes the events of a record; ignores records of other types. */
int kft_perf_writer_take(struct kft_perf_writer *w,
			 const struct perf_event_header *h) __must_check;

/* Puts all events so far into the file. */
int kft_perf_writer_show(struct kft_perf_writer *w) __must_check;

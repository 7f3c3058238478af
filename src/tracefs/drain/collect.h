/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_COLLECT_H
#define KFT_TRACEFS_COLLECT_H

#include "base/map.h"
#include "base/strbuf.h"
#include "capture/host.h"
#include "capture/notify.h"
#include "decode/ring.h"
#include "model/meta.h"

/*
 * What a trace carries beside its events, from the kernel's files: what the recorded
 * pages mean (formats, symbols, clock) and where they come from. Tasks and statistics are
 * not part of it.
 */
struct kft_collect {
	const struct kft_host *host; /* borrowed; tracefs is open */
	int instance_fd; /* borrowed */
	const struct kft_notify *notify; /* borrowed */
	struct kft_meta *meta; /* borrowed: what is filled in */
	/*
	 * Borrowed: the only group of events that can be in the buffer, beside the tracers'
	 * own; NULL: any. Reading the formats of all of them takes seconds on a slow machine.
	 */
	const char *only_group;
	/* Borrowed: blocks of earlier modules (decode/module_symbols.h); NULL: none. */
	const struct kft_blob *earlier_modules;
	struct kft_ring_layout layout; /* of the pages, as the header in meta says */
	struct kft_map seen; /* hashes of the formats that meta has */
	uint64_t events_hash; /* of the list of events when they were read */
	/* Kept open: who opened them sees addresses, also after it gave up its capabilities. */
	bool is_open;
	int modules_fd;
	int kallsyms_fd;
	struct kft_strbuf
		modules; /* the list of the last look, see decode/module_symbols.h */
	struct kft_strbuf blocks; /* symbols of modules since the first look */
	/* When the last look began, by the trace's clock; 0: unknown. */
	uint64_t looked_ns;
	bool modules_changed;
	size_t first_blocks; /* bytes of those that were there at the first look */
};

/* Everything, before the recording. Only what events cannot be read without is vital. */
int kft_collect_begin(struct kft_collect *c, struct kft_err *e) __must_check;

/* How the pages look, how long they are, and how many CPUs there are: no more. */
int kft_collect_shape(struct kft_collect *c, struct kft_err *e) __must_check;

/*
 * Now and then while it goes on: symbols of modules that were loaded, before they are freed
 * again. What a module has for its init function only is seldom seen.
 */
void kft_collect_modules(struct kft_collect *c);

/* After it: formats of events that were born meanwhile, symbols of new modules. */
int kft_collect_end(struct kft_collect *c, struct kft_err *e) __must_check;

void kft_collect_finish(struct kft_collect *c);

#endif

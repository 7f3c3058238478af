/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "base/strbuf.h"
#include "capture/host.h"
#include "capture/module_events.h"
#include "capture/notify.h"
#include "decode/ring.h"
#include "model/meta.h"

/*
 * Collects a trace's metadata from the kernel's files: the formats, symbols and clock
 * that reading the pages requires, and the origin of the trace. Tasks and statistics are
 * not part of it.
 */
struct kft_collect {
	const struct kft_host *host; /* borrowed; tracefs is open */
	int instance_fd; /* borrowed */
	const struct kft_notify *notify; /* borrowed */
	struct kft_meta *meta; /* borrowed: filled in */
	/*
	 * Borrowed: the only group of events that the buffer can have in addition to the
	 * tracers' own; NULL: any. Reading the formats of all events takes seconds on a
	 * slow machine.
	 */
	const char *only_group;
	/*
	 * Borrowed: symbols of modules that were loaded earlier, as blocks
	 * (decode/module_symbols.h); NULL: none.
	 */
	const struct kft_blob *earlier_modules;
	struct kft_ring_layout layout; /* layout of the pages, from meta's header_page */
	struct kft_map seen; /* hashes of the formats that meta has */
	uint64_t events_hash; /* hash of available_events when the formats were read */
	/*
	 * The next two files are open, and stay so: the process sees addresses in a file
	 * that it opened even after it has dropped its capabilities.
	 */
	bool is_open;
	int modules_fd;
	int kallsyms_fd;
	/* modules at the last look, see decode/module_symbols.h */
	struct kft_strbuf modules;
	struct kft_module_events events;
	struct kft_strbuf blocks; /* symbols of modules since the first look */
	/* Start of the last look, on the trace's clock; 0: unknown. */
	uint64_t looked_ns;
	bool modules_changed;
	/* bytes of the blocks for modules that were loaded at the first look */
	size_t first_blocks;
};

/*
 * Collects everything, before the recording. Fails only for want of memory, or of data
 * that reading the events requires.
 */
int kft_collect_begin(struct kft_collect *c, struct kft_err *e) __must_check;

/* Collects only the layout and size of the pages, and the number of CPUs. */
int kft_collect_shape(struct kft_collect *c, struct kft_err *e) __must_check;

/*
 * Call now and then during the recording: reads the symbols of newly loaded modules
 * before they are unloaded again. Symbols of a module's init section, which the kernel
 * frees soon, are seldom seen.
 */
void kft_collect_modules(struct kft_collect *c);

/*
 * Call after the recording: adds the formats of new events and the symbols of new
 * modules.
 */
int kft_collect_end(struct kft_collect *c, struct kft_err *e) __must_check;

void kft_collect_finish(struct kft_collect *c);

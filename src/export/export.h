/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/strbuf.h"
#include "derive/engine/engine.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * Exports a trace, or part of it, in the format of another program: each format is a file
 * of its own and a line in the table of export.c. docs/formats describes the formats.
 */
struct kft_export {
	struct kft_trace *trace; /* borrowed; not used by others meanwhile */
	const struct kft_scope *scope; /* borrowed */
	/* Kinds of intervals to write instead of events; n_kinds 0: events. */
	const struct kft_interval_kind *const *kinds;
	size_t n_kinds;
	unsigned int file_version; /* for trace.dat; 0: the newest */
	bool plain; /* for trace.dat: the metadata is not compressed either */
	bool compress; /* for formats with optional compression */
	const char *path; /* the destination, for messages */
	const char *made_at; /* for KFT_EXPORT_NAMED: the empty file to fill, else NULL */
	int fd; /* borrowed; for KFT_EXPORT_DIRECTORY, the empty directory to fill */

	/* For the formats' use: */
	struct kft_strbuf sb; /* bytes to write next */
	uint64_t events; /* number so far */
	struct kft_err *e;
};

struct kft_export_format {
	const char *summary;
	const char *viewer; /* programs that read the format */
	enum {
		KFT_EXPORT_STREAM, /* bytes, written in order */
		KFT_EXPORT_FILE, /* a regular file, written at any offset */
		KFT_EXPORT_NAMED, /* a regular file that a library opens by name */
		KFT_EXPORT_DIRECTORY, /* a directory of files */
	} shape;
	bool is_text;
	bool has_intervals; /* kinds can be requested */
	/*
	 * -errno with x->e set. From a damaged trace, the readable part is written; the
	 * caller reports the damage.
	 */
	int (*write)(struct kft_export *x);
};

/* In the order of the help text, with names by the same index; both end with NULL. */
extern const struct kft_export_format *const kft_export_formats[];
extern const char *const kft_export_names[];

/* Exports the requested part of the trace. */
int kft_export_run(const struct kft_export_format *format,
		   struct kft_export *x) __must_check;

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_EXPORT_EXPORT_H
#define KFT_EXPORT_EXPORT_H

#include <kft/error.h>

#include "base/strbuf.h"
#include "derive/engine.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * A trace, or a part of it, in the format of another program: a file for each format, a
 * line for each in the table of export.c. What a format writes is described in docs/formats.
 */
struct kft_export {
	struct kft_trace *trace; /* borrowed; nothing else reads it meanwhile */
	const struct kft_scope *scope; /* borrowed */
	/* The kinds of intervals that are wanted instead of events; n_kinds 0: events. */
	const struct kft_interval_kind *const *kinds;
	size_t n_kinds;
	unsigned int file_version; /* of trace.dat; 0: the newest */
	bool plain; /* of trace.dat: not even the metadata is compressed */
	bool compress; /* for formats that are compressed when asked for */
	const char *path; /* where it is written to, for messages */
	const char *made_at; /* KFT_EXPORT_NAMED: the empty file to fill, else NULL */
	int fd; /* borrowed; of KFT_EXPORT_DIRECTORY, the empty directory to fill */

	/* The formats' own: */
	struct kft_strbuf sb; /* what is to be written next */
	uint64_t events; /* so far */
	struct kft_err *e;
};

struct kft_export_format {
	const char *summary;
	const char *viewer; /* programs that take it */
	enum {
		KFT_EXPORT_STREAM, /* bytes, one after the other */
		KFT_EXPORT_FILE, /* a regular file, written here and there */
		KFT_EXPORT_NAMED, /* the same by a library that opens it by its name */
		KFT_EXPORT_DIRECTORY, /* of files */
	} shape;
	bool is_text;
	bool has_intervals; /* kinds can be asked for */
	/*
	 * -errno with x->e set. What was read of a damaged trace is written, the damage stays
	 * for the caller to tell.
	 */
	int (*write)(struct kft_export *x);
};

/* Up to NULL, in the order in which help shows them; names by the same index. */
extern const struct kft_export_format *const kft_export_formats[];
extern const char *const kft_export_names[];

/* Writes all of the trace that is wanted. */
int kft_export_run(const struct kft_export_format *format,
		   struct kft_export *x) __must_check;

#endif

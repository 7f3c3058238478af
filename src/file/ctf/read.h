/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/trace.h"

/*
 * CTF traces as LTTng, perf and babeltrace2 write them; docs/formats/ctf.md describes the
 * supported features and their mapping to the kernel's events. A trace is a directory
 * with a file "metadata" and files of packets.
 *
 * Files are mapped; base/mapped.h describes the result when one is truncated while it is
 * read.
 */

/* Whether a file that begins with these bytes is a trace's metadata. */
bool kft_ctf_match(const void *head, size_t len);

/*
 * Opens a trace. path: the metadata file, its directory, or a directory above it
 * (LTTng's, which has "kernel"). -ENOENT when there is no metadata, -EINVAL when it is
 * malformed, -ENOTSUP for unsupported versions and features, -errno. Damaged packets are
 * skipped: see kft_trace.damage.
 */
int kft_ctf_open(const char *path, struct kft_trace **ret,
		 struct kft_err *e) __must_check;

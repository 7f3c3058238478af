/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_READ_H
#define KFT_FILE_CTF_READ_H

#include "model/trace.h"

/*
 * CTF traces as LTTng, perf and babeltrace2 write them; docs/formats/ctf.md says what
 * is read and how it is mapped to the kernel's own. A trace is a directory with a file
 * "metadata" and files of packets.
 *
 * Files are mapped: one that is cut short while it is read ends the program.
 */

/* Whether a file that begins so is a trace's metadata. */
bool kft_ctf_match(const void *head, size_t len);

/*
 * path: the metadata file, its directory, or the one above (LTTng's, which has "kernel").
 * -ENOENT when no metadata is there, -EINVAL for metadata that is none, -ENOTSUP for what
 * is no CTF 1, -errno. Damaged packets are stepped over: see kft_trace.damage.
 */
int kft_ctf_open(const char *path, struct kft_trace **ret,
		 struct kft_err *e) __must_check;

#endif

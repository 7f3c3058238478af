// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CTF trace of one file: its metadata, a byte 255 (which no text has), its packets. All
 * events are read, printed, and read again from a time in the middle.
 */
#include "trace.h"

#include <string.h>

#include "file/ctf/reader.h"

static bool open_trace(const uint8_t *data, size_t size, struct kft_trace **ret)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	const uint8_t *end = size ? memchr(data, 255, size) : NULL;
	struct kft_err e = {};

	if (!end || kft_ctf_create(&t) < 0)
		return false;
	struct kft_ctf_reader *c = t->reader;
	struct kft_ctf_file f = {
		.path = "fuzz_0", .data = end + 1, .size = data + size - end - 1};
	if (kft_ctf_setup(c, data, end - data, &e) < 0 || !kft_vec_push(&c->files, f) ||
	    kft_ctf_start(c) < 0)
		return false;
	*ret = TAKE(t);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	size_t n = 0;
	size_t again = 0;

	if (!open_trace(data, size, &t))
		return 0;
	/* Classes with texts that ftrace could not have either are tested by the other target. */
	if (kft_class_table_parse_all(&t->classes))
		return 0;
	fuzz_print_events(t);
	fuzz_plain(t);
	uint64_t middle = fuzz_read_events(t, 0, &n);
	(void)fuzz_read_events(t, middle, &again);
	(void)fuzz_read_events(t, 0, &again);
	FUZZ_ASSERT(again == n);
	kft_vec_for_each(&t->buffers, b)
		kft_vec_for_each(&b->streams, s)
			fuzz_stream(*s);
	fuzz_report(t);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CTF trace of one file: its metadata, a byte 255 (which no text has), its packets. All
 * events are read, printed, and read again from a time in the middle.
 */
#include "trace.h"

#include <string.h>

#include "decode/print.h"
#include "decode/trace_lazy.h"
#include "file/ctf/reader.h"

#define PRINTED_MAX 1000

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

static void print_events(struct kft_trace *t, struct kft_printer *p)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;

	if (kft_merge_create(t, NULL, &m) < 0)
		return;
	for (size_t n = 0; n < PRINTED_MAX && kft_merge_next(m, &ev) > 0; n++) {
		FUZZ_ASSERT(ev->size >= KFT_CTF_COMMON_BYTES);
		FUZZ_ASSERT(ev->size <= KFT_CTF_RECORD_MAX && kft_trace_class(t, ev->id));
		kft_strbuf_clear(&text);
		kft_printer_info(p, ev, &text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_printer *p = NULL;
	size_t n = 0;
	size_t again = 0;

	if (!open_trace(data, size, &t))
		return 0;
	/* Classes whose text ftrace could not have either are left to the other target. */
	if (kft_class_table_parse_all(&t->classes) || kft_printer_create(t, &p) < 0)
		return 0;
	(void)kft_trace_tasks(t);
	print_events(t, p);
	uint64_t middle = fuzz_read_events(t, 0, &n);
	(void)fuzz_read_events(t, middle, &again);
	(void)fuzz_read_events(t, 0, &again);
	FUZZ_ASSERT(again == n);
	kft_vec_for_each(&t->buffers, b)
		kft_vec_for_each(&b->streams, s)
			fuzz_stream(*s);
	fuzz_report(t);
	kft_printer_destroy(p);
	return 0;
}

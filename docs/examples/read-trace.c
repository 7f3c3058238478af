// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the events of a trace with their tasks, and says what was lost:
 *
 *	cc read-trace.c $(pkg-config --cflags --libs kft) -o read-trace
 *	./read-trace trace.dat
 */
#include <inttypes.h>
#include <stdio.h>

#include <kft/trace.h>

static void print_event(struct kft_trace *t, struct kft_reader *r,
			const struct kft_event *ev)
{
	const struct kft_field *f = kft_trace_field(t, ev, "common_pid");
	const char *name = kft_trace_event_name(t, ev);
	const char *text = "";
	uint64_t pid = 0;

	if (ev->lost_before == KFT_LOST_UNKNOWN)
		printf("CPU %" PRIu32 ": events are missing here\n", ev->cpu);
	else if (ev->lost_before)
		printf("CPU %" PRIu32 ": %" PRIu64 " events are missing here\n", ev->cpu,
		       ev->lost_before);
	if (!f || !kft_trace_field_int(t, ev, f, &pid))
		pid = 0;
	if (kft_reader_text(r, ev, &text) < 0)
		text = "";
	printf("%" PRIu64 " %" PRIu32 " %s-%" PRIu64 " %s: %s\n", ev->ts, ev->cpu,
	       kft_trace_comm(t, (uint32_t)pid), pid, name ? name : "?", text);
}

int main(int argc, char **argv)
{
	struct kft_trace *t;
	struct kft_reader *r;
	struct kft_err e;
	const struct kft_event *ev;

	if (argc != 2) {
		fprintf(stderr, "usage: read-trace FILE\n");
		return 2;
	}
	if (kft_trace_open(argv[1], &t, &e) < 0) {
		fprintf(stderr, "%s\n", e.msg);
		return 1;
	}
	if (kft_reader_create(t, NULL, &r, &e) < 0) {
		fprintf(stderr, "%s\n", e.msg);
		kft_trace_close(t);
		return 1;
	}
	while (kft_reader_next(r, &ev) > 0)
		print_event(t, r, ev);
	kft_reader_destroy(r);
	int damaged = kft_trace_damage(t, &e);
	if (damaged)
		fprintf(stderr, "%s\n", e.msg);
	kft_trace_close(t);
	return damaged;
}

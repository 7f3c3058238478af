// SPDX-License-Identifier: GPL-2.0-only
#include "trace.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/cursor.h"
#include "base/io.h"
#include "base/now.h"
#include "model/clock.h"
#include "perf/origin.h"

/* Larger than the ids of the kernel's events, smaller than those of perf's. */
#define TICK_ID 65400

static const char format[] =
	"name: tick\nID: 65400\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u64 number;\toffset:8;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"number=%llu\", REC->number\n";

struct tick_event {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
	uint64_t number;
};

uint64_t tick_clock_ns(const char *clock)
{
	clockid_t id;

	return kft_clock_ns(clock && kft_clock_id(clock, &id) ? id : CLOCK_MONOTONIC);
}

static int flush(void *arg, const void *page, size_t size)
{
	struct tick_trace *t = arg;

	t->bytes += size;
	return kft_write_all(t->fd, page, size);
}

int tick_trace_begin(struct tick_trace *t, struct kft_sink *sink,
		     const struct tick_trace_opts *o, struct kft_err *e)
{
	const struct kft_format_text text = {"example", {format, strlen(format)}};

	*t = (struct tick_trace){.sink = sink, .fd = -1};
	int r = kft_perf_shape_add(o->clock, 1, &t->meta);
	if (r == 0 && !kft_vec_push(&t->meta.formats, text))
		r = -ENOMEM;
	if (r == 0 && o->leads)
		r = kft_perf_origin_add(o->host, o->notify, o->command_line, &t->meta);
	if (r == 0)
		r = kft_page_builder_init(&t->pages, t->meta.page_size,
					  KFT_HOST_BIG_ENDIAN, sizeof(long));
	t->pages.flush = flush;
	t->pages.arg = t;
	return r < 0 ? kft_err_sys(e, r, "cannot describe the ticks")
		     : sink->ops->begin(sink, &t->meta, e);
}

static int add(void *arg, uint64_t at_ns, uint64_t number)
{
	const struct tick_event ev = {.type = TICK_ID, .pid = 1, .number = number};
	struct tick_trace *t = arg;

	t->events++;
	return kft_page_builder_add(&t->pages, at_ns, &ev, sizeof(ev), 0);
}

int tick_trace_move(struct tick_trace *t, struct ticks *from, uint64_t now_ns,
		    struct kft_err *e)
{
	int r = t->fd < 0 ? t->sink->ops->cpu_fd(t->sink, 0, &t->fd, e) : 0;

	if (r < 0)
		return r;
	r = ticks_read(from, now_ns, add, t);
	return r < 0 ? kft_err_sys(e, r, "cannot write the ticks") : 0;
}

int tick_trace_end(struct tick_trace *t, struct kft_err *e)
{
	const struct kft_cpu_stat stat = {.recorded_bytes = t->bytes,
					  .read_events = t->events};

	if (!kft_vec_push(&t->meta.stats, stat))
		return kft_err_memory(e);
	return t->sink->ops->end(t->sink, &t->meta, e);
}

void tick_trace_close(struct tick_trace *t)
{
	kft_page_builder_finish(&t->pages);
	kft_meta_finish(&t->meta);
	*t = (struct tick_trace){.fd = -1};
}

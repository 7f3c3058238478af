// SPDX-License-Identifier: LGPL-2.1-or-later
/* Rewrites the file of a killed recorder. */
#include "file/tracedat/read/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "file/tracedat/format.h"
#include "file/tracedat/parts_finish.h"
#include "file/tracedat/read/read.h"
#include "file/tracedat/trace_pages.h"
#include "model/span.h"

/* A trace that is rewritten from one file to another. */
struct rewrite {
	struct kft_trace *trace;
	const struct kft_tracedat_opts *opts;
	struct kft_tracedat_recovered *result;
};

/* Some files have more CPUs than they declare; those that kft writes are consistent. */
static void count_cpus(struct kft_trace *t)
{
	uint32_t n = KFT_MAX(t->meta.cpu_count, 1u);

	kft_vec_for_each(&t->buffers, b)
		for (size_t i = 0; i < b->streams.len; i++)
			n = KFT_MAX(n, b->streams.data[i]->cpu + 1);
	t->meta.cpu_count = n;
}

/*
 * The number of events that are missing on purpose before the first one of a stream: all but
 * those that were lost, as when a process died that had read them. Only the main buffer has an
 * account of losses.
 */
static uint64_t overwritten_before(const struct kft_trace *t, const struct kft_buffer *b,
				   struct kft_stream *s)
{
	uint64_t first;
	bool has_events = kft_span_stream_first(s, &first);
	uint64_t n = kft_span_stream_lost_before(s);

	if (b->name[0] || n == KFT_LOST_UNKNOWN || !has_events)
		return n;
	kft_vec_for_each(&t->meta.lost, range)
		if (range->cpu == s->cpu && range->since < first)
			n -= KFT_MIN(n, range->count);
	return n;
}

/* Adds the number of overwritten events of each CPU that has such. */
static int count_overwritten(struct kft_trace *t)
{
	kft_vec_for_each(&t->buffers, b) {
		kft_vec_for_each(&b->streams, s) {
			const struct kft_cpu_stat stat = {
				.cpu = (*s)->cpu,
				.buffer = b->name[0] ? b->name : NULL,
				.overrun = overwritten_before(t, b, *s),
			};

			if (stat.overrun && !kft_vec_push(&t->meta.stats, stat))
				return -ENOMEM;
		}
	}
	return 0;
}

static void tell_damage(struct rewrite *rw, uint64_t places)
{
	struct kft_tracedat_recovered *result = rw->result;

	if (rw->trace->damage.code) {
		result->damage = rw->trace->damage;
		places++;
	} else if (places) {
		(void)kft_err_set(&result->damage, -EBADMSG,
				  "damaged events were left out");
	}
	result->damage_count = places;
}

static int write_again(void *arg, int fd, struct kft_err *e)
{
	struct rewrite *rw = arg;
	struct kft_trace_pages pages;
	struct stat st;

	count_cpus(rw->trace);
	(void)kft_trace_kallsyms(rw->trace);
	int r = rw->opts->overwrites ? count_overwritten(rw->trace) : 0;
	if (r == 0)
		r = kft_trace_pages_init(&pages, rw->trace);
	if (r < 0)
		return kft_err_sys(e, r, "cannot write");
	r = kft_tracedat_write(fd, &rw->trace->meta, pages.buffers.data,
			       pages.buffers.len, rw->opts, e);
	if (r == 0) {
		tell_damage(rw, kft_trace_pages_damage(&pages));
		rw->result->bytes = fstat(fd, &st) < 0 ? 0 : st.st_size;
	}
	kft_trace_pages_finish(&pages);
	return r;
}

static int open_file(const char *path, int *ret, struct kft_err *e)
{
	char head[KFT_TRACEDAT_MAGIC_BYTES];
	struct stat st;
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || fstat(fd, &st) < 0)
		return kft_err_sys(e, -errno, "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode))
		return kft_err_set(e, -EINVAL, "'%s' is not a regular file", path);
	int r = kft_pread_all(fd, head, sizeof(head), 0);
	if (r < 0 && r != -ENODATA)
		return kft_err_sys(e, r, "cannot read '%s'", path);
	if (r < 0 || !kft_tracedat_match(head, sizeof(head)))
		return kft_err_set(e, -EINVAL, "'%s' is not a trace.dat", path);
	*ret = TAKE_FD(fd);
	return 0;
}

static int open_trace(const char *path, struct kft_trace **ret, struct kft_err *e)
{
	int fd = -1;
	int r = open_file(path, &fd, e);

	if (r < 0)
		return r;
	r = kft_tracedat_open(fd, path, ret, e);
	return r < 0 ? kft_err_wrap(e, r, "cannot read '%s'", path) : 0;
}

int kft_tracedat_recover(const char *in, const char *out,
			 const struct kft_tracedat_opts *opts,
			 struct kft_tracedat_recovered *ret, struct kft_err *e)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(kft_parts_finish) struct kft_parts parts = {.dir_fd = -1, .fd = -1};
	struct kft_tracedat_recovered result = {};
	struct rewrite rw = {.opts = opts, .result = &result};
	int r = kft_tracedat_check_opts(opts, e);

	if (r == 0)
		r = kft_parts_init(&parts, out ? out : in, e);
	/* Locked before it is read, so that no other process replaces it meanwhile. */
	if (r == 0)
		r = out ? kft_parts_claim(&parts, e) : kft_parts_adopt(&parts, e);
	if (r == 0)
		r = open_trace(in, &t, e);
	rw.trace = t;
	if (r == 0)
		r = kft_parts_replace_file(&parts, write_again, &rw, NULL, e);
	if (r == 0 || parts.made)
		kft_parts_remove(&parts);
	if (r == 0)
		*ret = result;
	return r;
}

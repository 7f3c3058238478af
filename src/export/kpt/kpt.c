// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Exports KPTrace's text format (docs/formats/kpt.md): kptrace.kpt with the events that
 * it can represent, and kptrace.kpm with symbols and names.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/cpuset.h"
#include "base/io.h"
#include "decode/trace_lazy.h"
#include "export/kpt/kpt.h"
#include "model/merge.h"

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_US 1000

static void writer_finish(struct kft_kpt_writer *w)
{
	kft_closep(&w->fd);
	free(w->rows);
	kft_map_finish(&w->irqs);
	kft_map_finish(&w->calls);
	kft_strbuf_finish(&w->functions);
	kft_strbuf_finish(&w->names);
}

static void meet(struct kft_kpt_writer *w, uint16_t id)
{
	const struct kft_class *c = kft_trace_class(w->x->trace, id);

	kft_bits_add(w->met, id);
	if (c)
		kft_kpt_meet(&w->rows[id], c);
}

static int drain(struct kft_kpt_writer *w, size_t at_least)
{
	struct kft_strbuf *sb = &w->x->sb;

	if (sb->len < at_least)
		return 0;
	int r = kft_strbuf_ok(sb) ? kft_write_all(w->fd, sb->buf, sb->len) : -ENOMEM;

	kft_strbuf_clear(sb);
	return r;
}

static void add_head(const struct kft_kpt_writer *w, uint64_t ts, uint64_t pid,
		     struct kft_strbuf *sb)
{
	bool is_time = w->x->trace->meta.clock.unit == KFT_CLOCK_NS;
	uint64_t us = is_time ? ts / NS_PER_US : ts;

	kft_strbuf_addu(sb, us / (NS_PER_S / NS_PER_US), 1);
	kft_strbuf_addc(sb, '.');
	kft_strbuf_addu(sb, us % (NS_PER_S / NS_PER_US), 6);
	kft_strbuf_addf(sb, " %" PRIu64 " ", pid);
}

/*
 * Appends a record of the function's return at the same time, because
 * KPTrace probed returns, too.
 */
static void add_back(struct kft_kpt_writer *w, const struct kft_event *ev, uint64_t pid)
{
	const struct kft_kpt_row *row = &w->rows[ev->id];
	struct kft_strbuf *sb = &w->x->sb;

	add_head(w, ev->ts, pid, sb);
	kft_strbuf_addf(sb, "%s 0x%08" PRIx64 "\n", row->back->code,
			kft_kpt_number_of(w, ev, row->back_field));
}

static int write_event(struct kft_kpt_writer *w, const struct kft_event *ev)
{
	struct kft_strbuf *sb = &w->x->sb;
	uint64_t pid = 0;

	if (!kft_bits_has(w->met, ev->id))
		meet(w, ev->id);
	const struct kft_kpt_record *r = w->rows[ev->id].record;

	if (!r) {
		w->left_out++;
		return 0;
	}
	w->x->events++;
	if (w->pid && !kft_event_int(ev, w->pid, w->x->trace->swap, &pid))
		pid = 0;
	pid = (uint32_t)pid & INT32_MAX;
	add_head(w, ev->ts, pid, sb);
	kft_strbuf_adds(sb, r->code);
	kft_kpt_add_args(w, ev, sb);
	kft_strbuf_addc(sb, '\n');
	if (w->rows[ev->id].back)
		add_back(w, ev, pid);
	return drain(w, KFT_EXPORT_BLOCK);
}

/* Writes a mark for the CPU, with the time of its first event, and its events. */
static int write_cpu(struct kft_kpt_writer *w, uint32_t cpu)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	struct kft_cpuset set = {};
	struct kft_scope scope = *w->x->scope;
	const struct kft_event *ev;
	bool is_first = true;

	kft_bits_add(set.bits, cpu);
	scope.cpus = set.bits;
	scope.n_cpus = KFT_CPU_MAX;
	int r = kft_merge_create(w->x->trace, &scope, &m);

	while (r >= 0 && (r = kft_merge_next(m, &ev)) > 0) {
		if (is_first) {
			add_head(w, ev->ts, 0, &w->x->sb);
			kft_strbuf_addf(&w->x->sb, "K " KFT_KPT_CPU_MARK "%u\n", cpu);
		}
		is_first = false;
		r = write_event(w, ev);
	}
	return r;
}

static int create_file(const struct kft_kpt_writer *w, const char *name, int *ret)
{
	int fd = openat(w->x->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return -errno;
	*ret = fd;
	return 0;
}

static int write_symbols(struct kft_kpt_writer *w)
{
	const struct kft_blob *symbols = kft_trace_kallsyms(w->x->trace);
	struct kft_strbuf *sb = &w->x->sb;
	_cleanup_close_ int fd = -1;

	kft_kpt_add_symbols(w, sb);
	kft_strbuf_add(sb, symbols->data, symbols->len);
	int r = create_file(w, "kptrace.kpm", &fd);

	if (r == 0)
		r = kft_strbuf_ok(sb) ? kft_write_all(fd, sb->buf, sb->len) : -ENOMEM;
	kft_strbuf_clear(sb);
	return r;
}

static int write_kpt(struct kft_export *x)
{
	_cleanup_(writer_finish) struct kft_kpt_writer w = {
		.x = x,
		.fd = -1,
		.pid = kft_trace_common_field(x->trace, "common_pid"),
		.rows = calloc(UINT16_MAX + 1, sizeof(*w.rows)),
	};
	(void)kft_trace_symbols(x->trace);
	int r = w.rows ? create_file(&w, "kptrace.kpt", &w.fd) : -ENOMEM;
	uint64_t cpus[KFT_BITS_WORDS(KFT_CPU_MAX)] = {};

	kft_vec_for_each(&x->trace->buffers, b)
		kft_vec_for_each(&b->streams, s)
			if ((*s)->cpu < KFT_CPU_MAX &&
			    kft_scope_has_cpu(x->scope, (*s)->cpu))
				kft_bits_add(cpus, (*s)->cpu);
	for (uint32_t cpu = 0; r >= 0 && cpu < KFT_CPU_MAX; cpu++)
		if (kft_bits_has(cpus, cpu))
			r = write_cpu(&w, cpu);
	if (r >= 0)
		r = drain(&w, 1);
	if (r >= 0)
		r = write_symbols(&w);
	if (w.left_out)
		kft_trace_note(x->trace, 0,
			       "%" PRIu64 " events were left out: KPTrace has no records "
			       "for them",
			       w.left_out);
	return r < 0 ? kft_export_failed(x, r) : 0;
}

const struct kft_export_format kft_export_kpt = {
	.summary = "KPTrace's text with its symbols, a directory",
	.viewer = "KPTrace's own tools, kft",
	.shape = KFT_EXPORT_DIRECTORY,
	.write = write_kpt,
};

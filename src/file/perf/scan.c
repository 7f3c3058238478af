// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds each CPU's records in a perf.data file, in one pass. */
#include "file/perf/scan.h"

#include <errno.h>
#include <inttypes.h>

#include "base/units.h"
#include "file/perf/scan_parts.h"

static void note_counts(struct kft_perf_scan *s)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	for (size_t i = 0; i < KFT_PERF_COUNTED_TYPES; i++) {
		if (!s->counts[i])
			continue;
		kft_strbuf_addf(&sb, "%s%" PRIu64 " %s", sb.len ? ", " : "", s->counts[i],
				kft_perf_counted_names[i]);
	}
	if (s->others)
		kft_strbuf_addf(&sb, "%s%" PRIu64 " that kft does not know",
				sb.len ? ", " : "", s->others);
	if (sb.len)
		kft_trace_note(s->p->trace, s->p->start, "records that are not shown: %s",
			       kft_strbuf_cstr(&sb));
}

/*
 * AUX data is a hardware trace, often most of the file, which
 * only perf script can decode.
 */
static void note_aux(struct kft_perf_scan *s)
{
	/* enum auxtrace_type of perf */
	static const char *const kinds[] = {
		NULL,	   "Intel PT",	  "Intel BTS",	   "ARM CoreSight",
		"ARM SPE", "s390 CPU-MF", "HiSilicon PTT",
	};
	const char *kind = s->aux_kind < ARRAY_SIZE(kinds) ? kinds[s->aux_kind] : NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (!s->aux_bytes)
		return;
	kft_strbuf_add_bytes(&sb, s->aux_bytes);
	kft_trace_note(s->p->trace, s->p->start,
		       "a hardware trace (%s, %s of AUX data) is in the file and is not "
		       "decoded: its events are missing here, 'perf script' shows them",
		       kind ? kind : "of an unknown kind", kft_strbuf_cstr(&sb));
}

static void note_count(struct kft_perf_scan *s, uint64_t n, const char *what)
{
	if (n)
		kft_trace_note(s->p->trace, s->p->start, "%" PRIu64 " %s", n, what);
}

static void note_all(struct kft_perf_scan *s)
{
	char buf[256];

	note_counts(s);
	note_aux(s);
	note_count(s, s->unknown,
		   "samples are of no event that the file describes: not shown");
	note_count(s, s->no_cpu, "samples do not say their CPU: shown as of CPU 0");
	note_count(s, s->no_time,
		   "samples do not say their time: shown with that of the one before");
	note_count(s, s->lost_anywhere, "samples were lost, it does not say where");
	kft_vec_for_each(&s->p->attrs.list, a) {
		const char *what = kft_perf_attr_hidden(a, buf, sizeof(buf));

		if (a->samples && *what)
			kft_trace_note(s->p->trace, s->p->start,
				       "of %" PRIu64 " samples of event '%s' this is not "
				       "shown: %s",
				       a->samples, a->name ? a->name : "", what);
	}
	if (s->maps.len == KFT_PERF_MAX_MAP_RECORDS)
		kft_trace_note(
			s->p->trace, s->p->start,
			"some user-space addresses have no names: too many mappings");
	kft_perf_tasks_end(&s->tasks);
	if (s->tasks.full)
		kft_trace_note(s->p->trace, s->p->start,
			       "some names of tasks are missing: too many");
}

/* Moves the results of the scan into p. */
static int keep(struct kft_perf_scan *s)
{
	s->p->has_throttle = s->has_throttle;
	s->p->maps.records = s->maps;
	s->maps = (struct kft_u64_vec){};
	for (size_t i = 0; i < s->samples.len; i++)
		s->p->attrs.list.data[i].samples = s->samples.data[i];
	for (size_t i = 0; i < KFT_PERF_MAX_CPUS; i++) {
		if (!s->by_cpu[i])
			continue;
		if (!kft_vec_push(&s->p->cpus, s->by_cpu[i]))
			return -ENOMEM;
		s->by_cpu[i] = NULL;
	}
	return 0;
}

static int scan_as_one(struct kft_perf *p, struct kft_err *e, struct kft_perf_scan **ret)
{
	int r = kft_perf_scan_create(p, p->start, p->end, ret);

	if (r < 0)
		return r;
	(*ret)->e = e;
	r = kft_perf_scan_run(*ret);
	/* Exceeding a limit is damage: the events found before it are shown. */
	return r == -EFBIG && !e->code ? 0 : r;
}

int kft_perf_scan(struct kft_perf *p, struct kft_err *e)
{
	_cleanup_(kft_perf_scan_destroyp) struct kft_perf_scan *s = NULL;
	int r;

	p->trace->tasks.arena.limit_bytes = KFT_PERF_MAX_TASK_BYTES;
	r = kft_perf_scan_parts(p, &s);
	if (r == -ECANCELED)
		r = scan_as_one(p, e, &s);
	if (r < 0)
		return r;
	note_all(s);
	return keep(s);
}

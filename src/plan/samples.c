// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses which samples a plan has. */
#include "plan/samples.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/macro.h"
#include "base/strbuf.h"
#include "base/units.h"

/* Kernels lower greater rates themselves: perf_event_max_sample_rate is 100,000 at first. */
#define RATE_MAX_HZ 1000000

static const struct kft_sample_event events[] = {
	{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false},
	{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, false},
	{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, false},
	{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, false},
	{"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, false},
	{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, false},
	{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, true},
};

const struct kft_sample_event *kft_sample_event_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (strcmp(events[i].name, name) == 0)
			return &events[i];
	return NULL;
}

static int refuse_event(const char *name, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf all = {};

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		kft_strbuf_addf(&all, "%s%s", i ? ", " : "", events[i].name);
	kft_err_set(e, -EINVAL, "no samples are taken of '%s'", name);
	kft_err_hint(e, "write RATEHz as in 997Hz, or one of %s, with /PERIOD or /RATEHz",
		     kft_strbuf_cstr(&all));
	return -EINVAL;
}

/* Takes "RATEHz". False: the text is something else. */
static bool take_rate(const char *text, uint64_t *ret_hz)
{
	static const char unit[] = "Hz";
	size_t len = strlen(text);
	_cleanup_free_ char *number = strdup(text);

	if (!number || len <= strlen(unit) ||
	    strcmp(text + len - strlen(unit), unit) != 0)
		return false;
	number[len - strlen(unit)] = '\0';
	return kft_parse_u64(number, ret_hz) == 0;
}

static int take_number(struct kft_plan_samples *s, const char *text, struct kft_err *e)
{
	bool is_rate = take_rate(text, &s->freq_hz);

	if (!is_rate && kft_parse_u64(text, &s->period) < 0)
		return kft_err_set(e, -EINVAL, "not a period or a rate of samples: '%s'",
				   text);
	if (is_rate ? !s->freq_hz || s->freq_hz > RATE_MAX_HZ
		    : !s->period || s->period > INT64_MAX)
		return kft_err_set(e, -EINVAL, "samples cannot be taken at '%s'", text);
	return 0;
}

static int parse(struct kft_plan_samples *s, const char *text, struct kft_err *e)
{
	const char *slash = strchrnul(text, '/');
	uint64_t hz;

	if (take_rate(text, &hz))
		return take_number(s, text, e);
	s->event = strndup(text, (size_t)(slash - text));
	if (!s->event)
		return kft_err_memory(e);
	if (!kft_sample_event_find(s->event))
		return refuse_event(s->event, e);
	s->freq_hz = *slash ? 0 : KFT_SAMPLES_HZ;
	return *slash ? take_number(s, slash + 1, e) : 0;
}

KFT_EXPORT int kft_plan_set_samples(struct kft_plan *p, const char *text,
				    struct kft_err *e)
{
	struct kft_plan_samples s = {.enabled = true,
				     .freq_hz = text ? 0 : KFT_SAMPLES_HZ};

	if (!p)
		return kft_err_missing(e, "plan");
	int r = text ? parse(&s, text, e) : 0;
	free(r < 0 ? s.event : p->samples.event);
	if (r == 0)
		p->samples = s;
	return r;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Decides whether `kft record --for why` takes samples. */
#include "cli/default_samples.h"

#include <string.h>

#include "capture/share.h"
#include "cli/verb.h"
#include "doctor/sample_cost.h"
#include "plan/samples.h"

/* Limit of the time that samples take on a busy CPU, in millionths: 1 %. */
#define COST_MAX_PPM 10000

/* cpu-clock works on every machine; cycles need a hardware counter. */
#define EVENT "cpu-clock"

/* Whether "why" is among the questions. Other ones ask for few events, to disturb little. */
static bool is_for_why(const struct kft_opt_strings *questions)
{
	static const char why[] = "why";

	for (size_t i = 0; i < questions->len; i++)
		for (const char *q = questions->data[i]; *q; q += *q == ',') {
			size_t len = strcspn(q, ",");

			if (len == strlen(why) && memcmp(q, why, len) == 0)
				return true;
			q += len;
		}
	return false;
}

/* Samples do not work with each clock and each way of keeping events. */
static bool can_have_samples(const struct kft_plan *p)
{
	struct kft_plan with = *p;
	struct kft_shares unused;

	with.samples = (struct kft_plan_samples){
		.enabled = true, .event = (char *)EVENT, .freq_hz = KFT_SAMPLES_HZ};
	return !p->overwrite && kft_shares_of_plan(&with, false, &unused, NULL) == 0;
}

static void tell_cost(uint64_t ppm)
{
	bool taken = ppm < COST_MAX_PPM;

	cli_print_note(
		"samples with call stacks %s about %u.%u %% of a busy CPU: they are %s",
		taken ? "cost" : "would cost", (unsigned int)(ppm / 10000),
		(unsigned int)(ppm / 1000 % 10),
		taken ? "taken, unless --sample=none is given"
		      : "not taken, unless --sample is given");
}

int cli_add_default_samples(struct kft_plan *p, const struct kft_opt_strings *questions,
			    bool tells, struct kft_err *e)
{
	uint64_t ns;

	if (!HAVE_PERF || !is_for_why(questions) || !can_have_samples(p))
		return 0;
	int r = kft_doctor_sample_cost(&ns);
	if (r < 0) {
		if (tells)
			cli_print_note("no samples can be taken of the whole system: %s",
				       strerror(-r));
		return 0;
	}
	uint64_t ppm = ns * KFT_SAMPLES_HZ / 1000;
	if (tells)
		tell_cost(ppm);
	return ppm < COST_MAX_PPM ? kft_plan_set_samples(p, EVENT, e) : 0;
}

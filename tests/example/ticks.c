// SPDX-License-Identifier: GPL-2.0-only
#include "ticks.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/scan.h"

int ticks_switch(struct ticks *t, bool on, uint64_t now_ns)
{
	if (ticks_are_on(t) == on)
		return 0;
	if (!on) {
		t->spans[t->n - 1].until = now_ns;
		return 0;
	}
	if (t->n == SPANS_MAX)
		return -ENOSPC;
	t->spans[t->n].since = now_ns;
	t->spans[t->n++].until = 0;
	return 0;
}

static uint64_t count(const struct ticks *t, size_t i, uint64_t now_ns)
{
	uint64_t end = t->spans[i].until ? t->spans[i].until : now_ns;

	return end > t->spans[i].since ? (end - t->spans[i].since) / TICK_NS : 0;
}

uint64_t ticks_waiting(const struct ticks *t, uint64_t now_ns, uint64_t *ret_oldest)
{
	uint64_t sum = 0;

	*ret_oldest = 0;
	for (size_t i = 0; i < t->n; i++) {
		uint64_t n = count(t, i, now_ns);

		if (n && !sum)
			*ret_oldest = t->spans[i].since + TICK_NS;
		sum += n;
	}
	return sum;
}

int ticks_read(struct ticks *t, uint64_t now_ns,
	       int (*each)(void *arg, uint64_t at_ns, uint64_t number), void *arg)
{
	bool is_on = ticks_are_on(t);
	int r = 0;

	for (size_t i = 0; i < t->n; i++)
		for (uint64_t left = count(t, i, now_ns); left && r == 0; left--) {
			t->spans[i].since += TICK_NS;
			r = each(arg, t->spans[i].since, ++t->read);
		}
	if (r < 0)
		return r;
	if (is_on)
		t->spans[0] = t->spans[t->n - 1];
	t->n = is_on;
	return 0;
}

void ticks_format(const struct ticks *t, struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "%" PRIu64 "\n", t->read);
	for (size_t i = 0; i < t->n; i++)
		kft_strbuf_addf(sb, "%" PRIu64 " %" PRIu64 "\n", t->spans[i].since,
				t->spans[i].until);
}

int ticks_parse(const char *text, struct ticks *ret)
{
	*ret = (struct ticks){};
	if (!kft_scan_u64(&text, &ret->read) || !kft_scan_text(&text, "\n"))
		return -EINVAL;
	for (; *text; ret->n++)
		if (ret->n == SPANS_MAX ||
		    !kft_scan_u64(&text, &ret->spans[ret->n].since) ||
		    !kft_scan_u64(&text, &ret->spans[ret->n].until) ||
		    !kft_scan_text(&text, "\n"))
			return -EINVAL;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include <stdint.h>

#include "base/strbuf.h"

/*
 * The mechanism of the example: a timer that ticks every millisecond while it is on. The ticks are
 * numbered from 1 on. Those of a detached session are known from the times at which the timer
 * was on, so no process has to live for them.
 */
#define TICK_NS	  UINT64_C(1000000)
#define SPANS_MAX 64

struct ticks {
	uint64_t read; /* the number of ticks that were read */
	/* Times on the session's clock in which the timer is on, with ticks that were not read. */
	struct {
		uint64_t since;
		uint64_t until; /* 0: it is on */
	} spans[SPANS_MAX];
	size_t n;
};

static inline bool ticks_are_on(const struct ticks *t)
{
	return t->n && !t->spans[t->n - 1].until;
}

/* -ENOSPC when it was switched on too often since the last read. */
int ticks_switch(struct ticks *t, bool on, uint64_t now_ns);

/* Ticks that were not read; *ret_oldest is the time of the first one, 0: there is none. */
uint64_t ticks_waiting(const struct ticks *t, uint64_t now_ns, uint64_t *ret_oldest);

/* Calls each() with every tick that was not read, until it fails. */
int ticks_read(struct ticks *t, uint64_t now_ns,
	       int (*each)(void *arg, uint64_t at_ns, uint64_t number), void *arg);

void ticks_format(const struct ticks *t, struct kft_strbuf *sb);
int ticks_parse(const char *text, struct ticks *ret);

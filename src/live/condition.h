/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "bpf/code.h"
#include "derive/engine/engine.h"
#include "model/event_filter_steps.h"

/*
 * Emits conditions (model/event_filter.h) as instructions: programs test them in the kernel,
 * with the results that kft_filter_match() has for the same fields.
 */

/* A field that a condition tests, as a program finds it. */
struct kft_live_term {
	enum {
		KFT_LIVE_TERM_NUMBER, /* bytes at register + offset */
		KFT_LIVE_TERM_REGISTER, /* the register itself */
		KFT_LIVE_TERM_TEXT, /* characters at register + offset, up to a NUL or all bytes */
		KFT_LIVE_TERM_KEY, /* as a number; the condition is about the number's text */
		KFT_LIVE_TERM_KNOWN, /* known now: number, or text */
	} is;
	int reg;
	int offset;
	unsigned int bytes;
	bool is_signed;
	uint64_t number;
	const char *text;
	const struct kft_interval_kind *kind; /* of a key */
	struct kft_trace *names; /* likewise: its names are the key's */
};

struct kft_live_condition {
	const struct kft_filter
		*filter; /* and those that follow: one has to match; borrowed */
	/* Finds a field of the filter's class. -EOPNOTSUPP with the reason in e. */
	int (*find)(const void *arg, const struct kft_field *field,
		    struct kft_live_term *ret, struct kft_err *e);
	const void *arg; /* borrowed */
};

/*
 * Emits a jump to out unless the condition holds. Registers r0 to r5 are lost. -EOPNOTSUPP for
 * a test that programs cannot do, -E2BIG for one that needs too many instructions, -ENOMEM.
 */
int kft_live_emit_condition(struct kft_bpf_code *c,
			    const struct kft_live_condition *condition, unsigned int out,
			    struct kft_err *e) __must_check;

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Conditions on intervals, for programs in the kernel. */
#include "live/where.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "live/cell.h"

/* Fields of an interval are in its place in the table; an interval without a value has 0. */
#define PLACE(type, name, with_sign)                                \
	{                                                           \
		.is = (type), .reg = BPF_REG_7,                     \
		.offset = offsetof(struct kft_live_open, name),     \
		.bytes = sizeof(((struct kft_live_open *)0)->name), \
		.is_signed = (with_sign)                            \
	}

static const struct {
	const char *name;
	struct kft_live_term term;
} terms[] = {
	{"duration", {.is = KFT_LIVE_TERM_REGISTER, .reg = BPF_REG_9}},
	{"number", PLACE(KFT_LIVE_TERM_NUMBER, key, false)},
	{"pid", PLACE(KFT_LIVE_TERM_NUMBER, pid, true)},
	{"cpu", PLACE(KFT_LIVE_TERM_NUMBER, cpu, false)},
	{"comm", PLACE(KFT_LIVE_TERM_TEXT, comm, false)},
	{"key", PLACE(KFT_LIVE_TERM_KEY, key, false)},
	{"kind", {.is = KFT_LIVE_TERM_KNOWN}},
	{"value", {.is = KFT_LIVE_TERM_KNOWN, .is_signed = true}},
};

static int find(const void *arg, const struct kft_field *field, struct kft_live_term *ret,
		struct kft_err *e)
{
	const struct kft_live_where *w = arg;

	if (w->kind->value && strcmp(field->name, "value") == 0)
		return kft_err_set(e, -EOPNOTSUPP,
				   "the kernel does not know the values of '%s' when "
				   "these intervals end",
				   w->kind->name);
	for (size_t i = 0; i < ARRAY_SIZE(terms); i++) {
		if (strcmp(terms[i].name, field->name) != 0)
			continue;
		*ret = terms[i].term;
		ret->text = w->kind->name;
		ret->kind = w->kind;
		ret->names = w->names;
		return 0;
	}
	return kft_err_set(e, -EOPNOTSUPP, "the kernel cannot test '%s'", field->name);
}

struct kft_live_condition kft_live_where_condition(const struct kft_interval_where *where,
						   const struct kft_live_where *w)
{
	return (struct kft_live_condition){
		.filter = kft_interval_where_filter(where), .find = find, .arg = w};
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the numbers of keys by their names. */
#include "live/key_ranges.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"

/* Keys up to here may have names; others are numbers in decimal. */
#define NAMED_KEYS 4096

void kft_live_key_ranges_finish(struct kft_live_key_ranges *r)
{
	kft_vec_finish(&r->list);
}

static int add(struct kft_live_key_ranges *to, uint64_t first, uint64_t last)
{
	struct kft_live_key_range *end = to->list.data + to->list.len;
	const struct kft_live_key_range range = {first, last};

	if (to->list.len && end[-1].last + 1 == first) {
		end[-1].last = last;
		return 0;
	}
	return kft_vec_push(&to->list, range) ? 0 : -ENOMEM;
}

static bool matches(const struct kft_filter_step *s, const struct kft_interval_kind *kind,
		    struct kft_trace *names, uint64_t key)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_interval_key_text(names, kind, key, &text);
	return kft_filter_step_match(s, kft_strbuf_cstr(&text), text.len);
}

static bool is_number(const char *text, uint64_t *ret)
{
	char *end;

	errno = 0;
	*ret = (uint64_t)strtoll(text, &end, 10);
	return *text && !*end && !errno;
}

/* Whether large keys are numbers in decimal, and not devices or addresses that have names. */
static bool has_few_names(const struct kft_interval_kind *kind, struct kft_trace *names)
{
	static const uint64_t large[] = {UINT64_C(254) << 20 | 1,
					 UINT64_C(0xffffffff81000000)};
	bool is_plain = true;

	for (size_t i = 0; i < ARRAY_SIZE(large); i++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
		uint64_t number;

		kft_interval_key_text(names, kind, large[i], &text);
		is_plain &= is_number(kft_strbuf_cstr(&text), &number);
	}
	return is_plain;
}

/* Whether a glob can match a text of these characters: it has no other one outside of sets. */
static bool may_consist_of(const char *glob, const char *chars)
{
	for (; *glob && (strchr("*?[", *glob) || strchr(chars, *glob)); glob++)
		if (*glob == '[' && !(glob = strchr(glob + 1, ']')))
			return true;
	return !*glob;
}

static int refuse(const struct kft_filter_step *s, const struct kft_interval_kind *kind,
		  const char *why, struct kft_err *e)
{
	(void)kft_err_set(e, -EOPNOTSUPP,
			  "the kernel cannot compare a key of '%s' with '%s': %s",
			  kind->name, s->text, why);
	kft_err_hint(e,
		     "'number' in a condition is the key's number; kft stats %s -d 10s "
		     "--where ... records events and compares names",
		     kind->name);
	return -EOPNOTSUPP;
}

/* Small numbers with names; others are equal to their number in decimal. */
static int find_names(const struct kft_filter_step *s,
		      const struct kft_interval_kind *kind, struct kft_trace *names,
		      struct kft_live_key_ranges *ret, struct kft_err *e)
{
	uint64_t number;
	int r = 0;

	if (s->compare == KFT_FILTER_GLOB && may_consist_of(s->text, "0123456789-"))
		return refuse(s, kind, "numbers without a name may match, too", e);
	for (uint64_t key = 0; !r && key < NAMED_KEYS; key++)
		if (matches(s, kind, names, key))
			r = add(ret, key, key);
	if (!r && s->compare == KFT_FILTER_EQUAL && is_number(s->text, &number) &&
	    number >= NAMED_KEYS)
		r = add(ret, number, number);
	return r < 0 ? kft_err_memory(e) : 0;
}

/* A key of functions has the name of the symbol at it or before it. */
static int find_functions(const struct kft_filter_step *s,
			  const struct kft_interval_kind *kind, struct kft_trace *names,
			  struct kft_live_key_ranges *ret, struct kft_err *e)
{
	const struct kft_symbol_table *t = &names->symbols;
	int r = 0;

	if (!t->syms.len)
		return refuse(s, kind, "names of functions cannot be read here", e);
	if (may_consist_of(s->text, "0123456789abcdefx"))
		return refuse(s, kind, "addresses without a name may match, too", e);
	for (size_t i = 0; !r && i < t->syms.len; i++) {
		uint64_t first = t->syms.data[i].addr;
		bool is_last = i + 1 == t->syms.len;
		uint64_t next = is_last ? first + 1 : t->syms.data[i + 1].addr;

		/* Symbols at one address have one name. */
		if (next > first && matches(s, kind, names, first))
			r = add(ret, first,
				KFT_MIN(next, first + KFT_FUNCTION_BYTES_MAX) - 1);
	}
	return r < 0 ? kft_err_memory(e) : 0;
}

int kft_live_key_ranges_find(const struct kft_filter_step *step,
			     const struct kft_interval_kind *kind,
			     struct kft_trace *names, struct kft_live_key_ranges *ret,
			     struct kft_err *e)
{
	struct kft_filter_step positive = *step;
	uint64_t number;

	if (step->compare == KFT_FILTER_NOT_EQUAL)
		positive.compare = KFT_FILTER_EQUAL;
	if (step->compare == KFT_FILTER_GLOB && strcmp(step->text, "*") == 0)
		return add(ret, 0, UINT64_MAX) < 0 ? kft_err_memory(e) : 0;
	if (positive.compare == KFT_FILTER_EQUAL && is_number(step->text, &number))
		return find_names(&positive, kind, names, ret, e);
	if (has_few_names(kind, names))
		return find_names(&positive, kind, names, ret, e);
	if (kft_interval_kind_has_functions(kind) && !kind->pairs.is_of_user)
		return find_functions(&positive, kind, names, ret, e);
	return refuse(step, kind, "it knows the number, and not the name", e);
}

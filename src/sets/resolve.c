// SPDX-License-Identifier: LGPL-2.1-or-later
/* Resolves the points of sets on a kernel. */
#include "sets/resolve.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "plan/for.h"

/* Maximum nesting of includes, and of symbols that refer to other symbols. */
#define DEPTH_MAX 16
#define FOUND_MAX 100000
/*
 * Limit of the points examined: with sets that include sets, there can be
 * many more than are found.
 */
#define STEPS_MAX 1000000

struct resolver {
	struct kft_sets *sets;
	const struct kft_set_kernel *kernel;
	kft_found_points *found;
	const char *set;
	size_t steps;
	struct kft_err *e;
};

static int push(struct resolver *r, const char *wanted, const struct kft_point *point,
		enum kft_found found, const char *what)
{
	struct kft_found_point p = {
		.set = r->set,
		.wanted = wanted,
		.found = found,
		.what = what,
		.callstack = point->callstack,
	};

	if (r->found->len >= FOUND_MAX)
		return kft_err_set(r->e, -E2BIG, "more than %d points", FOUND_MAX);
	if (!what || !kft_vec_push(r->found, p))
		return kft_err_memory(r->e);
	return 0;
}

/* Adds the point if the kernel has it: 1, else 0. */
static int try_point(struct resolver *r, const char *wanted,
		     const struct kft_point *point, const char *text)
{
	const struct kft_set_kernel *k = r->kernel;
	enum kft_found found = KFT_FOUND_NOTHING;

	if (point->kind == KFT_POINT_EVENT && kft_set_kernel_has_event(k, text))
		found = KFT_FOUND_EVENT;
	if (point->kind == KFT_POINT_KPROBE && kft_set_kernel_can_probe(k, text))
		found = KFT_FOUND_KPROBE;
	else if ((point->kind == KFT_POINT_KPROBE || point->kind == KFT_POINT_FUNCTION) &&
		 k->has_functions && kft_set_kernel_has_function(k, text))
		found = KFT_FOUND_FUNCTION;
	if (found == KFT_FOUND_NOTHING)
		return 0;
	if (found == KFT_FOUND_FUNCTION)
		text = kft_arena_strndup(&r->sets->arena, text, strcspn(text, "%(/"));
	int n = push(r, wanted, point, found, text);
	return n < 0 ? n : 1;
}

static const char *reason(const struct resolver *r, const struct kft_point *first)
{
	if (first->kind == KFT_POINT_NOTHING)
		return first->text;
	if (first->kind == KFT_POINT_EVENT)
		return "this kernel does not have it";
	if (!r->kernel->has_kprobes && !r->kernel->has_functions)
		return "this kernel has no kprobes and cannot trace functions";
	return "this kernel has no such function";
}

static int resolve_points(struct resolver *r, const struct kft_set *set,
			  const char *symbol, const char *rest, bool callstack,
			  unsigned int depth);

static int add_symbol(struct resolver *r, const struct kft_point *point,
		      const char *wanted, const char *symbol, unsigned int depth)
{
	const char *rest;
	const struct kft_set *set = kft_sets_find_symbol(r->sets, symbol, &rest);
	struct kft_point probe = {.kind = KFT_POINT_KPROBE,
				  .callstack = point->callstack};

	if (set)
		return resolve_points(r, set, wanted, rest, point->callstack, depth + 1);
	/* KPTrace recorded a user's symbol with four arguments. */
	_cleanup_free_ char *text = NULL;
	if (asprintf(&text, "%s($arg1, $arg2, $arg3, $arg4)", symbol) < 0)
		return kft_err_memory(r->e);
	const char *entry = kft_arena_strdup(&r->sets->arena, text);
	int n = entry ? try_point(r, wanted, &probe, entry) : -ENOMEM;
	if (n == 0)
		n = push(r, wanted, point, KFT_FOUND_NOTHING, reason(r, &probe));
	return n;
}

static int add_include(struct resolver *r, const char *name, unsigned int depth)
{
	const struct kft_set *set = kft_sets_find(r->sets, NULL, name);

	if (!set)
		return kft_err_set(r->e, -ENOENT, "set '%s' includes an unknown set '%s'",
				   r->set, name);
	return resolve_points(r, set, NULL, "", false, depth + 1);
}

/* The events for a question are listed in plan/for.h. */
static int add_for(struct resolver *r, const struct kft_point *point)
{
	struct kft_plan plan = {};
	int n = kft_plan_add_for(&plan, point->text, r->e);

	for (size_t i = 0; i < plan.n_events && n >= 0; i++) {
		const char *event = kft_arena_strdup(&r->sets->arena,
						     plan.events[i].pattern);
		const struct kft_point p = {.kind = KFT_POINT_EVENT,
					    .callstack = point->callstack};

		n = event ? try_point(r, event, &p, event) : -ENOMEM;
		if (n == 0)
			n = push(r, event, &p, KFT_FOUND_NOTHING, reason(r, &p));
	}
	kft_plan_finish(&plan);
	return n;
}

/* Adds a point: 1, or 0 if the kernel lacks it. rest replaces {} in the text. */
static int add_point(struct resolver *r, const struct kft_point *point,
		     const char *wanted, const char *rest, unsigned int depth)
{
	const char *hole = strstr(point->text, "{}");
	const char *text = point->text;
	_cleanup_free_ char *filled = NULL;

	if (hole && *rest) {
		if (asprintf(&filled, "%.*s%.*s%s", (int)(hole - text), text,
			     KFT_SETS_WORD_MAX_BYTES / 2, rest, hole + 2) < 0)
			return kft_err_memory(r->e);
		text = kft_arena_strdup(&r->sets->arena, filled);
		if (!text)
			return kft_err_memory(r->e);
	}
	if (!wanted)
		wanted = text;
	int n = 1;
	switch (point->kind) {
	case KFT_POINT_SYMBOL:
		n = add_symbol(r, point, wanted, text, depth);
		break;
	case KFT_POINT_INCLUDE:
		n = add_include(r, text, depth);
		break;
	case KFT_POINT_FOR:
		n = add_for(r, point);
		break;
	default:
		return try_point(r, wanted, point, text);
	}
	return n < 0 ? n : 1;
}

/*
 * Resolves all points of a set. symbol: the symbol that the set stands for; NULL:
 * each point stands for itself.
 */
static int resolve_points(struct resolver *r, const struct kft_set *set,
			  const char *symbol, const char *rest, bool callstack,
			  unsigned int depth)
{
	const struct kft_point *first = NULL;
	int n = 1;

	r->steps += set->points.len + 1;
	if (depth > DEPTH_MAX || r->steps > STEPS_MAX)
		return kft_err_set(r->e, -ELOOP,
				   "set '%s' includes itself, or too many others",
				   set->name);
	for (size_t i = 0; i <= set->points.len && n >= 0; i++) {
		struct kft_point p = {};

		if (i < set->points.len)
			p = set->points.data[i];
		p.callstack |= callstack;
		if (p.is_alternative && n > 0)
			continue;
		/* All alternatives of the previous point have been tried. */
		if (!p.is_alternative && n == 0)
			n = push(r, symbol ? symbol : first->text, first,
				 KFT_FOUND_NOTHING, reason(r, first));
		if (n < 0 || i == set->points.len)
			break;
		if (!p.is_alternative)
			first = &set->points.data[i];
		n = add_point(r, &p, symbol, rest, depth);
	}
	return n < 0 ? n : 0;
}

int kft_sets_resolve(struct kft_sets *sets, const struct kft_set *set,
		     const struct kft_set_kernel *k, kft_found_points *ret,
		     struct kft_err *e)
{
	struct resolver r = {
		.sets = sets,
		.kernel = k,
		.found = ret,
		.set = set->name,
		.e = e,
	};

	return resolve_points(&r, set, NULL, "", false, 0);
}

const char *kft_found_name(enum kft_found found)
{
	static const char *const names[] = {
		[KFT_FOUND_NOTHING] = "nothing",
		[KFT_FOUND_EVENT] = "event",
		[KFT_FOUND_KPROBE] = "kprobe",
		[KFT_FOUND_FUNCTION] = "function",
	};

	return names[found];
}

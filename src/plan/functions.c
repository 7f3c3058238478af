// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds the functions and triggers of plans. */
#include <kft/plan.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/func_word.h"
#include "plan/trigger.h"

static int func_init(struct kft_plan_func *f, const char *word, struct kft_err *e)
{
	enum kft_func_kind kind;
	uint64_t addr;

	if (!word)
		return kft_err_missing(e, "function");
	int r = kft_func_word_parse(word, &kind, &addr);

	if (r < 0)
		return kft_err_set(e, r,
				   "not a function's name, a glob or a 0x address: '%s'",
				   word);
	char *name = kind == KFT_FUNC_ADDR ? NULL : strdup(word);
	if (kind != KFT_FUNC_ADDR && !name)
		return kft_err_sys(e, -ENOMEM, "cannot add function '%s'", word);
	*f = (struct kft_plan_func){.kind = kind, .name = name, .addr = addr};
	return 0;
}

static int funcs_add(struct kft_plan_funcs *fs, const char *word, struct kft_err *e)
{
	struct kft_plan_func f;

	if (!fs)
		return kft_err_missing(e, "plan");
	int r = func_init(&f, word, e);
	if (r < 0)
		return r;
	struct kft_plan_func *items = reallocarray(fs->items, fs->len + 1, sizeof(f));
	if (!items) {
		free(f.name);
		return kft_err_sys(e, -ENOMEM, "cannot add function '%s'", word);
	}
	fs->items = items;
	fs->items[fs->len++] = f;
	return 0;
}

static void funcs_finish(struct kft_plan_funcs *fs)
{
	for (size_t i = 0; i < fs->len; i++)
		free(fs->items[i].name);
	free(fs->items);
}

KFT_EXPORT int kft_plan_add_function(struct kft_plan *p, const char *word,
				     struct kft_err *e)
{
	return funcs_add(p ? &p->functions.include : NULL, word, e);
}

KFT_EXPORT int kft_plan_exclude_function(struct kft_plan *p, const char *word,
					 struct kft_err *e)
{
	return funcs_add(p ? &p->functions.exclude : NULL, word, e);
}

KFT_EXPORT int kft_plan_add_entered(struct kft_plan *p, const char *word,
				    struct kft_err *e)
{
	return funcs_add(p ? &p->functions.entered : NULL, word, e);
}

KFT_EXPORT int kft_plan_add_root(struct kft_plan *p, const char *word, struct kft_err *e)
{
	return funcs_add(p ? &p->functions.roots : NULL, word, e);
}

KFT_EXPORT int kft_plan_trigger_set_function(struct kft_plan_trigger *t,
					     enum kft_trigger_kind kind, const char *word,
					     struct kft_err *e)
{
	struct kft_plan_func f;

	if (!t)
		return kft_err_missing(e, "trigger");
	int r = func_init(&f, word, e);
	if (r < 0)
		return r;
	if (f.kind == KFT_FUNC_GLOB) {
		free(f.name);
		return kft_err_set(e, -EINVAL, "a trigger wants one function, not '%s'",
				   word);
	}
	kft_plan_trigger_finish(t);
	*t = (struct kft_plan_trigger){.kind = kind, .func = f};
	return 0;
}

KFT_EXPORT int kft_plan_add_comm(struct kft_plan *p, const char *comm, struct kft_err *e)
{
	if (!p || !comm)
		return kft_err_missing(e, p ? "command's name" : "plan");
	struct kft_plan_functions *f = &p->functions;
	if (!*comm)
		return kft_err_set(e, -EINVAL, "a command's name is empty");
	char *copy = strdup(comm);
	char **comms = reallocarray(f->comms, f->n_comms + 1, sizeof(*comms));
	if (comms)
		f->comms = comms;
	if (!copy || !comms) {
		free(copy);
		return kft_err_sys(e, -ENOMEM, "cannot add command '%s'", comm);
	}
	f->comms[f->n_comms++] = copy;
	return 0;
}

KFT_EXPORT void kft_plan_functions_finish(struct kft_plan_functions *f)
{
	if (!f)
		return;
	funcs_finish(&f->include);
	funcs_finish(&f->exclude);
	funcs_finish(&f->roots);
	funcs_finish(&f->entered);
	for (size_t i = 0; i < f->n_comms; i++)
		free(f->comms[i]);
	free(f->comms);
	*f = (struct kft_plan_functions){};
}

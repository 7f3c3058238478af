// SPDX-License-Identifier: LGPL-2.1-or-later
/* Chooses sets by name, and adds them to plans. */
#include "sets/choose.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/suggest.h"

typedef int word_fn(struct kft_sets *sets, char *word, kft_chosen_sets *ret,
		    struct kft_err *e);

static int for_each_word(struct kft_sets *sets, const char *text, word_fn *fn,
			 kft_chosen_sets *ret, struct kft_err *e)
{
	_cleanup_free_ char *copy = strdup(text);
	char *rest = copy;
	int r = copy ? 0 : kft_err_memory(e);

	for (char *word = strsep(&rest, ","); word && r == 0; word = strsep(&rest, ","))
		r = fn(sets, word, ret, e);
	return r;
}

static bool is_added(const struct kft_sets *sets, const char *file)
{
	kft_vec_for_each(&sets->files, it)
		if (strcmp(*it, file) == 0)
			return true;
	return false;
}

static int add_file(struct kft_sets *sets, char *word, kft_chosen_sets *unused,
		    struct kft_err *e)
{
	char *colon = strrchr(word, ':');

	if (!colon)
		return 0;
	*colon = '\0';
	return is_added(sets, word) ? 0 : kft_sets_add_file(sets, word, e);
}

static int not_found(const struct kft_sets *sets, const char *file, const char *name,
		     struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf hint = {};
	struct kft_suggest near;

	kft_suggest_init(&near, name);
	kft_vec_for_each(&sets->list, set)
		if (!set->is_symbol && (!file || strcmp(set->file, file) == 0))
			kft_suggest_add(&near, set->name, strlen(set->name));
	(void)kft_err_set(e, -ENOENT, "no such set: '%s'%s%s%s", name,
			  file ? " in '" : "", file ? file : "", file ? "'" : "");
	if (kft_suggest_text(&near, &hint))
		kft_err_hint(e, "%s", kft_strbuf_cstr(&hint));
	else
		kft_err_hint(e, "'kft sets' lists them");
	return -ENOENT;
}

static int choose_all(const struct kft_sets *sets, const char *file, kft_chosen_sets *ret,
		      struct kft_err *e)
{
	kft_vec_for_each(&sets->list, set)
		if (!set->is_symbol && (!file || strcmp(set->file, file) == 0) &&
		    !kft_vec_push(ret, set))
			return kft_err_memory(e);
	return 0;
}

static int choose(struct kft_sets *sets, char *word, kft_chosen_sets *ret,
		  struct kft_err *e)
{
	char *colon = strrchr(word, ':');
	const char *file = colon ? word : NULL;
	const char *name = colon ? colon + 1 : word;

	if (colon)
		*colon = '\0';
	if (colon && !*name)
		return choose_all(sets, file, ret, e);
	const struct kft_set *set = kft_sets_find(sets, file, name);
	if (!set)
		return not_found(sets, file, name, e);
	return kft_vec_push(ret, set) ? 0 : kft_err_memory(e);
}

int kft_sets_choose(struct kft_sets *sets, const char *const *texts, size_t n,
		    kft_chosen_sets *ret, struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++)
		r = for_each_word(sets, texts[i], add_file, ret, e);
	for (size_t i = 0; i < n && r == 0; i++)
		r = for_each_word(sets, texts[i], choose, ret, e);
	return r;
}

static void tell_missing(const kft_found_points *points, const struct kft_set *set,
			 const struct kft_notify *notify)
{
	size_t missing = 0;

	kft_vec_for_each(points, point)
		missing += point->found == KFT_FOUND_NOTHING;
	if (missing && missing < points->len)
		kft_notify(notify,
			   "%zu of %zu points of set '%s' are not on this kernel: "
			   "'kft sets %s' says why",
			   missing, points->len, set->name, set->name);
}

static int add_sets(struct kft_plan *p, struct kft_sets *sets,
		    const struct kft_set_kernel *kernel, const kft_chosen_sets *chosen,
		    const struct kft_notify *notify, struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; i < chosen->len && r == 0; i++) {
		kft_found_points points = {};

		r = kft_sets_resolve(sets, chosen->data[i], kernel, &points, e);
		if (r == 0)
			r = kft_sets_plan(&points, p, e);
		if (r == 0)
			tell_missing(&points, chosen->data[i], notify);
		kft_vec_finish(&points);
	}
	return r;
}

int kft_plan_add_sets(struct kft_plan *p, struct kft_host *host, const char *const *texts,
		      size_t n, const struct kft_notify *notify, struct kft_err *e)
{
	_cleanup_(kft_sets_finish) struct kft_sets sets = {};
	struct kft_set_kernel kernel = {};
	kft_chosen_sets chosen = {};
	int r = kft_sets_add_builtin(&sets, e);

	if (r == 0)
		r = kft_sets_add_users(&sets, KFT_SETS_USERS_DIR, e);
	if (r == 0)
		r = kft_sets_choose(&sets, texts, n, &chosen, e);
	if (r == 0)
		r = kft_set_kernel_read(host, &kernel, e);
	if (r == 0)
		r = add_sets(p, &sets, &kernel, &chosen, notify, e);
	kft_set_kernel_finish(&kernel);
	kft_vec_finish(&chosen);
	return r;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads sets from files and finds them by name. */
#include "sets/sets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/dir.h"
#include "base/err.h"
#include "base/io.h"

/* Limit for a directory of sets, far above any sensible number. */
#define FILES_MAX 1000

int kft_sets_add_builtin(struct kft_sets *sets, struct kft_err *e)
{
	for (const struct kft_sets_builtin *b = kft_sets_builtin; b->file; b++) {
		int r = kft_sets_parse(sets, b->file, b->text, strlen(b->text), e);

		if (r < 0)
			return r;
	}
	return 0;
}

int kft_sets_add_file(struct kft_sets *sets, const char *path, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int r = kft_read_at(AT_FDCWD, path, KFT_SETS_FILE_MAX_BYTES, &text);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read the sets of '%s'", path);
	return kft_sets_parse(sets, path, kft_strbuf_cstr(&text), text.len, e);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_set_file(const char *name)
{
	size_t len = strlen(name);

	return len > 5 && *name != '.' && strcmp(name + len - 5, ".conf") == 0;
}

static int list(DIR *dir, struct kft_sets *sets, char **ret, size_t *ret_len)
{
	const char *name;
	size_t n = 0;

	while ((name = kft_dir_next(dir))) {
		if (!is_set_file(name))
			continue;
		if (n == FILES_MAX)
			return -E2BIG;
		ret[n] = kft_arena_strdup(&sets->arena, name);
		if (!ret[n++])
			return -ENOMEM;
	}
	qsort(ret, n, sizeof(*ret), compare);
	*ret_len = n;
	return 0;
}

int kft_sets_add_users(struct kft_sets *sets, const char *path, struct kft_err *e)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(AT_FDCWD, path);
	_cleanup_free_ char **names = calloc(FILES_MAX, sizeof(*names));
	size_t n = 0;

	if (!dir && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	int r = !names ? -ENOMEM : !dir ? -errno : list(dir, sets, names, &n);
	if (r < 0)
		return kft_err_sys(e, r, "cannot list '%s'", path);
	for (size_t i = 0; i < n && r == 0; i++) {
		_cleanup_free_ char *file = NULL;

		r = asprintf(&file, "%s/%s", path, names[i]) < 0
			    ? kft_err_memory(e)
			    : kft_sets_add_file(sets, file, e);
	}
	return r;
}

const struct kft_set *kft_sets_find(const struct kft_sets *sets, const char *file,
				    const char *name)
{
	for (size_t i = sets->list.len; i-- > 0;) {
		const struct kft_set *set = &sets->list.data[i];

		if (!set->is_symbol && strcmp(set->name, name) == 0 &&
		    (!file || strcmp(set->file, file) == 0))
			return set;
	}
	return NULL;
}

/*
 * The part of the symbol that {} in the set's name matches: "read"
 * for "sys_{}" and sys_read.
 */
static const char *rest_of(const struct kft_set *set, const char *symbol)
{
	size_t len = strlen(set->name);

	if (len < 2 || strcmp(set->name + len - 2, "{}") != 0)
		return strcmp(set->name, symbol) == 0 ? "" : NULL;
	return strncmp(set->name, symbol, len - 2) == 0 ? symbol + len - 2 : NULL;
}

const struct kft_set *kft_sets_find_symbol(const struct kft_sets *sets,
					   const char *symbol, const char **ret_rest)
{
	const struct kft_set *found = NULL;

	*ret_rest = "";
	for (size_t i = sets->list.len; i-- > 0;) {
		const struct kft_set *set = &sets->list.data[i];
		const char *rest = set->is_symbol ? rest_of(set, symbol) : NULL;

		if (!rest || (found && *rest))
			continue;
		found = set;
		*ret_rest = rest;
		if (!*rest)
			break;
	}
	return found;
}

void kft_sets_finish(struct kft_sets *sets)
{
	kft_vec_for_each(&sets->list, set)
		kft_vec_finish(&set->points);
	kft_vec_finish(&sets->list);
	kft_vec_finish(&sets->files);
	kft_arena_finish(&sets->arena);
}

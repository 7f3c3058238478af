/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SETS_SETS_H
#define KFT_SETS_SETS_H

#include <kft/error.h>

#include "base/arena.h"
#include "base/vec.h"

/*
 * Sets: names for points in the kernel that are worth recording together. They come from
 * files (kft-sets(1)). A point may have alternatives behind it, for kernels that
 * do not have it. What an old symbol stands for today is written as a set of its own.
 */
enum kft_point_kind {
	KFT_POINT_EVENT, /* "system:event[/FILTER/]", also a glob */
	KFT_POINT_KPROBE, /* "FUNCTION[%return][(ARGUMENTS)]" */
	KFT_POINT_FUNCTION, /* a traced function, or a glob */
	KFT_POINT_SYMBOL, /* a function, by the name that it had in some kernel */
	KFT_POINT_INCLUDE, /* another set */
	KFT_POINT_FOR, /* what a question needs: kft_plan_add_for() */
	KFT_POINT_NOTHING, /* text says why there is nothing to record any more */
};

struct kft_point {
	enum kft_point_kind kind;
	const char *text; /* borrowed from the sets' arena */
	bool callstack; /* with the kernel's call stack */
	bool is_alternative; /* to the point before */
};

struct kft_set {
	const char *name; /* borrowed from the arena, as the others */
	const char *about; /* "": nothing is said */
	const char *file; /* that it is from */
	bool is_symbol; /* what a symbol stands for; a name that ends in {} is a prefix */
	KFT_VEC(struct kft_point) points;
};

struct kft_sets {
	struct kft_arena arena;
	KFT_VEC(struct kft_set) list; /* those of later files come later, and win */
	KFT_VEC(const char *) files; /* that were added */
};

/* Of a file, of its sets, of all their points together, of a point. */
#define KFT_SETS_FILE_MAX_BYTES	 ((size_t)1 << 20)
#define KFT_SETS_FILE_SETS_MAX	 1000
#define KFT_SETS_FILE_POINTS_MAX 20000
#define KFT_SETS_WORD_MAX_BYTES	 1024

/* Adds the sets of a text. -EINVAL with the line. On failure sets are still to be finished. */
int kft_sets_parse(struct kft_sets *sets, const char *file, const char *text, size_t len,
		   struct kft_err *e) __must_check;

/* Those that kft comes with. */
int kft_sets_add_builtin(struct kft_sets *sets, struct kft_err *e) __must_check;

/* The user's: files *.conf of /etc/kft/sets.d, by name. No directory is no error. */
int kft_sets_add_users(struct kft_sets *sets, const char *dir,
		       struct kft_err *e) __must_check;
int kft_sets_add_file(struct kft_sets *sets, const char *path,
		      struct kft_err *e) __must_check;

/* NULL: there is none. file: of this file only; NULL: the last one. */
const struct kft_set *kft_sets_find(const struct kft_sets *sets, const char *file,
				    const char *name);

/* What a symbol stands for; *ret_rest is what a prefix leaves of it, else "". NULL: itself. */
const struct kft_set *kft_sets_find_symbol(const struct kft_sets *sets,
					   const char *symbol, const char **ret_rest);

void kft_sets_finish(struct kft_sets *sets);

/* The files of sets/, made into the program. */
struct kft_sets_builtin {
	const char *file;
	const char *text;
};

/* Up to one without a file. */
extern const struct kft_sets_builtin kft_sets_builtin[];

#endif

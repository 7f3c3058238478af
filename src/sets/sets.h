/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/arena.h"
#include "base/vec.h"

/*
 * Sets: named groups of points in the kernel that are useful to record together. They
 * come from files (kft-sets(1)). A point may be followed by alternatives for kernels that
 * lack it. A set can also translate an old symbol to today's points.
 */
enum kft_point_kind {
	KFT_POINT_EVENT, /* "system:event[/FILTER/]", also a glob */
	KFT_POINT_KPROBE, /* "FUNCTION[%return][(ARGUMENTS)]" */
	KFT_POINT_FUNCTION, /* a traced function, or a glob */
	KFT_POINT_SYMBOL, /* a function, by the name that it had in some kernel */
	KFT_POINT_INCLUDE, /* another set */
	KFT_POINT_FOR, /* records the events for a question: kft_plan_add_for() */
	KFT_POINT_NOTHING, /* no longer available; text is the reason */
};

struct kft_point {
	enum kft_point_kind kind;
	const char *text; /* borrowed from the sets' arena */
	bool callstack; /* with the kernel's call stack */
	bool is_alternative; /* alternative to the previous point */
};

struct kft_set {
	const char *name; /* borrowed from the arena, like the other strings */
	const char *about; /* description, may be "" */
	const char *file; /* file of the set */
	bool is_symbol; /* translates a symbol; a name that ends in {} is a prefix */
	KFT_VEC(struct kft_point) points;
};

struct kft_sets {
	struct kft_arena arena;
	/* sets of later files come later, and take precedence */
	KFT_VEC(struct kft_set) list;
	KFT_VEC(const char *) files; /* files that were read */
};

/* Limits: bytes of a file, its sets, their points in total, bytes of a word. */
#define KFT_SETS_FILE_MAX_BYTES	 ((size_t)1 << 20)
#define KFT_SETS_FILE_SETS_MAX	 1000
#define KFT_SETS_FILE_POINTS_MAX 20000
#define KFT_SETS_WORD_MAX_BYTES	 1024

/*
 * Adds the sets of a text. -EINVAL with the line. After a failure the
 * caller still finishes sets.
 */
int kft_sets_parse(struct kft_sets *sets, const char *file, const char *text, size_t len,
		   struct kft_err *e) __must_check;

/* Adds the sets that come with kft. */
int kft_sets_add_builtin(struct kft_sets *sets, struct kft_err *e) __must_check;

/*
 * Adds the user's sets: files *.conf of /etc/kft/sets.d, sorted by name. A
 * missing directory is fine.
 */
int kft_sets_add_users(struct kft_sets *sets, const char *dir,
		       struct kft_err *e) __must_check;
int kft_sets_add_file(struct kft_sets *sets, const char *path,
		      struct kft_err *e) __must_check;

/* NULL: not found. file: search only this file; NULL: the last set of that name. */
const struct kft_set *kft_sets_find(const struct kft_sets *sets, const char *file,
				    const char *name);

/*
 * Finds the set that translates a symbol; *ret_rest is the text matched by {}, else "".
 * NULL: the symbol is not translated.
 */
const struct kft_set *kft_sets_find_symbol(const struct kft_sets *sets,
					   const char *symbol, const char **ret_rest);

void kft_sets_finish(struct kft_sets *sets);

/* The files of the folder sets/, compiled into the program. */
struct kft_sets_builtin {
	const char *file;
	const char *text;
};

/* The last entry has no file. */
extern const struct kft_sets_builtin kft_sets_builtin[];

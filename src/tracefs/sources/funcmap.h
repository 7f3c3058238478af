/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_FUNCMAP_H
#define KFT_TRACEFS_FUNCMAP_H

#include <kft/plan.h>

#include "base/bits.h"
#include "base/map.h"
#include "tracefs/control/catalog.h"

/*
 * The functions that a kernel can trace, by index. set_ftrace_filter takes the number of a
 * function's line in available_filter_functions: exact where a name is that of several,
 * and thousands of times faster than names, for each of which the kernel looks at every
 * function it has. Numbers shift when modules come and go, so a map is used soon, and what
 * was written is read back (kft_funcset_write()).
 */
struct kft_funcmap {
	struct kft_catalog catalog; /* entry i is the function with the index i */
	struct kft_map by_name; /* hash -> i + 1 of the first, then next[] */
	uint32_t *next; /* owned; i + 1 of the next one with the same hash, 0: none */
	uint64_t *addrs; /* owned; NULL until loaded; 0 for one that is not known */
};

int kft_funcmap_read(struct kft_host *host, struct kft_funcmap *ret,
		     struct kft_err *e) __must_check;
void kft_funcmap_finish(struct kft_funcmap *m);

/*
 * The map that the host keeps, so that who checks functions and then filters by them has
 * the kernel list them once: that takes seconds on a slow machine. fresh: read anew, which
 * ends the one before. *ret is borrowed from the host.
 */
int kft_funcmap_of(struct kft_host *host, bool fresh, struct kft_funcmap **ret,
		   struct kft_err *e) __must_check;
void kft_funcmap_forget(struct kft_host *host);

static inline size_t kft_funcmap_len(const struct kft_funcmap *m)
{
	return m->catalog.entries.len;
}

/*
 * Adds the addresses where the functions start, from /proc/kallsyms. The list of functions
 * has none (on 6.1), so functions of one name are told apart by their order, and stay
 * unknown where only some of them can be traced. Does nothing the second time. -EPERM
 * when the kernel hides its addresses.
 */
int kft_funcmap_load_addrs(struct kft_funcmap *m, struct kft_host *host,
			   struct kft_err *e) __must_check;

/* A set of functions of one map. */
struct kft_funcset {
	uint64_t *bits; /* owned */
	size_t n_bits;
	size_t count;
};

int kft_funcset_init(struct kft_funcset *s, const struct kft_funcmap *m) __must_check;
void kft_funcset_finish(struct kft_funcset *s);

static inline bool kft_funcset_has(const struct kft_funcset *s, size_t i)
{
	return kft_bits_has(s->bits, i);
}

void kft_funcset_add(struct kft_funcset *s, size_t i);

/*
 * Adds what a function of a plan stands for; *ret_count says how many, none is no error.
 * For an address kft_funcmap_load_addrs() is needed before.
 */
void kft_funcmap_select(const struct kft_funcmap *m, const struct kft_plan_func *f,
			struct kft_funcset *s, size_t *ret_count);

/* Adds a whole list. -ENOENT for one that stands for none, with the nearest names. */
int kft_funcmap_select_all(struct kft_funcmap *m, struct kft_host *host,
			   const struct kft_plan_funcs *list, struct kft_funcset *s,
			   struct kft_err *e) __must_check;

/*
 * Makes a filter file of functions (set_ftrace_filter, set_ftrace_notrace) hold exactly
 * this set. -ESTALE when reading it back gives others: the map has become old.
 */
int kft_funcset_write(const struct kft_funcset *s, const struct kft_funcmap *m, int dirfd,
		      const char *path, struct kft_err *e) __must_check;

/* Apart for tests: whether a filter file's text is that of the set. */
bool kft_funcset_is(const struct kft_funcset *s, const struct kft_funcmap *m,
		    const char *text, size_t len);

#endif

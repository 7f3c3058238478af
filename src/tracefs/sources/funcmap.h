/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "base/bits.h"
#include "base/map.h"
#include "tracefs/control/catalog.h"

/*
 * The functions that a kernel can trace, by index. set_ftrace_filter accepts the number
 * of a function's line in available_filter_functions. A number is exact if several
 * functions have the same name, and thousands of times faster than a name, which the
 * kernel compares with every function. Numbers shift when modules are loaded or unloaded,
 * so a map is used soon after it was read, and a written filter is read back
 * (kft_funcset_write()).
 */
struct kft_funcmap {
	struct kft_catalog catalog; /* entry i is the function with the index i */
	struct kft_map by_name; /* hash -> i + 1 of the first, then next[] */
	uint32_t *next; /* owned; i + 1 of the next one with the same hash, 0: none */
	uint64_t *addrs; /* owned; NULL until loaded; 0: address unknown */
};

int kft_funcmap_read(struct kft_host *host, struct kft_funcmap *ret,
		     struct kft_err *e) __must_check;
void kft_funcmap_finish(struct kft_funcmap *m);

/*
 * Returns the map that the host keeps, so that checking functions and then filtering by
 * them lists them only once, which takes seconds on a slow machine. fresh: reads a new
 * map and frees the earlier one. *ret is borrowed from the host.
 */
int kft_funcmap_of(struct kft_host *host, bool fresh, struct kft_funcmap **ret,
		   struct kft_err *e) __must_check;
void kft_funcmap_forget(struct kft_host *host);

static inline size_t kft_funcmap_len(const struct kft_funcmap *m)
{
	return m->catalog.entries.len;
}

/*
 * Adds the start addresses of the functions, from /proc/kallsyms. The list of functions
 * has none (Linux 6.1), so functions of the same name are matched by their order; their
 * addresses stay unknown if only some of them can be traced. Does nothing the second
 * time. -EPERM when the kernel hides its addresses.
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
 * Adds the functions that an item of a plan selects; *ret_count is their number, and 0 is
 * no error. For an address, kft_funcmap_load_addrs() must have been called.
 */
void kft_funcmap_select(const struct kft_funcmap *m, const struct kft_plan_func *f,
			struct kft_funcset *s, size_t *ret_count);

/*
 * Adds the functions of a whole list. -ENOENT for an item that selects none, with the
 * nearest names.
 */
int kft_funcmap_select_all(struct kft_funcmap *m, struct kft_host *host,
			   const struct kft_plan_funcs *list, struct kft_funcset *s,
			   struct kft_err *e) __must_check;

/*
 * Makes a filter file of functions (set_ftrace_filter, set_ftrace_notrace) contain
 * exactly this set. -ESTALE when reading it back yields other functions: the map is out
 * of date.
 */
int kft_funcset_write(const struct kft_funcset *s, const struct kft_funcmap *m, int dirfd,
		      const char *path, struct kft_err *e) __must_check;

/* Separate for tests: true when a filter file's text lists exactly the set. */
bool kft_funcset_is(const struct kft_funcset *s, const struct kft_funcmap *m,
		    const char *text, size_t len);

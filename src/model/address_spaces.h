/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "base/vec.h"

/*
 * The files that tasks had mapped, at any time of a trace: which file, and which place in
 * it, an address of a task belonged to. A forked process has the mappings of its parent
 * until then, threads share those of their process, and an exec begins a new address space.
 */

/* Limit for mappings, and for forks and execs together: about 40 bytes each. */
#define KFT_MAPPINGS_MAX (1u << 20)

struct kft_mapping {
	uint64_t start;
	uint64_t last; /* the last address */
	uint64_t since; /* ns */
	uint64_t offset; /* of start in the file */
	uint32_t file; /* a number of the caller */
	uint32_t space;
	uint32_t order; /* its number in the order of time */
};

struct kft_address_space {
	uint32_t parent; /* the space that it began with a copy of */
	bool is_exec; /* begun by exec, which replaces the parent */
	bool has_vdso; /* the kernel's loader has mapped it, after the program's files */
	uint64_t
		parent_until; /* ns; later mappings of the parent are not part of the copy */
	/* ns; from here on the parent's mappings are gone. UINT64_MAX: never */
	uint64_t replaced;
	uint32_t first; /* its mappings: indices into mappings */
	uint32_t end;
};

struct kft_address_range {
	uint64_t start;
	uint64_t last;
};

/* A task uses a space from this time on. */
struct kft_space_use {
	uint64_t since;
	uint32_t pid;
	uint32_t space;
	uint32_t order; /* its number in the order of time */
};

struct kft_address_spaces {
	KFT_VEC(struct kft_mapping) mappings; /* by space, then time */
	/* Least and greatest address of each group of mappings, for the search. */
	KFT_VEC(struct kft_address_range) bounds;
	KFT_VEC(struct kft_address_space) spaces;
	KFT_VEC(struct kft_space_use) uses; /* by pid, then time */
	struct kft_map current; /* pid -> space + 1, while it is filled */
	bool full; /* a limit was met: the rest is missing */
};

void kft_address_spaces_finish(struct kft_address_spaces *as);

/*
 * These are called in the order of time. pid is a thread's number, tgid that of its
 * process. is_copy of a fork: the child has its parent's mappings; false where the child's
 * own mappings follow. -ENOMEM.
 */
int kft_address_spaces_fork(struct kft_address_spaces *as, uint32_t pid, uint32_t tgid,
			    uint32_t parent, bool is_copy, uint64_t ts) __must_check;
int kft_address_spaces_exec(struct kft_address_spaces *as, uint32_t tgid,
			    uint64_t ts) __must_check;
/* pid is one more thread of the process. */
int kft_address_spaces_thread(struct kft_address_spaces *as, uint32_t pid, uint32_t tgid,
			      uint64_t ts) __must_check;

/*
 * Maps m->start to m->last of a process since m->since; space and order are set here. Replaces
 * earlier mappings there. is_vdso: the kernel's own page, which exec maps as its last.
 */
int kft_address_spaces_map(struct kft_address_spaces *as, uint32_t tgid,
			   struct kft_mapping m, bool is_vdso) __must_check;

/* Called once after all: the lookup may be used from now on, by any thread. -ENOMEM. */
int kft_address_spaces_sort(struct kft_address_spaces *as) __must_check;

/* The mapping with addr that the task had at ts, or NULL. */
const struct kft_mapping *kft_address_spaces_find(const struct kft_address_spaces *as,
						  uint32_t pid, uint64_t addr,
						  uint64_t ts);

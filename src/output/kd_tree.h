/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_KD_TREE_H
#define KFT_OUTPUT_KD_TREE_H

#include "base/strbuf.h"
#include "model/call_tree.h"

/*
 * Calls as a tree in the layout of KFT's kd -c. Columns by letters: e entry, t duration,
 * l local time, T and L the same on a CPU, p pid; in this order, whatever that of the
 * letters. Times in microseconds, -1 when not known.
 */
#define KFT_KD_TREE_COLUMNS_LONG "etlp"

struct kft_kd_tree_style {
	const char *columns; /* letters; others are ignored */
	bool interlaced; /* tell the threads apart by a character each */
	bool has_off;
	uint64_t max_depth; /* where arguments stand: behind that many levels ... */
	uint64_t max_name; /* ... and a name of that length */
};

void kft_kd_tree_titles(const struct kft_kd_tree_style *style, struct kft_strbuf *sb);

void kft_kd_tree_line(const struct kft_kd_tree_style *style,
		      const struct kft_intern *names, const struct kft_call_node *node,
		      struct kft_strbuf *sb);

/*
 * Writes a linked tree call by call, one root after the other; interlaced, what starts
 * before the next call of the current one comes first.
 */
struct kft_kd_tree_frame {
	uint32_t next; /* the call to be written next */
	bool inlined; /* its end is marked */
};

struct kft_kd_tree {
	const struct kft_kd_tree_style *style; /* borrowed, as are the others */
	const struct kft_call_tree *tree;
	const struct kft_intern *names;
	uint32_t next_root;
	KFT_VEC(struct kft_kd_tree_frame) frames; /* owned */
};

void kft_kd_tree_start(struct kft_kd_tree *t, const struct kft_kd_tree_style *style,
		       const struct kft_call_tree *tree, const struct kft_intern *names);
void kft_kd_tree_finish(struct kft_kd_tree *t);

/* Appends some lines: 1, 0 at the end, -ENOMEM. */
int kft_kd_tree_next(struct kft_kd_tree *t, struct kft_strbuf *sb) __must_check;

#endif

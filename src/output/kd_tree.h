/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/call_tree.h"

/*
 * Prints calls as a tree in the layout of KFT's kd -c. Columns by letters: e entry, t
 * duration, l local time, T and L the same on a CPU, p pid; they appear in this order.
 * Times in microseconds, -1 when not known.
 */
#define KFT_KD_TREE_COLUMNS_LONG "etlp"

struct kft_kd_tree_style {
	const char *columns; /* letters; unknown ones are ignored */
	bool interlaced; /* mix threads by time, each marked by a character */
	bool has_off;
	uint64_t max_depth; /* arguments are aligned after this many levels ... */
	uint64_t max_name; /* ... and a name of this length */
};

void kft_kd_tree_titles(const struct kft_kd_tree_style *style, struct kft_strbuf *sb);

void kft_kd_tree_line(const struct kft_kd_tree_style *style,
		      const struct kft_intern *names, const struct kft_call_node *node,
		      struct kft_strbuf *sb);

/*
 * Writes a linked tree call by call, one root after the other. If interlaced, roots that
 * start before the next call of the current root are inserted before that call.
 */
struct kft_kd_tree_frame {
	uint32_t next; /* the next call to write */
	bool inlined; /* a banner marks its end */
};

struct kft_kd_tree {
	const struct kft_kd_tree_style *style; /* borrowed, like the other pointers */
	const struct kft_call_tree *tree;
	const struct kft_intern *names;
	uint32_t next_root;
	KFT_VEC(struct kft_kd_tree_frame) frames; /* owned */
};

void kft_kd_tree_start(struct kft_kd_tree *t, const struct kft_kd_tree_style *style,
		       const struct kft_call_tree *tree, const struct kft_intern *names);
void kft_kd_tree_finish(struct kft_kd_tree *t);

/* Appends some lines: 1, 0 at the end, or -ENOMEM. */
int kft_kd_tree_next(struct kft_kd_tree *t, struct kft_strbuf *sb) __must_check;

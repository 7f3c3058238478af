/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <pthread.h>

#include "base/intern.h"
#include "base/strbuf.h"

/*
 * Names from a trace's events for keys of intervals. Some keys are names (of a mark, a
 * device): such a key is the name's number in this table. Others are numbers that an
 * event gives a name to (interrupt 24 is "virtio0"). Numbers and names are valid as long
 * as the trace, for every pass over it. Any thread may call these functions.
 */
struct kft_names {
	pthread_mutex_t lock; /* guards the members below */
	struct kft_intern texts;
	struct kft_map given; /* hash of name space and key -> number */
};

void kft_names_init(struct kft_names *n);
void kft_names_finish(struct kft_names *n);

/* The number of a text, from 1 on. When out of memory 0, with the text "?". */
uint64_t kft_names_number(struct kft_names *n, const char *text, size_t len);

/* Appends the text of a number. */
void kft_names_text(struct kft_names *n, uint64_t number, struct kft_strbuf *sb);

/*
 * Gives a key of a name space (the address of any static object) a
 * name; the first one is kept.
 */
void kft_names_give(struct kft_names *n, const void *space, uint64_t key,
		    const char *text, size_t len);

/* Appends the name of a key. False when it has none. */
bool kft_names_given(struct kft_names *n, const void *space, uint64_t key,
		     struct kft_strbuf *sb);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_NAMES_H
#define KFT_MODEL_NAMES_H

#include <pthread.h>

#include "base/intern.h"
#include "base/strbuf.h"

/*
 * Names that a trace's events give to what intervals are about. Some keys of intervals are
 * names (of a mark, a device): their key is the name's number here. Others are numbers that
 * an event names (interrupt 24 is "virtio0"). Numbers and names hold as long as the trace, for
 * every pass over it. All functions may be called by any thread.
 */
struct kft_names {
	pthread_mutex_t lock; /* for all that follows */
	struct kft_intern texts;
	struct kft_map given; /* name space and key, hashed -> number */
};

void kft_names_init(struct kft_names *n);
void kft_names_finish(struct kft_names *n);

/* The number of a text, from 1 on. 0, whose text is "?", when out of memory. */
uint64_t kft_names_number(struct kft_names *n, const char *text, size_t len);

/* Appends the text of a number. */
void kft_names_text(struct kft_names *n, uint64_t number, struct kft_strbuf *sb);

/* In a name space (any static object) a key has this name; the first one given counts. */
void kft_names_give(struct kft_names *n, const void *space, uint64_t key,
		    const char *text, size_t len);

/* Appends the name of a key. False when it was given none. */
bool kft_names_given(struct kft_names *n, const void *space, uint64_t key,
		     struct kft_strbuf *sb);

#endif

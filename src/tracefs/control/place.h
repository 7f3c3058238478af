/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_PLACE_H
#define KFT_TRACEFS_PLACE_H

#include "tracefs/control/ledger.h"

/* Tasks whose functions are not traced. Since 5.8. */
#define KFT_UNTRACED_FILE "set_ftrace_notrace_pid"

/*
 * The directory of tracefs that a session records in: a tracefs instance where the kernel
 * lets instances have the tracer, else the top level of tracefs, which there is only once.
 * An instance goes away as a whole; what is changed at the top level, or in one that the kernel
 * keeps, is noted to be undone.
 *
 * A run's instance is "kft+NAME" and belongs to the run and not to a process: no process
 * holds its lock. That of kft record is as tracefs/control/instance.h says.
 */
#define KFT_PLACE_PREFIX_MAX 128
#define KFT_PLACE_FILE_MAX   512 /* of a file's path in it, with its NUL */

struct kft_place {
	const struct kft_ledger *ledger; /* borrowed */
	int fd; /* owned: the directory with trace_pipe and all that */
	bool top;
	bool kept; /* an instance that was there before and stays: tracefs/control/kept.h */
	char prefix
		[KFT_PLACE_PREFIX_MAX]; /* of its files from tracefs: "" or "instances/X/" */
	/* Owned: an instance that is switched on and off with this place; NULL: none. */
	struct kft_place *beside;
};

/*
 * Makes a place where `tracer` can be set; name is the run's. -EBUSY when it is the top
 * level and that is in use, and -ENODEV when this kernel does not have the tracer.
 */
int kft_place_create(const struct kft_ledger *u, const char *name, const char *tracer,
		     struct kft_place *ret, struct kft_err *e) __must_check;

/* Makes an instance, which the ledger knows, by its directory's name. */
int kft_place_make_instance(const struct kft_ledger *u, const char *instance,
			    struct kft_place *ret, struct kft_err *e) __must_check;

/* What the instance of a session that outlives its processes is called. */
void kft_place_instance_name(const char *name, char *ret, size_t size);

/* The one that was made before. -ENOENT when it is gone. */
int kft_place_open(const struct kft_ledger *u, const char *name, bool top,
		   struct kft_place *ret) __must_check;

/* An instance that somebody made, by its directory's name. */
int kft_place_open_instance(const struct kft_ledger *u, const char *instance,
			    struct kft_place *ret) __must_check;

/* Makes an instance, noted in p's ledger, and opens it as the next one does. */
int kft_place_make_beside(struct kft_place *p, const char *instance,
			  struct kft_err *e) __must_check;

/* Opens an instance that was made to be beside p; kft_place_close() closes both. */
int kft_place_open_beside(struct kft_place *p, const char *instance,
			  struct kft_err *e) __must_check;

/* Goes on at the top level when p is an instance that cannot have `tracer`: p->top says so. */
int kft_place_for_tracer(struct kft_place *p, const char *tracer,
			 struct kft_err *e) __must_check;

void kft_place_close(struct kft_place *p);

/* Switches recording on or off, beside p too. */
int kft_place_switch(const struct kft_place *p, bool on) __must_check;

/* Whether the buffers of the top level or of an instance have records. */
bool kft_place_has_entries(int dir_fd);

/* Makes one of its files say value. */
int kft_place_set(const struct kft_place *p, const char *file, const char *value,
		  struct kft_err *e) __must_check;
int kft_place_set_u64(const struct kft_place *p, const char *file, uint64_t value,
		      struct kft_err *e) __must_check;

/* The same for what not every kernel has. */
int kft_place_set_optional(const struct kft_place *p, const char *file, const char *value,
			   struct kft_err *e) __must_check;

/* Before something is written to a file that is empty, and is to be again. */
int kft_place_note_empty(const struct kft_place *p, const char *file,
			 struct kft_err *e) __must_check;

/* The same for what is one for the whole kernel although each instance has a file for it. */
int kft_place_set_shared(const struct kft_place *p, const char *file, const char *value,
			 struct kft_err *e) __must_check;

#endif

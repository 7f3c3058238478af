/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "tracefs/control/ledger.h"

/* The tracers that record functions. */
#define KFT_GRAPH_TRACER "function_graph"
#define KFT_ENTRY_TRACER "function"

/* File with the tasks that are excluded from function tracing. Since Linux 5.8. */
#define KFT_UNTRACED_FILE "set_ftrace_notrace_pid"

/*
 * The tracefs directory that a session records in: an instance if the kernel supports the
 * tracer in instances, else the top level, which only one session can use. An instance is
 * removed as a whole; changes of the top level, or of a persistent instance, are noted in
 * the ledger.
 *
 * The instance of a run is "kft+NAME" and belongs to the run and not to a process: no
 * process holds its lock. For the instance of kft record see tracefs/control/instance.h.
 */
#define KFT_PLACE_PREFIX_MAX 128
#define KFT_PLACE_FILE_MAX   512 /* a file's path in the directory, with its NUL */

struct kft_tracefs_dir {
	const struct kft_ledger *ledger; /* borrowed */
	int fd; /* owned: the directory */
	bool top;
	bool kept; /* a persistent instance: tracefs/control/persistent.h */
	/* Path of the directory from tracefs, with a slash at the end: "" or "instances/X/". */
	char prefix[KFT_PLACE_PREFIX_MAX];
	/*
	 * Owned: a companion instance, which is switched on and off with this directory;
	 * NULL: none.
	 */
	struct kft_tracefs_dir *beside;
};

/*
 * Makes a directory that supports `tracer`; name is the run's. -EBUSY when only the top
 * level does and it is in use, -ENODEV when this kernel does not have the tracer.
 */
int kft_tracefs_dir_create(const struct kft_ledger *u, const char *name,
			   const char *tracer, struct kft_tracefs_dir *ret,
			   struct kft_err *e) __must_check;

/* Makes and opens an instance with this directory name, and notes it in the ledger. */
int kft_tracefs_dir_make_instance(const struct kft_ledger *u, const char *instance,
				  struct kft_tracefs_dir *ret,
				  struct kft_err *e) __must_check;

/* The directory name of the instance of a session that outlives its processes. */
void kft_tracefs_dir_instance_name(const char *name, char *ret, size_t size);

/* Opens the directory that kft_tracefs_dir_create() made. -ENOENT when it is gone. */
int kft_tracefs_dir_open(const struct kft_ledger *u, const char *name, bool top,
			 struct kft_tracefs_dir *ret) __must_check;

/* Opens an existing instance by its directory name. */
int kft_tracefs_dir_open_instance(const struct kft_ledger *u, const char *instance,
				  struct kft_tracefs_dir *ret) __must_check;

/* Makes a companion instance of p, notes it in p's ledger, and opens it like the next function. */
int kft_tracefs_dir_make_beside(struct kft_tracefs_dir *p, const char *instance,
				struct kft_err *e) __must_check;

/* Opens an existing companion instance of p; kft_tracefs_dir_close() closes both. */
int kft_tracefs_dir_open_beside(struct kft_tracefs_dir *p, const char *instance,
				struct kft_err *e) __must_check;

/* Replaces p by the top level if p is an instance without `tracer`; p->top is set then. */
int kft_tracefs_dir_for_tracer(struct kft_tracefs_dir *p, const char *tracer,
			       struct kft_err *e) __must_check;

void kft_tracefs_dir_close(struct kft_tracefs_dir *p);

/* Switches recording on or off, in the companion instance too. */
int kft_tracefs_dir_switch(const struct kft_tracefs_dir *p, bool on) __must_check;

/* True when the buffers of the top level or of an instance have records. */
bool kft_tracefs_dir_has_entries(int dir_fd);

/* Sets a file of the directory to value. */
int kft_tracefs_dir_set(const struct kft_tracefs_dir *p, const char *file,
			const char *value, struct kft_err *e) __must_check;
int kft_tracefs_dir_set_u64(const struct kft_tracefs_dir *p, const char *file,
			    uint64_t value, struct kft_err *e) __must_check;

/* The same for a file that some kernels lack; does nothing without it. */
int kft_tracefs_dir_set_optional(const struct kft_tracefs_dir *p, const char *file,
				 const char *value, struct kft_err *e) __must_check;

/* Notes that a file, which is empty before the caller writes to it, is to be emptied again. */
int kft_tracefs_dir_note_empty(const struct kft_tracefs_dir *p, const char *file,
			       struct kft_err *e) __must_check;

/*
 * Like kft_tracefs_dir_set(), for a setting of the whole kernel although each instance has a
 * file for it: always noted in the ledger.
 */
int kft_tracefs_dir_set_shared(const struct kft_tracefs_dir *p, const char *file,
			       const char *value, struct kft_err *e) __must_check;

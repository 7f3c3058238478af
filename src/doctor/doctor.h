/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/macro.h"

/*
 * Finds out which mechanisms kft can use on this kernel, by using them: no version and no
 * kernel configuration is read. Each mechanism is one row of a table (table.c) with a
 * function that tries it in doctor's own tracefs instance and undoes all changes.
 *
 * Global state of the kernel is only changed while no other program uses it.
 */
enum kft_doctor_state {
	KFT_DOCTOR_UNKNOWN, /* not tried: see reason */
	KFT_DOCTOR_NO,
	KFT_DOCTOR_LIMITED, /* works, but not everywhere or not now: see detail */
	KFT_DOCTOR_YES,
	KFT_DOCTOR_N_STATES,
};

/* The reason why a mechanism is not fully available. */
enum kft_doctor_reason {
	KFT_DOCTOR_FINE,
	KFT_DOCTOR_ABSENT, /* missing in this kernel or machine */
	KFT_DOCTOR_LOCKDOWN, /* present, but forbidden by kernel lockdown */
	KFT_DOCTOR_PRIVILEGE, /* this process lacks the privilege */
	KFT_DOCTOR_BUSY, /* in use by another program, so it was not tried */
	/* disabled by a setting that can be changed at run time */
	KFT_DOCTOR_SWITCHED_OFF,
	KFT_DOCTOR_NEEDS_OTHER, /* needs another mechanism, which is missing */
	KFT_DOCTOR_FAILED, /* it failed, and the kernel gives no reason */
	KFT_DOCTOR_N_REASONS,
};

#define KFT_DOCTOR_DETAIL_MAX 256

struct kft_doctor_result {
	enum kft_doctor_state state;
	enum kft_doctor_reason reason;
	int code; /* -errno of the step that failed; 0: none failed */
	char detail[KFT_DOCTOR_DETAIL_MAX]; /* observation, may be empty */
};

struct kft_doctor_env;

struct kft_mechanism {
	const char *id; /* stable: scripts use it */
	const char *group; /* rows of a group are adjacent */
	const char *title;
	const char *purpose; /* its use in kft */
	const char *without; /* the features that are lost without it */
	const char *needs; /* its requirements in kernel or machine */
	void (*run)(struct kft_doctor_env *env, struct kft_doctor_result *res);
	const char *tries; /* the things that run tries, for mechanisms that share it */
};

/* All mechanisms, in the order of trying and of printing. */
extern const struct kft_mechanism kft_mechanisms[];
extern const size_t kft_n_mechanisms;

/* "yes", "no", "limited", "unknown". */
const char *kft_doctor_state_name(enum kft_doctor_state state);

/* "fine", "absent", "lockdown", "privilege", "busy", ... */
const char *kft_doctor_reason_name(enum kft_doctor_reason reason);

/*
 * An action by which the user can make the mechanism fully available, chosen by the
 * reason; NULL: none. Borrowed from the table or static.
 */
const char *kft_doctor_remedy(const struct kft_mechanism *p,
			      const struct kft_doctor_result *res);

struct kft_host;

struct kft_doctor_opts {
	struct kft_host *host; /* borrowed */
	const struct kft_mechanism *mechanisms; /* borrowed; NULL: kft_mechanisms[] */
	size_t n_mechanisms;
	unsigned int timeout_ms; /* limit for each mechanism; 0: 20 s */
	int stop_fd; /* readable: undo all changes and return -EINTR; -1: none */
	/* Called before each mechanism; may be NULL. */
	void (*progress)(void *arg, const struct kft_mechanism *p, size_t idx);
	void *progress_arg;
};

struct kft_doctor_report {
	struct kft_doctor_result *results; /* owned; one for each mechanism */
	/* The changes that could not be undone, one sentence per line; empty: none. */
	char left_over[1024];
};

void kft_doctor_report_finish(struct kft_doctor_report *r);

/*
 * Tries all mechanisms. Each is tried in a forked child with a time limit, so that one
 * that hangs or crashes only affects its row; the parent undoes the changes of such a
 * child from a journal in shared memory. The calling process must have a single thread.
 *
 * Returns 0 whatever the results, -EINTR when stopped, -ENOMEM and the like. *ret is
 * always filled in and must be finished by the caller. The kernel is in its old state
 * afterwards, except for the changes listed in left_over.
 */
int kft_doctor_run(const struct kft_doctor_opts *opts, struct kft_doctor_report *ret,
		   struct kft_err *e) __must_check;

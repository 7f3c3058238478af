/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DOCTOR_DOCTOR_H
#define KFT_DOCTOR_DOCTOR_H

#include <kft/error.h>

#include "base/macro.h"

/*
 * What this kernel lets kft use, found by using it: no version and no kernel
 * configuration is looked at. Each mechanism is one row of a table (table.c) with a
 * function that tries it in a tracefs instance of its own and puts everything back.
 *
 * What is global in a kernel is only tried while nobody uses it.
 */
enum kft_doctor_state {
	KFT_DOCTOR_UNKNOWN, /* could not be tried: see reason */
	KFT_DOCTOR_NO,
	KFT_DOCTOR_LIMITED, /* works, but not everywhere or not now: see detail */
	KFT_DOCTOR_YES,
	KFT_DOCTOR_N_STATES,
};

/* Why it is not an unlimited yes. */
enum kft_doctor_reason {
	KFT_DOCTOR_FINE,
	KFT_DOCTOR_ABSENT, /* this kernel or machine does not have it */
	KFT_DOCTOR_LOCKDOWN, /* it is there, kernel lockdown forbids it */
	KFT_DOCTOR_PRIVILEGE, /* this process may not */
	KFT_DOCTOR_BUSY, /* somebody else uses it, so it was not tried */
	KFT_DOCTOR_SWITCHED_OFF, /* a setting that can be changed at run time */
	KFT_DOCTOR_NEEDS_OTHER, /* another mechanism that it stands on is missing */
	KFT_DOCTOR_FAILED, /* refused or did not answer, and the kernel does not say why */
	KFT_DOCTOR_N_REASONS,
};

#define KFT_DOCTOR_DETAIL_MAX 256

struct kft_doctor_result {
	enum kft_doctor_state state;
	enum kft_doctor_reason reason;
	int code; /* -errno of the step that was refused; 0 when none was */
	char detail
		[KFT_DOCTOR_DETAIL_MAX]; /* what was seen; empty when nothing is to say */
};

struct kft_doctor_env;

struct kft_mechanism {
	const char *id; /* stable: scripts use it */
	const char *group; /* rows of a group stand together */
	const char *title;
	const char *purpose; /* what kft uses it for */
	const char *without; /* what is lost when it is missing */
	const char *needs; /* what a kernel or machine needs to have it */
	void (*run)(struct kft_doctor_env *env, struct kft_doctor_result *res);
};

/* All mechanisms, in the order in which they are tried and shown. */
extern const struct kft_mechanism kft_mechanisms[];
extern const size_t kft_n_mechanisms;

/* "yes", "no", "limited", "unknown". */
const char *kft_doctor_state_name(enum kft_doctor_state state);

/* "fine", "absent", "lockdown", "privilege", "busy", ... */
const char *kft_doctor_reason_name(enum kft_doctor_reason reason);

/*
 * What the user can do about a row that is not an unlimited yes, by its reason; NULL when
 * there is nothing to do. Borrowed from the table or static.
 */
const char *kft_doctor_remedy(const struct kft_mechanism *p,
			      const struct kft_doctor_result *res);

struct kft_host;

struct kft_doctor_opts {
	struct kft_host *host; /* borrowed */
	const struct kft_mechanism *mechanisms; /* borrowed; NULL: kft_mechanisms[] */
	size_t n_mechanisms;
	unsigned int timeout_ms; /* for one mechanism; 0: 20 s */
	int stop_fd; /* readable: put everything back, return -EINTR; -1: none */
	/* Called before each; may be NULL. */
	void (*progress)(void *arg, const struct kft_mechanism *p, size_t idx);
	void *progress_arg;
};

struct kft_doctor_report {
	struct kft_doctor_result *results; /* owned; one for each mechanism */
	/* What could not be put back, one sentence per line; empty when all was. */
	char left_over[1024];
};

void kft_doctor_report_finish(struct kft_doctor_report *r);

/*
 * Tries everything. A mechanism is tried in a forked child with a time limit, so that one
 * that hangs or crashes costs one row; the parent undoes what such a child left, from
 * a journal in shared memory. Call it while the process has one thread.
 *
 * Returns 0 (whatever the rows say), -EINTR when stopped, -ENOMEM and the like. *ret is
 * filled in every case and the caller's to finish. The kernel is as it was then, or
 * left_over says what is not.
 */
int kft_doctor_run(const struct kft_doctor_opts *opts, struct kft_doctor_report *ret,
		   struct kft_err *e) __must_check;

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "capture/host.h"
#include "doctor/doctor.h"
#include "tracefs/control/control_file.h"
#include "tracefs/control/ledger.h"

/*
 * Helpers of the functions that try mechanisms: the location of tracefs and of doctor's
 * own instance, and changes there that are undone later.
 *
 * Each mechanism is tried in a child process. It may leave descriptors open and need not
 * undo changes noted in the ledger, because both are handled when it returns. Results
 * that later mechanisms need go into `facts`, which is shared memory.
 */

/* Dynamic events are in a group with this prefix and the pid of doctor. */
#define KFT_DOCTOR_GROUP_PREFIX "kft_doctor_"

/*
 * The kernel function that is traced: it is exported, so it is never
 * inlined, and it is rarely called.
 */
#define KFT_DOCTOR_FUNC "vfs_fallocate"

struct kft_doctor_facts {
	uint32_t
		/* index of KFT_DOCTOR_FUNC in available_filter_functions; 0: not found */
		func_line;
	bool func_filter; /* the instance can filter one function by its index */
	bool graph_runs; /* function_graph can record, at least somewhere */
};

struct kft_doctor_env {
	const struct kft_mechanism *mechanism; /* that is tried; borrowed */
	struct kft_host *host; /* borrowed */
	int root_fd; /* of the host */
	int tracefs_fd; /* borrowed; or -errno of opening it */
	/* directory of doctor's instance; borrowed; or -errno of creating it */
	int inst_fd;
	const char *inst; /* name of the instance under instances/; borrowed */
	struct kft_err err; /* reason why tracefs or the instance is missing */
	char group[32]; /* group of doctor's dynamic events, unique to this process */
	uint64_t caps; /* effective capabilities, one bit each */
	bool locked_down; /* lockdown is on, as far as it can be seen */
	struct kft_ledger ledger; /* changes outside of the instance */
	int ledger_code; /* -errno: there is no ledger, so changes are not allowed */
	struct kft_doctor_facts *facts; /* borrowed, in shared memory */
};

/*
 * Set *res. They return void, so that a try can end with `return
 * kft_doctor_...()`-like calls.
 */
__printf_fmt(2, 3) void kft_doctor_yes(struct kft_doctor_result *res, const char *fmt,
				       ...);
__printf_fmt(3, 4) void kft_doctor_limited(struct kft_doctor_result *res,
					   enum kft_doctor_reason reason, const char *fmt,
					   ...);
__printf_fmt(3, 4) void kft_doctor_no(struct kft_doctor_result *res,
				      enum kft_doctor_reason reason, const char *fmt,
				      ...);
__printf_fmt(3, 4) void kft_doctor_unknown(struct kft_doctor_result *res,
					   enum kft_doctor_reason reason, const char *fmt,
					   ...);

/*
 * Derives the result from a step that failed with code (-errno). fmt describes the
 * step: "cannot write 'x'". EPERM is attributed to lockdown if it is on and the
 * process has the capabilities; a missing file or an unknown word means that the
 * kernel lacks the mechanism.
 */
__printf_fmt(4, 5) void kft_doctor_refused(const struct kft_doctor_env *env,
					   struct kft_doctor_result *res, int code,
					   const char *fmt, ...);

/* Does the same for a control file that could not be read or written. */
void kft_doctor_refused_file(const struct kft_doctor_env *env,
			     struct kft_doctor_result *res, int code, const char *path);

bool kft_doctor_has_cap(const struct kft_doctor_env *env, unsigned int cap);

/* False, with the row filled in, when tracefs or doctor's instance is missing. */
bool kft_doctor_need_tracefs(const struct kft_doctor_env *env,
			     struct kft_doctor_result *res);
bool kft_doctor_need_instance(const struct kft_doctor_env *env,
			      struct kft_doctor_result *res);

/*
 * Control files, by a path from dirfd. The text is written even if it is already set,
 * unlike with kft_control_file_set(), to test whether the kernel accepts it.
 */
bool kft_doctor_exists(int dirfd, const char *path);
int kft_doctor_write(int dirfd, const char *path, const char *text) __must_check;
int kft_doctor_append(int dirfd, const char *path, const char *text) __must_check;

/*
 * Write, then read back: -EPROTO when the file does not contain the
 * text (or expect) then.
 */
int kft_doctor_set(int dirfd, const char *path, const char *text) __must_check;
int kft_doctor_set_as(int dirfd, const char *path, const char *text,
		      const char *expect) __must_check;

/*
 * Change global state for the duration of this try: a file at the top of tracefs that
 * contains old; a file that contains nothing but a comment; a file of /proc/sys. The
 * change is noted first; -errno when that fails.
 */
int kft_doctor_change_top(struct kft_doctor_env *env, const char *path, const char *old,
			  const char *text) __must_check;
int kft_doctor_fill_top(struct kft_doctor_env *env, const char *path,
			const char *text) __must_check;
int kft_doctor_change_sysctl(struct kft_doctor_env *env, const char *path,
			     const char *old, const char *text) __must_check;

/*
 * Note that a file must be emptied, or a dynamic event removed:
 * kft_ledger_note_dynamic().
 */
int kft_doctor_note_empty(struct kft_doctor_env *env, const char *path) __must_check;
int kft_doctor_note_dynamic(struct kft_doctor_env *env, const char *path,
			    const char *file, const char *text) __must_check;

/* Deletes the dynamic events of doctors that do not run any more. */
void kft_doctor_remove_stale(int tracefs_fd);

/* Resets doctor's instance to its state after mkdir, as far as tries change it. */
void kft_doctor_reset_instance(struct kft_doctor_env *env);

/*
 * The number of events in the buffer of dirfd, an instance or tracefs
 * itself, on all CPUs; or -errno.
 */
int64_t kft_doctor_count_entries(int dirfd);

/* Causes an event that can be recorded; 0 or -errno. */
typedef int kft_doctor_kick_fn(struct kft_doctor_env *env);

/* Calls KFT_DOCTOR_FUNC in the kernel once. */
kft_doctor_kick_fn kft_doctor_kick_func;
/* Makes some system calls and one switch of tasks. */
kft_doctor_kick_fn kft_doctor_kick_sched;

/*
 * Empties the buffer of dirfd, kicks, and returns the number of
 * events recorded, or -errno.
 */
int64_t kft_doctor_record(struct kft_doctor_env *env, int dirfd,
			  kft_doctor_kick_fn *kick);

/*
 * Does the same as kft_doctor_record() in the instance; false, with the
 * row filled in, on failure.
 */
bool kft_doctor_try_record(struct kft_doctor_env *env, struct kft_doctor_result *res,
			   kft_doctor_kick_fn *kick, int64_t *ret_count);

/* Pins this process to its current CPU; returns that CPU, or -errno. */
int kft_doctor_pin(void);

/*
 * A "SYSTEM/EVENT" that kft_doctor_kick_sched() triggers; NULL when the kernel
 * has none of the candidates.
 */
const char *kft_doctor_event(const struct kft_doctor_env *env);

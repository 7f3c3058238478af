/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DOCTOR_ENV_H
#define KFT_DOCTOR_ENV_H

#include "base/strbuf.h"
#include "capture/host.h"
#include "doctor/doctor.h"
#include "tracefs/control/ctl.h"
#include "tracefs/control/ledger.h"

/*
 * What the functions of the table of mechanisms share: where tracefs and doctor's own instance
 * are, and how to change something there so that it is put back.
 *
 * A mechanism is tried in a child of its own. It may leave descriptors open and need not
 * undo what it noted in the ledger: both happen when it returns. State that later tries
 * need goes into `facts`, which is shared memory.
 */

/* Dynamic events are in a group of this and the pid of doctor. */
#define KFT_DOCTOR_GROUP_PREFIX "kft_doctor_"

/* The kernel function that is hooked: exported, so it is never inlined; rarely called. */
#define KFT_DOCTOR_FUNC "vfs_fallocate"

struct kft_doctor_facts {
	uint32_t
		func_line; /* of KFT_DOCTOR_FUNC in available_filter_functions; 0: none */
	bool func_filter; /* the instance can be filtered to one function by its index */
	bool graph_runs; /* function_graph records, somewhere */
};

struct kft_doctor_env {
	struct kft_host *host; /* borrowed */
	int root_fd; /* the host's */
	int tracefs_fd; /* borrowed; -errno of opening it: none */
	int inst_fd; /* own instance's directory; borrowed; -errno of making it: none */
	const char *inst; /* its name under instances/; borrowed */
	struct kft_err err; /* why there is no tracefs or no instance */
	char group[32]; /* of own dynamic events, unique to this process */
	uint64_t caps; /* effective capabilities, a bit each */
	bool locked_down; /* lockdown is on, as far as can be seen */
	struct kft_ledger ledger; /* of what is changed outside of the instance */
	int ledger_code; /* -errno: there is none, and nothing may be changed */
	struct kft_doctor_facts *facts; /* borrowed, shared */
};

/* Results. Each fills *res and returns nothing, so that a try ends with it. */
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
 * A step was refused with code (-errno): what that says about the mechanism. fmt says what
 * was tried: "cannot write 'x'". EPERM is lockdown's when that is on and the process has
 * the capabilities; a missing file or an unknown word means that the kernel lacks it.
 */
__printf_fmt(4, 5) void kft_doctor_refused(const struct kft_doctor_env *env,
					   struct kft_doctor_result *res, int code,
					   const char *fmt, ...);

/* The same for a control file that could not be read or written. */
void kft_doctor_refused_file(const struct kft_doctor_env *env,
			     struct kft_doctor_result *res, int code, const char *path);

bool kft_doctor_has_cap(const struct kft_doctor_env *env, unsigned int cap);

/* False, with the row filled in, when there is no tracefs or no instance to try in. */
bool kft_doctor_need_tracefs(const struct kft_doctor_env *env,
			     struct kft_doctor_result *res);
bool kft_doctor_need_instance(const struct kft_doctor_env *env,
			      struct kft_doctor_result *res);

/*
 * Control files, by a path from dirfd. What is tried is written even if the file says so
 * already (unlike kft_ctl_set()): whether the kernel takes it is the question.
 */
bool kft_doctor_exists(int dirfd, const char *path);
int kft_doctor_write(int dirfd, const char *path, const char *text) __must_check;
int kft_doctor_append(int dirfd, const char *path, const char *text) __must_check;

/* Write, then read back: -EPROTO when the file does not say the text (or expect) then. */
int kft_doctor_set(int dirfd, const char *path, const char *text) __must_check;
int kft_doctor_set_as(int dirfd, const char *path, const char *text,
		      const char *expect) __must_check;

/* True when text holds word between white space or brackets. */
bool kft_doctor_has_word(const char *text, const char *word);

/*
 * Something global, changed for the length of this try: a file at the top of tracefs
 * that says old; one that says nothing but a comment; a file of /proc/sys. -errno of the note,
 * which comes first.
 */
int kft_doctor_change_top(struct kft_doctor_env *env, const char *path, const char *old,
			  const char *text) __must_check;
int kft_doctor_fill_top(struct kft_doctor_env *env, const char *path,
			const char *text) __must_check;
int kft_doctor_change_sysctl(struct kft_doctor_env *env, const char *path,
			     const char *old, const char *text) __must_check;

/* Notes that a file is to be empty again, and a dynamic event: kft_ledger_note_dynamic(). */
int kft_doctor_note_empty(struct kft_doctor_env *env, const char *path) __must_check;
int kft_doctor_note_dynamic(struct kft_doctor_env *env, const char *path,
			    const char *file, const char *text) __must_check;

/* Deletes the dynamic events of probing processes that no longer live. */
void kft_doctor_remove_stale(int tracefs_fd);

/* Makes the own instance as it is after mkdir, as far as tries change it. */
void kft_doctor_reset_instance(struct kft_doctor_env *env);

/* Events in the buffer of dirfd, an instance or tracefs itself, on all CPUs; -errno. */
int64_t kft_doctor_count_entries(int dirfd);

/* Makes something happen that can be recorded; 0 or -errno. */
typedef int kft_doctor_kick_fn(struct kft_doctor_env *env);

/* Calls KFT_DOCTOR_FUNC in the kernel once. */
kft_doctor_kick_fn kft_doctor_kick_func;
/* Makes some system calls and goes off the CPU once. */
kft_doctor_kick_fn kft_doctor_kick_sched;

/* Empties the buffer of dirfd, kicks, says how many events that made; -errno. */
int64_t kft_doctor_record(struct kft_doctor_env *env, int dirfd,
			  kft_doctor_kick_fn *kick);

/* As kft_doctor_record() in the instance; false, with the row filled in, when that fails. */
bool kft_doctor_try_record(struct kft_doctor_env *env, struct kft_doctor_result *res,
			   kft_doctor_kick_fn *kick, int64_t *ret_count);

/* Keeps this process on the CPU where it is; that CPU, or -errno. */
int kft_doctor_pin(void);

/*
 * "SYSTEM/EVENT" that kft_doctor_kick_sched() makes fire; NULL when the kernel has none
 * of those known here.
 */
const char *kft_doctor_event(const struct kft_doctor_env *env);

#endif

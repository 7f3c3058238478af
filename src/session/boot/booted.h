/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_BOOT_BOOTED_H
#define KFT_SESSION_BOOT_BOOTED_H

#include "base/strbuf.h"
#include "capture/host.h"

/*
 * A kernel that was booted with the parameters of session/boot/params.h and still has in
 * its top-level buffer what it recorded. One process at a time works on it.
 */
struct kft_boot {
	struct kft_host *host; /* borrowed */
	int fd; /* owned: tracefs, locked */
	struct kft_strbuf line; /* the kernel's command line */
	const char *word; /* the value of kft.boot, in line */
	size_t word_len;
};

/*
 * The value of kft.boot in a kernel's command line, borrowed from it; NULL when there is
 * none.
 */
const char *kft_boot_find_word(const char *line, size_t *ret_len);

/*
 * -ENOENT when the boot had no such parameters; -EALREADY when its trace was taken; -EBUSY
 * when somebody else uses the tracer now, or is at work on the same.
 */
int kft_boot_open(struct kft_host *host, struct kft_boot *ret,
		  struct kft_err *e) __must_check;
void kft_boot_close(struct kft_boot *b);

/* Whether the recording was ended before: by somebody who died at what comes then. */
bool kft_boot_is_stopped(const struct kft_boot *b);

/* Ends the recording. */
int kft_boot_stop(struct kft_boot *b, struct kft_err *e) __must_check;

/*
 * Makes the kernel what a boot without the parameters would have made it, the buffer
 * empty: takes back what they turned on, and nothing else. Goes on after a failure and
 * gives the first one. Noted in a ledger before: who is killed meanwhile is gone on with by the
 * next kft_boot_open() or kft_reset().
 */
int kft_boot_restore(struct kft_boot *b, struct kft_err *e) __must_check;

/*
 * False when ftrace_filter was given and the kernel knows none of its functions: then it
 * has recorded all of them.
 */
bool kft_boot_filter_worked(const struct kft_boot *b);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "capture/host.h"

/*
 * A kernel that was booted with the parameters of session/boot/params.h and still holds
 * their recording in its top-level buffer. One process at a time works on it.
 */
struct kft_boot {
	struct kft_host *host; /* borrowed */
	int fd; /* owned: tracefs, locked */
	struct kft_strbuf line; /* the kernel's command line */
	const char *word; /* the value of kft.boot, in line */
	size_t word_len;
};

/*
 * Returns the value of kft.boot in a kernel's command line, borrowed from the line; NULL
 * without that parameter.
 */
const char *kft_boot_find_word(const char *line, size_t *ret_len);

/*
 * Locks tracefs and checks that the boot's recording is still there. First completes a
 * restore of the kernel that a killed process left half done. -ENOENT without the
 * parameters on the command line; -EALREADY when the trace was saved or the tracer is
 * off; -EBUSY when another program uses the tracer, or another process saves this boot.
 */
int kft_boot_open(struct kft_host *host, struct kft_boot *ret,
		  struct kft_err *e) __must_check;
void kft_boot_close(struct kft_boot *b);

/*
 * Whether recording is off: an earlier process stopped it, and ended before it had
 * restored the kernel.
 */
bool kft_boot_is_stopped(const struct kft_boot *b);

/* Switches recording off. */
int kft_boot_stop(struct kft_boot *b, struct kft_err *e) __must_check;

/*
 * Restores the state of a boot without the parameters: undoes the settings that they
 * made, and nothing else, and empties the buffer. Goes on after a failure and returns the
 * first one. A ledger notes the changes before; if the process is killed, the next
 * kft_boot_open() or kft_reset() completes them.
 */
int kft_boot_restore(struct kft_boot *b, struct kft_err *e) __must_check;

/*
 * False when ftrace_filter was given and the kernel has none of its functions: all
 * functions were recorded then.
 */
bool kft_boot_filter_worked(const struct kft_boot *b);

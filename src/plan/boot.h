/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "plan/diag.h"
#include "plan/run.h"

/*
 * A run that a kernel carries out while booting, before user space exists: KFT's static
 * mode. The kernel gets it by its command line (session/boot/params.h) and records from
 * the moment that its tracer is ready; saving the trace does the rest.
 */

/* Adds each thing that a boot cannot do to diags, with advice: -EINVAL then. */
int kft_config_boot_check(const struct kft_config *c,
			  struct kft_diags *diags) __must_check;

/*
 * Does the same as kft_run_config_lower(). A start at a function that runs before the
 * kernel can trace is ignored: the run begins with the first record.
 */
int kft_run_config_lower_boot(const struct kft_run_config *run, struct kft_plan *ret,
			      struct kft_err *e) __must_check;

/*
 * Describes for each clause the work done while booting and the work done
 * when the trace is saved.
 */
void kft_config_boot_explain(const struct kft_run_config *run, struct kft_strbuf *sb);

#define KFT_BOOT_WORD_MAX 65536 /* bytes; longer than any command line */

/*
 * Packs the run into one word of a kernel's command line, without its lists of functions,
 * which are not needed to read the trace: clauses with commas for blanks, and %XX for any
 * character but letters, digits and _ . : * ? [ ] - /.
 */
void kft_boot_word_add(const struct kft_run_config *run, struct kft_strbuf *sb);

/* Unpacks such a word. -EINVAL when it is malformed. */
int kft_boot_word_parse(const char *word, size_t len, struct kft_config *ret,
			struct kft_err *e) __must_check;

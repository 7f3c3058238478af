/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_ERR_H
#define KFT_BASE_ERR_H

#include <kft/error.h>

/*
 * Filling in a struct kft_err (see include/kft/error.h). Each of these accepts
 * e == NULL and returns the -errno that the object now holds, so that a failing
 * function can end with `return kft_err_set(e, -EINVAL, ...)`.
 */

/* Start a new cause: code is -errno. Clears an older message and hint. */
__attribute__((format(printf, 3, 4))) int kft_err_set(struct kft_err *e, int code,
						      const char *fmt, ...);

/* As kft_err_set(), with ": strerror(-code)" added. */
__attribute__((format(printf, 3, 4))) int kft_err_sys(struct kft_err *e, int code,
						      const char *fmt, ...);

/* Put "context: " before the message that is there; keeps code and hint. */
__attribute__((format(printf, 3, 4))) int kft_err_wrap(struct kft_err *e, int code,
						       const char *fmt, ...);

/* -ENOMEM, "out of memory". */
int kft_err_memory(struct kft_err *e);

/* A program gave NULL where the API needs something: -EINVAL, "no WHAT is given". */
int kft_err_missing(struct kft_err *e, const char *what);

/* Say what the user can do. Replaces an older hint. */
__attribute__((format(printf, 2, 3))) void kft_err_hint(struct kft_err *e,
							const char *fmt, ...);

#endif

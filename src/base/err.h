/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

/*
 * Functions that fill a struct kft_err (see include/kft/error.h). Each accepts e == NULL
 * and returns the -errno that the object then holds, so that a failing function can end
 * with `return kft_err_set(e, -EINVAL, ...)`.
 */

/* Sets code, a -errno, and the message. Clears an older message and hint. */
__attribute__((format(printf, 3, 4))) int kft_err_set(struct kft_err *e, int code,
						      const char *fmt, ...);

/* Does the same as kft_err_set(), and appends ": strerror(-code)". */
__attribute__((format(printf, 3, 4))) int kft_err_sys(struct kft_err *e, int code,
						      const char *fmt, ...);

/* Puts "context: " before the current message; keeps code and hint. */
__attribute__((format(printf, 3, 4))) int kft_err_wrap(struct kft_err *e, int code,
						       const char *fmt, ...);

/* -ENOMEM, "out of memory". */
int kft_err_memory(struct kft_err *e);

/* For a NULL argument where the API needs a value: -EINVAL, "no WHAT is given". */
int kft_err_missing(struct kft_err *e, const char *what);

/* Sets the hint: an action that the user can take. Replaces an older hint. */
__attribute__((format(printf, 2, 3))) void kft_err_hint(struct kft_err *e,
							const char *fmt, ...);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/trace.h"

/*
 * Opens KPTrace's text in either of its versions (docs/formats/kpt.md), with the
 * symbols of the .kpm file of the same name beside it. fd is taken. -EINVAL: no
 * record at all; -EFBIG; -errno.
 */
int kft_kpt_open(int fd, const char *path, struct kft_trace **ret,
		 struct kft_err *e) __must_check;

/* Whether the file begins with "SECS.USEC6 PID". */
bool kft_kpt_match(const void *head, size_t len);

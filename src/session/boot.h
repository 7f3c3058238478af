/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>
#include <kft/notify.h>

#include "base/strbuf.h"

/*
 * Saves the recording of this boot to a trace and restores the kernel. Appends one line
 * about the kept and the dropped records, with its newline, to said. e must not be NULL.
 */
int kft_boot_save(const char *output, const struct kft_notify *notify,
		  struct kft_strbuf *said, struct kft_err *e) __must_check;

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_REGISTRY_H
#define KFT_FILE_REGISTRY_H

#include "model/trace.h"

/*
 * Opens a trace of any format that kft reads; which one it is is told by its first bytes,
 * never by its name. -EINVAL when it is none or no regular file, -errno. A file that is
 * damaged opens all the same when anything can be read of it: see kft_trace.damage.
 */
int kft_file_open(const char *path, struct kft_trace **ret,
		  struct kft_err *e) __must_check;

#endif

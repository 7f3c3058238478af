/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

/* This much of a file is enough to recognize formats that kft does not read. */
#define KFT_OTHER_HEAD_BYTES 8192

/*
 * Returns a sentence that names the format of a file that kft does not read, and says which file to
 * give instead; NULL for an unknown format. head holds the file's first len bytes, of which
 * at most KFT_OTHER_HEAD_BYTES are examined. The sentence is static. Any thread may call it.
 */
const char *kft_other_format(const void *head, size_t len);

/* Returns such a sentence for the directory that is open as fd; NULL for an unknown format. */
const char *kft_other_directory(int fd);

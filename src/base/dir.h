/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <dirent.h>

#include "base/macro.h"

/*
 * Opens a directory, relative to dirfd, for listing; "." is dirfd
 * itself. NULL with errno set.
 */
DIR *kft_opendir_at(int dirfd, const char *path) __must_check;

/* The next name, without "." and ".."; valid until the next call. NULL at the end. */
const char *kft_dir_next(DIR *dir);

/* Closes a directory at the end of the scope. */
void kft_closedirp(DIR **dir);
#define _cleanup_closedir_ _cleanup_(kft_closedirp)

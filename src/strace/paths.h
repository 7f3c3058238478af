/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <limits.h>
#include <sys/types.h>

#include "base/strbuf.h"

/* Reads the path of a descriptor, without a NUL at its end; its length, or -1 with errno. */
ssize_t kft_strace_link(pid_t tid, int fd, char path[static PATH_MAX]);

/*
 * Appends, with escapes, what a descriptor of a task is, as a path or "socket:[123]"; AT_FDCWD: its working
 * directory. False when it is not open. arg: as kft_strace_style.path; not used.
 */
bool kft_strace_path(void *arg, pid_t tid, int fd, struct kft_strbuf *ret);

/* Does the same with addresses of sockets and numbers of devices (-yy). */
bool kft_strace_path_details(void *arg, pid_t tid, int fd, struct kft_strbuf *ret);

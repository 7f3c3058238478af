/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_RECORD_STREAM_H
#define KFT_CLI_RECORD_STREAM_H

#include <kft/error.h>

#include "base/macro.h"

#define CLI_STREAM_OUTPUT "-"

/*
 * Standard output for a stream and for nothing else: what is printed, by the recorded
 * command as well, goes to standard error from now on. *ret_fd is owned by the caller.
 * -EINVAL for a terminal.
 */
int cli_record_stream_open(int *ret_fd, struct kft_err *e) __must_check;

#endif

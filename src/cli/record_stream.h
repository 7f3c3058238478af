/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include <kft/error.h>

#include "base/macro.h"

#define CLI_STREAM_OUTPUT "-"

/*
 * Reserves standard output for the stream: from now on all other output, also
 * that of the recorded command, goes to standard error. *ret_fd is owned by the
 * caller. -EINVAL for a terminal.
 */
int cli_record_stream_open(int *ret_fd, struct kft_err *e) __must_check;

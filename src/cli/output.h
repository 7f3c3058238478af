/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include <kft/error.h>

#include "base/new_file.h"

/*
 * -EEXIST when the output is one of the files of the input's trace, also through a link
 * or under another name: it would overwrite the input. A new file is fine. input is an
 * operand: a file, a directory, or "-".
 */
int cli_output_differs(const char *output, const char *input,
		       struct kft_err *e) __must_check;

/* Does the same check for standard output, which may be redirected to a regular file. */
int cli_output_is_apart(const char *input, struct kft_err *e) __must_check;

/* Opens such an output with kft_new_file_open(). */
int cli_output_open(const char *output, const char *input, struct kft_new_file *ret,
		    struct kft_err *e) __must_check;

/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include <kft/error.h>

#include "base/macro.h"

/*
 * Opens a file in the browser of the real user, which under sudo or pkexec is not root: a
 * program of $BROWSER, else xdg-open, started without a shell and not waited for.
 */
int cli_browser_open(const char *path, struct kft_err *e) __must_check;

/*
 * Does the same for an address that is secret. Other users can read the browser's
 * command line, so the browser gets a file that redirects to the address. *ret is
 * the file's path, owned by the caller; the caller removes the file when the address
 * becomes invalid. NULL: no file.
 */
int cli_browser_open_secret(const char *url, char **ret, struct kft_err *e) __must_check;

/* Makes the browser's user the owner of a file. */
int cli_browser_give(int fd, struct kft_err *e) __must_check;

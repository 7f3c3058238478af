/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_BROWSER_H
#define KFT_CLI_BROWSER_H

#include <kft/error.h>

#include "base/macro.h"

/*
 * Opens a file in the browser of the user who asked, who under sudo or pkexec is not root:
 * one of $BROWSER, else xdg-open, started without a shell and left to itself.
 */
int cli_browser_open(const char *path, struct kft_err *e) __must_check;

/*
 * The same of an address that is a secret. Other users can read the command line of a browser,
 * so that it gets a file that leads there. *ret is its path, owned by the caller, who removes
 * it when the address means nothing any more; NULL: there is none.
 */
int cli_browser_open_secret(const char *url, char **ret, struct kft_err *e) __must_check;

/* Gives a file to the user whose browser will read it. */
int cli_browser_give(int fd, struct kft_err *e) __must_check;

#endif

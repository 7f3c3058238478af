/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "capture/command.h"
#include "capture/interrupt.h"
#include "cli/verb.h"

/* Forks the command like kft_command_fork(), with the signals that kft's caller ignores. */
int cli_command_fork(struct cli *c, char *const argv[],
		     struct kft_command *ret) __must_check;

/*
 * Ends the command like kft_command_end(). If a released command ignores SIGTERM, kft
 * prints that it waits, and another signal to kft kills the command.
 */
void cli_command_end(struct kft_command *c, const struct kft_interrupt *i);

/*
 * The exit status after a failure. With a command it is that of env(1) and timeout(1);
 * was_refused: the command could not be executed, for the reason err.
 */
int cli_command_failure(bool has_command, bool was_refused, int err);

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_COMMAND_END_H
#define KFT_CLI_COMMAND_END_H

#include "capture/command.h"
#include "capture/interrupt.h"

/*
 * Ends the command as kft_command_end() does, without being at its mercy: while a command
 * that was released does not heed SIGTERM, kft says that it waits, and a signal to kft
 * kills the command.
 */
void cli_end_command(struct kft_command *c, const struct kft_interrupt *i);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "capture/command.h"
#include "capture/interrupt.h"

/*
 * Ends the command like kft_command_end(). If a released command ignores SIGTERM, kft
 * prints that it waits, and another signal to kft kills the command.
 */
void cli_end_command(struct kft_command *c, const struct kft_interrupt *i);

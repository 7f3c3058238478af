/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/*
 * Appends this program's command line, quoted so that a shell accepts it again. Appends
 * nothing when /proc cannot be read.
 */
void kft_add_command_line(struct kft_strbuf *sb);

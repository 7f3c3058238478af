/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/strbuf.h"

/*
 * Appends " NAME=FETCH:TYPE" for an argument of a program's function, by its number or as
 * $retval: [NAME=]$argN[:TYPE], with TYPE as in kprobetrace.rst. machine is e_machine of
 * the program's ELF header. -EINVAL with a hint.
 */
int kft_uprobe_arg(const char *text, bool at_return, uint16_t machine,
		   struct kft_strbuf *sb, struct kft_err *e) __must_check;

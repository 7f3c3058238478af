/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/traced_call.h"

/*
 * Many 32-bit programs call socketcall(number, arguments) for all calls of sockets. Returns the name
 * of the call that it stands for, and replaces the arguments of c; NULL: there is no such call, or
 * its arguments cannot be read. word: bytes of a long of the task.
 */
const char *kft_strace_socketcall(struct kft_traced_call *c, unsigned int word);

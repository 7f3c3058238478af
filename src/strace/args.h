/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "strace/text.h"

/*
 * Appends the arguments of t->call to t->sb, from t->at up to the first one that the call has
 * yet to write; at the exit all the rest. Reads what the exit needs of the entry.
 */
void kft_strace_args(struct kft_strace_text *t);

/* Appends the result: "-1 ENOENT (No such file or directory)". */
void kft_strace_result(struct kft_strace_text *t);

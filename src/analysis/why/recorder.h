/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/trace.h"

/*
 * Whether a task with this name belongs to the program that recorded the trace. Its file may have
 * any name: the trace has the command line of it. Tasks called kft, of other sessions, are meant too.
 */
bool kft_why_is_recorder(const struct kft_trace *t, const char *comm);

/*
 * Whether the recorder's command line may have started a program with this task name: a word of it is
 * the program's file. True if the trace has no command line.
 */
bool kft_why_recorder_has_run(const struct kft_trace *t, const char *comm);

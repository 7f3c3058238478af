/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "plan/run.h"
#include "plan/kft/words.h"

/* Limits for the lists of one run. Kernels have about 50,000 functions. */
#define KFT_CONFIG_MAX_FUNCS 100000
#define KFT_CONFIG_MAX_TASKS 4096 /* for pids, and again for commands */

/*
 * Reads one clause into run, starting at its first word. -EINVAL after a complaint; the
 * words up to the mistake are taken then. Lack of memory is noted in w.
 */
int kft_clause_read(struct kft_words *w, struct kft_run_config *run) __must_check;

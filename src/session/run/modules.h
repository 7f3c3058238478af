/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_MODULES_H
#define KFT_SESSION_RUN_MODULES_H

#include "session/run/run.h"

/*
 * Symbols of kernel modules, for a session that outlives its processes: those that are loaded
 * when it is set up, and those that come later, as far as a process looks. The session's keeper
 * looks every second, and each command does. They wait in the session's directory for the process
 * that moves its records. Names are for people: nothing here fails, at worst functions of modules
 * have no names.
 */

/* Begins; the session is not recording yet. */
void kft_run_modules_begin(const struct kft_run *r, const struct kft_plan *plan);

/* Notes the modules that came and went since the last look. */
void kft_run_modules_look(const struct kft_run *r);

/*
 * Blocks of all modules that were noticed, as decode/module_symbols.h has them, for a sink: they
 * are not new any more.
 */
void kft_run_modules_read(const struct kft_run *r, struct kft_strbuf *ret);

/* Hands new blocks on to a sink that goes on with an earlier one. */
void kft_run_modules_move(const struct kft_run *r, struct kft_sink *sink);

/*
 * Says so when no process looked for a time, so that names may be missing, and how many functions
 * were left out that match the plan's patterns, because their modules were loaded later.
 */
void kft_run_modules_warn(const struct kft_run *r, const struct kft_notify *notify);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/module_events.h"
#include "tracefs/detached/part.h"

/*
 * Symbols of kernel modules, for a session that outlives its processes: of modules that
 * are loaded when it is set up, and of modules that a later check finds. The session's
 * keeper checks every second, and so does each command. The symbols wait in the session's
 * directory for the process that moves its records. They only improve the display:
 * nothing here fails, at worst functions of modules have no names.
 */

/* Makes the first check, before the session records. */
void kft_run_modules_begin(const struct kft_tracefs_part *r, const struct kft_plan *plan);

/*
 * Notes the modules that came and went since the last check; with events (NULL: none) also those
 * that came and went unseen.
 */
void kft_run_modules_look(const struct kft_tracefs_part *r,
			  struct kft_module_events *events);

/*
 * Appends the blocks of all modules that were noticed (decode/module_symbols.h), for a
 * sink, and marks them as handed on.
 */
void kft_run_modules_read(const struct kft_tracefs_part *r, struct kft_strbuf *ret);

/* Hands new blocks to a sink that resumes an earlier one. */
void kft_run_modules_move(const struct kft_tracefs_part *r, struct kft_sink *sink);

/*
 * Warns when no process checked for a time, so that names may be missing. Also reports
 * how many functions match the plan's patterns but were left out, because their modules
 * were loaded later.
 */
void kft_run_modules_warn(const struct kft_tracefs_part *r,
			  const struct kft_notify *notify);

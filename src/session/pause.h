/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "capture/control.h"
#include "capture/notify.h"
#include "capture/rundir.h"

/*
 * Pauses or resumes the session of that name: a detached one, or one that a process
 * records in the foreground, which gets the request through capture/control.h. notify may
 * be NULL. Returns 0 or -errno with a message in e, as kft_pause() does.
 */
int kft_session_control(const char *session, enum kft_control request,
			const struct kft_notify *notify, struct kft_err *e) __must_check;

/*
 * Gets the name of the session that a process records in the foreground, if there is
 * exactly one. Returns the number of such sessions, or -errno with a message in e.
 */
int kft_session_in_foreground(char ret[static KFT_RUNDIR_NAME_MAX],
			      struct kft_err *e) __must_check;

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/host.h"
#include "capture/notify.h"
#include "watch/condition.h"

/*
 * Looks up the event sets that actions switch on the host's kernel, before the session
 * starts: later changes of a set's file are ignored. Errors of kft_plan_add_sets(), and
 * of kft_switched_check() for a set that cannot be switched.
 */
int kft_watch_find_sets(struct kft_condition *c, struct kft_host *host,
			const struct kft_notify *notify, struct kft_err *e) __must_check;

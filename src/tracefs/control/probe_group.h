/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/detached.h"

/*
 * The kernel groups the probe events of a session under a hash of the name of its
 * instance, so that two sessions do not collide, and any process that removes the
 * instance finds the events that belong to it. The instance is therefore made before the
 * events and removed after them. It exists, empty, even when the session records at the
 * top level.
 */
void kft_probe_group_name(const char *instance, char ret[KFT_PROBE_GROUP_MAX]);

/*
 * Removes the events that the session of an instance has made, from any process;
 * instance_fd is the instance's directory. It is no error if there are none.
 */
int kft_probe_group_remove(const struct kft_host *host, int instance_fd,
			   const char *instance) __must_check;

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/*
 * Finds kernel modules that came and went between two looks at /proc/modules, which shows only the
 * modules that are loaded. The kernel announces each removal by a uevent, to programs of every user.
 */
struct kft_module_events {
	bool has_begun;
	int fd; /* owned, once it has begun; -1: the kernel announces nothing to this process */
	struct kft_strbuf
		listed; /* modules of the last look, see decode/module_symbols.h */
	/* names that no look has shown, a line each, or KFT_MODULES_DROPPED */
	struct kft_strbuf unseen;
};

/*
 * Adds to unseen the modules that were loaded and removed since the last look. now is the current list
 * of modules. The first call opens the socket; without one, unseen stays empty. The struct is zeroed
 * before the first call.
 */
void kft_module_events_look(struct kft_module_events *m, const struct kft_strbuf *now);

/* Closes the socket and frees the lists. */
void kft_module_events_end(struct kft_module_events *m);

/* Appends the name in a uevent of a module's removal, and a newline; message is untrusted. */
void kft_module_events_parse(const char *message, size_t len, struct kft_strbuf *removed);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/read/state.h"

/*
 * Lets the trace name addresses of programs if it has the maps of tasks. Called when its event
 * types are known; open is kept to open the same file again. -ENOMEM.
 */
int kft_dat_user_symbol_init(struct kft_dat_reader *d, const char *path,
			     int (*open)(int fd, const char *path, struct kft_trace **ret,
					 struct kft_err *e)) __must_check;

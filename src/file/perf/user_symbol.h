/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/trace.h"

/* kft_trace.user_symbol of a perf.data file. */
bool kft_perf_user_symbol(struct kft_trace *t, uint32_t pid, uint64_t addr, uint64_t ts,
			  struct kft_user_symbol *ret);

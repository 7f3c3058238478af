/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_CALLS_H
#define KFT_ANALYSIS_CALLS_H

#include "derive/nest.h"
#include "model/call_tree.h"

/*
 * The sink that collects calls into a tree, to be linked when all is fed. -E2BIG with more
 * than KFT_CALLS_MAX calls. tree is borrowed, and zeroed before.
 */
struct kft_nest_sink kft_calls_sink(struct kft_call_tree *tree);

#endif

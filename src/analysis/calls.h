/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/calls/nest.h"
#include "model/call_tree.h"

/*
 * A sink that collects calls into a tree. The caller links the tree after feeding. tree is
 * borrowed and must be zeroed before. Feeding fails with -E2BIG after KFT_CALLS_MAX calls.
 */
struct kft_nest_sink kft_calls_sink(struct kft_call_tree *tree);

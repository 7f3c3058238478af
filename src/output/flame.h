/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/stacks.h"

/* Maximum depth of a stack: a task and its calls, as deep as the kernel's stacks. */
#define KFT_FLAME_DEPTH_MAX 512

/* Writes a line for each stack that has a weight of its own: "task;outer;inner 1234". */
void kft_flame_folded(const struct kft_stacks *s, struct kft_strbuf *sb);

/*
 * Draws a picture (SVG) in which each frame lies on its caller and is as wide as its
 * weight with all callees. A click zooms to a frame, and a search highlights matches;
 * without scripts the picture is still complete. is_time: weights are nanoseconds.
 */
void kft_flame_svg(const struct kft_stacks *s, const char *title, bool is_time,
		   struct kft_strbuf *sb);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_FLAME_H
#define KFT_OUTPUT_FLAME_H

#include "base/strbuf.h"
#include "model/stacks.h"

/* A task and the calls in it, as deep as the kernel's stacks are. */
#define KFT_FLAME_DEPTH_MAX 512

/* A line for each stack with a weight of its own: "task;outer;inner 1234". */
void kft_flame_folded(const struct kft_stacks *s, struct kft_strbuf *sb);

/*
 * A picture (SVG) in which each frame is as wide as what it and all in it weigh, on the frame
 * that it is in. A click makes a frame as wide as the picture, what is searched for is lit;
 * without scripts the picture is whole all the same. is_time: weights are nanoseconds.
 */
void kft_flame_svg(const struct kft_stacks *s, const char *title, bool is_time,
		   struct kft_strbuf *sb);

#endif

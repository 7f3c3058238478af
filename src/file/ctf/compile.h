/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/ctf/class.h"
#include "file/ctf/leaf.h"

/*
 * Compiles the program that copies leaves to their offsets in the layout: c's program and
 * payload_*. payload_align: known alignment of the payload's position, in bits. -ENOMEM.
 */
int kft_ctf_compile(const kft_ctf_leaves *leaves, uint32_t fixed_bytes,
		    uint32_t payload_align, struct kft_arena *arena,
		    struct kft_ctf_class *c) __must_check;

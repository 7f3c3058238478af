/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/ctf/leaf.h"
#include "file/ctf/program.h"

/*
 * Compiles the program that copies the leaves of the scopes to their offsets in the
 * layout. payload_align: known alignment of the payload's position, in bits. -ENOMEM.
 */
int kft_ctf_compile(const struct kft_ctf_scopes *scopes, const kft_ctf_leaves *leaves,
		    uint32_t fixed_bytes, uint32_t payload_align, struct kft_arena *arena,
		    struct kft_ctf_program *ret) __must_check;

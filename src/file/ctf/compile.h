/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_COMPILE_H
#define KFT_FILE_CTF_COMPILE_H

#include "file/ctf/class.h"
#include "file/ctf/leaf.h"

/*
 * The program that puts leaves where the layout wants them: c's program and payload_*.
 * payload_align: bits of which the payload's place is known to be a multiple. -ENOMEM.
 */
int kft_ctf_compile(const kft_ctf_leaves *leaves, uint32_t fixed_bytes,
		    uint32_t payload_align, struct kft_arena *arena,
		    struct kft_ctf_class *c) __must_check;

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/ctf/walk.h"

/*
 * A program makes a record of the payload of one class of CTF events, as ftrace would
 * have written it, in this machine's byte order: a short list of operations made once per
 * class. For most events of a kernel on a machine without alignment it is a single copy.
 */
enum kft_ctf_op_code {
	KFT_CTF_OP_COPY, /* copy len bytes */
	/* Convert an integer of whole bytes to another size or byte order. */
	KFT_CTF_OP_INT,
	KFT_CTF_OP_BITS, /* read an integer at any bit */
	KFT_CTF_OP_COMM, /* copy a NUL-terminated string into char[len] */
	KFT_CTF_OP_STRING, /* copy a NUL-terminated string to a data_loc */
	/* Copy a sequence of integers of whole bytes to a data_loc. */
	KFT_CTF_OP_ELEMENTS,
	KFT_CTF_OP_ARRAY, /* copy an array of integers of whole bytes, len bytes */
	KFT_CTF_OP_TEXT, /* convert any type to text in a data_loc */
	KFT_CTF_OP_WALK, /* skip any type */
	KFT_CTF_OP_SKIP, /* skip len bytes */
	KFT_CTF_OP_ALIGN, /* align only */
	KFT_CTF_OP_ADD, /* add len to the u32 at dst, read nothing */
};

struct kft_ctf_op {
	uint8_t code; /* enum kft_ctf_op_code */
	uint8_t bits; /* bits of an integer or element: 8, 16, 32, 64 */
	uint8_t dst_bytes; /* bytes of an integer in the record: 1, 2, 4, 8 */
	bool swap;
	bool is_signed;
	/*
	 * Slot that an integer sets (KFT_CTF_NO_SLOT: none), or that
	 * has the number of elements.
	 */
	uint16_t slot;
	uint32_t align; /* alignment in bits of the position before; 1: none */
	uint32_t dst; /* offset in the record, bytes */
	uint32_t len;
	const struct kft_ctf_node *node; /* for BITS, TEXT, WALK */
};

/* Limits of a record's fixed part and of all of it; data_locs have 16 bits. */
#define KFT_CTF_FIXED_MAX  16384u
#define KFT_CTF_RECORD_MAX 65536u

struct kft_ctf_program {
	const struct kft_ctf_op *ops; /* owned by the meta's arena */
	uint32_t n_ops;
	uint32_t fixed_bytes; /* bytes of a record's fixed part, rounded up to 8 */
	bool has_holes; /* bytes of the fixed part that no operation writes */
	/*
	 * A payload of fixed length: its alignment, and its bits after that
	 * alignment; 0: it varies.
	 */
	uint32_t payload_align;
	uint64_t payload_bits;
};

/* Offset and size of the common fields at the start of all of ftrace's records. */
#define KFT_CTF_COMMON_PID   4u
#define KFT_CTF_COMMON_BYTES 8u

/*
 * Runs the program at w's position; rec has KFT_CTF_RECORD_MAX bytes. False when the
 * payload ends before the program does. Strings and sequences that do not fit are cut.
 */
__must_check bool kft_ctf_program_run(const struct kft_ctf_program *p,
				      struct kft_ctf_walk *w, uint8_t *rec,
				      uint32_t *ret_bytes);

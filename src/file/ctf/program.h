/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_PROGRAM_H
#define KFT_FILE_CTF_PROGRAM_H

#include "file/ctf/walk.h"

/*
 * How the payload of one class of CTF events becomes a record as ftrace would have written
 * it, in this machine's byte order: a short list of operations made once per class. Most
 * events of a kernel on a machine that does not align are one copy.
 */
enum kft_ctf_op_code {
	KFT_CTF_OP_COPY, /* len bytes as they are */
	KFT_CTF_OP_INT, /* an integer of whole bytes, of another size or byte order */
	KFT_CTF_OP_BITS, /* an integer anywhere */
	KFT_CTF_OP_COMM, /* up to a NUL, into char[len] */
	KFT_CTF_OP_STRING, /* up to a NUL, to a data_loc */
	KFT_CTF_OP_ELEMENTS, /* a sequence of integers of whole bytes, to a data_loc */
	KFT_CTF_OP_ARRAY, /* an array of integers of whole bytes, len bytes */
	KFT_CTF_OP_TEXT, /* anything, as text to a data_loc */
	KFT_CTF_OP_WALK, /* anything, left out */
	KFT_CTF_OP_SKIP, /* len bytes, left out */
	KFT_CTF_OP_ALIGN, /* nothing but the alignment */
	KFT_CTF_OP_ADD, /* no bytes: adds len to the u32 at dst */
};

struct kft_ctf_op {
	uint8_t code; /* enum kft_ctf_op_code */
	uint8_t bits; /* of an integer or element: 8, 16, 32, 64 */
	uint8_t dst_bytes; /* of an integer: 1, 2, 4, 8 */
	bool swap;
	bool is_signed;
	uint16_t slot; /* of an integer, KFT_CTF_NO_SLOT: none; the length of elements */
	uint32_t align; /* in bits, of the position before; 1: none */
	uint32_t dst; /* byte in the record */
	uint32_t len;
	const struct kft_ctf_node *node; /* of BITS, TEXT, WALK */
};

/* A record's fixed part and all of it: data_locs have 16 bits. */
#define KFT_CTF_FIXED_MAX  16384u
#define KFT_CTF_RECORD_MAX 65536u

struct kft_ctf_program {
	const struct kft_ctf_op *ops; /* owned by the meta's arena */
	uint32_t n_ops;
	uint32_t fixed_bytes; /* of a record; the multiple of 8 that its fields fill */
	bool has_holes; /* bytes of the fixed part that no operation writes */
};

/* Where the record has what ftrace has at the start of all its records. */
#define KFT_CTF_COMMON_PID   4u
#define KFT_CTF_COMMON_BYTES 8u

/*
 * Runs at w's position; rec has KFT_CTF_RECORD_MAX bytes. False when the payload ends
 * before the program does. Strings and sequences that do not fit are cut.
 */
__must_check bool kft_ctf_program_run(const struct kft_ctf_program *p,
				      struct kft_ctf_walk *w, uint8_t *rec,
				      uint32_t *ret_bytes);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/class.h"

/* Describes the arguments and results of system calls, for readable output. */
#define KFT_CALL_ARGS 6

enum kft_arg_kind {
	KFT_ARG_NUMBER, /* decimal, or hexadecimal if very large */
	KFT_ARG_INT, /* signed, 32 bits: the rest of the register is ignored */
	KFT_ARG_POINTER,
	KFT_ARG_STRING, /* a pointer, or the text if it was recorded */
	KFT_ARG_OCTAL,
	KFT_ARG_SIGNAL,
	KFT_ARG_SET, /* names of bits or constants, in 32 bits */
};

/*
 * For a bit, mask is equal to value. For one of several exclusive values,
 * mask covers all of their bits.
 */
struct kft_arg_name {
	uint32_t mask;
	uint32_t value;
	const char *name;
};

struct kft_arg_type {
	enum kft_arg_kind kind;
	bool is_int; /* values without a name are signed numbers, not bits */
	const struct kft_arg_name *names; /* the last entry has no name */
};

struct kft_plain_signature {
	const char *name;
	const struct kft_arg_type *args[KFT_CALL_ARGS]; /* ends at the first NULL */
	/* the activity of a task that sleeps in the call; NULL: not described */
	const char *waits;
	bool gives_pointer;
	const char *machine; /* prefix of the machine's name; NULL: any other machine */
};

/* Types for calls that are not in the table. */
extern const struct kft_arg_type kft_arg_number;
extern const struct kft_arg_type kft_arg_int;
extern const struct kft_arg_type kft_arg_pointer;
extern const struct kft_arg_type kft_arg_string;

/*
 * machine as in uname; NULL: not known. Returns NULL when the call is not in the table.
 */
const struct kft_plain_signature *kft_plain_signature_find(const char *name,
							   const char *machine);

/* For a field of the call's own event (syscalls:sys_enter_NAME). */
bool kft_arg_is(const struct kft_field *f);
const struct kft_arg_type *kft_arg_type_of(const struct kft_field *f);

/* text: of a KFT_ARG_STRING if it was recorded, else NULL. */
void kft_arg_add(const struct kft_arg_type *type, uint64_t value, const char *text,
		 size_t text_len, struct kft_strbuf *sb);

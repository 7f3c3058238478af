/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_PLAIN_CALL_ARGS_H
#define KFT_OUTPUT_PLAIN_CALL_ARGS_H

#include "base/strbuf.h"
#include "model/class.h"

/* What system calls take and give: how people write their arguments. */
#define KFT_CALL_ARGS 6

enum kft_arg_kind {
	KFT_ARG_NUMBER, /* decimal, unless it is far too large for that */
	KFT_ARG_INT, /* a signed one of 32 bits: the rest of the register is no part of it */
	KFT_ARG_POINTER,
	KFT_ARG_STRING, /* a pointer, or the text if that was recorded */
	KFT_ARG_OCTAL,
	KFT_ARG_SIGNAL,
	KFT_ARG_SET, /* names of bits or constants, of 32 bits */
};

/* Bits: mask is value. One of several that exclude each other: mask is all of their bits. */
struct kft_arg_name {
	uint32_t mask;
	uint32_t value;
	const char *name;
};

struct kft_arg_type {
	enum kft_arg_kind kind;
	bool is_int; /* what has no name in the set is a signed number, not bits */
	const struct kft_arg_name *names; /* up to one without a name */
};

struct kft_plain_signature {
	const char *name;
	const struct kft_arg_type *args[KFT_CALL_ARGS]; /* up to the first NULL */
	const char *waits; /* what a task does that sleeps in it; NULL: nothing special */
	bool gives_pointer;
	const char *machine; /* what the machine's name begins with; NULL: any other */
};

/* For calls that no table has. */
extern const struct kft_arg_type kft_arg_number;
extern const struct kft_arg_type kft_arg_int;
extern const struct kft_arg_type kft_arg_pointer;
extern const struct kft_arg_type kft_arg_string;

/* machine as in uname; NULL: not known. NULL: not in the table. */
const struct kft_plain_signature *kft_plain_signature_find(const char *name,
							   const char *machine);

/* Of a field of the call's own event (syscalls:sys_enter_NAME). */
bool kft_arg_is(const struct kft_field *f);
const struct kft_arg_type *kft_arg_type_of(const struct kft_field *f);

/* text: of a KFT_ARG_STRING, if it was recorded; otherwise NULL. */
void kft_arg_add(const struct kft_arg_type *type, uint64_t value, const char *text,
		 size_t text_len, struct kft_strbuf *sb);

#endif

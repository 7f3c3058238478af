/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "strace/text.h"

/*
 * Structures of the kernel's interface as lists of members: a list has no offsets, since these
 * follow from the sizes and the ABI of the task.
 */
enum kft_member_kind {
	KFT_MEMBER_END,
	KFT_MEMBER_INT, /* signed, 32 bits */
	KFT_MEMBER_UNSIGNED,
	KFT_MEMBER_ID, /* of a user or a group; -1: none */
	KFT_MEMBER_SHORT,
	KFT_MEMBER_LONG,
	KFT_MEMBER_ULONG,
	KFT_MEMBER_S64,
	KFT_MEMBER_U64,
	KFT_MEMBER_U64_HEX,
	KFT_MEMBER_TICKS, /* a long: hundredths of a second */
	KFT_MEMBER_POINTER,
	KFT_MEMBER_HEX, /* 32 bits */
	KFT_MEMBER_MODE, /* type and permissions of a file, 32 bits */
	KFT_MEMBER_SHORT_MODE,
	KFT_MEMBER_SHORT_INT, /* signed, 16 bits */
	KFT_MEMBER_SET, /* 32 bits; names */
	KFT_MEMBER_SET64,
	KFT_MEMBER_ULONG_SET,
	KFT_MEMBER_SHORT_SET,
	KFT_MEMBER_STATX_TIME, /* 16 bytes: seconds, nanoseconds */
	KFT_MEMBER_STRUCT, /* members */
};

struct kft_member {
	const char *name; /* NULL: it is not shown */
	enum kft_member_kind kind;
	const void *of; /* names: struct kft_arg_type; members: struct kft_member */
	bool verbose; /* shown with -v only */
};

/* A list ends with a member without a kind; members up to this many bytes are read. */
#define KFT_MEMBERS_BYTES_MAX 512

size_t kft_members_size(const struct kft_strace_text *t,
			const struct kft_member *members);

/* Writes "{a=1, b=2}" from bytes of kft_members_size(). */
void kft_members_add(const struct kft_strace_text *t, const struct kft_member *members,
		     const void *data);

/* Does the same for memory of the task; its address when that cannot be read. */
void kft_members_at(const struct kft_strace_text *t, const struct kft_member *members,
		    uint64_t address);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"
#include "base/vec.h"

/*
 * The declarations in the metadata of a CTF trace (docs/formats/ctf.md). Sections cited
 * in src/file/ctf are those of the Common Trace Format's specification, version 1.8.3.
 *
 * Everything is in the arena of the struct kft_ctf_meta and immutable once parsed. Fields
 * of the same type share it; state of one field (such as the slot of a sequence's length)
 * is in node.h.
 */

/* Limits of a metadata text; all are far above the numbers that tracers write. */
#define KFT_CTF_TEXT_MAX     (64u << 20) /* bytes of the text */
#define KFT_CTF_ARENA_MAX    (256u << 20) /* memory for the parsed text, in bytes */
#define KFT_CTF_NESTING_MAX  32u /* levels of nested blocks or types */
#define KFT_CTF_MEMBERS_MAX  4096u /* of a struct, a variant, an enum */
#define KFT_CTF_INT_BITS_MAX 64u
#define KFT_CTF_ALIGN_MAX    (1u << 20) /* bits */
#define KFT_CTF_LENGTH_MAX   (UINT64_C(1) << 32) /* elements of an array */
#define KFT_CTF_STREAMS_MAX  1024u /* stream classes */
#define KFT_CTF_EVENTS_MAX   60000u /* event classes: kft's ids have 16 bits */
#define KFT_CTF_NO_CLOCK     UINT16_MAX

/* The dynamic scopes (7.3.2), in the order of their bytes in a packet. */
enum kft_ctf_scope {
	KFT_CTF_PACKET_HEADER,
	KFT_CTF_PACKET_CONTEXT,
	KFT_CTF_EVENT_HEADER,
	KFT_CTF_STREAM_EVENT_CONTEXT,
	KFT_CTF_EVENT_CONTEXT,
	KFT_CTF_EVENT_FIELDS,
	KFT_CTF_N_SCOPES,
};

/* Roles of integers that a reader interprets. */
enum kft_ctf_role {
	KFT_CTF_MAGIC,
	KFT_CTF_STREAM_ID,
	KFT_CTF_PACKET_SIZE,
	KFT_CTF_CONTENT_SIZE,
	KFT_CTF_TIME_BEGIN,
	KFT_CTF_TIME_END,
	KFT_CTF_DISCARDED,
	KFT_CTF_SEQ_NUM,
	KFT_CTF_CPU_ID,
	KFT_CTF_EVENT_ID,
	KFT_CTF_N_ROLES,
};

enum kft_ctf_kind {
	KFT_CTF_INT,
	KFT_CTF_FLOAT,
	KFT_CTF_ENUM, /* an integer with named values */
	KFT_CTF_STRING, /* NUL-terminated */
	KFT_CTF_STRUCT,
	/* One of its members, selected by an enum or integer elsewhere. */
	KFT_CTF_VARIANT,
	KFT_CTF_ARRAY,
	KFT_CTF_SEQUENCE, /* an array with the length in an integer elsewhere */
};

/* A range of values [lo, hi], compared with the enum's signedness. */
struct kft_ctf_label {
	const char *name;
	uint64_t lo;
	uint64_t hi;
};

struct kft_ctf_member {
	const char *name; /* without the '_' that writers put before reserved words */
	const struct kft_ctf_type *type;
};

/* A range of a variant's tag and the member that it selects. */
struct kft_ctf_choice {
	uint64_t lo;
	uint64_t hi;
	uint32_t member;
};

/* Path to the integer with a length or tag (CTF 2). */
struct kft_ctf_location {
	uint8_t scope; /* enum kft_ctf_scope; N_SCOPES: relative to the parent struct */
	uint32_t n_names;
	const char *const *names; /* of members; NULL: the parent struct */
};

struct kft_ctf_type {
	uint8_t kind; /* enum kft_ctf_kind */
	uint8_t base; /* preferred base of an integer: 2, 8, 10 or 16 */
	uint16_t clock; /* for timestamps: index into clocks */
	uint32_t align; /* bits, a power of two */
	uint32_t size; /* bits of an integer, an enum, a float */
	bool is_signed;
	bool big_endian;
	bool is_text; /* a character */
	bool is_leb128; /* a variable-length integer (CTF 2) */
	bool is_optional; /* a variant with one member that may be missing (CTF 2) */
	bool is_uuid; /* bytes with the UUID of the metadata */
	uint32_t roles; /* bits of enum kft_ctf_role (CTF 2; CTF 1.8 uses names) */
	uint32_t n_labels; /* of an enum */
	uint32_t n_members; /* of a struct or variant */
	const struct kft_ctf_label *labels;
	const struct kft_ctf_member *members;
	/* Path to the tag of a variant, or to the length of a sequence. */
	const char *ref;
	const struct kft_ctf_location *at; /* the same in CTF 2 */
	/* Choices of a variant in CTF 2, one for each range. */
	const struct kft_ctf_choice *choices;
	uint32_t n_choices;
	const struct kft_ctf_type *elem; /* of an array or sequence */
	uint64_t length; /* of an array */
};

struct kft_ctf_clock {
	const char *name;
	const char *id; /* in CTF 2 */
	const char *uuid; /* in CTF 1.8; NULL: none. LTTng uses the boot id */
	uint64_t freq; /* Hz, not 0 */
	int64_t offset_s; /* s since 1970 */
	int64_t offset; /* in cycles, added to offset_s */
};

/* A stream class ("stream" block), which LTTng calls a channel. */
struct kft_ctf_stream_class {
	uint64_t id;
	uint16_t clock; /* clock of its timestamps, in CTF 2 */
	const struct kft_ctf_type *packet_context; /* structs; NULL: none */
	const struct kft_ctf_type *event_header;
	const struct kft_ctf_type *event_context;
};

struct kft_ctf_event_class {
	uint64_t id; /* in its stream class */
	uint64_t stream_id;
	const char *name;
	const struct kft_ctf_type *context; /* structs; NULL: none */
	const struct kft_ctf_type *fields;
};

struct kft_ctf_env {
	const char *key;
	const char *text; /* numbers as decimal text */
};

struct kft_ctf_meta {
	struct kft_arena arena;
	bool is_ctf2;
	/* "native" byte order; in CTF 2 that of the packets' magic number */
	bool big_endian;
	bool has_uuid;
	uint8_t uuid[16];
	const struct kft_ctf_type *packet_header; /* NULL: packets have none */
	KFT_VEC(struct kft_ctf_env) env;
	KFT_VEC(struct kft_ctf_clock) clocks;
	KFT_VEC(struct kft_ctf_stream_class) streams;
	KFT_VEC(struct kft_ctf_event_class) events;
};

void kft_ctf_meta_finish(struct kft_ctf_meta *m);

/* The value of an env entry; NULL when it is missing. */
const char *kft_ctf_env_get(const struct kft_ctf_meta *m, const char *key);

static inline bool kft_ctf_is_int(const struct kft_ctf_type *t)
{
	return t->kind == KFT_CTF_INT || t->kind == KFT_CTF_ENUM;
}

/* An integer of whole bytes at a byte boundary. */
static inline bool kft_ctf_is_bytes(const struct kft_ctf_type *t)
{
	return kft_ctf_is_int(t) && !t->is_leb128 &&
	       (t->size == 8 || t->size == 16 || t->size == 32 || t->size == 64);
}

/* CTF 1.8 marks text only by elements of 8 bits with a character encoding (4.2.4). */
static inline bool kft_ctf_is_text_elem(const struct kft_ctf_type *t)
{
	return t->kind == KFT_CTF_INT && t->size == 8 && t->is_text;
}

/* Whether the value is in the label's range. */
static inline bool kft_ctf_label_has(const struct kft_ctf_type *t,
				     const struct kft_ctf_label *l, uint64_t v)
{
	if (t->is_signed)
		return (int64_t)v >= (int64_t)l->lo && (int64_t)v <= (int64_t)l->hi;
	return v >= l->lo && v <= l->hi;
}

/*
 * Integers that a reader has to interpret: in CTF 1.8 identified by name and scope, in
 * CTF 2 by an explicit role.
 */

/* Whether an integer has a role in a scope; sets *ret then. */
bool kft_ctf_role_find(const struct kft_ctf_meta *m, enum kft_ctf_scope scope,
		       const char *name, const struct kft_ctf_type *t,
		       enum kft_ctf_role *ret);

/*
 * Bits of struct kft_ctf_type's roles for a role name of CTF 2; 0:
 * kft does not need the role.
 */
uint32_t kft_ctf_role_bits(const char *name);

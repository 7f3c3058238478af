/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_TYPE_H
#define KFT_FILE_CTF_TYPE_H

#include "base/arena.h"
#include "base/vec.h"

/*
 * What the metadata of a CTF trace declares (docs/formats/ctf.md). Sections cited in
 * src/file/ctf are those of the Common Trace Format's specification, version 1.8.3.
 *
 * Everything is in the arena of the struct kft_ctf_meta and immutable once parsed. Types
 * are shared by all that name them; what is one of its kind in an event (the length of
 * this sequence) is in node.h.
 */

/* Limits of what a metadata text may ask for; all are far above what tracers write. */
#define KFT_CTF_TEXT_MAX     (64u << 20) /* bytes of the text */
#define KFT_CTF_ARENA_MAX    (256u << 20) /* bytes that a text may be parsed to */
#define KFT_CTF_NESTING_MAX  32u /* blocks in blocks, types in types */
#define KFT_CTF_MEMBERS_MAX  4096u /* of a struct, a variant, an enum */
#define KFT_CTF_INT_BITS_MAX 64u
#define KFT_CTF_ALIGN_MAX    (1u << 20) /* bits */
#define KFT_CTF_LENGTH_MAX   (UINT64_C(1) << 32) /* elements of an array */
#define KFT_CTF_STREAMS_MAX  1024u /* kinds of streams */
#define KFT_CTF_EVENTS_MAX   60000u /* kinds of events: kft's ids have 16 bits */
#define KFT_CTF_NO_CLOCK     UINT16_MAX

/* Where types are used: the dynamic scopes (7.3.2), in the order of their bytes. */
enum kft_ctf_scope {
	KFT_CTF_PACKET_HEADER,
	KFT_CTF_PACKET_CONTEXT,
	KFT_CTF_EVENT_HEADER,
	KFT_CTF_STREAM_EVENT_CONTEXT,
	KFT_CTF_EVENT_CONTEXT,
	KFT_CTF_EVENT_FIELDS,
	KFT_CTF_N_SCOPES,
};

/* Integers that have a meaning of their own. */
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
	KFT_CTF_ENUM, /* an integer whose values have names */
	KFT_CTF_STRING, /* up to a NUL */
	KFT_CTF_STRUCT,
	KFT_CTF_VARIANT, /* one of its members, as an enum elsewhere says */
	KFT_CTF_ARRAY,
	KFT_CTF_SEQUENCE, /* an array whose length an integer elsewhere says */
};

/* Values [lo, hi], compared as the enum's integer is signed or not. */
struct kft_ctf_label {
	const char *name;
	uint64_t lo;
	uint64_t hi;
};

struct kft_ctf_member {
	const char *name; /* without the '_' that writers put before reserved words */
	const struct kft_ctf_type *type;
};

/* Values of a variant's tag and which member they mean. */
struct kft_ctf_choice {
	uint64_t lo;
	uint64_t hi;
	uint32_t member;
};

/* Where the integer is that a length or tag is taken from (CTF 2). */
struct kft_ctf_location {
	uint8_t scope; /* enum kft_ctf_scope; N_SCOPES: the struct around */
	uint32_t n_names;
	const char *const *names; /* of members; NULL: the struct around that */
};

struct kft_ctf_type {
	uint8_t kind; /* enum kft_ctf_kind */
	uint8_t base; /* of integers: 2, 8, 10 or 16 */
	uint16_t clock; /* integers that are a time: index into clocks */
	uint32_t align; /* bits, a power of two */
	uint32_t size; /* bits of an integer, an enum, a float */
	bool is_signed;
	bool big_endian;
	bool is_text; /* an integer that is a character */
	bool is_leb128; /* an integer of as many bytes as its value needs (CTF 2) */
	bool is_optional; /* a variant of one member, or of nothing (CTF 2) */
	bool is_uuid; /* bytes that say which metadata is meant */
	uint32_t roles; /* bits of enum kft_ctf_role (CTF 2; in 1.8 names tell) */
	uint32_t n_labels; /* of an enum */
	uint32_t n_members; /* of a struct or variant */
	const struct kft_ctf_label *labels;
	const struct kft_ctf_member *members;
	const char *ref; /* the tag of a variant, the length of a sequence: a path */
	const struct kft_ctf_location *at; /* the same of CTF 2 */
	const struct kft_ctf_choice
		*choices; /* of a variant of CTF 2: one for each range */
	uint32_t n_choices;
	const struct kft_ctf_type *elem; /* of an array or sequence */
	uint64_t length; /* of an array */
};

struct kft_ctf_clock {
	const char *name;
	const char *id; /* in CTF 2 */
	const char *uuid; /* in CTF 1.8; NULL: none. LTTng has that of the boot */
	uint64_t freq; /* Hz, not 0 */
	int64_t offset_s; /* from 1970 */
	int64_t offset; /* cycles, besides offset_s */
};

/* A "stream" block: a kind of streams, which LTTng calls a channel. */
struct kft_ctf_stream_class {
	uint64_t id;
	uint16_t clock; /* of CTF 2: what its times are of */
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
	const char *text; /* numbers in decimal */
};

struct kft_ctf_meta {
	struct kft_arena arena;
	bool is_ctf2;
	bool big_endian; /* what "native" means; of CTF 2, of the packets' magic number */
	bool has_uuid;
	uint8_t uuid[16];
	const struct kft_ctf_type *packet_header; /* NULL: packets have none */
	KFT_VEC(struct kft_ctf_env) env;
	KFT_VEC(struct kft_ctf_clock) clocks;
	KFT_VEC(struct kft_ctf_stream_class) streams;
	KFT_VEC(struct kft_ctf_event_class) events;
};

void kft_ctf_meta_finish(struct kft_ctf_meta *m);

/* The value of an env entry; NULL when there is none. */
const char *kft_ctf_env_get(const struct kft_ctf_meta *m, const char *key);

static inline bool kft_ctf_is_int(const struct kft_ctf_type *t)
{
	return t->kind == KFT_CTF_INT || t->kind == KFT_CTF_ENUM;
}

/* An integer of whole bytes that starts at one. */
static inline bool kft_ctf_is_bytes(const struct kft_ctf_type *t)
{
	return kft_ctf_is_int(t) && !t->is_leb128 &&
	       (t->size == 8 || t->size == 16 || t->size == 32 || t->size == 64);
}

/* The length of an array or sequence's elements is all that says it is text (4.2.4). */
static inline bool kft_ctf_is_text_elem(const struct kft_ctf_type *t)
{
	return t->kind == KFT_CTF_INT && t->size == 8 && t->is_text;
}

/* Whether an enum's value is that of the label. */
static inline bool kft_ctf_label_has(const struct kft_ctf_type *t,
				     const struct kft_ctf_label *l, uint64_t v)
{
	if (t->is_signed)
		return (int64_t)v >= (int64_t)l->lo && (int64_t)v <= (int64_t)l->hi;
	return v >= l->lo && v <= l->hi;
}

#endif

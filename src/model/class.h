/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/trace.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

/*
 * An event class: the layout of one type of record, from tracefs'
 * events/SYSTEM/NAME/format. Immutable once made; names and fields
 * live as long as the table.
 */

/*
 * Location of the field's bytes.
 * DATA_LOC: u32 at offset holds offset (low 16 bits, from the record's start) and length
 * (high 16 bits).
 * REL_LOC: like DATA_LOC, but the offset is counted from the end of that u32.
 * TAIL: an unsized array ("char buf[]"), from offset to the end of the record.
 */
enum kft_field_place {
	KFT_FIELD_INLINE,
	KFT_FIELD_DATA_LOC,
	KFT_FIELD_REL_LOC,
	KFT_FIELD_TAIL,
};

struct kft_field {
	const char *name;
	const char *type; /* the C type as the format text has it, without the name */
	uint32_t offset; /* bytes from the record's start */
	uint32_t size; /* bytes at offset */
	uint32_t elem_size; /* bytes of an element: == size for integers, 1 for strings */
	uint8_t kind; /* enum kft_field_kind; for the *_LOC places that of the content */
	uint8_t place; /* enum kft_field_place */
	bool is_signed;
	bool is_common; /* common_type and the other fields that all classes share */
	bool is_pointer; /* a C pointer type: shown in hex, or as a symbol */
	bool is_long; /* long, pointer, size_t: as wide as the traced kernel's long */
};

struct kft_class {
	uint16_t id;
	const char *system; /* "sched" */
	const char *name; /* "sched_switch" */
	const struct kft_field *fields; /* common ones first, in record order */
	uint32_t n_fields;
	uint32_t n_common;
	const char *print_fmt; /* text after "print fmt: ", "" when there is none */
};

/* The field of that name; NULL when the class does not have it. */
const struct kft_field *kft_class_field(const struct kft_class *c, const char *name);

/*
 * All classes of a trace. Parsing all of the more than 2,000 format texts would take too
 * long for opening a trace, so a class is added as text and parsed by `parse` on first
 * use. Not thread safe while classes are still being parsed: threads that share a trace
 * call kft_class_table_parse_all() or look up their classes before they start.
 */
struct kft_class_text {
	const char *system; /* borrowed from the table's arena */
	const char *name; /* within text, not NUL terminated; NULL: it has no name */
	const char *text; /* borrowed: lives as long as the table */
	size_t len;
	size_t system_len;
	size_t name_len;
	struct kft_class *cls; /* NULL until parsed, or when malformed */
	bool broken;
};

/*
 * Parses text into *ret; strings are copied to the arena. like: a text that was parsed into the
 * same arena, with the same long_size: fields of lines that both begin with are copied. NULL: none.
 */
typedef int kft_class_parse_fn(const char *system, const char *text, size_t len,
			       uint32_t long_size, const struct kft_class_text *like,
			       struct kft_arena *arena, struct kft_class *ret);

struct kft_class_table {
	struct kft_arena arena;
	KFT_VEC(struct kft_class_text) texts;
	struct kft_map by_id; /* id -> index into texts */
	/* Hash of a name -> 1 + index of the first text with it, made on first use. */
	struct kft_map by_name;
	size_t n_named; /* number of texts in by_name */
	size_t last; /* 1 + index of the text that was parsed last; 0: none */
	kft_class_parse_fn *parse;
	uint32_t long_size; /* of the traced kernel: 4 or 8 */
};

void kft_class_table_finish(struct kft_class_table *t);

/*
 * Adds a format text ("name: ...\nID: ...\nformat: ..."), borrowed; only its ID line is
 * read here. A later text with the same id wins. -EINVAL without an ID line, -ENOMEM.
 */
int kft_class_table_add(struct kft_class_table *t, const char *system, const char *text,
			size_t len) __must_check;

/* The class, parsed on first use; NULL when unknown or its text is malformed. */
const struct kft_class *kft_class_table_get(struct kft_class_table *t, uint16_t id);

/* The class of text i, parsed on first use; NULL when it is malformed. */
const struct kft_class *kft_class_table_at(struct kft_class_table *t, size_t i);

/*
 * Parses all remaining texts before threads share the table; returns the
 * number of malformed ones.
 */
size_t kft_class_table_parse_all(struct kft_class_table *t);

/*
 * Finds a class by name: "sched_switch" or "sched:sched_switch" (system NULL: any).
 * Compares the texts' "name:" lines without parsing the rest. NULL when there is none.
 */
const struct kft_class *kft_class_table_find(struct kft_class_table *t,
					     const char *system, const char *name);

/*
 * Iterates over the classes of a system that match a name: "sched_switch", or a prefix as
 * in "sys_enter_*". Classes that a later text with the same id replaced are skipped. *at:
 * the index of the next text, 0 at first. NULL: no more.
 */
const struct kft_class *kft_class_table_next(struct kft_class_table *t,
					     const char *system, const char *name,
					     size_t *at);

/* The name in a text that may not be parsed yet, borrowed and not NUL terminated. */
bool kft_class_text_name(const struct kft_class_text *t, const char **ret,
			 size_t *ret_len);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_CLASS_H
#define KFT_MODEL_CLASS_H

#include <kft/trace.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

/*
 * An event class: what tracefs' events/SYSTEM/NAME/format says of one kind of record.
 * Immutable once made; names and fields live as long as the table.
 */

/*
 * Where the bytes of the field are.
 * DATA_LOC: u32 at offset holds offset (low 16 bits, from the record's start) and length
 * (high 16 bits). REL_LOC: the same, the offset counted from the end of that u32.
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
	uint32_t elem_size; /* of one element: == size for integers, 1 for strings */
	uint8_t kind; /* enum kft_field_kind: of the content for the *_LOC places */
	uint8_t place; /* enum kft_field_place */
	bool is_signed;
	bool is_common; /* common_type and the like, the same in every class */
	bool is_pointer; /* a C pointer type: shown in hex, symbols tried */
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

/* NULL when the class has no such field. */
const struct kft_field *kft_class_field(const struct kft_class *c, const char *name);

/*
 * All classes of a trace. Parsing a format text costs more than opening a trace may
 * (there are over 2,000), so a class is given to the table as text and parsed by
 * `parse` when first asked for. Not thread safe while classes are still being parsed:
 * threads that share a trace call kft_class_table_parse_all() or resolve what they need
 * before they start.
 */
struct kft_class_text {
	const char *system; /* borrowed from the table's arena */
	const char *text; /* borrowed: lives as long as the table */
	size_t len;
	struct kft_class *cls; /* NULL until parsed, or when broken */
	bool broken;
};

/* Fills *ret from text; strings go to the arena. */
typedef int kft_class_parse_fn(const char *system, const char *text, size_t len,
			       uint32_t long_size, struct kft_arena *arena,
			       struct kft_class *ret);

struct kft_class_table {
	struct kft_arena arena;
	KFT_VEC(struct kft_class_text) texts;
	struct kft_map by_id; /* id -> index into texts */
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

/* The class, parsed now if it was not; NULL when unknown or its text is broken. */
const struct kft_class *kft_class_table_get(struct kft_class_table *t, uint16_t id);

/* The class of text i, parsed now if it was not; NULL when it is broken. */
const struct kft_class *kft_class_table_at(struct kft_class_table *t, size_t i);

/* Parses what is not parsed yet, for threads to come; returns how many texts are broken. */
size_t kft_class_table_parse_all(struct kft_class_table *t);

/*
 * By name: "sched_switch" or "sched:sched_switch" (system NULL: any). Walks the texts'
 * "name:" lines without parsing them. NULL when there is none.
 */
const struct kft_class *kft_class_table_find(struct kft_class_table *t,
					     const char *system, const char *name);

/*
 * The next class of a system whose name fits: "sched_switch", or "sys_enter_*" for all that begin
 * so. Those that a later text with their id replaced are left out. *at: the text to begin with,
 * 0 at first; it goes behind the class. NULL: no more.
 */
const struct kft_class *kft_class_table_next(struct kft_class_table *t,
					     const char *system, const char *name,
					     size_t *at);

/* The name of a text without parsing it, borrowed and not NUL terminated. */
bool kft_class_text_name(const struct kft_class_text *t, const char **ret,
			 size_t *ret_len);

#endif

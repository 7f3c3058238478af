// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes types of DWARF as BTF. */
#include "decode/types/dwarf_types.h"

#include <errno.h>

#include "base/cursor.h"
#include "decode/types/btf.h"

#define TYPES_MAX     1000000
#define MEMBERS_MAX   0xffff
#define BTF_MAGIC     0xeb9f
#define BTF_VERSION   1
#define BTF_FLOAT     16 /* BTF_KIND_FLOAT */
#define BTF_KIND_FLAG 0x80000000U
#define BTF_SIGNED    (1U << 24)

/* Ids of the types that are written before all others. */
enum { PROTO_NUMBER = 1, FUNC_NUMBER, FIRST_NUMBER };

static void word(struct kft_dwarf_types *t, uint32_t w)
{
	kft_strbuf_add(&t->records, &w, sizeof(w));
}

static uint32_t string(struct kft_dwarf_types *t, const char *s)
{
	uint32_t at = (uint32_t)t->strings.len;

	if (!s || !*s)
		return 0;
	kft_strbuf_add(&t->strings, s, strlen(s) + 1);
	return at;
}

/* size: or the id of the type that this one refers to */
static void record(struct kft_dwarf_types *t, const char *name, uint32_t kind,
		   uint32_t flag_and_count, uint32_t size)
{
	word(t, string(t, name));
	word(t, kind << 24 | flag_and_count);
	word(t, size);
}

static uint32_t number_of(struct kft_dwarf_types *t, const Dwarf_Die *die)
{
	uint64_t *number = kft_map_put(&t->numbers, (uintptr_t)die->addr);

	if (!number || t->queue.len >= TYPES_MAX) {
		t->failed = true;
		return 0;
	}
	if (!*number) {
		*number = t->queue.len + FIRST_NUMBER;
		t->failed |= !kft_vec_push(&t->queue, *die);
	}
	return (uint32_t)*number;
}

/* The id of the DIE's type; 0, which is void, if it has none. */
static uint32_t type_of(struct kft_dwarf_types *t, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (!t->dw->dwarf_attr_integrate(die, DW_AT_type, &attr) ||
	    !t->dw->dwarf_formref_die(&attr, &type))
		return 0;
	return number_of(t, &type);
}

static bool number_attr(const struct kft_dw *dw, Dwarf_Die *die, unsigned int name,
			uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word w;

	if (!dw->dwarf_attr_integrate(die, name, &attr) ||
	    dw->dwarf_formudata(&attr, &w) != 0)
		return false;
	*ret = w;
	return true;
}

static uint32_t size_of(struct kft_dwarf_types *t, Dwarf_Die *die)
{
	uint64_t size = 0;

	(void)number_attr(t->dw, die, DW_AT_byte_size, &size);
	return size <= UINT32_MAX ? (uint32_t)size : 0;
}

static bool is_signed(struct kft_dwarf_types *t, Dwarf_Die *die)
{
	uint64_t encoding = 0;

	(void)number_attr(t->dw, die, DW_AT_encoding, &encoding);
	return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

static void write_number(struct kft_dwarf_types *t, Dwarf_Die *die)
{
	const char *name = t->dw->dwarf_diename(die);
	uint32_t size = size_of(t, die);
	uint64_t encoding = 0;

	(void)number_attr(t->dw, die, DW_AT_encoding, &encoding);
	if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float) {
		record(t, name, BTF_FLOAT, 0, size);
		return;
	}
	record(t, name, KFT_BTF_INT, 0, size);
	word(t, (is_signed(t, die) ? BTF_SIGNED : 0) | (size * 8 & 0xff));
}

/*
 * Writes an enum. Its signedness is that of its integer type, which
 * DWARF has since version 3.
 */
static void write_enum(struct kft_dwarf_types *t, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;
	bool negative = t->dw->dwarf_attr_integrate(die, DW_AT_type, &attr) &&
			t->dw->dwarf_formref_die(&attr, &type) &&
			t->dw->dwarf_peel_type(&type, &type) == 0 && is_signed(t, &type);

	record(t, t->dw->dwarf_diename(die), KFT_BTF_ENUM, negative ? BTF_KIND_FLAG : 0,
	       size_of(t, die));
}

/*
 * Reads a member's offset and size in bits. Before DWARF 4, a bit field's offset counts
 * from the end of the integer that contains it.
 */
static bool place_of(struct kft_dwarf_types *t, Dwarf_Die *member, uint64_t *ret_at,
		     uint64_t *ret_bits)
{
	uint64_t bytes = 0;
	uint64_t held = 0;
	uint64_t at;

	*ret_bits = 0;
	(void)number_attr(t->dw, member, DW_AT_bit_size, ret_bits);
	if (number_attr(t->dw, member, DW_AT_data_bit_offset, ret_at))
		return *ret_bits <= 0xff && *ret_at <= 0xffffff;
	(void)number_attr(t->dw, member, DW_AT_data_member_location, &bytes);
	if (bytes > 0xffffff / 8)
		return false;
	*ret_at = bytes * 8;
	if (number_attr(t->dw, member, DW_AT_bit_offset, &at)) {
		(void)number_attr(t->dw, member, DW_AT_byte_size, &held);
		if (held > 16 || at + *ret_bits > held * 8)
			return false;
		*ret_at += KFT_HOST_BIG_ENDIAN ? at : held * 8 - at - *ret_bits;
	}
	return *ret_bits <= 0xff && *ret_at <= 0xffffff;
}

/* Writes a struct or union. Base classes become members without a name. */
static void write_aggregate(struct kft_dwarf_types *t, Dwarf_Die *die, uint32_t kind)
{
	size_t start = t->records.len;
	uint32_t count = 0;
	Dwarf_Die child;

	record(t, t->dw->dwarf_diename(die), kind, 0, size_of(t, die));
	for (int r = t->dw->dwarf_child(die, &child); r == 0 && count < MEMBERS_MAX;
	     r = t->dw->dwarf_siblingof(&child, &child)) {
		int tag = t->dw->dwarf_tag(&child);
		uint64_t at;
		uint64_t bits;

		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    !place_of(t, &child, &at, &bits))
			continue;
		word(t, string(t, t->dw->dwarf_diename(&child)));
		word(t, type_of(t, &child));
		word(t, (uint32_t)(bits << 24 | at));
		count++;
	}
	uint32_t info = kind << 24 | BTF_KIND_FLAG | count;
	if (kft_strbuf_ok(&t->records))
		memcpy(t->records.buf + start + sizeof(info), &info, sizeof(info));
}

static void write_array(struct kft_dwarf_types *t, Dwarf_Die *die)
{
	record(t, NULL, KFT_BTF_ARRAY, 0, 0);
	word(t, type_of(t, die));
	word(t, 0); /* index type and number of elements, which are not used */
	word(t, 0);
}

static void write_type(struct kft_dwarf_types *t, Dwarf_Die *die)
{
	const char *name = t->dw->dwarf_diename(die);

	switch (t->dw->dwarf_tag(die)) {
	case DW_TAG_base_type:
		return write_number(t, die);
	case DW_TAG_enumeration_type:
		return write_enum(t, die);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return record(t, NULL, KFT_BTF_PTR, 0, type_of(t, die));
	case DW_TAG_typedef:
		return record(t, name, KFT_BTF_TYPEDEF, 0, type_of(t, die));
	case DW_TAG_const_type:
	case DW_TAG_atomic_type:
		return record(t, NULL, KFT_BTF_CONST, 0, type_of(t, die));
	case DW_TAG_volatile_type:
		return record(t, NULL, KFT_BTF_VOLATILE, 0, type_of(t, die));
	case DW_TAG_restrict_type:
		return record(t, NULL, KFT_BTF_RESTRICT, 0, type_of(t, die));
	case DW_TAG_array_type:
		return write_array(t, die);
	case DW_TAG_union_type:
		return write_aggregate(t, die, KFT_BTF_UNION);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return write_aggregate(t, die, KFT_BTF_STRUCT);
	default: /* functions and the like, which have no values */
		return record(t, name, KFT_BTF_STRUCT, 0, 0);
	}
}

static void write_header(const struct kft_dwarf_types *t, struct kft_strbuf *ret)
{
	const struct {
		uint16_t magic;
		uint8_t version;
		uint8_t flags;
		uint32_t header_bytes;
		uint32_t types_at;
		uint32_t types_bytes;
		uint32_t strings_at;
		uint32_t strings_bytes;
	} header = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.header_bytes = sizeof(header),
		.types_bytes = (uint32_t)t->records.len,
		.strings_at = (uint32_t)t->records.len,
		.strings_bytes = (uint32_t)t->strings.len,
	};

	kft_strbuf_add(ret, &header, sizeof(header));
}

int kft_dwarf_types_write(struct kft_dwarf_types *t, const char *name,
			  Dwarf_Die *function, const Dwarf_Die *parameters, uint32_t n,
			  struct kft_strbuf *ret)
{
	kft_strbuf_addc(&t->strings, '\0');
	record(t, NULL, KFT_BTF_FUNC_PROTO, n, type_of(t, function));
	for (uint32_t i = 0; i < n; i++) {
		Dwarf_Die p = parameters[i];

		word(t, string(t, t->dw->dwarf_diename(&p)));
		word(t, type_of(t, &p));
	}
	record(t, name, KFT_BTF_FUNC, 0, PROTO_NUMBER);
	/* write_type() appends to the queue. */
	for (size_t i = 0; i < t->queue.len && !t->failed; i++) {
		Dwarf_Die die = t->queue.data[i];

		write_type(t, &die);
	}
	if (t->failed)
		return t->queue.len >= TYPES_MAX ? -E2BIG : -ENOMEM;
	write_header(t, ret);
	kft_strbuf_add(ret, t->records.buf, t->records.len);
	kft_strbuf_add(ret, t->strings.buf, t->strings.len);
	return kft_strbuf_ok(&t->records) && kft_strbuf_ok(&t->strings) &&
			       kft_strbuf_ok(ret)
		       ? 0
		       : -ENOMEM;
}

void kft_dwarf_types_finish(struct kft_dwarf_types *t)
{
	kft_strbuf_finish(&t->records);
	kft_strbuf_finish(&t->strings);
	kft_vec_finish(&t->queue);
	kft_map_finish(&t->numbers);
}

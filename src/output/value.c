// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints values of fields. */
#include "output/value.h"

/* Element i of an array, sign-extended; 0 if the element is not of an integer's size. */
static uint64_t element(const uint8_t *data, size_t i, const struct kft_field *f,
			bool swap)
{
	struct kft_event ev = {.data = data + i * f->elem_size, .size = f->elem_size};
	struct kft_field one = {.size = f->elem_size, .is_signed = f->is_signed};
	uint64_t v;

	return kft_event_int(&ev, &one, swap, &v) ? v : 0;
}

static void add_integer(struct kft_strbuf *sb, const struct kft_field *f, uint64_t v)
{
	if (f->is_pointer) {
		kft_strbuf_add(sb, "0x", 2);
		kft_strbuf_addx(sb, v, 1);
	} else if (f->is_signed) {
		kft_strbuf_addi(sb, (int64_t)v);
	} else {
		kft_strbuf_addu(sb, v, 1);
	}
}

static void add_bytes(struct kft_strbuf *sb, const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		kft_strbuf_addx(sb, data[i], 2);
}

static void add_array(struct kft_strbuf *sb, const struct kft_field *f,
		      const uint8_t *data, size_t len, bool swap)
{
	for (size_t i = 0; i < len / f->elem_size; i++) {
		if (i)
			kft_strbuf_addc(sb, ',');
		add_integer(sb, f, element(data, i, f, swap));
	}
}

void kft_value_add_text(struct kft_strbuf *sb, const struct kft_event *ev,
			const struct kft_field *f, bool swap)
{
	const uint8_t *data;
	const char *str;
	size_t len;
	uint64_t v;

	if (f->kind == KFT_FIELD_INT && kft_event_int(ev, f, swap, &v))
		add_integer(sb, f, v);
	else if (f->kind == KFT_FIELD_STRING && kft_event_str(ev, f, swap, &str, &len))
		kft_strbuf_add_escaped(sb, str, len);
	else if (f->kind == KFT_FIELD_INT || f->kind == KFT_FIELD_STRING ||
		 !kft_event_bytes(ev, f, swap, &data, &len))
		kft_strbuf_addc(sb, '-');
	else if (f->kind == KFT_FIELD_ARRAY && f->elem_size)
		add_array(sb, f, data, len, swap);
	else
		add_bytes(sb, data, len);
}

static void json_integer(struct kft_json *j, const struct kft_field *f, uint64_t v)
{
	if (f->is_pointer)
		kft_json_hex(j, v);
	else if (f->is_signed)
		kft_json_i64(j, (int64_t)v);
	else
		kft_json_u64(j, v);
}

static void json_array(struct kft_json *j, const struct kft_field *f, const uint8_t *data,
		       size_t len, bool swap)
{
	kft_json_begin_array(j);
	for (size_t i = 0; i < len / f->elem_size; i++)
		json_integer(j, f, element(data, i, f, swap));
	kft_json_end_array(j);
}

static void json_bytes(struct kft_json *j, const uint8_t *data, size_t len)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf hex = {};

	add_bytes(&hex, data, len);
	kft_json_str(j, kft_strbuf_cstr(&hex));
}

void kft_value_add_json(struct kft_json *j, const struct kft_event *ev,
			const struct kft_field *f, bool swap)
{
	const uint8_t *data;
	const char *str;
	size_t len;
	uint64_t v;

	if (f->kind == KFT_FIELD_INT && kft_event_int(ev, f, swap, &v))
		json_integer(j, f, v);
	else if (f->kind == KFT_FIELD_STRING && kft_event_str(ev, f, swap, &str, &len))
		kft_json_strn(j, str, len);
	else if (f->kind == KFT_FIELD_INT || f->kind == KFT_FIELD_STRING ||
		 !kft_event_bytes(ev, f, swap, &data, &len))
		kft_json_null(j);
	else if (f->kind == KFT_FIELD_ARRAY && f->elem_size)
		json_array(j, f, data, len, swap);
	else
		json_bytes(j, data, len);
}

void kft_value_add_json_fields(struct kft_json *j, const struct kft_event *ev,
			       const struct kft_class *cls, bool swap)
{
	kft_json_begin_object(j);
	for (uint32_t i = cls ? cls->n_common : 0; cls && i < cls->n_fields; i++) {
		const struct kft_field *f = &cls->fields[i];

		kft_json_key_escaped(j, f->name, strlen(f->name));
		kft_value_add_json(j, ev, f, swap);
	}
	kft_json_end_object(j);
}

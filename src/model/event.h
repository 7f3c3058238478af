/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/trace.h>

#include "base/cursor.h"
#include "model/class.h"

/*
 * struct kft_event is part of the API: one record. Everything is borrowed from its stream
 * until that stream's next fill (see model/stream.h).
 *
 * data starts at common_type and holds size bytes; the class' offsets are relative to it.
 * Field readers check against size: a record can be shorter than its class.
 */

/*
 * An integer field's value, sign extended when the field is signed. Fails when the
 * record ends before it or the field is no integer.
 */
static inline __must_check bool kft_event_int(const struct kft_event *ev,
					      const struct kft_field *f, bool swap,
					      uint64_t *ret)
{
	if (unlikely(f->offset > ev->size || f->size > ev->size - f->offset))
		return false;
	const uint8_t *p = ev->data + f->offset;

	switch (f->size) {
	case 1:
		*ret = f->is_signed ? (uint64_t)(int64_t)(int8_t)*p : *p;
		return true;
	case 2: {
		uint16_t v = kft_load_u16(p, swap);
		*ret = f->is_signed ? (uint64_t)(int64_t)(int16_t)v : v;
		return true;
	}
	case 4: {
		uint32_t v = kft_load_u32(p, swap);
		*ret = f->is_signed ? (uint64_t)(int64_t)(int32_t)v : v;
		return true;
	}
	case 8:
		*ret = kft_load_u64(p, swap);
		return true;
	default:
		return false;
	}
}

/*
 * The bytes of a field in any place (data_loc and rel_loc resolved), borrowed. Fails when
 * they would run past the record's end.
 */
__must_check bool kft_event_bytes(const struct kft_event *ev, const struct kft_field *f,
				  bool swap, const uint8_t **ret, size_t *ret_len);

/*
 * The bytes of a string field, like kft_event_bytes(): the length stops at the first NUL.
 */
__must_check bool kft_event_str(const struct kft_event *ev, const struct kft_field *f,
				bool swap, const char **ret, size_t *ret_len);

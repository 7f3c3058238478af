// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads fields of events. */
#include "model/event.h"

/* Gets the record's bytes [offset, offset + len); false when the record is shorter. */
static bool span(const struct kft_event *ev, size_t offset, size_t len,
		 const uint8_t **ret, size_t *ret_len)
{
	if (offset > ev->size || len > ev->size - offset)
		return false;
	*ret = ev->data + offset;
	*ret_len = len;
	return true;
}

bool kft_event_bytes(const struct kft_event *ev, const struct kft_field *f, bool swap,
		     const uint8_t **ret, size_t *ret_len)
{
	if (f->offset > ev->size)
		return false;
	if (f->place == KFT_FIELD_INLINE)
		return span(ev, f->offset, f->size, ret, ret_len);
	if (f->place == KFT_FIELD_TAIL)
		return span(ev, f->offset, ev->size - f->offset, ret, ret_len);
	if (ev->size - f->offset < sizeof(uint32_t))
		return false;
	/* __data_loc and __rel_loc of include/trace/stages/stage1_struct_define.h. */
	uint32_t loc = kft_load_u32(ev->data + f->offset, swap);
	size_t start = loc & 0xffff;
	if (f->place == KFT_FIELD_REL_LOC)
		start += f->offset + sizeof(loc);
	return span(ev, start, loc >> 16, ret, ret_len);
}

bool kft_event_str(const struct kft_event *ev, const struct kft_field *f, bool swap,
		   const char **ret, size_t *ret_len)
{
	const uint8_t *p;
	size_t n;

	if (!kft_event_bytes(ev, f, swap, &p, &n))
		return false;
	*ret = (const char *)p;
	*ret_len = strnlen((const char *)p, n);
	return true;
}

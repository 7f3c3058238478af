/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_VALUE_H
#define KFT_OUTPUT_VALUE_H

#include "model/event.h"
#include "output/json.h"

/*
 * The value of one field of a record, as it is, without the event's print format. A field
 * that the record is too short for has none: "-" and null.
 *
 *	integers	decimal; pointers and addresses 0x hexadecimal
 *	strings		escaped
 *	arrays		a,b,c and [a,b,c]
 *	others		their bytes in hexadecimal
 */
void kft_value_add_text(struct kft_strbuf *sb, const struct kft_event *ev,
			const struct kft_field *f, bool swap);
void kft_value_add_json(struct kft_json *j, const struct kft_event *ev,
			const struct kft_field *f, bool swap);

/* An object of all fields but those that every event has. cls: NULL: the event is unknown. */
void kft_value_add_json_fields(struct kft_json *j, const struct kft_event *ev,
			       const struct kft_class *cls, bool swap);

#endif

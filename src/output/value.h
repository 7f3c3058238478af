/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/event.h"
#include "output/json.h"

/*
 * Prints the value of one field of a record, without the event's print format. A field
 * beyond the record's end is printed as "-" or null.
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

/* Appends an object of all fields but the common ones. cls NULL: the event is unknown. */
void kft_value_add_json_fields(struct kft_json *j, const struct kft_event *ev,
			       const struct kft_class *cls, bool swap);

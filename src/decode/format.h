/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/class.h"

/*
 * Parses the text of tracefs' events/SYSTEM/NAME/format:
 *
 *	name: sched_wakeup
 *	ID: 318
 *	format:
 *		field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *
 *		field:char comm[16];	offset:8;	size:16;	signed:0;
 *
 *	print fmt: "comm=%s", REC->comm
 *
 * The fields before the empty line are the common ones. Unknown lines and unknown
 * "key:value;" parts are skipped. Limits; a text beyond one is -EINVAL:
 */
#define KFT_FORMAT_TEXT_MAX  (1024 * 1024) /* bytes of the whole text */
#define KFT_FORMAT_FIELD_MAX 1024 /* fields of one class */
#define KFT_FORMAT_NAME_MAX  256 /* bytes of an event's or a field's name */
#define KFT_FORMAT_TYPE_MAX  1024 /* bytes of a field's type */
#define KFT_FORMAT_END_MAX   (64 * 1024) /* offset + size of a field */

/* A kft_class_parse_fn. -EINVAL for a text that is not a format, -ENOMEM. */
int kft_format_parse(const char *system, const char *text, size_t len, uint32_t long_size,
		     const struct kft_class_text *like, struct kft_arena *arena,
		     struct kft_class *ret) __must_check;

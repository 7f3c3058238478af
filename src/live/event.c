// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the fields of the kernel's events. */
#include "live/event.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/dir.h"
#include "base/err.h"
#include "base/io.h"
#include "decode/format.h"
#include "tracefs/control/mount.h"

/* The record's first 8 bytes are the kernel's own while a program runs. */
#define FIRST_OFFSET 8
#define COMM_BYTES   16

/* Reads the format of an event of a system. */
static int read_format(int tracefs, const char *system, const char *name,
		       struct kft_strbuf *ret)
{
	char path[512];
	int len = snprintf(path, sizeof(path), "events/%s/%s/format", system, name);

	return len < 0 || (size_t)len >= sizeof(path)
		       ? -ENOENT
		       : kft_read_at(tracefs, path, KFT_FORMAT_TEXT_MAX, ret);
}

/* Finds the first system that has an event with the name. */
static int search_format(int tracefs, const char *name, struct kft_arena *arena,
			 const char **ret_system, struct kft_strbuf *ret)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(tracefs, "events");
	const char *system;
	int r = -ENOENT;

	while (r == -ENOENT && dir && (system = kft_dir_next(dir))) {
		r = read_format(tracefs, system, name, ret);
		/* Files beside the systems' directories. */
		r = r == -ENOTDIR ? -ENOENT : r;
		if (!r)
			*ret_system = kft_arena_strndup(arena, system, strlen(system));
	}
	return !r && !*ret_system ? -ENOMEM : r;
}

int kft_live_format_read(struct kft_host *host, const char *name, struct kft_arena *arena,
			 const char **system, struct kft_strbuf *ret)
{
	int tracefs;
	int r = kft_tracefs_open(host, &tracefs, NULL);

	if (r < 0)
		return r;
	return *system ? read_format(tracefs, *system, name, ret)
		       : search_format(tracefs, name, arena, system, ret);
}

int kft_live_event_read(struct kft_host *host, const char *system, const char *name,
			struct kft_arena *arena, struct kft_live_event *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int r = kft_live_format_read(host, name, arena, &system, &text);

	return r < 0 ? r
		     : kft_format_parse(system, text.buf, text.len, sizeof(long), NULL,
					arena, &ret->cls);
}

static const struct kft_field *find(const struct kft_live_event *event, const char *name)
{
	const struct kft_field *f = kft_class_field(&event->cls, name);

	return f && f->place == KFT_FIELD_INLINE && f->offset >= FIRST_OFFSET &&
			       f->offset + f->size <= INT16_MAX
		       ? f
		       : NULL;
}

int kft_live_event_field(const struct kft_live_event *event, const char *name,
			 struct kft_live_value *ret)
{
	const struct kft_field *f = find(event, name);

	if (!f)
		return -ENOENT;
	bool is_number = f->elem_size == f->size &&
			 (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8);

	/* The verifier refuses fields that are not aligned. */
	if (!is_number || f->offset % f->size)
		return -EOPNOTSUPP;
	*ret = (struct kft_live_value){
		.is_signed = f->is_signed,
		.bytes = (uint8_t)f->size,
		.offset = (uint16_t)f->offset,
	};
	return 0;
}

int kft_live_event_comm(const struct kft_live_event *event, const char *name,
			uint16_t *ret)
{
	const struct kft_field *f = find(event, name);

	if (!f)
		return -ENOENT;
	if (f->size != COMM_BYTES || f->offset % 4)
		return -EOPNOTSUPP;
	*ret = (uint16_t)f->offset;
	return 0;
}

int kft_live_event_term(const void *event, const struct kft_field *field,
			struct kft_live_term *ret, struct kft_err *e)
{
	const struct kft_live_event *of = event;
	struct kft_live_value v;

	*ret = (struct kft_live_term){.is = KFT_LIVE_TERM_TEXT,
				      .reg = BPF_REG_6,
				      .offset = (int)field->offset,
				      .bytes = field->size};
	if (field->kind == KFT_FIELD_STRING && field->elem_size == 1 &&
	    find(of, field->name))
		return 0;
	if (field->kind != KFT_FIELD_INT || kft_live_event_field(of, field->name, &v) < 0)
		return kft_err_set(e, -EOPNOTSUPP,
				   "the kernel cannot test the field '%s' of %s:%s: its "
				   "place differs, or is not that of a number",
				   field->name, of->cls.system, of->cls.name);
	ret->is = KFT_LIVE_TERM_NUMBER;
	ret->is_signed = v.is_signed;
	return 0;
}

bool kft_live_raw_field(const char *system, const char *event, const char *field,
			struct kft_live_value *ret)
{
	/* TP_PROTO of include/trace/events, the same since Linux 4.17 or the event's first. */
	static const struct {
		const char *system;
		const char *event;
		const char *field;
		bool is_int; /* else 8 bytes */
		uint16_t arg;
	} args[] = {
		{"irq", "irq_handler_entry", "irq", true, 0},
		{"irq", "irq_handler_exit", "irq", true, 0},
		{"irq", "softirq_entry", "vec", true, 0},
		{"irq", "softirq_exit", "vec", true, 0},
		{"raw_syscalls", "sys_enter", "id", false, 1},
		{"lock", "contention_begin", "lock_addr", false, 0},
		{"lock", "contention_end", "lock_addr", false, 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(args); i++) {
		if (strcmp(args[i].system, system) != 0 ||
		    strcmp(args[i].event, event) != 0 ||
		    strcmp(args[i].field, field) != 0)
			continue;
		*ret = (struct kft_live_value){
			.is_signed = args[i].is_int,
			.bytes = 8,
			.offset = (uint16_t)(args[i].arg * sizeof(uint64_t)),
		};
		return true;
	}
	return false;
}

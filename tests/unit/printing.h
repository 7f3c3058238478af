/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_PRINTING_H
#define KFT_TESTS_PRINTING_H

/* A trace with one event class and one record of it, to be printed. */
#include "t.h"

#include <stdio.h>

#include "decode/format.h"
#include "decode/printfmt/print.h"

#define PRINTING_ID    77
#define PRINTING_BYTES 512

struct printing {
	struct kft_trace *trace;
	struct kft_printer *printer;
	char text[16384];
	uint8_t record[PRINTING_BYTES];
	uint32_t size; /* of the record */
	uint32_t cpu;
	struct kft_strbuf out;
};

#define PRINTING_BLOB(s) ((struct kft_blob){.data = (s), .len = strlen(s)})

/* Numbers in the traced kernel's byte order. */
static inline void printing_put(struct printing *p, uint32_t offset, uint64_t v,
				uint32_t size)
{
	bool swap = p->trace && p->trace->swap;
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swap;

	for (uint32_t i = 0; i < size; i++)
		p->record[offset + (big ? size - 1 - i : i)] = v >> (8 * i);
	if (p->size < offset + size)
		p->size = offset + size;
}

static inline void printing_puts(struct printing *p, uint32_t offset, const char *s)
{
	memcpy(p->record + offset, s, strlen(s) + 1);
	if (p->size < offset + strlen(s) + 1)
		p->size = offset + strlen(s) + 1;
}

/* p->trace may have been made (and its byte order set) before. */
static inline void printing_class(struct printing *p, const char *system,
				  const char *name, const char *fields,
				  const char *print_fmt, uint32_t long_size)
{
	if (!p->trace)
		assert_int_equal(kft_trace_create(&p->trace), 0);
	p->trace->classes.parse = kft_format_parse;
	p->trace->classes.long_size = long_size;
	p->trace->meta.long_size = long_size;
	snprintf(p->text, sizeof(p->text),
		 "name: %s\nID: %d\nformat:\n"
		 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		 "%s\nprint fmt: %s\n",
		 name, PRINTING_ID, fields, print_fmt);
	assert_int_equal(
		kft_class_table_add(&p->trace->classes, system, p->text, strlen(p->text)),
		0);
	printing_put(p, 0, PRINTING_ID, 2);
	if (p->size < 8)
		p->size = 8;
}

static inline struct kft_event printing_event(const struct printing *p)
{
	return (struct kft_event){
		.data = p->record, .size = p->size, .id = PRINTING_ID, .cpu = p->cpu};
}

static inline struct kft_printer *printing_printer(struct printing *p)
{
	if (!p->printer)
		assert_int_equal(kft_printer_create(p->trace, &p->printer), 0);
	return p->printer;
}

/* The record's text, valid until the next call. */
static inline const char *printing_info(struct printing *p)
{
	struct kft_event ev = printing_event(p);
	struct kft_printer *printer = printing_printer(p);

	kft_strbuf_clear(&p->out);
	kft_printer_info(printer, &ev, &p->out);
	return kft_strbuf_cstr(&p->out);
}

static inline void printing_finish(struct printing *p)
{
	p->printer = kft_printer_destroy(p->printer);
	p->trace = kft_trace_destroy(p->trace);
	kft_strbuf_finish(&p->out);
}

#endif

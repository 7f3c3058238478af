// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints a record in every way. The input is a system's name and a format text, each ended by
 * a NUL, a byte of options and the record. The output must be fit for a terminal.
 */
#include "trace.h"

#include <string.h>

#include "decode/format.h"

/* Addresses that a record may hold; the second is a format of packed arguments. */
static const char kallsyms[] = "0000000041414141 T one\n0000000061616161 t two\n";
static const char printk_formats[] =
	"0x41414141 : \"text\"\n"
	"0x61616161 : \"%d %s %*.*llx %pS %pI4 %c %hhd %5hd %zu %% %ph\\n\"\n";

enum { SWAP = 1, SHORT_LONGS = 2, BIG_ENDIAN_KERNEL = 4 };

struct input {
	const char *system;
	const char *text;
	size_t text_len;
	uint8_t options;
	struct kft_event ev;
};

/* Up to and with a NUL. */
static bool take_text(const uint8_t **p, size_t *size, const char **ret, size_t *ret_len)
{
	const uint8_t *nul = *size ? memchr(*p, '\0', *size) : NULL;

	if (!nul)
		return false;
	*ret = (const char *)*p;
	*ret_len = nul - *p;
	*size -= *ret_len + 1;
	*p = nul + 1;
	return true;
}

static bool take_input(const uint8_t *p, size_t size, struct input *in)
{
	size_t unused;

	if (!take_text(&p, &size, &in->system, &unused) ||
	    !take_text(&p, &size, &in->text, &in->text_len) || size == 0)
		return false;
	in->options = *p;
	in->ev = (struct kft_event){.data = p + 1, .size = size - 1};
	return true;
}

static void print_all(struct kft_trace *t, const struct kft_class *c, struct kft_event ev)
{
	_cleanup_(kft_printer_destroyp) struct kft_printer *p = NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	ev.id = c->id;
	if (kft_printer_create(t, &p) < 0)
		return;
	/* Print the record a second time, and then cut short. */
	for (int i = 0; i < 3; i++, ev.size /= 2)
		fuzz_print_event(p, &ev, c, &sb);
	(void)kft_printer_is_leaf(p, &ev, &ev);
	FUZZ_ASSERT(kft_printer_why_raw(p, c->id) || kft_printer_raw_count(p) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct input in;

	if (!take_input(data, size, &in) || kft_trace_create(&t) < 0)
		return 0;
	t->swap = in.options & SWAP;
	t->meta.big_endian = in.options & BIG_ENDIAN_KERNEL;
	t->meta.kallsyms = (struct kft_blob){kallsyms, strlen(kallsyms)};
	t->meta.printk_formats = (struct kft_blob){printk_formats,
						   strlen(printk_formats)};
	t->classes.parse = kft_format_parse;
	t->classes.long_size = in.options & SHORT_LONGS ? 4 : 8;
	if (kft_class_table_add(&t->classes, in.system, in.text, in.text_len) < 0)
		return 0;
	(void)kft_class_table_parse_all(&t->classes);
	const struct kft_class *c = t->classes.texts.data[0].cls;
	if (c)
		print_all(t, c, in.ev);
	return 0;
}

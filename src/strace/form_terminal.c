// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the modes of terminals. */
#include "strace/forms.h"

/* struct termios of the kernel: include/uapi/asm-generic/termbits.h */
struct modes {
	uint32_t input, output, control, local;
	uint8_t line;
	uint8_t characters[19];
};

static void add_characters(struct kft_strace_text *t, const struct modes *m)
{
	static const char *const names[] = {
		"VINTR",    "VQUIT",	"VERASE",  "VKILL",  "VEOF",  "VTIME",
		"VMIN",	    "VSWTC",	"VSTART",  "VSTOP",  "VSUSP", "VEOL",
		"VREPRINT", "VDISCARD", "VWERASE", "VLNEXT", "VEOL2"};

	for (unsigned int i = 0; i < ARRAY_SIZE(m->characters); i++) {
		kft_strbuf_adds(t->sb, i ? ", [" : "[[");
		if (i < ARRAY_SIZE(names))
			kft_strbuf_adds(t->sb, names[i]);
		else
			kft_strbuf_addu(t->sb, i, 1);
		kft_strbuf_adds(t->sb, "]=");
		kft_strace_hex(t, m->characters[i]);
	}
	kft_strbuf_addc(t->sb, ']');
}

void kft_form_termios(struct kft_strace_text *t, uint64_t address)
{
	struct modes m;

	if (!kft_strace_read(t, address, &m, sizeof(m))) {
		kft_strace_address(t, address);
		return;
	}
	kft_strbuf_adds(t->sb, "{c_iflag=");
	kft_strace_set(t, &kft_arg_term_iflags, m.input);
	kft_strbuf_adds(t->sb, ", c_oflag=");
	kft_strace_set(t, &kft_arg_term_oflags, m.output);
	kft_strbuf_adds(t->sb, ", c_cflag=");
	kft_strace_set(t, &kft_arg_term_cflags, m.control);
	kft_strbuf_adds(t->sb, ", c_lflag=");
	kft_strace_set(t, &kft_arg_term_lflags, m.local);
	if (t->style->verbose) {
		kft_strbuf_adds(t->sb, ", c_line=");
		kft_strace_set(t, &kft_arg_term_line, m.line);
		kft_strbuf_adds(t->sb, ", c_cc=");
		add_characters(t, &m);
	} else {
		kft_strbuf_adds(t->sb, ", ...");
	}
	kft_strbuf_addc(t->sb, '}');
}

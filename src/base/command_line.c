// SPDX-License-Identifier: LGPL-2.1-or-later
/* Quotes this program's command line. */
#include "base/command_line.h"

#include <fcntl.h>

#include "base/io.h"

#define COMMAND_LINE_MAX_BYTES (64u << 10)

static bool is_plain(const char *word, size_t len)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_=+./:,@%";

	return len > 0 && strspn(word, plain) == len;
}

static void add_word(struct kft_strbuf *sb, const char *word, size_t len)
{
	if (is_plain(word, len)) {
		kft_strbuf_add(sb, word, len);
		return;
	}
	kft_strbuf_addc(sb, '\'');
	for (size_t i = 0; i < len; i++) {
		if (word[i] == '\'')
			kft_strbuf_adds(sb, "'\\''");
		else
			kft_strbuf_addc(sb, word[i]);
	}
	kft_strbuf_addc(sb, '\'');
}

/* The words come from the kernel, because parsing options reorders those of argv. */
void kft_add_command_line(struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf words = {};

	if (kft_read_at(AT_FDCWD, "/proc/self/cmdline", COMMAND_LINE_MAX_BYTES, &words) <
	    0)
		return;
	const char *p = kft_strbuf_cstr(&words);
	const char *end = p + words.len;

	for (bool first = true; p < end; first = false) {
		size_t len = strlen(p);

		if (!first)
			kft_strbuf_addc(sb, ' ');
		add_word(sb, p, len);
		p += len + 1;
	}
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Packs a run into one word of the kernel's command line, and unpacks it. */
#include <errno.h>

#include "base/err.h"
#include "plan/boot.h"
#include "plan/format.h"
#include "plan/kft/parser.h"

static bool is_plain(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
	       (ch >= '0' && ch <= '9') || (ch && strchr("_.:*?[]-/", ch));
}

void kft_boot_word_add(const struct kft_run_config *run, struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	for (int c = 0; c < KFT_CLAUSE_COUNT; c++) {
		if (!kft_run_config_has(run, c) || c == KFT_CLAUSE_FUNCLIST ||
		    c == KFT_CLAUSE_NOFUNCLIST)
			continue;
		if (text.len)
			kft_strbuf_addc(&text, ' ');
		kft_clause_format(run, c, &text);
	}
	/* An empty parameter would look like a flag of another module. */
	const char *p = text.len ? kft_strbuf_cstr(&text) : "begin end";
	for (; *p; p++) {
		if (*p == ' ')
			kft_strbuf_addc(sb, ',');
		else if (is_plain(*p))
			kft_strbuf_addc(sb, *p);
		else
			kft_strbuf_addf(sb, "%%%02X", (unsigned char)*p);
	}
	sb->failed |= !kft_strbuf_ok(&text);
}

static int hex_digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	return ch >= 'A' && ch <= 'F' ? ch - 'A' + 10 : -1;
}

static int decode(const char *word, size_t len, struct kft_strbuf *text)
{
	for (size_t i = 0; i < len; i++) {
		if (word[i] == ',') {
			kft_strbuf_addc(text, ' ');
		} else if (is_plain(word[i])) {
			kft_strbuf_addc(text, word[i]);
		} else if (word[i] == '%' && len - i > 2) {
			int high = hex_digit(word[i + 1]);
			int low = hex_digit(word[i + 2]);

			if (high < 0 || low < 0)
				return -EINVAL;
			kft_strbuf_addc(text, (char)(high << 4 | low));
			i += 2;
		} else {
			return -EINVAL;
		}
	}
	return kft_strbuf_ok(text) ? 0 : -ENOMEM;
}

int kft_boot_word_parse(const char *word, size_t len, struct kft_config *ret,
			struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};
	struct kft_config config = {};
	int r = len > KFT_BOOT_WORD_MAX ? -EINVAL : decode(word, len, &text);

	if (r == 0)
		r = kft_config_parse(kft_strbuf_cstr(&text), text.len, &diags, &config);
	if (kft_diags_any(&diags))
		return kft_diags_err(&diags, "the boot's kft.boot parameter", e);
	if (r == 0 && config.runs.len != 1) {
		kft_config_finish(&config);
		r = -EINVAL;
	}
	if (r < 0)
		return kft_err_sys(e, r, "cannot read the boot's kft.boot parameter");
	*ret = config;
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads lines of KPTrace's text. */
#include "file/kpt/line.h"

#include <string.h>

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_US 1000

#define SECONDS_DIGITS 10
#define USEC_DIGITS    6

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct kft_kpt_word trim(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	while (end > p && is_blank(end[-1]))
		end--;
	return (struct kft_kpt_word){p, end - p};
}

static struct kft_kpt_word take_word(struct kft_kpt_word *rest)
{
	const char *end = rest->text + rest->len;
	const char *p = rest->text;

	while (p < end && !is_blank(*p))
		p++;
	struct kft_kpt_word word = {rest->text, p - rest->text};

	*rest = trim(p, end);
	return word;
}

size_t kft_kpt_split(struct kft_kpt_word text, struct kft_kpt_word *words, size_t max)
{
	size_t n = 0;

	text = trim(text.text, text.text + text.len);
	while (text.len && n < max)
		words[n++] = take_word(&text);
	return n;
}

bool kft_kpt_is(struct kft_kpt_word w, const char *text)
{
	return w.len == strlen(text) && memcmp(w.text, text, w.len) == 0;
}

bool kft_kpt_begins(struct kft_kpt_word w, const char *text)
{
	return w.len > strlen(text) && memcmp(w.text, text, strlen(text)) == 0;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

static bool read_digits(const char *p, size_t len, unsigned int base, uint64_t *ret)
{
	uint64_t v = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned int digit = digit_of(p[i]);

		if (digit >= base || kft_mul(v, base, &v) || kft_add(v, digit, &v))
			return false;
	}
	*ret = v;
	return len > 0;
}

bool kft_kpt_number(struct kft_kpt_word w, bool is_hex, uint64_t *ret)
{
	bool is_negative = w.len && w.text[0] == '-';
	uint64_t v;

	w.text += is_negative;
	w.len -= is_negative;
	if (w.len > 2 && w.text[0] == '0' && (w.text[1] | 0x20) == 'x') {
		w.text += 2;
		w.len -= 2;
		is_hex = true;
	}
	if (!read_digits(w.text, w.len, is_hex ? 16 : 10, &v))
		return false;
	*ret = is_negative ? -v : v;
	return true;
}

static bool read_time(struct kft_kpt_word w, uint64_t *ret_ns)
{
	const char *point = w.len ? memchr(w.text, '.', w.len) : NULL;
	size_t seconds = point ? (size_t)(point - w.text) : 0;
	uint64_t s;
	uint64_t us;

	if (!point || seconds > SECONDS_DIGITS || w.len - seconds - 1 != USEC_DIGITS ||
	    !read_digits(w.text, seconds, 10, &s) ||
	    !read_digits(point + 1, USEC_DIGITS, 10, &us))
		return false;
	*ret_ns = s * NS_PER_S + us * NS_PER_US;
	return true;
}

bool kft_kpt_parse(const char *text, size_t len, struct kft_kpt_line *ret)
{
	struct kft_kpt_word rest = trim(text, text + len);
	struct kft_kpt_word time = take_word(&rest);
	struct kft_kpt_word pid_word = take_word(&rest);
	uint64_t pid;

	if (!read_time(time, &ret->ts_ns) || !kft_kpt_number(pid_word, false, &pid) ||
	    pid > INT32_MAX || !rest.len)
		return false;
	ret->pid = (int32_t)pid;
	ret->code = take_word(&rest);
	ret->rest = rest;
	return true;
}

/*
 * Stack lines follow their record: "[<8006e5a4>] sys_read+0x0/0x80
 * [module]", an empty line.
 */
static bool is_of_stack(const char *p, size_t len)
{
	return len > 2 && p[0] == '[' && p[1] == '<';
}

static void count_bad(struct kft_kpt_cursor *c)
{
	if (!c->bad++)
		c->first_bad = c->start;
}

static void set_time(struct kft_kpt_cursor *c, struct kft_kpt_line *line)
{
	if (line->ts_ns && line->ts_ns < c->ts_ns)
		c->backwards++;
	c->ts_ns = KFT_MAX(c->ts_ns, line->ts_ns);
	line->ts_ns = c->ts_ns;
}

bool kft_kpt_next(struct kft_kpt_cursor *c, struct kft_kpt_line *ret)
{
	while (c->pos < c->end) {
		const char *p = c->text + c->pos;
		const char *newline = memchr(p, '\n', c->end - c->pos);
		size_t len = newline ? (size_t)(newline - p) : c->end - c->pos;

		c->start = c->pos;
		c->pos += len + (newline != NULL);
		if (!trim(p, p + len).len || is_of_stack(p, len))
			continue;
		/*
		 * A last line without a newline was truncated, and the digits that are
		 * left of a number are another number.
		 */
		if (newline && len <= KFT_KPT_LINE_MAX && kft_kpt_parse(p, len, ret)) {
			set_time(c, ret);
			return true;
		}
		count_bad(c);
	}
	return false;
}

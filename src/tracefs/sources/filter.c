// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets an event's filter, and explains why the kernel refuses it. */
#include "tracefs/sources/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

#include "base/err.h"
#include "base/io.h"

/* The kernel keeps 8 entries per instance, each with at most a page of the written text. */
#define ERROR_LOG_MAX_BYTES (1U << 20)

/* An error cannot hold a page of filter text: only this much around the caret is shown. */
#define SHOWN_BEFORE 60
#define SHOWN_AFTER  40

/*
 * An entry of tracing/error_log since Linux 5.2 (Documentation/trace/ftrace.rst):
 *
 *	[ 1182.451700] event filter parse error: error: Field not found
 *	  Command: prev_pd == 3
 *	           ^
 */
bool kft_error_log_last(const char *log, struct kft_strbuf *ret_what, size_t *ret_pos)
{
	static const char mark[] = "error: ";
	static const char command[] = "\n  Command: ";
	const char *what = NULL;

	for (const char *p = log; (p = strstr(p, ": error: ")); p++)
		what = p + 2 + strlen(mark);
	if (!what)
		return false;
	const char *end = strchrnul(what, '\n');
	kft_strbuf_add(ret_what, what, end - what);

	/* The written text may have newlines: the caret's line is the last one. */
	const char *caret = strrchr(end, '^');
	*ret_pos = 0;
	if (caret && strncmp(end, command, strlen(command)) == 0) {
		const char *line = caret;

		while (line > end && line[-1] != '\n')
			line--;
		size_t column = caret - line;
		size_t indent = strlen(command) - 1;
		*ret_pos = column > indent ? column - indent : 0;
	}
	return true;
}

/* Columns on a terminal of UTF-8 text. */
static size_t columns(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

static void add_caret_lines(struct kft_strbuf *sb, const char *filter, size_t pos)
{
	size_t len = strlen(filter);

	pos = KFT_MIN(pos, len);
	size_t from = pos > SHOWN_BEFORE ? pos - SHOWN_BEFORE : 0;
	size_t to = len - pos > SHOWN_AFTER ? pos + SHOWN_AFTER : len;

	kft_strbuf_adds(sb, "\n  ");
	size_t start = sb->len;
	kft_strbuf_add_escaped(sb, filter + from, pos - from);
	size_t indent = columns(sb->buf + start, sb->len - start);
	kft_strbuf_add_escaped(sb, filter + pos, to - pos);
	kft_strbuf_adds(sb, "\n  ");
	kft_strbuf_fill(sb, ' ', indent);
	kft_strbuf_addc(sb, '^');
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/* The kernel places the caret after an unknown field; a reader expects it under the field. */
static size_t start_of_field(const char *filter, size_t pos)
{
	size_t i = KFT_MIN(pos, strlen(filter));

	while (i && filter[i - 1] == ' ')
		i--;
	while (i && is_name_char(filter[i - 1]))
		i--;
	return is_name_char(filter[i]) ? i : pos;
}

int kft_filter_explain(int instance_fd, const char *event, const char *filter, int code,
		       struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf log = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	size_t pos;

	if (code != -EINVAL ||
	    kft_read_at(instance_fd, "error_log", ERROR_LOG_MAX_BYTES, &log) < 0 ||
	    !kft_error_log_last(kft_strbuf_cstr(&log), &text, &pos)) {
		kft_err_sys(e, code, "cannot set the filter '%s' of %s", filter, event);
		return code;
	}
	if (strcmp(kft_strbuf_cstr(&text), "Field not found") == 0)
		pos = start_of_field(filter, pos);
	add_caret_lines(&text, filter, pos);
	kft_err_set(e, code, "bad filter for %s: %s", event, kft_strbuf_cstr(&text));
	return code;
}

int kft_filter_set(int instance_fd, const char *system, const char *event,
		   const char *filter, struct kft_err *e)
{
	char path[PATH_MAX];
	char name[NAME_MAX];

	if (snprintf(path, sizeof(path), "events/%s/%s/filter", system, event) >=
	    (int)sizeof(path))
		return kft_err_sys(e, -ENAMETOOLONG, "cannot set the filter of %s:%s",
				   system, event);
	int r = kft_write_at(instance_fd, path, O_TRUNC, filter, strlen(filter));
	if (r == 0)
		return 0;
	(void)snprintf(name, sizeof(name), "%s:%s", system, event);
	return kft_filter_explain(instance_fd, name, filter, r, e);
}

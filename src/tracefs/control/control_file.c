// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads and writes control files. */
#include "tracefs/control/control_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#define CTL_MAX_BYTES 4096

int kft_control_file_read(int dirfd, const char *path, struct kft_strbuf *ret)
{
	kft_strbuf_clear(ret);
	int r = kft_read_at(dirfd, path, CTL_MAX_BYTES, ret);

	if (r < 0)
		return r;
	while (ret->len && strchr(" \n\t", ret->buf[ret->len - 1]))
		ret->len--;
	(void)kft_strbuf_cstr(ret);
	return kft_strbuf_ok(ret) ? 0 : -ENOMEM;
}

/* Reduces sb to the len bytes at start. */
static void cut(struct kft_strbuf *sb, const char *start, size_t len)
{
	memmove(sb->buf, start, len);
	sb->len = len;
	sb->buf[len] = '\0';
}

int kft_control_file_read_value(int dirfd, const char *path, struct kft_strbuf *ret)
{
	int r = kft_control_file_read(dirfd, path, ret);

	if (r < 0)
		return r;
	const char *open = strchr(ret->buf, '[');
	const char *close = open ? strchr(open, ']') : NULL;
	if (close)
		cut(ret, open + 1, close - open - 1);
	/*
	 * "7 (expanded: 1408)" is a buffer that was not used yet and grows to 1408 KB
	 * when it is. After a write to the file it does not grow by itself any more, so 7
	 * would be permanent.
	 */
	const char *expanded = strstr(ret->buf, "(expanded: ");
	if (expanded) {
		expanded += strlen("(expanded: ");
		cut(ret, expanded, strspn(expanded, "0123456789"));
	}
	/* "0*" is a disabled event that only a trigger uses. */
	if (ret->len == 2 && ret->buf[1] == '*')
		cut(ret, ret->buf, 1);
	return strchr(ret->buf, '\n') ? -EINVAL : 0;
}

int kft_control_file_read_u64(int dirfd, const char *path, uint64_t *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = kft_control_file_read(dirfd, path, &sb);

	if (r < 0)
		return r;
	const char *text = kft_strbuf_cstr(&sb);
	char *end;
	errno = 0;
	uint64_t v = strtoull(text, &end, 10);
	if (end == text || errno || *text == '-')
		return -EINVAL;
	*ret = v;
	return 0;
}

bool kft_control_file_says(const char *text, const char *value)
{
	size_t len = strlen(value);
	const char *open = strchr(text, '[');

	if (open)
		return strncmp(open + 1, value, len) == 0 && open[1 + len] == ']';
	return strcmp(text, value) == 0;
}

int kft_control_file_set(int dirfd, const char *path, const char *value)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = kft_control_file_read(dirfd, path, &sb);

	if (r < 0)
		return r;
	if (kft_control_file_says(kft_strbuf_cstr(&sb), value))
		return 0;
	return kft_write_at(dirfd, path, O_TRUNC, value, strlen(value));
}

int kft_control_file_clear(int dirfd, const char *path)
{
	return kft_write_at(dirfd, path, O_TRUNC, "", 0);
}

int kft_control_file_set_u64(int dirfd, const char *path, uint64_t value)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	return kft_control_file_set(dirfd, path, text);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Fills in error objects. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Adds ": text" after the first len bytes; text that does not fit is cut. */
static void append(struct kft_err *e, int len, const char *text)
{
	if (len < 0 || (size_t)len + 3 > sizeof(e->msg))
		return;
	size_t room = sizeof(e->msg) - len - 3;
	size_t n = strnlen(text, room);

	memcpy(e->msg + len, ": ", 2);
	memcpy(e->msg + len + 2, text, n);
	e->msg[len + 2 + n] = '\0';
}

int kft_err_set(struct kft_err *e, int code, const char *fmt, ...)
{
	if (!e)
		return code;
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
	va_end(ap);
	e->code = code;
	e->hint[0] = '\0';
	return code;
}

int kft_err_sys(struct kft_err *e, int code, const char *fmt, ...)
{
	if (!e)
		return code;
	va_list ap;

	va_start(ap, fmt);
	int len = vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
	va_end(ap);
	append(e, len, strerror(-code));
	e->code = code;
	e->hint[0] = '\0';
	return code;
}

int kft_err_wrap(struct kft_err *e, int code, const char *fmt, ...)
{
	if (!e)
		return code;
	char inner[KFT_ERR_MSG_MAX];
	va_list ap;

	memcpy(inner, e->msg, sizeof(inner));
	va_start(ap, fmt);
	int len = vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
	va_end(ap);
	append(e, len, inner);
	e->code = code;
	return code;
}

int kft_err_memory(struct kft_err *e)
{
	return kft_err_set(e, -ENOMEM, "out of memory");
}

int kft_err_missing(struct kft_err *e, const char *what)
{
	return kft_err_set(e, -EINVAL, "no %s is given", what);
}

void kft_err_hint(struct kft_err *e, const char *fmt, ...)
{
	if (!e)
		return;
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(e->hint, sizeof(e->hint), fmt, ap);
	va_end(ap);
}

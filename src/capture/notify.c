// SPDX-License-Identifier: LGPL-2.1-or-later
/* Formats notes for the user and passes them to the program's callback. */
#include "capture/notify.h"

#include <stdarg.h>
#include <stdio.h>

#include <kft/error.h>

void kft_notify(const struct kft_notify *n, const char *fmt, ...)
{
	char text[KFT_ERR_MSG_MAX];
	va_list ap;

	if (!n || !n->note)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	n->note(n->arg, text);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Knows the tasks of the program that recorded a trace. */
#include "analysis/why/recorder.h"

#include <string.h>

/* The kernel's TASK_COMM_LEN without its NUL. */
#define COMM_MAX 15

/* Whether comm is the name, as far as the kernel keeps it, or that of one of its threads: NAME-x. */
static bool is_of(const char *comm, const char *name, size_t len)
{
	size_t kept = KFT_MIN(len, (size_t)COMM_MAX);

	return kept && strncmp(comm, name, kept) == 0 &&
	       (!comm[kept] || comm[kept] == '-');
}

/* Returns the length of the program's name in a quoted command line, and sets *ret to it. */
static size_t program_name(const struct kft_blob *line, const char **ret)
{
	const char *p = line->data;
	const char *end = p + line->len;
	char after = p < end && *p == '\'' ? *p++ : ' ';

	*ret = p;
	for (; p < end && *p && *p != after; p++)
		if (*p == '/')
			*ret = p + 1;
	return (size_t)(p - *ret);
}

bool kft_why_recorder_has_run(const struct kft_trace *t, const char *comm)
{
	const struct kft_blob *line = &t->meta.command;
	size_t len = strlen(comm);
	const char *p = line->data;
	const char *end = p + line->len;

	if (!line->len)
		return true;
	while (len && (p = memmem(p, (size_t)(end - p), comm, len))) {
		bool begins = p > line->data && strchr(" /'", p[-1]);

		p += len;
		if (begins && (len == COMM_MAX || p == end || strchr(" '", *p)))
			return true;
	}
	return false;
}

bool kft_why_is_recorder(const struct kft_trace *t, const char *comm)
{
	const char *name;
	size_t len = program_name(&t->meta.command, &name);

	return is_of(comm, name, len) || is_of(comm, "kft", strlen("kft"));
}

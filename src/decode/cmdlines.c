// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses saved_cmdlines and saved_tgids. */
#include "decode/cmdlines.h"

#include <errno.h>
#include <string.h>

typedef int parse_line_fn(const char *p, const char *end, struct kft_task_table *t);

/* Accepts 32 bits, although the kernel's pids have 22. */
static bool parse_pid(const char **pp, const char *end, uint32_t *ret)
{
	const char *p = *pp;
	uint64_t v = 0;

	while (p < end && *p == ' ')
		p++;
	const char *start = p;
	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		v = v * 10 + (uint64_t)(*p - '0');
		if (v > UINT32_MAX)
			return false;
	}
	*pp = p;
	*ret = v;
	return p > start;
}

static int comm_line(const char *p, const char *end, struct kft_task_table *t)
{
	uint32_t pid;

	if (!parse_pid(&p, end, &pid) || p == end || *p != ' ')
		return -EINVAL;
	p++;
	return kft_task_set_comm(t, pid, p,
				 KFT_MIN((size_t)(end - p), (size_t)KFT_COMM_MAX));
}

static int tgid_line(const char *p, const char *end, struct kft_task_table *t)
{
	uint32_t pid;
	uint32_t tgid;

	if (!parse_pid(&p, end, &pid) || !parse_pid(&p, end, &tgid) || p != end)
		return -EINVAL;
	return kft_task_set_tgid(t, pid, tgid);
}

static int each_line(const char *text, size_t len, parse_line_fn *fn,
		     struct kft_task_table *t, size_t *ret_bad)
{
	size_t bad = 0;

	*ret_bad = 0;
	if (len == 0)
		return 0;
	const char *end = text + len;
	for (const char *p = text; p < end;) {
		const char *nl = memchr(p, '\n', end - p);
		const char *stop = nl ? nl : end;
		int r = p == stop ? 0 : fn(p, stop, t);

		if (r == -ENOMEM)
			return r;
		bad += r < 0;
		p = nl ? nl + 1 : end;
	}
	*ret_bad = bad;
	return 0;
}

int kft_cmdlines_parse(const char *text, size_t len, struct kft_task_table *t,
		       size_t *ret_bad)
{
	return each_line(text, len, comm_line, t, ret_bad);
}

int kft_tgids_parse(const char *text, size_t len, struct kft_task_table *t,
		    size_t *ret_bad)
{
	return each_line(text, len, tgid_line, t, ret_bad);
}

bool kft_cmdlines_can_say(const char *comm)
{
	/* The characters of isspace() in the C locale. */
	return comm[strspn(comm, " \t\n\v\f\r")] != '\0';
}

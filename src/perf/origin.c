// SPDX-License-Identifier: LGPL-2.1-or-later
/* Describes a trace that has samples only. */
#include "perf/origin.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cursor.h"
#include "base/strbuf.h"
#include "capture/origin.h"

int kft_perf_shape_add(const char *clock, uint32_t cpu_count, struct kft_meta *m)
{
	m->big_endian = KFT_HOST_BIG_ENDIAN;
	m->long_size = sizeof(long);
	m->page_size = (uint32_t)sysconf(_SC_PAGESIZE);
	m->cpu_count = cpu_count;
	clock = clock ? clock : "mono";
	return kft_clock_parse(clock, strlen(clock), &m->clock);
}

/* The text is that of the kernel's events/header_page. */
static int add_header_page(struct kft_meta *m)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	unsigned int header = 8 + m->long_size;

	kft_strbuf_addf(&sb,
			"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			"\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
			"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
			"\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:0;\n",
			m->long_size, header, m->page_size - header);
	return kft_strbuf_ok(&sb) ? kft_meta_set_blob(m, &m->header_page, sb.buf, sb.len)
				  : -ENOMEM;
}

/* Readers take the clock's name from brackets. */
static int add_clock(struct kft_meta *m)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_addf(&sb, "[%s]\n", m->clock.name);
	kft_origin_add_wall(m);
	return kft_strbuf_ok(&sb) ? kft_meta_set_blob(m, &m->trace_clock, sb.buf, sb.len)
				  : -ENOMEM;
}

int kft_perf_origin_add(const struct kft_host *host, const struct kft_notify *notify,
			const char *command_line, struct kft_meta *m)
{
	int r = add_header_page(m);

	if (r == 0)
		r = add_clock(m);
	if (r == 0)
		r = kft_origin_add(m);
	if (r == 0)
		r = kft_origin_add_symbols(host, notify, m);
	return r == 0 && command_line ? kft_meta_set_blob(m, &m->command, command_line,
							  strlen(command_line))
				      : r;
}

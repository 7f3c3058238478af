// SPDX-License-Identifier: GPL-2.0-only
#include "sample.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/io.h"
#include "formats.h"

static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";
static const char header_event[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n\n"
				   "\tpadding     : type == 29\n"
				   "\ttime_extend : type == 30\n"
				   "\ttime_stamp : type == 31\n"
				   "\tdata max type_len  == 28\n";

static const char beat[] = BEAT_FORMAT;
static const char print[] = PRINT_FORMAT;
static const char symbols[] = "ffffffff81000000 T _stext\nffffffff81000100 T schedule\n";

#define TEXT(s) ((struct kft_blob){.data = (s), .len = sizeof(s) - 1})

static void add_format(struct kft_meta *m, const char *system, struct kft_blob text)
{
	const struct kft_format_text f = {.system = system, .text = text};

	if (!kft_vec_push(&m->formats, f))
		abort();
}

void sample_meta(struct kft_meta *m)
{
	m->long_size = 8;
	m->page_size = SAMPLE_PAGE_BYTES;
	m->cpu_count = 2;
	(void)snprintf(m->clock.name, sizeof(m->clock.name), "mono");
	m->header_page = TEXT(header_page);
	m->header_event = TEXT(header_event);
	add_format(m, "ftrace", TEXT(print));
	add_format(m, "kft_test", TEXT(beat));
	m->kallsyms = TEXT(symbols);
	m->cmdlines = TEXT("42 heart\n");
	m->tgids = TEXT("42 41\n");
	m->trace_clock = TEXT("local global [mono]\n");
	m->uname = TEXT("Linux host 6.1.0 x86_64");
	m->version = TEXT("kft 0");
	m->command = TEXT("kft record -a");
	m->trace_id = UINT64_C(0x1122334455667788);
	for (uint32_t i = 0; i < m->cpu_count; i++)
		if (!kft_vec_push(&m->stats,
				  (struct kft_cpu_stat){.cpu = i, .overrun = i}))
			abort();
}

static uint8_t *put(uint8_t *p, const void *v, size_t len)
{
	memcpy(p, v, len);
	return p + len;
}

void sample_page(uint8_t page[SAMPLE_PAGE_BYTES], uint32_t first, uint32_t n_events)
{
	const uint64_t ts = UINT64_C(1000) * first;
	const uint64_t commit = (uint64_t)n_events * SAMPLE_EVENT_BYTES;
	const uint16_t id = SAMPLE_EVENT_ID;
	const uint16_t flags = 0;
	const uint32_t pid = 42;
	uint8_t *p = page;

	memset(page, 0, SAMPLE_PAGE_BYTES);
	p = put(p, &ts, sizeof(ts));
	p = put(p, &commit, sizeof(commit));
	for (uint32_t i = 0; i < n_events; i++) {
		/* Three words of data; the time since the event before it. */
		const uint32_t head = 3 | (i ? 1000u << 5 : 0);
		const uint32_t n = first + i;

		p = put(p, &head, sizeof(head));
		p = put(p, &id, sizeof(id));
		p = put(p, &flags, sizeof(flags));
		p = put(p, &pid, sizeof(pid));
		p = put(p, &n, sizeof(n));
	}
}

int sample_file(void)
{
	int fd = memfd_create("sample", MFD_CLOEXEC);

	if (fd < 0)
		abort();
	return fd;
}

int sample_pages_fd(uint32_t first, uint32_t count)
{
	int fd = sample_file();

	for (uint32_t i = 0; i < count; i++) {
		uint8_t page[SAMPLE_PAGE_BYTES];

		sample_page(page, first + i * SAMPLE_EVENTS_IN_PAGE,
			    SAMPLE_EVENTS_IN_PAGE);
		if (kft_write_all(fd, page, sizeof(page)) < 0)
			abort();
	}
	return fd;
}

uint8_t *sample_content(int fd, size_t *ret_len)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		abort();
	uint8_t *data = malloc(st.st_size + 1);
	if (!data || kft_pread_all(fd, data, st.st_size, 0) < 0)
		abort();
	*ret_len = st.st_size;
	return data;
}

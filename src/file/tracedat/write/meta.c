// SPDX-License-Identifier: LGPL-2.1-or-later
/* Encodes the metadata texts of a trace.dat file. */
#include "file/tracedat/write/meta.h"

#include <errno.h>

#include "base/err.h"
#include "file/tracedat/format.h"

static void encode_blob(struct kft_strbuf *sb, const struct kft_blob *b)
{
	if (b->len)
		kft_strbuf_add(sb, b->data, b->len);
}

static void encode_blob64(struct kft_strbuf *sb, const struct kft_blob *b, bool swap)
{
	kft_encode_u64(sb, b->len, swap);
	encode_blob(sb, b);
}

static void encode_blob32(struct kft_strbuf *sb, const struct kft_blob *b, bool swap)
{
	kft_encode_u32(sb, b->len, swap);
	encode_blob(sb, b);
}

/* HEADER INFO SECTION */
void kft_encode_header_info(struct kft_strbuf *sb, const struct kft_meta *m, bool swap)
{
	kft_encode_str(sb, "header_page");
	encode_blob64(sb, &m->header_page, swap);
	kft_encode_str(sb, "header_event");
	encode_blob64(sb, &m->header_event, swap);
}

static bool is_ftrace(const struct kft_format_text *f)
{
	/* Events of tracers have a section of their own. */
	return strcmp(f->system, "ftrace") == 0;
}

/* FTRACE EVENT FORMATS SECTION */
void kft_encode_ftrace_events(struct kft_strbuf *sb, const struct kft_meta *m, bool swap)
{
	uint32_t n = 0;

	kft_vec_for_each(&m->formats, f)
		n += is_ftrace(f);
	kft_encode_u32(sb, n, swap);
	kft_vec_for_each(&m->formats, f)
		if (is_ftrace(f))
			encode_blob64(sb, &f->text, swap);
}

/*
 * The number of formats from f on that belong to one system. A system with formats in
 * several runs is written several times under the same name, which readers merge.
 */
static uint32_t run_length(const struct kft_format_text *f,
			   const struct kft_format_text *end)
{
	uint32_t n = 1;

	while (f + n < end && strcmp(f[n].system, f->system) == 0)
		n++;
	return n;
}

static uint32_t count_systems(const struct kft_format_text *f,
			      const struct kft_format_text *end)
{
	uint32_t n = 0;

	for (; f < end; f += run_length(f, end))
		n += !is_ftrace(f);
	return n;
}

/* EVENT FORMATS SECTION */
void kft_encode_event_formats(struct kft_strbuf *sb, const struct kft_meta *m, bool swap)
{
	const struct kft_format_text *f = m->formats.data;
	const struct kft_format_text *end = f + m->formats.len;

	kft_encode_u32(sb, count_systems(f, end), swap);
	while (f < end) {
		uint32_t n = run_length(f, end);

		if (is_ftrace(f)) {
			f += n;
			continue;
		}
		kft_encode_str(sb, f->system);
		kft_encode_u32(sb, n, swap);
		for (; n > 0; n--, f++)
			encode_blob64(sb, &f->text, swap);
	}
}

/* KALLSYMS SECTION */
void kft_encode_kallsyms(struct kft_strbuf *sb, const struct kft_meta *m, bool swap)
{
	encode_blob32(sb, &m->kallsyms, swap);
}

/* TRACE_PRINTK SECTION */
void kft_encode_printk(struct kft_strbuf *sb, const struct kft_meta *m, bool swap)
{
	encode_blob32(sb, &m->printk_formats, swap);
}

/* SAVED COMMAND LINES SECTION */
void kft_encode_cmdlines(struct kft_strbuf *sb, const struct kft_meta *m, bool swap)
{
	encode_blob64(sb, &m->cmdlines, swap);
}

/* Whether the formats and the numbers around the texts fit into a section. */
static bool formats_fit(const struct kft_meta *m)
{
	size_t left = KFT_TRACEDAT_MAX_SECTION_BYTES - 64;

	kft_vec_for_each(&m->formats, f) {
		size_t around = strlen(f->system) + 16;

		if (around > left || f->text.len > left - around)
			return false;
		left -= around + f->text.len;
	}
	return true;
}

bool kft_page_size_is_valid(uint32_t bytes)
{
	return bytes >= KFT_TRACEDAT_MIN_PAGE_BYTES &&
	       bytes <= KFT_TRACEDAT_MAX_PAGE_BYTES && (bytes & (bytes - 1)) == 0;
}

static int too_big(struct kft_err *e, const char *what)
{
	return kft_err_set(e, -EFBIG, "%s too big for a trace file", what);
}

int kft_tracedat_check_meta(const struct kft_meta *m, struct kft_err *e)
{
	const uint64_t section = KFT_TRACEDAT_MAX_SECTION_BYTES - 64;
	const uint64_t option = KFT_TRACEDAT_MAX_OPTION_BYTES - 64;

	if (m->long_size != 4 && m->long_size != 8)
		return kft_err_set(e, -EINVAL, "%u bytes in a long", m->long_size);
	if (!kft_page_size_is_valid(m->page_size))
		return kft_err_set(e, -EINVAL, "%u bytes in a ring-buffer page",
				   m->page_size);
	if (m->cpu_count == 0 || m->cpu_count > KFT_TRACEDAT_MAX_CPUS)
		return kft_err_set(e, -EINVAL, "%u CPUs", m->cpu_count);
	if (!formats_fit(m))
		return too_big(e, "event formats");
	if (m->kallsyms.len > section || m->printk_formats.len > section ||
	    m->cmdlines.len > section)
		return too_big(e, "symbols, printk formats or command lines");
	if (m->tgids.len > option || m->command.len > option ||
	    m->kernel_line.len > option || m->run.len > option || m->devices.len > option)
		return too_big(e, "thread groups or command");
	return 0;
}

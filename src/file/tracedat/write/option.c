// SPDX-License-Identifier: LGPL-2.1-or-later
/* Encodes the options of a trace.dat file. */
#include "file/tracedat/write/option.h"

#include "model/event.h"

void kft_encode_option(struct kft_strbuf *sb, uint16_t id, const void *data, size_t len,
		       bool swap)
{
	kft_encode_u16(sb, id, swap);
	kft_encode_u32(sb, len, swap);
	if (len)
		kft_strbuf_add(sb, data, len);
}

void kft_encode_option_u64(struct kft_strbuf *sb, uint16_t id, uint64_t v, bool swap)
{
	v = swap ? __builtin_bswap64(v) : v;
	kft_encode_option(sb, id, &v, sizeof(v), swap);
}

/*
 * Encodes a text with a NUL: trace-cmd reads text options as C strings. No
 * option for an empty text.
 */
static void encode_text(struct kft_strbuf *sb, uint16_t id, const struct kft_blob *b,
			bool swap)
{
	if (!b->len)
		return;
	kft_encode_u16(sb, id, swap);
	kft_encode_u32(sb, b->len + 1, swap);
	kft_strbuf_add(sb, b->data, b->len);
	kft_strbuf_addc(sb, '\0');
}

/* The clocks that the kernel offered, with the current one in brackets. */
static void encode_trace_clock(struct kft_strbuf *sb, const struct kft_meta *m, bool swap)
{
	char text[KFT_CLOCK_NAME_MAX + 2];

	if (m->trace_clock.len) {
		encode_text(sb, KFT_OPTION_TRACECLOCK, &m->trace_clock, swap);
		return;
	}
	size_t len = strnlen(m->clock.name, sizeof(m->clock.name));
	if (!len)
		return;
	text[0] = '[';
	memcpy(text + 1, m->clock.name, len);
	text[len + 1] = ']';
	const struct kft_blob b = {.data = text, .len = len + 2};
	encode_text(sb, KFT_OPTION_TRACECLOCK, &b, swap);
}

static void add_counts(const struct kft_cpu_stat *s, struct kft_strbuf *text)
{
	kft_strbuf_addf(text, "entries: %llu\n", (unsigned long long)s->unread);
	if (s->overrun == KFT_LOST_UNKNOWN)
		kft_strbuf_adds(text, "overrun: unknown\n");
	else
		kft_strbuf_addf(text, "overrun: %llu\n", (unsigned long long)s->overrun);
	kft_strbuf_addf(text, "commit overrun: %llu\nbytes: %llu\ndropped events: %llu\n",
			(unsigned long long)s->commit_overrun,
			(unsigned long long)s->recorded_bytes,
			(unsigned long long)s->dropped_events);
}

/*
 * Encodes the text of per_cpu/cpuN/stats after a line with the CPU, as trace-cmd writes
 * it; without a text, the numbers are formatted like it.
 */
static void encode_stat(struct kft_strbuf *sb, const struct kft_cpu_stat *s, bool swap)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	if (s->text.len < 4 || memcmp(s->text.data, "CPU:", 4) != 0)
		kft_strbuf_addf(&text, "CPU: %u\n", s->cpu);
	if (s->text.len)
		kft_strbuf_add(&text, s->text.data, s->text.len);
	else
		add_counts(s, &text);
	if (!kft_strbuf_ok(&text))
		sb->failed = true;
	const struct kft_blob b = {.data = text.buf, .len = text.len};
	encode_text(sb, KFT_OPTION_CPUSTAT, &b, swap);
}

void kft_encode_lost(struct kft_strbuf *sb, const struct kft_lost_range *r)
{
	const bool swap = kft_host_is_big_endian();

	kft_encode_u32(sb, r->cpu, swap);
	kft_encode_u32(sb, 0, swap);
	kft_encode_u64(sb, r->since, swap);
	kft_encode_u64(sb, r->until, swap);
	kft_encode_u64(sb, r->count, swap);
}

/* The following statistics belong to an instance, until the next line of this kind. */
static void encode_stat_buffer(struct kft_strbuf *sb, const char *name, bool swap)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_strbuf_addf(&text, "\nBuffer: %s\n\n", name);
	if (!kft_strbuf_ok(&text))
		sb->failed = true;
	const struct kft_blob b = {.data = text.buf, .len = text.len};
	encode_text(sb, KFT_OPTION_CPUSTAT, &b, swap);
}

/* The main buffer comes first, as no line can switch back to it. */
static void encode_stats(struct kft_strbuf *sb, const struct kft_meta *m, bool swap)
{
	const char *buffer = NULL;

	kft_vec_for_each(&m->stats, s)
		if (!s->buffer)
			encode_stat(sb, s, swap);
	kft_vec_for_each(&m->stats, s) {
		if (!s->buffer)
			continue;
		if (!buffer || strcmp(buffer, s->buffer) != 0)
			encode_stat_buffer(sb, s->buffer, swap);
		buffer = s->buffer;
		encode_stat(sb, s, swap);
	}
}

static int by_cpu_and_time(const void *pa, const void *pb)
{
	const struct kft_lost_range *a = pa;
	const struct kft_lost_range *b = pb;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->since < b->since ? -1 : a->since > b->since;
}

static void widen(struct kft_lost_range *r, const struct kft_lost_range *more)
{
	r->until = KFT_MAX(r->until, more->until);
	if (kft_add(r->count, more->count, &r->count))
		r->count = KFT_LOST_UNKNOWN; /* which is UINT64_MAX: sums saturate */
}

/*
 * When a file cannot have as many loss records (a machine that was overloaded for days),
 * `fold` consecutive ones of a CPU are merged, so that the total count is kept.
 */
static void encode_folded(struct kft_strbuf *sb, const struct kft_meta *m, size_t fold)
{
	size_t bytes = m->lost.len * sizeof(*m->lost.data);
	_cleanup_free_ struct kft_lost_range *sorted = malloc(bytes);

	if (!sorted) {
		sb->failed = true;
		return;
	}
	memcpy(sorted, m->lost.data, bytes);
	qsort(sorted, m->lost.len, sizeof(*sorted), by_cpu_and_time);
	const struct kft_lost_range *r = sorted;
	const struct kft_lost_range *end = r + m->lost.len;
	while (r < end && r->cpu < KFT_TRACEDAT_MAX_CPUS) {
		struct kft_lost_range sum = *r++;

		for (size_t n = 1; n < fold && r < end && r->cpu == sum.cpu; n++)
			widen(&sum, r++);
		kft_encode_lost(sb, &sum);
	}
}

static void encode_lost_option(struct kft_strbuf *sb, const struct kft_meta *m, bool swap)
{
	const size_t max = KFT_TRACEDAT_MAX_LOST_RECORDS;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf body = {};

	if (!m->lost.len)
		return;
	if (m->lost.len > max)
		encode_folded(&body, m, m->lost.len / (max / 2) + 1);
	else
		kft_vec_for_each(&m->lost, r)
			kft_encode_lost(&body, r);
	if (!kft_strbuf_ok(&body))
		sb->failed = true;
	kft_encode_option(sb, KFT_OPTION_LOST, body.buf, body.len, swap);
}

static void encode_wall(struct kft_strbuf *sb, const struct kft_wall *wall, bool swap)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf body = {};

	if (!wall->is_known)
		return;
	kft_encode_u64(&body, wall->add, kft_host_is_big_endian());
	if (!kft_strbuf_ok(&body))
		sb->failed = true;
	kft_encode_option(sb, KFT_OPTION_WALL, body.buf, body.len, swap);
}

void kft_encode_meta_options(struct kft_strbuf *sb, const struct kft_meta *m, bool swap)
{
	encode_trace_clock(sb, m, swap);
	encode_text(sb, KFT_OPTION_UNAME, &m->uname, swap);
	encode_text(sb, KFT_OPTION_VERSION, &m->version, swap);
	if (m->trace_id)
		kft_encode_option_u64(sb, KFT_OPTION_TRACEID, m->trace_id, swap);
	encode_stats(sb, m, swap);
	kft_vec_for_each(&m->kept_options, o)
		kft_encode_option(sb, o->id, o->data.data, o->data.len, swap);
	encode_wall(sb, &m->wall, swap);
	encode_lost_option(sb, m, swap);
	encode_text(sb, KFT_OPTION_TGIDS, &m->tgids, swap);
	encode_text(sb, KFT_OPTION_COMMAND, &m->command, swap);
	encode_text(sb, KFT_OPTION_KERNEL_LINE, &m->kernel_line, swap);
	encode_text(sb, KFT_OPTION_RUN, &m->run, swap);
	encode_text(sb, KFT_OPTION_DEVICES, &m->devices, swap);
	if (m->names.len)
		kft_encode_option(sb, KFT_OPTION_NAMES, m->names.data, m->names.len,
				  swap);
}

void kft_encode_live_option(struct kft_strbuf *sb, const struct kft_meta *m, bool swap)
{
	const bool to_little = kft_host_is_big_endian();
	_cleanup_(kft_strbuf_finish) struct kft_strbuf body = {};

	kft_encode_u32(&body, KFT_TRACEDAT_LIVE_VERSION, to_little);
	kft_encode_u32(&body, m->page_size, to_little);
	kft_encode_u32(&body, m->cpu_count, to_little);
	kft_strbuf_add(&body, m->clock.name, strnlen(m->clock.name, KFT_CLOCK_NAME_MAX));
	kft_strbuf_addc(&body, '\0');
	if (!kft_strbuf_ok(&body))
		sb->failed = true;
	kft_encode_option(sb, KFT_OPTION_LIVE, body.buf, body.len, swap);
}

void kft_tracedat_add_tasks(struct kft_strbuf *sb, const struct kft_blob *cmdlines,
			    const struct kft_blob *tgids)
{
	if (cmdlines->len)
		kft_strbuf_add(sb, cmdlines->data, cmdlines->len);
	/*
	 * The separator must begin a line, whether or not the text ends with a newline.
	 */
	if (cmdlines->len && cmdlines->data[cmdlines->len - 1] != '\n')
		kft_strbuf_addc(sb, '\n');
	kft_strbuf_adds(sb, KFT_PARTS_TGIDS_LINE);
	if (tgids->len)
		kft_strbuf_add(sb, tgids->data, tgids->len);
}

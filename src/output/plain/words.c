// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the wording for an event's class, and has helpers for all wordings. */
#include "output/plain/words.h"

#define NS_PER_US 1000

static const struct kft_plain_words *const tables[] = {
	kft_plain_interrupts, kft_plain_tasks, kft_plain_signals,
	kft_plain_devices,    kft_plain_calls,
};

void kft_plain_add_ns(const struct kft_plain_event *e, uint64_t ns, struct kft_strbuf *sb)
{
	uint64_t tenths = ns / 100 + (ns % 100 >= 50);

	if (kft_report_buffer(e->report, e->ev)->clock.unit != KFT_CLOCK_NS) {
		kft_strbuf_addu(sb, ns, 1);
	} else if (ns < NS_PER_US) {
		kft_strbuf_addu(sb, ns, 1);
		kft_strbuf_adds(sb, " ns");
	} else if (ns >= 100 * NS_PER_US) {
		kft_strbuf_addu(sb, ns / NS_PER_US + (ns % NS_PER_US >= NS_PER_US / 2),
				1);
		kft_strbuf_adds(sb, " us");
	} else {
		kft_strbuf_addu(sb, tenths / 10, 1);
		if (tenths % 10) {
			kft_strbuf_addc(sb, '.');
			kft_strbuf_addu(sb, tenths % 10, 1);
		}
		kft_strbuf_adds(sb, " us");
	}
}

void kft_plain_add_end(const struct kft_plain_event *e,
		       const struct kft_interval_kind *kind, const char *before,
		       const char *after, struct kft_strbuf *sb)
{
	const struct kft_interval *i = kft_plain_end(e, kind);

	if (!i)
		return;
	kft_strbuf_adds(sb, before);
	kft_plain_add_ns(e, kft_interval_ns(i), sb);
	kft_strbuf_adds(sb, after);
}

void kft_plain_add_function(const struct kft_plain_event *e, uint64_t address,
			    struct kft_strbuf *sb)
{
	/* An address this far above a symbol does not belong to it. */
	const uint64_t bytes_max = 1 << 20;
	const struct kft_symbol *s = kft_symbol_lookup(&e->report->opts.trace->symbols,
						       address);

	if (s && address - s->addr < bytes_max) {
		kft_strbuf_add_escaped(sb, s->name, s->name_len);
		return;
	}
	kft_strbuf_adds(sb, "0x");
	kft_strbuf_addx(sb, address, 1);
}

void kft_plain_add_task(const struct kft_plain_event *e, unsigned int comm, int32_t pid,
			struct kft_strbuf *sb)
{
	kft_plain_add_text(e, comm, sb);
	kft_strbuf_adds(sb, " (");
	kft_strbuf_addi(sb, pid);
	kft_strbuf_addc(sb, ')');
}

static bool is_about(const struct kft_plain_words *w, const struct kft_class *c)
{
	size_t len = strlen(w->event);

	if (strcmp(w->system, c->system) != 0)
		return false;
	return w->event[len - 1] == '*' ? strncmp(w->event, c->name, len - 1) == 0
					: strcmp(w->event, c->name) == 0;
}

static const struct kft_plain_words *find_words(const struct kft_class *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		for (const struct kft_plain_words *w = tables[i]; w->event; w++)
			if (is_about(w, c))
				return w;
	return NULL;
}

/* Finds the fields for a wording; false when the class lacks one. */
static bool find_fields(const struct kft_plain_words *w, const struct kft_class *c,
			struct kft_plain_class *pc)
{
	for (size_t i = 0; i < KFT_PLAIN_FIELDS && w->fields[i]; i++) {
		bool is_optional = w->fields[i][0] == '?';

		pc->fields[i] = kft_class_field(c, w->fields[i] + is_optional);
		if (!pc->fields[i] && !is_optional)
			return false;
	}
	return true;
}

bool kft_plain_meet(struct kft_report *r, struct kft_report_class *rc)
{
	struct kft_plain_class *pc = kft_arena_alloc(&r->arena, sizeof(*pc));
	const struct kft_plain_words *w = rc->cls ? find_words(rc->cls) : NULL;

	if (!pc || !r->plain)
		return false;
	if (w && find_fields(w, rc->cls, pc))
		pc->words = w;
	rc->plain = pc;
	return true;
}

/* Reads the fields; false when the record ends before one of them. */
static bool read_fields(struct kft_plain_event *e)
{
	bool swap = e->report->swap;
	size_t len;

	for (size_t i = 0; i < KFT_PLAIN_FIELDS; i++) {
		const struct kft_field *f = e->fields[i];

		if (!f || f->kind == KFT_FIELD_ARRAY)
			continue;
		if (f->kind == KFT_FIELD_INT) {
			if (!kft_event_int(e->ev, f, swap, &e->values[i]))
				return false;
		} else if (kft_event_str(e->ev, f, swap, &e->texts[i], &len)) {
			e->values[i] = len;
		} else {
			return false;
		}
	}
	return true;
}

bool kft_plain_say(struct kft_report *r, const struct kft_event *ev,
		   const struct kft_report_class *rc, struct kft_strbuf *sb)
{
	struct kft_plain_event e = {
		.report = r, .rc = rc, .ev = ev, .fields = rc->plain->fields};
	const struct kft_plain_words *w = rc->plain->words;

	return w && !r->exit && read_fields(&e) && w->say(&e, sb);
}

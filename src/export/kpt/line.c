// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the arguments of events in KPTrace's records. */
#include <inttypes.h>
#include <string.h>

#include "export/kpt/kpt.h"

uint64_t kft_kpt_number_of(const struct kft_kpt_writer *w, const struct kft_event *ev,
			   const struct kft_field *f)
{
	uint64_t v;

	return f && f->kind == KFT_FIELD_INT &&
			       kft_event_int(ev, f, w->x->trace->swap, &v)
		       ? v
		       : 0;
}

uint64_t kft_kpt_field_number(const struct kft_kpt_writer *w, const struct kft_event *ev,
			      size_t field)
{
	return kft_kpt_number_of(w, ev, w->rows[ev->id].fields[field]);
}

void kft_kpt_field_text(const struct kft_kpt_writer *w, const struct kft_event *ev,
			size_t field, struct kft_strbuf *sb)
{
	const struct kft_field *f = w->rows[ev->id].fields[field];
	const char *text;
	size_t len;

	if (!f || f->kind != KFT_FIELD_STRING ||
	    !kft_event_str(ev, f, w->x->trace->swap, &text, &len))
		return;
	while (len && text[len - 1] == '\n')
		len--;
	for (size_t i = 0; i < len; i++)
		kft_strbuf_addc(sb, text[i] == '\n' ? ' ' : text[i]);
}

static void add_call(struct kft_kpt_writer *w, const struct kft_event *ev,
		     struct kft_strbuf *sb)
{
	const struct kft_field *args = w->rows[ev->id].fields[1];
	uint64_t text_arg = kft_kpt_field_number(w, ev, 2);
	const struct kft_field *text = w->rows[ev->id].fields[3];

	kft_strbuf_addf(sb, " %08" PRIx64,
			kft_kpt_call_address(w, kft_kpt_field_number(w, ev, 0)));
	for (size_t i = 0; args && i < 4; i++) {
		struct kft_field f = *args;
		uint64_t v = 0;

		f.offset += (uint32_t)i * f.elem_size;
		f.size = f.elem_size;
		if (!kft_event_int(ev, &f, w->x->trace->swap, &v))
			v = 0;
		if (!text || text_arg != i) {
			kft_strbuf_addf(sb, " 0x%08" PRIx64, v);
			continue;
		}
		kft_strbuf_adds(sb, i ? " \"" : " ");
		kft_kpt_field_text(w, ev, 3, sb);
		kft_strbuf_adds(sb, i ? "\"" : "");
		/* A quoted text is the last field of a record. */
		if (i)
			break;
	}
}

static void name_irq(struct kft_kpt_writer *w, const struct kft_event *ev)
{
	uint64_t irq = kft_kpt_field_number(w, ev, 0);
	uint64_t *slot = kft_map_put(&w->irqs, (uint32_t)irq);

	if (!slot || *slot)
		return;
	*slot = 1;
	kft_strbuf_addf(&w->names, "irq %" PRIu64 " ", irq);
	kft_kpt_field_text(w, ev, 1, &w->names);
	kft_strbuf_addc(&w->names, '\n');
}

/* Appends interval and value of do_setitimer: "0.000000 1.500000". */
static void add_times(const struct kft_kpt_writer *w, const struct kft_event *ev,
		      struct kft_strbuf *sb)
{
	const struct kft_kpt_row *row = &w->rows[ev->id];

	for (size_t i = 0; i < ARRAY_SIZE(row->times); i += 2) {
		uint64_t part = kft_kpt_number_of(w, ev, row->times[i + 1]);

		if (row->times[i + 1] && strstr(row->times[i + 1]->name, "_nsec"))
			part /= 1000;
		kft_strbuf_addf(sb, " %" PRIu64 ".%06" PRIu64,
				kft_kpt_number_of(w, ev, row->times[i]), part);
	}
}

static void add_field(const struct kft_kpt_writer *w, const struct kft_event *ev,
		      size_t i, struct kft_strbuf *sb)
{
	switch (w->rows[ev->id].record->fields[i].type) {
	case KFT_KPT_INT:
		kft_strbuf_addf(sb, " %" PRId64, (int64_t)kft_kpt_field_number(w, ev, i));
		break;
	case KFT_KPT_HEX:
		kft_strbuf_addf(sb, " 0x%08" PRIx64, kft_kpt_field_number(w, ev, i));
		break;
	case KFT_KPT_TEXT:
		if (w->rows[ev->id].has_times) {
			add_times(w, ev, sb);
			break;
		}
		kft_strbuf_addc(sb, ' ');
		kft_kpt_field_text(w, ev, i, sb);
		break;
	default:
		break;
	}
}

/* Appends the arguments after the code. */
void kft_kpt_add_args(struct kft_kpt_writer *w, const struct kft_event *ev,
		      struct kft_strbuf *sb)
{
	const struct kft_kpt_record *r = w->rows[ev->id].record;

	switch (r->special) {
	case KFT_KPT_SWITCH:
		kft_strbuf_addf(sb, " %" PRId64 " %" PRId64,
				(int64_t)kft_kpt_field_number(w, ev, 1),
				(int64_t)kft_kpt_field_number(w, ev, 4));
		break;
	case KFT_KPT_WAKE:
		kft_strbuf_addf(sb, " %" PRId64, (int64_t)kft_kpt_field_number(w, ev, 1));
		break;
	case KFT_KPT_IRQ:
		kft_strbuf_addf(sb, " %" PRId64, (int64_t)kft_kpt_field_number(w, ev, 0));
		name_irq(w, ev);
		break;
	case KFT_KPT_IRQ_BACK:
	case KFT_KPT_SOFTIRQ_BACK:
		break;
	case KFT_KPT_SOFTIRQ:
		kft_strbuf_addf(
			sb, " %08" PRIx64,
			kft_kpt_softirq_address(w, kft_kpt_field_number(w, ev, 0)));
		break;
	case KFT_KPT_CALL:
		add_call(w, ev, sb);
		break;
	case KFT_KPT_CALL_BACK:
		kft_strbuf_addf(sb, " %08" PRIx64 " %" PRId64,
				kft_kpt_call_address(w, kft_kpt_field_number(w, ev, 0)),
				(int64_t)kft_kpt_field_number(w, ev, 1));
		break;
	case KFT_KPT_MARK:
		add_field(w, ev, 1, sb);
		break;
	/* The text contains the code. */
	case KFT_KPT_OTHER:
		kft_kpt_field_text(w, ev, 0, sb);
		break;
	default:
		for (size_t i = 0; i < KFT_KPT_FIELDS && r->fields[i].type; i++)
			add_field(w, ev, i, sb);
		break;
	}
}

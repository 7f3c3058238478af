// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints events as JSON, one per line. */
#include "output/report/report_impl.h"
#include "output/value.h"

static void add_buffer(struct kft_json *j, const struct kft_report *r,
		       const struct kft_event *ev)
{
	const char *name = kft_report_buffer(r, ev)->name;

	if (!name[0])
		return;
	kft_json_key(j, "buffer");
	kft_json_str(j, name);
}

/* Prints a separate object for lost events, before the next event. */
static void loss(struct kft_report *r, const struct kft_event *ev, struct kft_strbuf *sb)
{
	struct kft_json j = {.sb = sb};

	kft_json_begin_object(&j);
	kft_json_key(&j, kft_trace_is_overwritten(r->opts.trace, ev) ? "overwritten"
								     : "lost");
	if (ev->lost_before == KFT_LOST_UNKNOWN)
		kft_json_null(&j);
	else
		kft_json_exact(&j, ev->lost_before);
	kft_json_key(&j, "before");
	if (ev->ts == KFT_REPORT_NO_TIME)
		kft_json_null(&j);
	else
		kft_json_exact(&j, ev->ts);
	kft_json_key(&j, "cpu");
	kft_json_exact(&j, ev->cpu);
	add_buffer(&j, r, ev);
	kft_json_end_object(&j);
	kft_strbuf_addc(sb, '\n');
}

static void add_comm(struct kft_json *j, struct kft_report *r, const struct kft_event *ev)
{
	uint32_t pid;

	if (kft_report_pid(r, ev, &pid))
		kft_json_str(j, kft_report_comm(r, ev, pid));
	else
		kft_json_null(j);
}

static void add_pid(struct kft_json *j, struct kft_report *r, const struct kft_event *ev)
{
	uint32_t pid;

	if (kft_report_pid(r, ev, &pid))
		kft_json_i64(j, (int32_t)pid);
	else
		kft_json_null(j);
}

static void add_info(struct kft_json *j, struct kft_report *r, const struct kft_event *ev,
		     const struct kft_report_class *rc)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf info = {};

	kft_report_add_info(r, ev, rc, &info);
	kft_json_strn(j, info.buf, info.len);
}

static void whole_event(struct kft_json *j, struct kft_report *r,
			const struct kft_event *ev, const struct kft_report_class *rc)
{
	uint64_t v;

	kft_json_key(j, "ts");
	kft_json_exact(j, ev->ts);
	kft_json_key(j, "cpu");
	kft_json_exact(j, ev->cpu);
	add_buffer(j, r, ev);
	kft_json_key(j, "comm");
	add_comm(j, r, ev);
	kft_json_key(j, "pid");
	add_pid(j, r, ev);
	if (kft_report_common(r, ev, r->flags, &v)) {
		kft_json_key(j, "common_flags");
		kft_json_exact(j, v);
	}
	if (kft_report_common(r, ev, r->preempt, &v)) {
		kft_json_key(j, "common_preempt_count");
		kft_json_exact(j, v);
	}
	kft_json_key(j, "system");
	kft_json_str(j, kft_report_system(rc));
	kft_json_key(j, "event");
	kft_json_strn(j, rc->name.text, rc->name.len);
	kft_json_key(j, "fields");
	kft_value_add_json_fields(j, ev, rc->cls, r->swap);
}

static void add_column(struct kft_json *j, struct kft_report *r,
		       const struct kft_event *ev, const struct kft_report_class *rc,
		       size_t i)
{
	const char *name = r->columns[i].name;
	char text[KFT_TS_BYTES_MAX];

	kft_json_key_escaped(j, name, strlen(name));
	switch (r->columns[i].builtin) {
	case KFT_REPORT_FIELD:
		if (rc->fields[i])
			kft_value_add_json(j, ev, rc->fields[i], r->swap);
		else
			kft_json_null(j);
		break;
	case KFT_REPORT_TS:
	case KFT_REPORT_TIME:
		kft_json_exact(j, ev->ts);
		break;
	case KFT_REPORT_WALL:
		*kft_report_put_wall(r, ev, text) = '\0';
		kft_json_str(j, text);
		break;
	case KFT_REPORT_CPU:
		kft_json_exact(j, ev->cpu);
		break;
	case KFT_REPORT_COMM:
		add_comm(j, r, ev);
		break;
	case KFT_REPORT_PID:
		add_pid(j, r, ev);
		break;
	case KFT_REPORT_EVENT:
		kft_json_strn(j, rc->name.text, rc->name.len);
		break;
	case KFT_REPORT_SYSTEM:
		kft_json_str(j, kft_report_system(rc));
		break;
	case KFT_REPORT_BUFFER:
		kft_json_str(j, kft_report_buffer(r, ev)->name);
		break;
	case KFT_REPORT_INFO:
		add_info(j, r, ev, rc);
		break;
	}
}

static void event(struct kft_report *r, const struct kft_event *ev,
		  const struct kft_report_class *rc, struct kft_strbuf *sb)
{
	struct kft_json j = {.sb = sb};

	kft_json_begin_object(&j);
	for (size_t i = 0; i < r->opts.n_fields; i++)
		add_column(&j, r, ev, rc, i);
	if (!r->opts.n_fields)
		whole_event(&j, r, ev, rc);
	kft_json_end_object(&j);
	kft_strbuf_addc(sb, '\n');
}

const struct kft_report_style kft_report_json = {
	.loss = loss,
	.event = event,
};

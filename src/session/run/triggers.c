// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps the start and the stop of a detached recording in its directory. */
#include "session/run/triggers.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"

static const char *const words[] = {
	[KFT_TRIGGER_ENTRY] = "enter",
	[KFT_TRIGGER_EXIT] = "exit",
	[KFT_TRIGGER_TIME] = "time",
	[KFT_TRIGGER_EVENT] = "event",
};

static void add_text(const struct kft_plan_trigger *t, struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "%s ", words[t->kind]);
	if (t->kind == KFT_TRIGGER_TIME)
		kft_strbuf_addf(sb, "%" PRIu64, t->time_ns);
	else if (t->kind == KFT_TRIGGER_EVENT)
		kft_strbuf_addf(sb, "%s\n%s", t->event.pattern,
				t->event.filter ? t->event.filter : "");
	else if (t->func.kind == KFT_FUNC_ADDR)
		kft_strbuf_addf(sb, "0x%" PRIx64, t->func.addr);
	else
		kft_strbuf_adds(sb, t->func.name);
}

static int write_one(const struct kft_rundir *d, const char *file,
		     const struct kft_plan_trigger *t, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	if (t->kind == KFT_TRIGGER_NONE)
		return kft_rundir_remove_file(d, file, e);
	add_text(t, &text);
	if (!kft_strbuf_ok(&text))
		return kft_err_memory(e);
	return kft_rundir_write(d, file, text.buf, text.len, e);
}

int kft_run_triggers_write(const struct kft_rundir *d, const struct kft_plan *plan,
			   struct kft_err *e)
{
	int r = write_one(d, "start", &plan->start, e);

	return r < 0 ? r : write_one(d, "stop", &plan->stop, e);
}

static int kind_of(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i] && strcmp(word, words[i]) == 0)
			return (int)i;
	return -EINVAL;
}

/* text is "KIND TARGET[\nFILTER]", and is modified. */
static int parse(char *text, struct kft_plan_trigger *ret)
{
	char *what = text;
	int kind = kind_of(strsep(&what, " "));
	char *filter = what;

	if (kind < 0 || !what)
		return -EINVAL;
	what = strsep(&filter, "\n");
	switch (kind) {
	case KFT_TRIGGER_TIME:
		*ret = (struct kft_plan_trigger){.kind = KFT_TRIGGER_TIME};
		return kft_parse_u64(what, &ret->time_ns);
	case KFT_TRIGGER_EVENT:
		return kft_plan_trigger_set_event(
			ret, what, filter && *filter ? filter : NULL, NULL);
	default:
		return kft_plan_trigger_set_function(ret, kind, what, NULL);
	}
}

static int read_one(const struct kft_rundir *d, const char *file,
		    struct kft_plan_trigger *ret, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int r = kft_rundir_read(d, file, &text, e);

	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return r;
	(void)kft_strbuf_cstr(&text);
	r = parse(text.buf, ret);
	return r < 0 ? kft_err_set(e, r, "cannot understand the %s of session '%s'", file,
				   d->name)
		     : 0;
}

int kft_run_triggers_read(const struct kft_rundir *d, struct kft_plan *plan,
			  struct kft_err *e)
{
	int r = read_one(d, "start", &plan->start, e);

	return r < 0 ? r : read_one(d, "stop", &plan->stop, e);
}

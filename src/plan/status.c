// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints the state of a run in KFT's own format. */
#include "plan/status.h"

#include <inttypes.h>

#include "plan/format.h"

/* KFT's mode bits. */
#define MODE_TIMED	 1u
#define MODE_AUTO_REPEAT 2u

static void add_trigger(struct kft_strbuf *sb, const char *which,
			const struct kft_config_trigger *t)
{
	static const char *const texts[] = {
		[KFT_TRIGGER_NONE] = "not set", [KFT_TRIGGER_ENTRY] = "entry ",
		[KFT_TRIGGER_EXIT] = "exit ",	[KFT_TRIGGER_TIME] = "at time ",
		[KFT_TRIGGER_EVENT] = "event ",
	};

	kft_strbuf_addf(sb, "  trigger %s %s", which, texts[t->kind]);
	if (t->kind == KFT_TRIGGER_TIME)
		kft_strbuf_addf(sb, "%" PRIu64, t->time_ns / 1000);
	else if (t->kind == KFT_TRIGGER_EVENT)
		kft_strbuf_adds(sb, t->event.pattern);
	else if (t->kind != KFT_TRIGGER_NONE)
		kft_strbuf_adds(sb, t->func.word);
	kft_strbuf_addc(sb, '\n');
}

static void add_clauses(struct kft_strbuf *sb, const struct kft_run_config *run,
			const enum kft_clause *clauses, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

		if (!kft_run_config_has(run, clauses[i]))
			continue;
		kft_clause_format(run, clauses[i], &text);
		kft_strbuf_adds(sb, "  ");
		kft_strbuf_add_escaped(sb, kft_strbuf_cstr(&text), text.len);
		kft_strbuf_addc(sb, '\n');
	}
}

void kft_run_status_text(const struct kft_run_config *run, const struct kft_run_state *st,
			 struct kft_strbuf *sb)
{
	static const enum kft_clause known[] = {
		KFT_CLAUSE_NOINTS,
		KFT_CLAUSE_ONLYINTS,
		KFT_CLAUSE_FUNCLIST,
		KFT_CLAUSE_LOGENTRIES,
	};
	static const enum kft_clause newer[] = {
		KFT_CLAUSE_NOFUNCLIST, KFT_CLAUSE_PID,	     KFT_CLAUSE_COMM,
		KFT_CLAUSE_WATCH,      KFT_CLAUSE_OVERWRITE,
	};

	kft_strbuf_addf(sb, "status: run id %u, %sprimed, %striggered, %scomplete\n\n",
			st->id, st->primed ? "" : "not ", st->triggered ? "" : "not ",
			st->complete ? "" : "not ");
	kft_strbuf_addf(sb, "config:\n  mode %u\n",
			(run->untimed ? 0 : MODE_TIMED) |
				(run->autorepeat ? MODE_AUTO_REPEAT : 0));
	add_trigger(sb, "start", &run->start);
	add_trigger(sb, "stop", &run->stop);
	kft_strbuf_addf(sb, "  filter mintime %" PRIu64 "\n", run->mintime_ns / 1000);
	kft_strbuf_addf(sb, "  filter maxtime %" PRIu64 "\n", run->maxtime_ns / 1000);
	add_clauses(sb, run, known, ARRAY_SIZE(known));
	add_clauses(sb, run, newer, ARRAY_SIZE(newer));
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes a configuration in its canonical form. */
#include "plan/format.h"

#include <inttypes.h>
#include <string.h>

#include "plan/kft/words.h"

/* Appends a word, in quotes if the lexer would not read it as this one word. */
static void add_word(struct kft_strbuf *sb, const char *word)
{
	struct kft_words w;
	struct kft_arena unused = {};
	struct kft_diags none = {};

	kft_words_init(&w, word, strlen(word), &unused, &none);
	bool plain = w.tok.kind == KFT_TOKEN_WORD && w.tok.len == strlen(word) &&
		     !kft_words_at_keyword(&w) && !kft_words_at(&w, "fend");
	kft_strbuf_addf(sb, plain ? "%s" : "\"%s\"", word);
}

static void add_time(struct kft_strbuf *sb, uint64_t ns)
{
	kft_strbuf_addu(sb, ns % 1000 ? ns : ns / 1000, 1);
	if (ns % 1000)
		kft_strbuf_adds(sb, "ns");
}

static void add_event(struct kft_strbuf *sb, const struct kft_config_event *ev)
{
	add_word(sb, ev->pattern);
	if (ev->filter)
		kft_strbuf_addf(sb, " \"%s\"", ev->filter);
}

static void add_trigger(struct kft_strbuf *sb, const char *which,
			const struct kft_config_trigger *t)
{
	kft_strbuf_addf(sb, "trigger %s ", which);
	switch (t->kind) {
	case KFT_TRIGGER_ENTRY:
	case KFT_TRIGGER_EXIT:
		kft_strbuf_adds(sb, t->kind == KFT_TRIGGER_ENTRY ? "entry " : "exit ");
		add_word(sb, t->func.word);
		break;
	case KFT_TRIGGER_TIME:
		kft_strbuf_adds(sb, "time ");
		add_time(sb, t->time_ns);
		break;
	case KFT_TRIGGER_EVENT:
		kft_strbuf_adds(sb, "event ");
		add_event(sb, &t->event);
		break;
	case KFT_TRIGGER_NONE:
		break;
	}
}

static void add_funcs(struct kft_strbuf *sb, const char *which,
		      const struct kft_config_funcs *list)
{
	kft_strbuf_addf(sb, "filter %s", which);
	kft_vec_for_each(list, f) {
		kft_strbuf_addc(sb, ' ');
		add_word(sb, f->word);
	}
	kft_strbuf_adds(sb, " fend");
}

static void add_pids(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "filter pid");
	kft_vec_for_each(&run->pids, pid)
		kft_strbuf_addf(sb, " %u", *pid);
	kft_strbuf_adds(sb, " fend");
}

static void add_comms(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "filter comm");
	kft_vec_for_each(&run->comms, comm) {
		kft_strbuf_addc(sb, ' ');
		add_word(sb, *comm);
	}
	kft_strbuf_adds(sb, " fend");
}

/* Appends one clause for each event. */
static void add_events(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_vec_for_each(&run->events, ev) {
		kft_strbuf_adds(sb, ev == run->events.data ? "event " : " event ");
		add_event(sb, ev);
	}
}

static void add_bound(struct kft_strbuf *sb, const char *which, uint64_t ns)
{
	kft_strbuf_addf(sb, "filter %s ", which);
	add_time(sb, ns);
}

void kft_clause_format(const struct kft_run_config *run, enum kft_clause clause,
		       struct kft_strbuf *sb)
{
	static const char *const flags[KFT_CLAUSE_COUNT] = {
		[KFT_CLAUSE_NOINTS] = "filter noints",
		[KFT_CLAUSE_ONLYINTS] = "filter onlyints",
		[KFT_CLAUSE_AUTOREPEAT] = "autorepeat",
		[KFT_CLAUSE_OVERWRITE] = "overwrite",
		[KFT_CLAUSE_UNTIMED] = "untimed",
		[KFT_CLAUSE_PRIME] = "prime",
	};

	switch (clause) {
	case KFT_CLAUSE_START:
		add_trigger(sb, "start", &run->start);
		break;
	case KFT_CLAUSE_STOP:
		add_trigger(sb, "stop", &run->stop);
		break;
	case KFT_CLAUSE_MINTIME:
		add_bound(sb, "mintime", run->mintime_ns);
		break;
	case KFT_CLAUSE_MAXTIME:
		add_bound(sb, "maxtime", run->maxtime_ns);
		break;
	case KFT_CLAUSE_FUNCLIST:
		add_funcs(sb, "funclist", &run->funclist);
		break;
	case KFT_CLAUSE_NOFUNCLIST:
		add_funcs(sb, "nofunclist", &run->nofunclist);
		break;
	case KFT_CLAUSE_PID:
		add_pids(sb, run);
		break;
	case KFT_CLAUSE_COMM:
		add_comms(sb, run);
		break;
	case KFT_CLAUSE_EVENT:
		add_events(sb, run);
		break;
	case KFT_CLAUSE_WATCH:
		kft_strbuf_addf(sb, "watch %s %" PRIu64,
				run->watch == KFT_WATCH_STACK ? "stack" : "worst-stack",
				run->watch_bytes);
		break;
	case KFT_CLAUSE_LOGENTRIES:
		kft_strbuf_addf(sb, "logentries %" PRIu64, run->logentries);
		break;
	default:
		kft_strbuf_adds(sb, flags[clause]);
		break;
	}
}

void kft_config_format(const struct kft_config *c, struct kft_strbuf *sb)
{
	kft_vec_for_each(&c->runs, run) {
		if (run != c->runs.data)
			kft_strbuf_addc(sb, '\n');
		kft_strbuf_adds(sb, "begin\n");
		for (int clause = 0; clause < KFT_CLAUSE_COUNT; clause++) {
			if (!kft_run_config_has(run, clause))
				continue;
			kft_strbuf_adds(sb, "  ");
			kft_clause_format(run, clause, sb);
			kft_strbuf_addc(sb, '\n');
		}
		kft_strbuf_adds(sb, "end\n");
	}
}

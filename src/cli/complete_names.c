// SPDX-License-Identifier: GPL-2.0-only
/* Offers names of events, sets and kinds to a shell that completes a word. */
#include "cli/complete_names.h"

#include <ctype.h>
#include <kft/plan.h>

#include "cli/input.h"
#include "derive/kinds/kinds.h"
#include "sets/choose.h"
#include "sets/sets.h"

/* A word with the beginning that its candidates share, which is longer than it was. */
struct longer_lead {
	struct kft_strbuf lead; /* owned */
	struct cli_word word; /* borrows the lead */
};

static void longer_lead_finish(struct longer_lead *l)
{
	kft_strbuf_finish(&l->lead);
}

static void lengthen_lead(const struct cli_word *w, size_t bytes, struct longer_lead *ret)
{
	kft_strbuf_adds(&ret->lead, w->lead);
	kft_strbuf_add(&ret->lead, w->text, bytes);
	ret->word = (struct cli_word){
		.sb = w->sb,
		.lead = kft_strbuf_cstr(&ret->lead),
		.text = w->text + bytes,
	};
}

/* The last part of a list with commas. */
static void take_last(const struct cli_word *w, struct longer_lead *ret)
{
	const char *comma = strrchr(w->text, ',');

	lengthen_lead(w, comma ? (size_t)(comma + 1 - w->text) : 0, ret);
}

void cli_word_offer(const struct cli_word *w, const char *candidate)
{
	if (strncmp(candidate, w->text, strlen(w->text)) == 0)
		kft_strbuf_addf(w->sb, "%s%s\n", w->lead, candidate);
}

void cli_word_offer_catalog(const struct cli_word *w, enum kft_catalog_kind kind)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	_cleanup_(kft_catalog_finish) struct kft_catalog catalog = {};

	if (kft_host_open(NULL, &host, NULL) < 0 ||
	    kft_catalog_read(host, kind, NULL, &catalog, NULL) < 0)
		return;
	kft_vec_for_each(&catalog.entries, entry)
		cli_word_offer(w, entry->name);
}

/* A trace's names are strange bytes, and a shell obeys some characters. */
static bool is_harmless(const char *name)
{
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("_:.-", *name))
			return false;
	return true;
}

/* The names of all events, "system:event", one a line. */
static void list_of_trace(const char *path, struct kft_strbuf *names)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	const char *event;
	size_t len;

	/* A stream can be read only once, and the verb has to read it. */
	if (cli_input_is_stream(path) || cli_input_open(path, &t, NULL) < 0)
		return;
	kft_vec_for_each(&t->classes.texts, text) {
		if (!kft_class_text_name(text, &event, &len))
			continue;
		kft_strbuf_clear(&name);
		kft_strbuf_addf(&name, "%s:%.*s", text->system, (int)len, event);
		if (is_harmless(kft_strbuf_cstr(&name)))
			kft_strbuf_addf(names, "%s\n", kft_strbuf_cstr(&name));
	}
}

static void list_of_kernel(struct kft_strbuf *names)
{
	const struct cli_word any = {.sb = names, .lead = "", .text = ""};

	cli_word_offer_catalog(&any, KFT_CATALOG_EVENTS);
}

/* Offers the names, or only the part of each name after its ':'. */
static void offer_lines(const struct cli_word *w, const char *names, bool behind_colon)
{
	_cleanup_free_ char *copy = strdup(names);
	char *rest = copy;

	for (char *name = strsep(&rest, "\n"); name && *name;
	     name = strsep(&rest, "\n")) {
		const char *colon = strchr(name, ':');

		cli_word_offer(w, behind_colon && colon ? colon + 1 : name);
	}
}

void cli_word_offer_events(const struct cli_word *w, const char *path)
{
	_cleanup_(longer_lead_finish) struct longer_lead last = {};
	_cleanup_(longer_lead_finish) struct longer_lead one = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf names = {};

	take_last(w, &last);
	/* An event to leave out is a name behind a '!'. */
	lengthen_lead(&last.word, last.word.text[0] == '!', &one);
	if (path)
		list_of_trace(path, &names);
	else
		list_of_kernel(&names);
	size_t before = w->sb->len;
	offer_lines(&one.word, kft_strbuf_cstr(&names), false);
	if (w->sb->len == before)
		offer_lines(&one.word, kft_strbuf_cstr(&names), true);
}

void cli_word_offer_sets(const struct cli_word *w)
{
	_cleanup_(kft_sets_finish) struct kft_sets sets = {};

	if (kft_sets_add_builtin(&sets, NULL) == 0)
		(void)!kft_sets_add_users(&sets, KFT_SETS_USERS_DIR, NULL);
	kft_vec_for_each(&sets.list, set)
		if (!set->is_symbol && kft_sets_find(&sets, NULL, set->name) == set)
			cli_word_offer(w, set->name);
}

/* Whether an earlier kind has the name as its group's, or its own. */
static bool is_offered(size_t before, const char *name)
{
	for (size_t i = 0; i < before; i++) {
		const struct kft_interval_kind *kind = kft_interval_kinds[i];

		if (strcmp(kind->name, name) == 0 ||
		    (kind->group && strcmp(kind->group, name) == 0))
			return true;
	}
	return false;
}

/* wanted NULL: each name of a group and of a kind. */
static void offer_kind_names(const struct cli_word *w,
			     bool (*wanted)(const struct kft_interval_kind *kind,
					    const char *name))
{
	for (size_t i = 0; kft_interval_kinds[i]; i++) {
		const struct kft_interval_kind *kind = kft_interval_kinds[i];
		const char *const names[] = {kind->group, kind->name};

		for (size_t j = 0; j < ARRAY_SIZE(names); j++)
			if (names[j] && !is_offered(i, names[j]) &&
			    !(j && kind->group && strcmp(names[0], names[1]) == 0) &&
			    (!wanted || wanted(kind, names[j])))
				cli_word_offer(w, names[j]);
	}
}

void cli_word_offer_kinds(const struct cli_word *w)
{
	_cleanup_(longer_lead_finish) struct longer_lead last = {};

	take_last(w, &last);
	cli_word_offer(&last.word, "all");
	offer_kind_names(&last.word, NULL);
}

static bool has_length(const struct kft_interval_kind *kind, const char *name)
{
	(void)name;
	return !kind->is_instant;
}

void cli_word_offer_why_kinds(const struct cli_word *w)
{
	offer_kind_names(w, has_length);
}

/* Whether kft record --for takes "why:NAME". */
static bool is_question(const struct kft_interval_kind *kind, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf question = {};
	struct kft_plan plan = {};

	(void)kind;
	kft_strbuf_addf(&question, "why:%s", name);
	bool is_one = kft_plan_add_for(&plan, kft_strbuf_cstr(&question), NULL) >= 0;
	kft_plan_finish(&plan);
	return is_one;
}

void cli_word_offer_questions(const struct cli_word *w)
{
	static const char why[] = "why:";
	_cleanup_(longer_lead_finish) struct longer_lead last = {};
	_cleanup_(longer_lead_finish) struct longer_lead kind = {};

	take_last(w, &last);
	cli_word_offer(&last.word, "why");
	if (strncmp(last.word.text, why, sizeof(why) - 1) != 0)
		return;
	lengthen_lead(&last.word, sizeof(why) - 1, &kind);
	offer_kind_names(&kind.word, is_question);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the event classes of a trace that match patterns. */
#include "analysis/select.h"

#include <errno.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/glob.h"
#include "base/suggest.h"

/* Longer names are not matched; no kernel has them. */
#define NAME_MAX_BYTES 256

/* A parsed pattern. */
struct pattern {
	const char *filter; /* borrowed; NULL: none */
	bool excludes; /* the pattern begins with '!' */
	const char *whole; /* borrowed; an event's exact name; NULL: use system, event */
	char system[NAME_MAX_BYTES]; /* empty: event may be the name of a system too */
	char event[NAME_MAX_BYTES];
};

static bool copy(char *to, const char *from, size_t len)
{
	if (len >= NAME_MAX_BYTES)
		return false;
	memcpy(to, from, len);
	to[len] = '\0';
	return true;
}

/* Cuts EVENT/FILTER/ into two strings, in place. *ret is the filter, NULL without one. */
static int split_filter(char *text, const char **ret, struct kft_err *e)
{
	char *slash = strchr(text, '/');
	size_t len = slash ? strlen(slash) : 0;

	*ret = NULL;
	if (!slash)
		return 0;
	if (len < 3 || slash[len - 1] != '/') {
		int r = kft_err_set(e, -EINVAL,
				    len == 2 ? "the filter of '%s' is empty"
					     : "the filter of '%s' has no closing '/'",
				    text);

		kft_err_hint(e, "events with a filter are written EVENT/FILTER/");
		return r;
	}
	slash[len - 1] = '\0';
	*slash = '\0';
	*ret = slash + 1;
	return 0;
}

static bool split(const char *text, struct pattern *ret)
{
	const char *colon = strchr(text, ':');
	const char *event = colon ? colon + 1 : text;

	if (!*event || colon == text)
		return false;
	return copy(ret->system, text, colon ? colon - text : 0) &&
	       copy(ret->event, event, strlen(event));
}

static bool is_match(const char *glob, const char *name)
{
	return kft_glob_noescape(glob, name);
}

/* True if text is the event's name, with or without its system. */
static bool is_name(const char *text, const char *system, const char *event)
{
	size_t len = strlen(system);

	return strcmp(text, event) == 0 ||
	       (strncmp(text, system, len) == 0 && text[len] == ':' &&
		strcmp(text + len + 1, event) == 0);
}

static bool matches(const struct pattern *p, const char *system, const char *event)
{
	if (p->whole)
		return is_name(p->whole, system, event);
	if (p->system[0])
		return is_match(p->system, system) && is_match(p->event, event);
	return is_match(p->event, system) || is_match(p->event, event);
}

/* Copies the event's name out of a format text. False if it has no usable name. */
static bool event_name(const struct kft_class_text *x, char *ret)
{
	const char *name;
	size_t len;

	return kft_class_text_name(x, &name, &len) && copy(ret, name, len);
}

/*
 * True if the pattern as a whole is an event's name: names of perf's events contain the
 * separators of patterns, for example "cycles:u" and "cpu/event=0xc0,umask=1/".
 */
static bool is_whole_name(const struct kft_trace *t, const char *text)
{
	char name[NAME_MAX_BYTES];

	if (!strpbrk(text, ":,/"))
		return false;
	kft_vec_for_each(&t->classes.texts, x)
		if (event_name(x, name) && is_name(text, x->system, name))
			return true;
	return false;
}

static void suggest(struct kft_trace *t, const struct pattern *p, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf hint = {};
	struct kft_suggest near;
	char name[NAME_MAX_BYTES];

	kft_suggest_init(&near, p->event);
	kft_vec_for_each(&t->classes.texts, x) {
		if (event_name(x, name))
			kft_suggest_add(&near, name, strlen(name));
		if (!p->system[0])
			kft_suggest_add(&near, x->system, strlen(x->system));
	}
	if (kft_suggest_text(&near, &hint))
		kft_err_hint(e, "%s", kft_strbuf_cstr(&hint));
}

/* Adds the pattern's filter for one class. The class's format is needed to compare fields. */
static int add_filter(struct kft_trace *t, const struct pattern *p, uint16_t id,
		      struct kft_filters *filters, struct kft_err *e)
{
	const struct kft_class *cls = kft_trace_class(t, id);
	struct kft_filter *f = NULL;

	if (!p->filter) {
		kft_filters_add_all(filters, id);
		return 0;
	}
	if (!cls)
		return kft_err_set(e, -ENOENT, "the format of event %u cannot be read",
				   id);
	int r = kft_filter_compile(p->filter, cls, &f, e);
	if (r < 0)
		return r;
	r = kft_filters_add(filters, id, f);
	return r < 0 ? kft_err_sys(e, r, "cannot filter") : 0;
}

static int select_matches(struct kft_trace *t, const struct pattern *p, uint64_t *wanted,
			  struct kft_filters *filters, struct kft_err *e)
{
	const struct kft_map *ids = &t->classes.by_id;
	struct kft_err without = {}; /* error of an event without the filter's field */
	char name[NAME_MAX_BYTES];
	bool any = false;

	filters->swap = t->swap;
	for (size_t i = 0; ids->slots && i <= ids->mask; i++) {
		uint64_t id = ids->slots[i].key;

		if (id == KFT_MAP_NO_KEY)
			continue;
		const struct kft_class_text *x =
			&t->classes.texts.data[ids->slots[i].value];
		if (!event_name(x, name) || !matches(p, x->system, name))
			continue;
		int r = add_filter(t, p, (uint16_t)id, filters, &without);
		if (r < 0 && r != -ENOENT) {
			if (e)
				*e = without;
			return r;
		}
		if (r < 0)
			continue;
		if (p->excludes)
			kft_bits_remove(wanted, id);
		else
			kft_bits_add(wanted, id);
		any = true;
	}
	if (any || (p->excludes && !p->whole && strpbrk(p->event, "*?[")))
		return 0;
	if (without.code) {
		if (e)
			*e = without;
		return -ENOENT;
	}
	int r = kft_err_set(e, -ENOENT, "the trace describes no event '%s%s%s'",
			    p->system, p->system[0] ? ":" : "", p->event);
	suggest(t, p, e);
	return r;
}

static int select_word(struct kft_trace *t, const char *word, const char *filter,
		       uint64_t *wanted, struct kft_filters *filters, struct kft_err *e)
{
	struct pattern p = {.filter = filter, .excludes = *word == '!'};

	if (!split(word + p.excludes, &p))
		return kft_err_set(e, -EINVAL, "not an event pattern: '%s'", word);
	if (p.excludes && filter) {
		(void)kft_err_set(e, -EINVAL, "an excluded event has no filter: '%s'",
				  word);
		kft_err_hint(e,
			     "to exclude some of its events, invert the filter: "
			     "%s/!(FILTER)/",
			     word + 1);
		return -EINVAL;
	}
	return select_matches(t, &p, wanted, filters, e);
}

/* Selects by the words of a pattern that exclude events, or by those that do not. */
static int select_words(struct kft_trace *t, const char *pattern, bool excluding,
			uint64_t *wanted, struct kft_filters *filters, struct kft_err *e)
{
	struct pattern p = {.excludes = *pattern == '!'};

	if (is_whole_name(t, pattern + p.excludes)) {
		p.whole = pattern + p.excludes;
		return p.excludes == excluding ? select_matches(t, &p, wanted, filters, e)
					       : 0;
	}
	_cleanup_free_ char *text = strdup(pattern);
	const char *filter;
	char *rest = text;

	if (!text)
		return kft_err_memory(e);
	int r = split_filter(text, &filter, e);

	while (r == 0 && rest) {
		const char *word = strsep(&rest, ",");

		if ((*word == '!') != excluding)
			continue;
		r = select_word(t, word, rest ? NULL : filter, wanted, filters, e);
	}
	return r;
}

/* True if a word of the pattern does not exclude events. */
static bool has_inclusion(const char *pattern)
{
	size_t len = strcspn(pattern, "/");

	for (const char *word = pattern; word;) {
		if (*word != '!')
			return true;
		const char *comma = memchr(word, ',', pattern + len - word);
		word = comma ? comma + 1 : NULL;
	}
	return false;
}

int kft_select_events(struct kft_trace *t, const char *const *patterns, size_t n,
		      uint64_t *wanted, struct kft_filters *filters, struct kft_err *e)
{
	bool is_some = false;
	int r = 0;

	for (size_t i = 0; i < n; i++)
		is_some |= has_inclusion(patterns[i]);
	memset(wanted, is_some ? 0 : 0xff, KFT_ID_WORDS * sizeof(*wanted));
	for (size_t i = 0; i < n && r == 0; i++)
		r = select_words(t, patterns[i], false, wanted, filters, e);
	for (size_t i = 0; i < n && r == 0; i++)
		r = select_words(t, patterns[i], true, wanted, filters, e);
	return r;
}

/* Recognizes the names that tracefs/sources/probes.h gives to start and stop triggers. */
static bool is_trigger(const struct kft_class_text *x)
{
	char name[NAME_MAX_BYTES];

	return strncmp(x->system, "kft_", 4) == 0 && strlen(x->system) == 12 &&
	       strspn(x->system + 4, "0123456789abcdef") == 8 && event_name(x, name) &&
	       (strcmp(name, "start") == 0 || strcmp(name, "stop") == 0);
}

bool kft_select_users(struct kft_trace *t, uint64_t *wanted)
{
	const struct kft_map *ids = &t->classes.by_id;
	bool any = false;

	memset(wanted, 0xff, KFT_ID_WORDS * sizeof(*wanted));
	for (size_t i = 0; ids->slots && i <= ids->mask; i++) {
		uint64_t id = ids->slots[i].key;

		if (id == KFT_MAP_NO_KEY ||
		    !is_trigger(&t->classes.texts.data[ids->slots[i].value]))
			continue;
		kft_bits_remove(wanted, id);
		any = true;
	}
	return any;
}

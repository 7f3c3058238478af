// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses files of sets: kft-sets(1) describes the grammar. */
#include "sets/sets.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

struct parser {
	struct kft_sets *sets;
	const char *file; /* in the arena */
	size_t first; /* index of the file's first set */
	struct kft_set *set; /* the set that lines are added to; NULL: none yet */
	bool is_block; /* in the newer syntax: its lines begin with a keyword */
	size_t n_points;
	unsigned int line;
	struct kft_err *e;
};

/* A part of a line. */
struct word {
	const char *text;
	size_t len;
};

static const struct {
	const char *word;
	enum kft_point_kind kind;
} keywords[] = {
	{"event", KFT_POINT_EVENT},	  {"kprobe", KFT_POINT_KPROBE},
	{"function", KFT_POINT_FUNCTION}, {"symbol", KFT_POINT_SYMBOL},
	{"include", KFT_POINT_INCLUDE},	  {"for", KFT_POINT_FOR},
	{"nothing", KFT_POINT_NOTHING},
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is(struct word w, const char *text)
{
	return w.len == strlen(text) && memcmp(w.text, text, w.len) == 0;
}

static void trim(struct word *w)
{
	while (w->len && is_blank(*w->text))
		w->text++, w->len--;
	while (w->len && is_blank(w->text[w->len - 1]))
		w->len--;
}

/* Cuts the first word off; returns an empty one at the end. */
static struct word next_word(struct word *rest)
{
	struct word w;

	trim(rest);
	w = (struct word){rest->text, 0};
	while (w.len < rest->len && !is_blank(w.text[w.len]))
		w.len++;
	rest->text += w.len;
	rest->len -= w.len;
	trim(rest);
	return w;
}

/* Cuts the last word off if it is this one. */
static bool take_last(struct word *rest, const char *word)
{
	size_t len = strlen(word);

	if (rest->len <= len || !is_blank(rest->text[rest->len - len - 1]) ||
	    memcmp(rest->text + rest->len - len, word, len) != 0)
		return false;
	rest->len -= len;
	trim(rest);
	return true;
}

static int complain(const struct parser *p, const char *what, struct word w)
{
	return kft_err_set(p->e, -EINVAL, "%s:%u: %s: '%.*s'", p->file, p->line, what,
			   (int)KFT_MIN(w.len, (size_t)100), w.text);
}

static int out_of_memory(const struct parser *p)
{
	return kft_err_memory(p->e);
}

/* A symbol may be a prefix: "sys_{}" stands for all symbols that begin with sys_. */
static bool is_name(struct word w, bool is_symbol)
{
	if (is_symbol && w.len > 2 && memcmp(w.text + w.len - 2, "{}", 2) == 0)
		w.len -= 2;
	if (!w.len || w.len > 64 || *w.text == '.' || *w.text == '-')
		return false;
	for (size_t i = 0; i < w.len; i++) {
		char c = w.text[i];

		if (c != '_' && c != '.' && c != '-' && !(c >= '0' && c <= '9') &&
		    !((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
			return false;
	}
	return true;
}

/* Finds the file's set of that name, or creates it. */
static int enter_set(struct parser *p, struct word name, bool is_symbol)
{
	if (!is_name(name, is_symbol))
		return complain(p, is_symbol ? "not a symbol" : "not a set's name", name);
	for (size_t i = p->first; i < p->sets->list.len; i++) {
		p->set = &p->sets->list.data[i];
		if (p->set->is_symbol == is_symbol && is(name, p->set->name))
			return 0;
	}
	if (p->sets->list.len - p->first >= KFT_SETS_FILE_SETS_MAX)
		return kft_err_set(p->e, -E2BIG, "%s:%u: more than %d sets", p->file,
				   p->line, KFT_SETS_FILE_SETS_MAX);
	struct kft_set set = {
		.name = kft_arena_strndup(&p->sets->arena, name.text, name.len),
		.about = "",
		.file = p->file,
		.is_symbol = is_symbol,
	};
	if (!set.name || !kft_vec_push(&p->sets->list, set))
		return out_of_memory(p);
	p->set = &p->sets->list.data[p->sets->list.len - 1];
	return 0;
}

static int add_point(struct parser *p, enum kft_point_kind kind, struct word w,
		     bool callstack, bool is_alternative)
{
	if (!w.len || w.len > KFT_SETS_WORD_MAX_BYTES)
		return complain(p, w.len ? "too long" : "a point is missing", w);
	if (memchr(w.text, '\0', w.len))
		return complain(p, "a NUL in", w);
	if (++p->n_points > KFT_SETS_FILE_POINTS_MAX)
		return kft_err_set(p->e, -E2BIG, "%s:%u: more than %d points", p->file,
				   p->line, KFT_SETS_FILE_POINTS_MAX);
	struct kft_point point = {
		.kind = kind,
		.text = kft_arena_strndup(&p->sets->arena, w.text, w.len),
		.callstack = callstack,
		.is_alternative = is_alternative,
	};
	return point.text && kft_vec_push(&p->set->points, point) ? 0 : out_of_memory(p);
}

/* Parses "event irq:irq_handler_entry callstack", or "or function vfs_read". */
static int parse_point(struct parser *p, struct word rest)
{
	struct word w = next_word(&rest);
	bool is_alternative = is(w, "or");

	if (is_alternative && !p->set->points.len)
		return complain(p, "no point before", w);
	if (is_alternative)
		w = next_word(&rest);
	bool callstack = take_last(&rest, "callstack");
	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
		if (is(w, keywords[i].word))
			return add_point(p, keywords[i].kind, rest, callstack,
					 is_alternative);
	int r = complain(p, "not a kind of point", w);
	kft_err_hint(p->e, "keywords: event, kprobe, function, symbol, include, for and "
			   "nothing");
	return r;
}

/* Parses KPTrace's syntax: symbols, each optionally followed by "callstack". */
static int parse_symbols(struct parser *p, struct word rest)
{
	while (rest.len) {
		struct word w = next_word(&rest);
		int r;

		if (is(w, "callstack") && p->set->points.len) {
			p->set->points.data[p->set->points.len - 1].callstack = true;
			continue;
		}
		r = add_point(p,
			      memchr(w.text, ':', w.len) ? KFT_POINT_EVENT
							 : KFT_POINT_SYMBOL,
			      w, false, false);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Parses "set NAME DESCRIPTION". */
static int parse_set(struct parser *p, struct word rest)
{
	int r = enter_set(p, next_word(&rest), false);

	p->is_block = true;
	if (r < 0 || !rest.len)
		return r;
	if (memchr(rest.text, '\0', rest.len))
		return complain(p, "a NUL in", rest);
	p->set->about = kft_arena_strndup(&p->sets->arena, rest.text, rest.len);
	return p->set->about ? 0 : out_of_memory(p);
}

static int parse_line(struct parser *p, struct word line)
{
	bool goes_on = line.len && is_blank(*line.text);
	struct word rest = line;

	trim(&rest);
	if (!rest.len || *rest.text == '#')
		return 0;
	if (goes_on && !p->set)
		return complain(p, "a set's name belongs at the start of a line", rest);
	if (goes_on)
		return p->is_block ? parse_point(p, rest) : parse_symbols(p, rest);
	struct word first = next_word(&rest);
	if (is(first, "set"))
		return parse_set(p, rest);
	p->is_block = is(first, "symbol");
	int r = enter_set(p, p->is_block ? next_word(&rest) : first, p->is_block);
	return r < 0 ? r : parse_symbols(p, rest);
}

int kft_sets_parse(struct kft_sets *sets, const char *file, const char *text, size_t len,
		   struct kft_err *e)
{
	struct parser p = {
		.sets = sets,
		.file = kft_arena_strdup(&sets->arena, file),
		.first = sets->list.len,
		.e = e,
	};

	if (!p.file || !kft_vec_push(&sets->files, p.file))
		return out_of_memory(&p);
	if (len > KFT_SETS_FILE_MAX_BYTES)
		return kft_err_set(e, -EFBIG, "'%s' has more than %zu bytes", file,
				   KFT_SETS_FILE_MAX_BYTES);
	for (const char *end = text + len; text < end;) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;

		p.line++;
		int r = parse_line(&p, (struct word){text, (size_t)(stop - text)});
		if (r < 0)
			return r;
		text = newline ? newline + 1 : end;
	}
	return 0;
}

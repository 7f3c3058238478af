// SPDX-License-Identifier: LGPL-2.1-or-later
/* Matches names with patterns of * ? and [...]. */
#include "base/glob.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "base/macro.h"

static const struct class
{
	char name[8];
	int (*has)(int c);
} classes[] = {
	{"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
	{"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
	{"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit},
};

/* Finds the class of "[:name:]", and moves *p to the byte after it. */
static const struct class *find_class(const char **p)
{
	const char *name = *p + 2;

	if ((*p)[0] != '[' || (*p)[1] != ':')
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		size_t len = strlen(classes[i].name);
		if (strncmp(name, classes[i].name, len) == 0 && name[len] == ':' &&
		    name[len + 1] == ']') {
			*p = name + len + 2;
			return &classes[i];
		}
	}
	return NULL;
}

static unsigned char take(const char **p, bool escapes)
{
	*p += escapes && **p == '\\' && (*p)[1];
	return *(*p)++;
}

/*
 * p points to the byte after '['. Returns the byte after the bracket expression, and whether the
 * expression has c; NULL if the expression has no end, as '[' means itself then.
 */
static const char *bracket(const char *p, unsigned char c, bool escapes, bool *ret_has)
{
	bool is_not = *p == '!' || *p == '^', has = false;

	p += is_not;
	for (const char *first = p; *p != ']' || p == first;) {
		const struct class *class = find_class(&p);
		if (class) {
			has |= !!class->has(c);
			continue;
		}
		if (!*p)
			return NULL;
		unsigned char from = take(&p, escapes), to = from;
		if (p[0] == '-' && p[1] && p[1] != ']') {
			p++;
			to = take(&p, escapes);
		}
		has |= c >= from && c <= to;
	}
	*ret_has = has != is_not;
	return p + 1;
}

/* Returns the pattern after its first element, if that matches c and is no star; else NULL. */
static const char *match_one(const char *pattern, unsigned char c, bool escapes)
{
	const char *end;
	bool has;

	if (!*pattern || !c)
		return NULL;
	if (*pattern == '?')
		return pattern + 1;
	if (*pattern == '[' && (end = bracket(pattern + 1, c, escapes, &has)))
		return has ? end : NULL;
	return take(&pattern, escapes) == c ? pattern : NULL;
}

static bool match(const char *pattern, const char *text, bool escapes)
{
	/* After a mismatch the last star matches one character more: no earlier star has to. */
	const char *star = NULL, *from = NULL;

	for (;;) {
		const char *next;

		if (*pattern == '*') {
			star = ++pattern;
			from = text;
		} else if (!*pattern && !*text) {
			return true;
		} else if ((next = match_one(pattern, *text, escapes))) {
			pattern = next;
			text++;
		} else if (star && *from) {
			pattern = star;
			text = ++from;
		} else {
			return false;
		}
	}
}

bool kft_glob(const char *pattern, const char *text)
{
	return match(pattern, text, true);
}

bool kft_glob_noescape(const char *pattern, const char *text)
{
	return match(pattern, text, false);
}

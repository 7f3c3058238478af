// SPDX-License-Identifier: LGPL-2.1-or-later
/* Replaces names in a configuration by addresses. */
#include "plan/sym2addr.h"

#include <errno.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "plan/kft/lexer.h"

/* Some keywords are also symbols of today's kernels ("stop", "time"). */
static const char *const keywords[] = {
	"autorepeat", "begin",	"comm",	       "end",	     "entry",	  "exit",
	"fend",	      "filter", "funclist",    "logentries", "maxtime",	  "mintime",
	"new",	      "noints", "nofunclist",  "onlyints",   "overwrite", "pid",
	"prime",      "stack",	"start",       "stop",	     "time",	  "trigger",
	"untimed",    "watch",	"worst-stack",
};

/* A word that may be a function's name, and its symbol in the map. */
struct name {
	const char *text; /* borrowed */
	size_t len;
	const char *digits; /* borrowed from the map; NULL: not a symbol */
	size_t n_digits;
	size_t count; /* symbols of that name */
	size_t next; /* index + 1 of the next name with the same hash; 0: none */
};

struct place {
	struct kft_token tok;
	size_t name; /* index into names */
};

struct words {
	KFT_VEC(struct name) names; /* each name once */
	KFT_VEC(struct place) places; /* in the order of the text */
	struct kft_map by_hash; /* maps a hash to the index + 1 of its last name */
};

static bool is_keyword(const struct kft_token *tok)
{
	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
		if (strlen(keywords[i]) == tok->len &&
		    !memcmp(keywords[i], tok->text, tok->len))
			return true;
	return false;
}

static struct name *find(const struct words *words, const char *text, size_t len)
{
	const uint64_t *slot = kft_map_get(&words->by_hash, kft_hash_bytes(text, len));
	size_t i = slot ? *slot : 0;

	while (i) {
		struct name *n = &words->names.data[i - 1];

		if (n->len == len && !memcmp(n->text, text, len))
			return n;
		i = n->next;
	}
	return NULL;
}

static struct name *find_or_add(struct words *words, const char *text, size_t len)
{
	struct name *there = find(words, text, len);

	if (there)
		return there;
	uint64_t *slot = kft_map_put(&words->by_hash, kft_hash_bytes(text, len));

	if (!slot ||
	    !kft_vec_push(&words->names,
			  (struct name){.text = text, .len = len, .next = *slot}))
		return NULL;
	*slot = words->names.len;
	return &words->names.data[words->names.len - 1];
}

static int collect(struct words *words, const char *text, size_t len)
{
	struct kft_lexer lexer;
	struct kft_token tok;

	kft_lexer_init(&lexer, text, len);
	while ((tok = kft_lexer_next(&lexer)).kind != KFT_TOKEN_END) {
		bool plain = tok.kind == KFT_TOKEN_WORD && !is_keyword(&tok);

		if (!plain && tok.kind != KFT_TOKEN_STRING)
			continue;
		struct name *n = find_or_add(words, tok.text, tok.len);

		if (!n || !kft_vec_push(&words->places,
					(struct place){tok, n - words->names.data}))
			return -ENOMEM;
	}
	return 0;
}

static size_t word_len(const char *p, const char *end)
{
	const char *start = p;

	while (p < end && *p != ' ' && *p != '\t')
		p++;
	return p - start;
}

static bool is_address(const char *p, size_t len, bool *ret_zero)
{
	*ret_zero = true;
	for (size_t i = 0; i < len; i++) {
		if (!strchr("0123456789abcdefABCDEF", p[i]) || !p[i])
			return false;
		*ret_zero &= p[i] == '0';
	}
	return len;
}

/* Reads "digits type name[\tmodule]". True for an address other than 0. */
static bool read_line(struct words *words, const char *p, const char *end)
{
	const char *digits = p;
	size_t n = word_len(p, end);
	bool zero;

	p += n;
	if (end - p < 4 || p[0] != ' ' || p[2] != ' ' || !is_address(digits, n, &zero))
		return false;
	struct name *name = find(words, p + 3, word_len(p + 3, end));

	if (name && !name->count++) {
		name->digits = digits;
		name->n_digits = n;
	}
	return !zero;
}

static bool read_map(struct words *words, const char *map, size_t len)
{
	const char *end = map + len;
	bool any = false;

	for (const char *p = map; p < end;) {
		const char *nl = memchr(p, '\n', end - p);
		const char *stop = nl ? nl : end;

		any |= read_line(words, p, stop);
		p = stop + 1;
	}
	return any;
}

static void write_text(const struct words *words, const char *text, size_t len,
		       struct kft_strbuf *sb, struct kft_sym2addr_counts *counts)
{
	const char *kept = text;

	kft_vec_for_each(&words->places, at) {
		const struct name *n = &words->names.data[at->name];
		/* A quoted word is replaced with its quotes. */
		size_t quote = at->tok.kind == KFT_TOKEN_STRING;

		if (!n->count)
			continue;
		kft_strbuf_add(sb, kept, at->tok.text - quote - kept);
		kft_strbuf_adds(sb, "0x");
		kft_strbuf_add(sb, n->digits, n->n_digits);
		kept = at->tok.text + at->tok.len + quote;
		counts->replaced++;
		if (n->count > 1 && !counts->ambiguous++) {
			counts->an_ambiguous = n->text;
			counts->an_ambiguous_len = n->len;
		}
	}
	kft_strbuf_add(sb, kept, text + len - kept);
}

int kft_config_sym2addr(const char *text, size_t len, const char *map, size_t map_len,
			struct kft_strbuf *sb, struct kft_sym2addr_counts *ret)
{
	struct kft_sym2addr_counts counts = {};
	struct words words = {};
	int r = collect(&words, text, len);

	if (!r) {
		counts.hidden = !read_map(&words, map, map_len);
		write_text(&words, text, len, sb, &counts);
		r = kft_strbuf_ok(sb) ? 0 : -ENOMEM;
	}
	kft_vec_finish(&words.names);
	kft_vec_finish(&words.places);
	kft_map_finish(&words.by_hash);
	if (!r)
		*ret = counts;
	return r;
}

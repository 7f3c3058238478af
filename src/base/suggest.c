// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the candidates most similar to a word that was not found. */
#include "base/suggest.h"

/* The cheapest of replacing, deleting and inserting. */
static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/*
 * Optimal string alignment distance of two words of at most KFT_SUGGEST_WORD_MAX bytes. A
 * result above limit is not exact.
 */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len,
		       size_t limit)
{
	size_t rows[3][KFT_SUGGEST_WORD_MAX + 1];

	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t *row = rows[i % 3];
		const size_t *up = rows[(i + 2) % 3];
		const size_t *up2 = rows[(i + 1) % 3];
		size_t least = i;

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			size_t d = min3(up[j - 1] + (a[i - 1] != b[j - 1]), up[j] + 1,
					row[j - 1] + 1);

			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				d = KFT_MIN(d, up2[j - 2] + 1);
			row[j] = d;
			least = KFT_MIN(least, d);
		}
		if (least > limit)
			return limit + 1;
	}
	return rows[a_len % 3][b_len];
}

void kft_suggest_init(struct kft_suggest *s, const char *word)
{
	*s = (struct kft_suggest){
		.word = word,
		.word_len = strlen(word),
		.limit = strlen(word) / 4 + 1,
	};
}

static bool is_kept(const struct kft_suggest *s, const char *candidate, size_t len)
{
	for (size_t i = 0; i < s->n; i++)
		if (strlen(s->best[i].text) == len &&
		    memcmp(s->best[i].text, candidate, len) == 0)
			return true;
	return false;
}

static void keep(struct kft_suggest *s, const char *candidate, size_t len, size_t d)
{
	size_t i = s->n;

	while (i > 0 && s->best[i - 1].distance > d)
		i--;
	if (i == KFT_SUGGEST_MAX)
		return;
	size_t moved = KFT_MIN(s->n, (size_t)KFT_SUGGEST_MAX - 1) - i;
	memmove(&s->best[i + 1], &s->best[i], moved * sizeof(s->best[0]));
	memcpy(s->best[i].text, candidate, len);
	s->best[i].text[len] = '\0';
	s->best[i].distance = d;
	s->n = KFT_MIN(s->n + 1, (size_t)KFT_SUGGEST_MAX);
}

void kft_suggest_add(struct kft_suggest *s, const char *candidate, size_t len)
{
	size_t d = s->limit + 1;

	if (!s->word_len || s->word_len > KFT_SUGGEST_WORD_MAX || !len ||
	    len > KFT_SUGGEST_WORD_MAX || is_kept(s, candidate, len))
		return;
	size_t apart = len > s->word_len ? len - s->word_len : s->word_len - len;
	if (apart <= s->limit)
		d = distance(s->word, s->word_len, candidate, len, s->limit);
	if (d > s->limit && s->word_len >= 3 &&
	    memmem(candidate, len, s->word, s->word_len))
		d = s->limit;
	if (d <= s->limit)
		keep(s, candidate, len, d);
}

bool kft_suggest_text(const struct kft_suggest *s, struct kft_strbuf *sb)
{
	size_t n = 0;

	while (n < s->n && s->best[n].distance == s->best[0].distance)
		n++;
	if (!n)
		return false;
	kft_strbuf_adds(sb, "did you mean ");
	for (size_t i = 0; i < n; i++) {
		if (i)
			kft_strbuf_adds(sb, i + 1 == n ? " or " : ", ");
		kft_strbuf_addc(sb, '\'');
		kft_strbuf_add_escaped(sb, s->best[i].text, strlen(s->best[i].text));
		kft_strbuf_addc(sb, '\'');
	}
	kft_strbuf_addc(sb, '?');
	return true;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compiles and runs conditions on the fields of an event. */
#include "model/event_filter.h"

#include <errno.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/err.h"
#include "base/suggest.h"
#include "model/event_filter_steps.h"

struct kft_filter {
	struct kft_arena arena;
	KFT_VEC(struct kft_filter_step) steps;
	struct kft_filter *next; /* owned: another filter of the same event */
};

struct parser {
	const char *text;
	const char *p;
	const struct kft_class *cls;
	struct kft_filter *filter;
	struct kft_err *err;
	unsigned int depth;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' ||
	       (unsigned char)c >= 0x80;
}

static void skip_blanks(struct parser *ps)
{
	while (is_blank(*ps->p))
		ps->p++;
}

static bool accept(struct parser *ps, const char *word)
{
	size_t len = strlen(word);

	skip_blanks(ps);
	if (strncmp(ps->p, word, len) != 0)
		return false;
	ps->p += len;
	return true;
}

static int fail(const struct parser *ps, const char *expected)
{
	if (!*ps->p)
		return kft_err_set(ps->err, -EINVAL,
				   "not a filter: '%s': expected %s at its end", ps->text,
				   expected);
	return kft_err_set(ps->err, -EINVAL, "not a filter: '%s': expected %s at '%s'",
			   ps->text, expected, ps->p);
}

static int add_step(struct parser *ps, const struct kft_filter_step *s)
{
	return kft_vec_push(&ps->filter->steps, *s) ? 0 : kft_err_memory(ps->err);
}

static int no_such_field(const struct parser *ps, const char *name, size_t len)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf hint = {};
	struct kft_suggest near;
	char copy[256] = "";

	memcpy(copy, name, KFT_MIN(len, sizeof(copy) - 1));
	int r = kft_err_set(ps->err, -ENOENT, "event '%s:%s' has no field '%s'",
			    ps->cls->system, ps->cls->name, copy);
	kft_suggest_init(&near, copy);
	for (uint32_t i = 0; i < ps->cls->n_fields; i++)
		kft_suggest_add(&near, ps->cls->fields[i].name,
				strlen(ps->cls->fields[i].name));
	if (kft_suggest_text(&near, &hint))
		kft_err_hint(ps->err, "%s", kft_strbuf_cstr(&hint));
	return r;
}

static const struct kft_field *find_field(const struct kft_class *c, const char *name,
					  size_t len)
{
	for (uint32_t i = 0; i < c->n_fields; i++)
		if (strlen(c->fields[i].name) == len &&
		    memcmp(c->fields[i].name, name, len) == 0)
			return &c->fields[i];
	return NULL;
}

static bool is_cpu(const char *name, size_t len)
{
	return len == 3 && (memcmp(name, "CPU", 3) == 0 || memcmp(name, "cpu", 3) == 0);
}

static int parse_field(struct parser *ps, struct kft_filter_step *s)
{
	skip_blanks(ps);
	const char *name = ps->p;

	while (is_word(*ps->p))
		ps->p++;
	size_t len = ps->p - name;
	if (!len)
		return fail(ps, "a field");
	s->field = find_field(ps->cls, name, len);
	if (!s->field && !is_cpu(name, len))
		return no_such_field(ps, name, len);
	s->op = KFT_FILTER_TEST_CPU;
	if (!s->field || s->field->kind == KFT_FIELD_INT)
		s->op = s->field ? KFT_FILTER_TEST_NUMBER : KFT_FILTER_TEST_CPU;
	else if (s->field->kind == KFT_FIELD_STRING)
		s->op = KFT_FILTER_TEST_STRING;
	else
		return kft_err_set(ps->err, -ENOENT,
				   "field '%s' of event '%s:%s' is neither a number nor "
				   "a string",
				   s->field->name, ps->cls->system, ps->cls->name);
	return 0;
}

static int parse_compare(struct parser *ps, struct kft_filter_step *s)
{
	/* Longer operators come first. */
	static const struct {
		const char *word;
		enum kft_filter_compare compare;
	} words[] = {
		{"==", KFT_FILTER_EQUAL},      {"!=", KFT_FILTER_NOT_EQUAL},
		{"<=", KFT_FILTER_LESS_EQUAL}, {"<", KFT_FILTER_LESS},
		{"~", KFT_FILTER_GLOB},	       {">=", KFT_FILTER_GREATER_EQUAL},
		{">", KFT_FILTER_GREATER},     {"&", KFT_FILTER_HAS_BIT},
	};
	bool is_string = s->op == KFT_FILTER_TEST_STRING;

	skip_blanks(ps);
	const char *start = ps->p;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strncmp(ps->p, "&&", 2) == 0 || !accept(ps, words[i].word))
			continue;
		s->compare = words[i].compare;
		if (is_string ? s->compare == KFT_FILTER_EQUAL ||
					s->compare == KFT_FILTER_NOT_EQUAL ||
					s->compare == KFT_FILTER_GLOB
			      : s->compare != KFT_FILTER_GLOB)
			return 0;
		ps->p = start;
		return fail(ps, is_string ? "==, != or ~ for a string"
					  : "==, !=, <, <=, >, >= or & for a number");
	}
	return fail(ps, "==, !=, <, <=, >, >=, & or ~");
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

static int parse_number(struct parser *ps, struct kft_filter_step *s)
{
	skip_blanks(ps);
	const char *start = ps->p;
	bool negative = *ps->p == '-';
	uint64_t v = 0;
	int base = 10;

	ps->p += negative;
	if (ps->p[0] == '0' && (ps->p[1] == 'x' || ps->p[1] == 'X')) {
		base = 16;
		ps->p += 2;
	} else if (ps->p[0] == '0') {
		base = 8;
	}
	const char *digits = ps->p;
	for (; digit_of(*ps->p) < base; ps->p++)
		if (kft_mul(v, (uint64_t)base, &v) ||
		    kft_add(v, (uint64_t)digit_of(*ps->p), &v))
			return fail(ps, "a number of 64 bits");
	if (ps->p == digits || is_word(*ps->p)) {
		ps->p = start;
		return fail(ps, "a number");
	}
	s->number = negative ? -v : v;
	return 0;
}

static int parse_string(struct parser *ps, struct kft_filter_step *s)
{
	skip_blanks(ps);
	char quote = *ps->p;
	const char *start = ps->p;
	const char *end;

	if (quote == '"' || quote == '\'') {
		start = ++ps->p;
		end = strchr(start, quote);
		if (!end) {
			ps->p += strlen(ps->p);
			return fail(ps, "the quote that ends a string");
		}
		ps->p = end + 1;
	} else {
		while (is_word(*ps->p) || (s->compare == KFT_FILTER_GLOB && *ps->p &&
					   strchr("*?[]!", *ps->p)))
			ps->p++;
		end = ps->p;
		if (end == start)
			return fail(ps, "a string");
	}
	s->len = end - start;
	s->text = kft_arena_strndup(&ps->filter->arena, start, s->len);
	return s->text ? 0 : kft_err_memory(ps->err);
}

/* Converts a number to the field's width: -1 is 0xffffffff in 4 unsigned bytes. */
static uint64_t as_field(const struct kft_field *f, uint64_t v)
{
	unsigned int unused = f->size >= 8 ? 0 : 64 - 8 * f->size;

	return f->is_signed ? (uint64_t)((int64_t)(v << unused) >> unused)
			    : v << unused >> unused;
}

static int parse_test(struct parser *ps)
{
	struct kft_filter_step s = {};
	int r = parse_field(ps, &s);

	if (r == 0)
		r = parse_compare(ps, &s);
	if (r == 0)
		r = s.op == KFT_FILTER_TEST_STRING ? parse_string(ps, &s)
						   : parse_number(ps, &s);
	if (r == 0 && s.op == KFT_FILTER_TEST_NUMBER)
		s.number = as_field(s.field, s.number);
	return r < 0 ? r : add_step(ps, &s);
}

static int parse_or(struct parser *ps);

static int parse_unary(struct parser *ps)
{
	int r;

	if (++ps->depth > KFT_FILTER_DEPTH_MAX)
		return fail(ps, "fewer brackets in each other");
	if (accept(ps, "!")) {
		r = parse_unary(ps);
		if (r == 0)
			r = add_step(ps,
				     &(struct kft_filter_step){.op = KFT_FILTER_NEGATE});
	} else if (accept(ps, "(")) {
		r = parse_or(ps);
		if (r == 0 && !accept(ps, ")"))
			r = fail(ps, "&&, || or )");
	} else {
		r = parse_test(ps);
	}
	ps->depth--;
	return r;
}

/*
 * Parses operands joined by one operator; at run time the first operand
 * that decides skips the rest.
 */
static int parse_chain(struct parser *ps, const char *word, enum kft_filter_op skip,
		       int (*operand)(struct parser *ps))
{
	size_t first = ps->filter->steps.len;
	int r = operand(ps);

	while (r == 0 && accept(ps, word)) {
		/*
		 * `to` 0 marks a jump that is patched below, as no
		 * chain ends at the first step.
		 */
		r = add_step(ps, &(struct kft_filter_step){.op = skip});
		if (r == 0)
			r = operand(ps);
	}
	for (size_t i = first; i < ps->filter->steps.len; i++) {
		struct kft_filter_step *s = &ps->filter->steps.data[i];

		if (s->op == skip && !s->to)
			s->to = ps->filter->steps.len;
	}
	return r;
}

static int parse_and(struct parser *ps)
{
	return parse_chain(ps, "&&", KFT_FILTER_SKIP_UNLESS, parse_unary);
}

static int parse_or(struct parser *ps)
{
	return parse_chain(ps, "||", KFT_FILTER_SKIP_IF, parse_and);
}

int kft_filter_compile(const char *text, const struct kft_class *cls,
		       struct kft_filter **ret, struct kft_err *e)
{
	_cleanup_(kft_filter_destroyp) struct kft_filter *f = calloc(1, sizeof(*f));
	struct parser ps = {.text = text, .p = text, .cls = cls, .filter = f, .err = e};

	if (!f)
		return kft_err_memory(e);
	if (strlen(text) > KFT_FILTER_BYTES_MAX)
		return kft_err_set(e, -EINVAL, "a filter has at most %d bytes",
				   KFT_FILTER_BYTES_MAX);
	int r = parse_or(&ps);
	skip_blanks(&ps);
	if (r == 0 && *ps.p)
		r = fail(&ps, "&& or ||");
	if (r < 0)
		return r;
	*ret = TAKE(f);
	return 0;
}

struct kft_filter *kft_filter_destroy(struct kft_filter *f)
{
	while (f) {
		struct kft_filter *next = f->next;

		kft_vec_finish(&f->steps);
		kft_arena_finish(&f->arena);
		free(f);
		f = next;
	}
	return NULL;
}

const struct kft_filter_step *kft_filter_steps(const struct kft_filter *f, size_t *ret_n)
{
	*ret_n = f->steps.len;
	return f->steps.data;
}

const struct kft_filter *kft_filter_next(const struct kft_filter *f)
{
	return f->next;
}

static bool compare_unsigned(enum kft_filter_compare how, uint64_t a, uint64_t b)
{
	switch (how) {
	case KFT_FILTER_LESS:
		return a < b;
	case KFT_FILTER_LESS_EQUAL:
		return a <= b;
	case KFT_FILTER_GREATER:
		return a > b;
	case KFT_FILTER_GREATER_EQUAL:
		return a >= b;
	case KFT_FILTER_HAS_BIT:
		return a & b;
	case KFT_FILTER_NOT_EQUAL:
		return a != b;
	default:
		return a == b;
	}
}

/* Flips the sign bits, which maps the signed order to the unsigned one. */
static bool compare_signed(enum kft_filter_compare how, uint64_t a, uint64_t b)
{
	const uint64_t sign = UINT64_C(1) << 63;

	if (how == KFT_FILTER_HAS_BIT)
		return a & b;
	return compare_unsigned(how, a ^ sign, b ^ sign);
}

/*
 * Matches c against a set "[...]". Returns the position after its bracket; NULL
 * when the set has no end.
 */
static const char *match_set(const char *p, const char *end, char c, bool *ret)
{
	bool negated = p < end && *p == '!';
	bool found = false;
	const char *first = p += negated;

	for (; p < end && (*p != ']' || p == first); p++) {
		unsigned char low = *p;
		unsigned char high = low;

		if (end - p > 2 && p[1] == '-' && p[2] != ']') {
			high = p[2];
			p += 2;
		}
		found |= (unsigned char)c >= low && (unsigned char)c <= high;
	}
	*ret = found != negated;
	return p < end ? p + 1 : NULL;
}

const char *kft_filter_glob_one(const char *p, const char *end, char c)
{
	bool in_set;

	if (*p == '?')
		return p + 1;
	if (*p == '[') {
		const char *after = match_set(p + 1, end, c, &in_set);

		if (after)
			return in_set ? after : NULL;
	}
	if (*p == '\\' && p + 1 < end)
		p++;
	return *p == c ? p + 1 : NULL;
}

/* Backtracks to the last * only, which is sufficient. */
static bool match_glob(const char *p, size_t p_len, const char *s, size_t s_len)
{
	const char *p_end = p + p_len;
	const char *s_end = s + s_len;
	const char *star = NULL;
	const char *from = NULL;

	while (s < s_end) {
		const char *next;

		if (p < p_end && *p == '*') {
			star = ++p;
			from = s;
			continue;
		}
		next = p < p_end ? kft_filter_glob_one(p, p_end, *s) : NULL;
		if (next) {
			p = next;
			s++;
		} else if (star) {
			p = star;
			s = ++from;
		} else {
			return false;
		}
	}
	while (p < p_end && *p == '*')
		p++;
	return p == p_end;
}

bool kft_filter_step_match(const struct kft_filter_step *s, const char *str, size_t len)
{
	if (s->compare == KFT_FILTER_GLOB)
		return match_glob(s->text, s->len, str, len);
	return (len == s->len && memcmp(str, s->text, len) == 0) ==
	       (s->compare == KFT_FILTER_EQUAL);
}

static bool test_string(const struct kft_filter_step *s, const struct kft_event *ev,
			bool swap)
{
	const char *str;
	size_t len;

	return kft_event_str(ev, s->field, swap, &str, &len) &&
	       kft_filter_step_match(s, str, len);
}

static bool test_number(const struct kft_filter_step *s, const struct kft_event *ev,
			bool swap)
{
	uint64_t v;

	if (!kft_event_int(ev, s->field, swap, &v))
		return false;
	return s->field->is_signed ? compare_signed(s->compare, v, s->number)
				   : compare_unsigned(s->compare, v, s->number);
}

bool kft_filter_match(const struct kft_filter *f, const struct kft_event *ev, bool swap)
{
	bool value = false;

	for (size_t i = 0; i < f->steps.len; i++) {
		const struct kft_filter_step *s = &f->steps.data[i];

		switch (s->op) {
		case KFT_FILTER_TEST_NUMBER:
			value = test_number(s, ev, swap);
			break;
		case KFT_FILTER_TEST_STRING:
			value = test_string(s, ev, swap);
			break;
		case KFT_FILTER_TEST_CPU:
			value = compare_unsigned(s->compare, ev->cpu, s->number);
			break;
		case KFT_FILTER_NEGATE:
			value = !value;
			break;
		case KFT_FILTER_SKIP_IF:
		case KFT_FILTER_SKIP_UNLESS:
			if (value == (s->op == KFT_FILTER_SKIP_IF))
				i = s->to - 1;
			break;
		}
	}
	return value;
}

void kft_filters_finish(struct kft_filters *fs)
{
	for (size_t i = 0; fs->by_id.slots && i <= fs->by_id.mask; i++)
		if (fs->by_id.slots[i].key != KFT_MAP_NO_KEY)
			(void)kft_filter_destroy(
				(struct kft_filter *)(uintptr_t)fs->by_id.slots[i].value);
	kft_map_finish(&fs->by_id);
}

int kft_filters_add(struct kft_filters *fs, uint16_t id, struct kft_filter *f)
{
	uint64_t *slot = kft_map_put(&fs->by_id, id);

	if (!slot) {
		(void)kft_filter_destroy(f);
		return -ENOMEM;
	}
	f->next = (struct kft_filter *)(uintptr_t)*slot;
	*slot = (uintptr_t)f;
	return 0;
}

void kft_filters_add_all(struct kft_filters *fs, uint16_t id)
{
	kft_bits_add(fs->all, id);
}

const struct kft_filter *kft_filters_of(const struct kft_filters *fs, uint16_t id)
{
	const uint64_t *slot = kft_map_get(&fs->by_id, id);

	return slot && !kft_id_wanted(fs->all, id)
		       ? (const struct kft_filter *)(uintptr_t)*slot
		       : NULL;
}

bool kft_filters_pass(const struct kft_filters *fs, const struct kft_event *ev)
{
	const struct kft_filter *first = kft_filters_of(fs, ev->id);

	for (const struct kft_filter *f = first; f; f = f->next)
		if (kft_filter_match(f, ev, fs->swap))
			return true;
	return !first;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses types and declarators of TSDL. */
#include "file/ctf/tsdl/parse_impl.h"

#include <string.h>

#define DIMENSIONS_MAX 8

struct kft_ctf_type *kft_ctf_new_type(struct kft_ctf_parser *p, enum kft_ctf_kind kind)
{
	struct kft_ctf_type *t = kft_arena_alloc(&p->meta->arena, sizeof(*t));

	if (t)
		*t = (struct kft_ctf_type){
			.kind = kind, .align = 1, .base = 10, .clock = KFT_CTF_NO_CLOCK};
	return t;
}

int kft_ctf_declare(struct kft_ctf_parser *p, const char *name,
		    const struct kft_ctf_type *type)
{
	struct kft_ctf_named n = {kft_arena_strdup(&p->meta->arena, name), type};

	return n.name && kft_vec_push(&p->names, n) ? 0 : kft_ctf_no_memory(p);
}

const struct kft_ctf_type *kft_ctf_find_named(const struct kft_ctf_parser *p,
					      const char *name)
{
	for (size_t i = p->names.len; i-- > 0;)
		if (strcmp(p->names.data[i].name, name) == 0)
			return p->names.data[i].type;
	return NULL;
}

static bool is_c_word(const struct kft_ctf_token *t)
{
	static const char *const words[] = {"signed", "unsigned", "long",    "short",
					    "int",    "char",	  "float",   "double",
					    "void",   "_Bool",	  "_Complex"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (kft_ctf_token_is(t, words[i]))
			return true;
	return false;
}

/* Takes the words of a type's name and its '*', joined by single blanks. */
static int take_type_name(struct kft_ctf_parser *p, char buf[KFT_CTF_WORD_MAX])
{
	size_t len = 0;
	bool c_only = is_c_word(&p->lex.token);

	for (unsigned int n = 0;; n++) {
		const struct kft_ctf_token *t = &p->lex.token;
		bool star = kft_ctf_token_is(t, "*");

		if (kft_ctf_take(p, "const"))
			continue;
		if (!star && (t->kind != KFT_CTF_NAME || (len && !c_only)))
			break;
		if (!star && len && !is_c_word(t))
			break;
		if (len + t->len + 2 > KFT_CTF_WORD_MAX)
			return kft_ctf_fail(p, "a name is too long");
		if (len)
			buf[len++] = ' ';
		memcpy(buf + len, t->text, t->len);
		len += t->len;
		kft_ctf_lex_next(&p->lex);
	}
	buf[len] = '\0';
	return len ? 0 : kft_ctf_fail(p, "a type is expected");
}

static int parse_named(struct kft_ctf_parser *p, const struct kft_ctf_type **ret)
{
	struct kft_ctf_token at = p->lex.token;
	char name[KFT_CTF_WORD_MAX];
	int r = take_type_name(p, name);

	if (r < 0)
		return r;
	*ret = kft_ctf_find_named(p, name);
	if (*ret)
		return 0;
	p->lex.token = at;
	return kft_ctf_fail(p, "no such type is declared before");
}

static int parse_scalar(struct kft_ctf_parser *p, enum kft_ctf_kind kind,
			int (*parse)(struct kft_ctf_parser *, struct kft_ctf_type *),
			const struct kft_ctf_type **ret)
{
	struct kft_ctf_type *t = kft_ctf_new_type(p, kind);

	*ret = t;
	return t ? parse(p, t) : kft_ctf_no_memory(p);
}

static int parse_any_type(struct kft_ctf_parser *p, const struct kft_ctf_type **ret)
{
	if (kft_ctf_take(p, "integer"))
		return parse_scalar(p, KFT_CTF_INT, kft_ctf_parse_integer, ret);
	if (kft_ctf_take(p, "floating_point"))
		return parse_scalar(p, KFT_CTF_FLOAT, kft_ctf_parse_float, ret);
	if (kft_ctf_take(p, "string"))
		return parse_scalar(p, KFT_CTF_STRING, kft_ctf_parse_string, ret);
	if (kft_ctf_take(p, "struct"))
		return kft_ctf_parse_struct(p, ret);
	if (kft_ctf_take(p, "variant"))
		return kft_ctf_parse_variant(p, ret);
	if (kft_ctf_take(p, "enum"))
		return kft_ctf_parse_enum(p, ret);
	return parse_named(p, ret);
}

int kft_ctf_parse_type(struct kft_ctf_parser *p, const struct kft_ctf_type **ret)
{
	const struct kft_ctf_type *t = NULL;
	int r = kft_ctf_enter(p);

	if (r < 0)
		return r;
	(void)kft_ctf_take(p, "const");
	r = parse_any_type(p, &t);
	kft_ctf_leave(p);
	if (r == 0)
		*ret = t;
	return r;
}

/* Parses one "[...]": a number or a path. */
static int parse_dimension(struct kft_ctf_parser *p, struct kft_ctf_type **ret)
{
	bool fixed = p->lex.token.kind == KFT_CTF_NUMBER;
	struct kft_ctf_type *t = kft_ctf_new_type(p, fixed ? KFT_CTF_ARRAY
							   : KFT_CTF_SEQUENCE);
	int r = 0;

	if (!t)
		return kft_ctf_no_memory(p);
	if (fixed) {
		t->length = p->lex.token.value;
		if (t->length > KFT_CTF_LENGTH_MAX)
			return kft_ctf_fail(p, "an array is too long");
		kft_ctf_lex_next(&p->lex);
	} else {
		r = kft_ctf_take_path(p, &t->ref);
	}
	*ret = t;
	return r < 0 ? r : kft_ctf_expect(p, "]");
}

int kft_ctf_parse_declarator(struct kft_ctf_parser *p, const struct kft_ctf_type *type,
			     const char **ret_name, const struct kft_ctf_type **ret)
{
	struct kft_ctf_type *dims[DIMENSIONS_MAX];
	size_t n = 0;
	int r = 0;

	*ret_name = "";
	if (p->lex.token.kind == KFT_CTF_NAME)
		r = kft_ctf_take_name(p, ret_name);
	while (r == 0 && kft_ctf_take(p, "[")) {
		if (n == DIMENSIONS_MAX)
			return kft_ctf_fail(p, "too many dimensions");
		r = parse_dimension(p, &dims[n]);
		n++;
	}
	if (r < 0)
		return r;
	/* The last dimension is that of the elements, as in C. */
	while (n-- > 0) {
		dims[n]->elem = type;
		dims[n]->align = type->align;
		type = dims[n];
	}
	*ret = type;
	return 0;
}

/* Parses "typealias TYPE := NAME;". */
static int parse_typealias(struct kft_ctf_parser *p)
{
	const struct kft_ctf_type *type = NULL;
	char name[KFT_CTF_WORD_MAX];
	const char *unused;
	int r = kft_ctf_parse_type(p, &type);

	if (r == 0)
		r = kft_ctf_parse_declarator(p, type, &unused, &type);
	if (r == 0)
		r = kft_ctf_expect(p, ":=");
	if (r == 0)
		r = take_type_name(p, name);
	if (r == 0)
		r = kft_ctf_declare(p, name, type);
	return r;
}

/* Parses "typedef TYPE NAME, NAME[4];". */
static int parse_typedef(struct kft_ctf_parser *p)
{
	const struct kft_ctf_type *base = NULL;
	int r = kft_ctf_parse_type(p, &base);

	while (r == 0) {
		const struct kft_ctf_type *type;
		const char *name;

		r = kft_ctf_parse_declarator(p, base, &name, &type);
		if (r == 0)
			r = kft_ctf_declare(p, name, type);
		if (!kft_ctf_take(p, ","))
			break;
	}
	return r;
}

int kft_ctf_parse_naming(struct kft_ctf_parser *p)
{
	int r;

	if (kft_ctf_take(p, "typealias"))
		r = parse_typealias(p);
	else if (kft_ctf_take(p, "typedef"))
		r = parse_typedef(p);
	else
		return 0;
	if (r == 0)
		r = kft_ctf_expect(p, ";");
	return r < 0 ? r : 1;
}

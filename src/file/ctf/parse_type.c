// SPDX-License-Identifier: LGPL-2.1-or-later
#include "file/ctf/parse_impl.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"

#define NAME_BYTES_MAX 256
#define DIMENSIONS_MAX 8

static struct kft_ctf_type *new_type(struct kft_ctf_parser *p, enum kft_ctf_kind kind)
{
	struct kft_ctf_type *t = kft_arena_alloc(&p->meta->arena, sizeof(*t));

	if (t)
		*t = (struct kft_ctf_type){
			.kind = kind, .align = 1, .base = 10, .clock = KFT_CTF_NO_CLOCK};
	return t;
}

static int declare(struct kft_ctf_parser *p, const char *name,
		   const struct kft_ctf_type *type)
{
	struct kft_ctf_named n = {kft_arena_strdup(&p->meta->arena, name), type};

	return n.name && kft_vec_push(&p->names, n) ? 0 : kft_ctf_no_memory(p);
}

/* The newest first: a block's own names hide those around it. */
static const struct kft_ctf_type *find_named(const struct kft_ctf_parser *p,
					     const char *name)
{
	for (size_t i = p->names.len; i-- > 0;)
		if (strcmp(p->names.data[i].name, name) == 0)
			return p->names.data[i].type;
	return NULL;
}

/* "struct a": the names of structs, variants and enums are apart from each other. */
static const char *tagged(const char *kind, const char *name, char buf[NAME_BYTES_MAX])
{
	size_t k = strlen(kind);
	size_t n = strlen(name);

	if (k + n + 2 > NAME_BYTES_MAX)
		return NULL;
	memcpy(buf, kind, k);
	buf[k] = ' ';
	memcpy(buf + k + 1, name, n + 1);
	return buf;
}

/* Writers put one '_' before names, so that none is a reserved word. */
static const char *field_name(const char *name)
{
	return name[0] == '_' && name[1] ? name + 1 : name;
}

static int check_align(struct kft_ctf_parser *p, int64_t align)
{
	if (align < 1 || align > KFT_CTF_ALIGN_MAX || (align & (align - 1)))
		return kft_ctf_fail(p, "an alignment is a power of two");
	return 0;
}

static int parse_align(struct kft_ctf_parser *p, struct kft_ctf_type *t)
{
	int64_t align;

	if (!kft_ctf_take(p, "align"))
		return 0;
	int r = kft_ctf_expect(p, "(");
	if (r == 0)
		r = kft_ctf_take_int(p, &align);
	if (r == 0)
		r = check_align(p, align);
	if (r < 0)
		return r;
	t->align = KFT_MAX(t->align, (uint32_t)align);
	return kft_ctf_expect(p, ")");
}

/* The members of a struct or variant while it is parsed. */
typedef KFT_VEC(struct kft_ctf_member) members_vec;

static int add_member(struct kft_ctf_parser *p, const struct kft_ctf_type *base,
		      members_vec *members)
{
	struct kft_ctf_member m;
	int r = kft_ctf_parse_declarator(p, base, &m.name, &m.type);

	if (r < 0)
		return r;
	if (!*m.name)
		return kft_ctf_fail(p, "a name of a field is expected");
	if (members->len == KFT_CTF_MEMBERS_MAX)
		return kft_ctf_fail(p, "too many fields");
	m.name = field_name(m.name);
	return kft_vec_push(members, m) ? 0 : kft_ctf_no_memory(p);
}

static int parse_member_line(struct kft_ctf_parser *p, members_vec *members)
{
	const struct kft_ctf_type *base = NULL;
	int r = kft_ctf_parse_naming(p);

	if (r != 0)
		return r < 0 ? r : 0;
	r = kft_ctf_parse_type(p, &base);
	/* "struct a {...};" inside a struct only names a type. */
	if (r < 0 || kft_ctf_take(p, ";"))
		return r;
	do {
		r = add_member(p, base, members);
	} while (r == 0 && kft_ctf_take(p, ","));
	return r < 0 ? r : kft_ctf_expect(p, ";");
}

static int take_members(struct kft_ctf_parser *p, struct kft_ctf_type *t,
			const members_vec *members)
{
	struct kft_ctf_member *copy = kft_arena_calloc(&p->meta->arena, members->len + 1,
						       sizeof(*copy));

	if (!copy)
		return kft_ctf_no_memory(p);
	for (size_t i = 0; i < members->len; i++) {
		copy[i] = members->data[i];
		if (t->kind == KFT_CTF_STRUCT)
			t->align = KFT_MAX(t->align, copy[i].type->align);
	}
	t->members = copy;
	t->n_members = members->len;
	return 0;
}

/* "{ declarations }" */
static int parse_members(struct kft_ctf_parser *p, struct kft_ctf_type *t)
{
	members_vec members = {};
	size_t names = p->names.len;
	int r = kft_ctf_enter(p);

	if (r < 0)
		return r;
	r = kft_ctf_expect(p, "{");
	while (r == 0 && !kft_ctf_at(p, "}"))
		r = parse_member_line(p, &members);
	if (r == 0)
		r = kft_ctf_expect(p, "}");
	if (r == 0)
		r = take_members(p, t, &members);
	p->names.len = names;
	kft_vec_finish(&members);
	kft_ctf_leave(p);
	return r;
}

/* The name behind "struct", "variant" or "enum", if there is one. */
static int take_tag(struct kft_ctf_parser *p, const char *kind, char buf[NAME_BYTES_MAX],
		    const char **ret)
{
	const char *name;

	*ret = NULL;
	if (p->lex.token.kind != KFT_CTF_NAME || kft_ctf_at(p, "align"))
		return 0;
	int r = kft_ctf_take_name(p, &name);
	if (r < 0)
		return r;
	*ret = tagged(kind, name, buf);
	return *ret ? 0 : kft_ctf_fail(p, "a name is too long");
}

static int find_tagged(struct kft_ctf_parser *p, const char *tag,
		       const struct kft_ctf_type **ret)
{
	*ret = tag ? find_named(p, tag) : NULL;
	return *ret ? 0 : kft_ctf_fail(p, "nothing of that name is declared before");
}

static int parse_struct(struct kft_ctf_parser *p, const struct kft_ctf_type **ret)
{
	char buf[NAME_BYTES_MAX];
	const char *tag;
	int r = take_tag(p, "struct", buf, &tag);

	if (r < 0)
		return r;
	if (!kft_ctf_at(p, "{"))
		return find_tagged(p, tag, ret);
	struct kft_ctf_type *t = new_type(p, KFT_CTF_STRUCT);
	if (!t)
		return kft_ctf_no_memory(p);
	r = parse_members(p, t);
	if (r == 0)
		r = parse_align(p, t);
	if (r == 0 && tag)
		r = declare(p, tag, t);
	*ret = t;
	return r;
}

/* "<path>" */
static int parse_ref(struct kft_ctf_parser *p, const char **ret)
{
	if (!kft_ctf_take(p, "<"))
		return 0;
	int r = kft_ctf_take_path(p, ret);

	return r < 0 ? r : kft_ctf_expect(p, ">");
}

/* "variant", then a name, a tag and options, each of which may be missing. */
static int parse_variant(struct kft_ctf_parser *p, const struct kft_ctf_type **ret)
{
	const struct kft_ctf_type *known = NULL;
	char buf[NAME_BYTES_MAX];
	const char *ref = NULL;
	const char *tag;
	int r = take_tag(p, "variant", buf, &tag);

	if (r == 0)
		r = parse_ref(p, &ref);
	if (r == 0 && !kft_ctf_at(p, "{"))
		r = find_tagged(p, tag, &known);
	if (r < 0)
		return r;
	struct kft_ctf_type *t = new_type(p, KFT_CTF_VARIANT);
	if (!t)
		return kft_ctf_no_memory(p);
	if (known)
		*t = *known;
	else
		r = parse_members(p, t);
	if (ref)
		t->ref = ref;
	if (r == 0 && !known && tag)
		r = declare(p, tag, t);
	*ret = t;
	return r;
}

typedef KFT_VEC(struct kft_ctf_label) labels_vec;

/* "NAME", "NAME = 3", "NAME = 1 ... 5", names in quotes too; next is what follows. */
static int parse_label(struct kft_ctf_parser *p, labels_vec *labels, int64_t *next)
{
	struct kft_ctf_label l = {};
	int64_t lo = *next;
	int r = kft_ctf_take_quoted(p, &l.name);

	if (r == 0 && !l.name)
		r = kft_ctf_take_name(p, &l.name);
	if (r == 0 && kft_ctf_take(p, "="))
		r = kft_ctf_take_int(p, &lo);
	int64_t hi = lo;
	if (r == 0 && kft_ctf_take(p, "..."))
		r = kft_ctf_take_int(p, &hi);
	if (r < 0)
		return r;
	l.lo = (uint64_t)lo;
	l.hi = (uint64_t)hi;
	*next = (int64_t)(l.hi + 1);
	if (labels->len == KFT_CTF_MEMBERS_MAX)
		return kft_ctf_fail(p, "too many values");
	return kft_vec_push(labels, l) ? 0 : kft_ctf_no_memory(p);
}

static int parse_labels(struct kft_ctf_parser *p, struct kft_ctf_type *t)
{
	labels_vec labels = {};
	int64_t next = 0;
	int r = kft_ctf_expect(p, "{");

	while (r == 0 && !kft_ctf_at(p, "}")) {
		r = parse_label(p, &labels, &next);
		if (r == 0 && !kft_ctf_take(p, ","))
			break;
	}
	if (r == 0)
		r = kft_ctf_expect(p, "}");
	struct kft_ctf_label *copy = kft_arena_calloc(&p->meta->arena, labels.len + 1,
						      sizeof(*copy));
	if (copy && labels.len)
		memcpy(copy, labels.data, labels.len * sizeof(*copy));
	t->labels = copy;
	t->n_labels = labels.len;
	kft_vec_finish(&labels);
	return r == 0 && !copy ? kft_ctf_no_memory(p) : r;
}

/* Without one it is "int", which the metadata has to declare (4.1.8). */
static int parse_container(struct kft_ctf_parser *p, const struct kft_ctf_type **ret)
{
	int r = 0;

	if (kft_ctf_take(p, ":"))
		r = kft_ctf_parse_type(p, ret);
	else
		*ret = find_named(p, "int");
	if (r < 0)
		return r;
	if (!*ret || (*ret)->kind != KFT_CTF_INT)
		return kft_ctf_fail(p, "an enum needs an integer type");
	return 0;
}

static int parse_enum(struct kft_ctf_parser *p, const struct kft_ctf_type **ret)
{
	const struct kft_ctf_type *container = NULL;
	char buf[NAME_BYTES_MAX];
	const char *tag;
	int r = take_tag(p, "enum", buf, &tag);

	if (r < 0)
		return r;
	if (tag && !kft_ctf_at(p, "{") && !kft_ctf_at(p, ":"))
		return find_tagged(p, tag, ret);
	r = parse_container(p, &container);
	if (r < 0)
		return r;
	struct kft_ctf_type *t = new_type(p, KFT_CTF_ENUM);
	if (!t)
		return kft_ctf_no_memory(p);
	*t = *container;
	t->kind = KFT_CTF_ENUM;
	r = parse_labels(p, t);
	if (r == 0 && tag)
		r = declare(p, tag, t);
	*ret = t;
	return r;
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

/* The words of a type's name and its '*', with single blanks between them. */
static int take_type_name(struct kft_ctf_parser *p, char buf[NAME_BYTES_MAX])
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
		if (len + t->len + 2 > NAME_BYTES_MAX)
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
	char name[NAME_BYTES_MAX];
	int r = take_type_name(p, name);

	if (r < 0)
		return r;
	*ret = find_named(p, name);
	if (*ret)
		return 0;
	p->lex.token = at;
	return kft_ctf_fail(p, "no such type is declared before");
}

static int parse_scalar(struct kft_ctf_parser *p, enum kft_ctf_kind kind,
			int (*parse)(struct kft_ctf_parser *, struct kft_ctf_type *),
			const struct kft_ctf_type **ret)
{
	struct kft_ctf_type *t = new_type(p, kind);

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
		return parse_struct(p, ret);
	if (kft_ctf_take(p, "variant"))
		return parse_variant(p, ret);
	if (kft_ctf_take(p, "enum"))
		return parse_enum(p, ret);
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

/* One "[...]": a number or a path. */
static int parse_dimension(struct kft_ctf_parser *p, struct kft_ctf_type **ret)
{
	bool fixed = p->lex.token.kind == KFT_CTF_NUMBER;
	struct kft_ctf_type *t = new_type(p, fixed ? KFT_CTF_ARRAY : KFT_CTF_SEQUENCE);
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
	/* The last one is nearest to the element, as in C. */
	while (n-- > 0) {
		dims[n]->elem = type;
		dims[n]->align = type->align;
		type = dims[n];
	}
	*ret = type;
	return 0;
}

/* "typealias TYPE := NAME;" */
static int parse_typealias(struct kft_ctf_parser *p)
{
	const struct kft_ctf_type *type = NULL;
	char name[NAME_BYTES_MAX];
	const char *unused;
	int r = kft_ctf_parse_type(p, &type);

	if (r == 0)
		r = kft_ctf_parse_declarator(p, type, &unused, &type);
	if (r == 0)
		r = kft_ctf_expect(p, ":=");
	if (r == 0)
		r = take_type_name(p, name);
	if (r == 0)
		r = declare(p, name, type);
	return r;
}

/* "typedef TYPE NAME, NAME[4];" */
static int parse_typedef(struct kft_ctf_parser *p)
{
	const struct kft_ctf_type *base = NULL;
	int r = kft_ctf_parse_type(p, &base);

	while (r == 0) {
		const struct kft_ctf_type *type;
		const char *name;

		r = kft_ctf_parse_declarator(p, base, &name, &type);
		if (r == 0)
			r = declare(p, name, type);
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

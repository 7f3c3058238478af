// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses structs, variants and enums, the types with a tag and braces (4.2). */
#include "file/ctf/tsdl/parse_impl.h"

#include <string.h>

/* Returns "struct a" in buf: structs, variants and enums have separate name spaces. */
static const char *tagged(const char *kind, const char *name, char buf[KFT_CTF_WORD_MAX])
{
	size_t k = strlen(kind);
	size_t n = strlen(name);

	if (k + n + 2 > KFT_CTF_WORD_MAX)
		return NULL;
	memcpy(buf, kind, k);
	buf[k] = ' ';
	memcpy(buf + k + 1, name, n + 1);
	return buf;
}

/* Writers put one '_' before names to avoid reserved words. */
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
	/* "struct a {...};" inside a struct declares a type without a member. */
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

/* Parses "{ declarations }". */
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

/* Takes the name after "struct", "variant" or "enum", if there is one. */
static int take_tag(struct kft_ctf_parser *p, const char *kind,
		    char buf[KFT_CTF_WORD_MAX], const char **ret)
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
	*ret = tag ? kft_ctf_find_named(p, tag) : NULL;
	return *ret ? 0 : kft_ctf_fail(p, "nothing of that name is declared before");
}

int kft_ctf_parse_struct(struct kft_ctf_parser *p, const struct kft_ctf_type **ret)
{
	char buf[KFT_CTF_WORD_MAX];
	const char *tag;
	int r = take_tag(p, "struct", buf, &tag);

	if (r < 0)
		return r;
	if (!kft_ctf_at(p, "{"))
		return find_tagged(p, tag, ret);
	struct kft_ctf_type *t = kft_ctf_new_type(p, KFT_CTF_STRUCT);
	if (!t)
		return kft_ctf_no_memory(p);
	r = parse_members(p, t);
	if (r == 0)
		r = parse_align(p, t);
	if (r == 0 && tag)
		r = kft_ctf_declare(p, tag, t);
	*ret = t;
	return r;
}

/* Parses "<path>", which is optional. */
static int parse_ref(struct kft_ctf_parser *p, const char **ret)
{
	if (!kft_ctf_take(p, "<"))
		return 0;
	int r = kft_ctf_take_path(p, ret);

	return r < 0 ? r : kft_ctf_expect(p, ">");
}

/* "variant", then a name, a tag and options, each of which is optional. */
int kft_ctf_parse_variant(struct kft_ctf_parser *p, const struct kft_ctf_type **ret)
{
	const struct kft_ctf_type *known = NULL;
	char buf[KFT_CTF_WORD_MAX];
	const char *ref = NULL;
	const char *tag;
	int r = take_tag(p, "variant", buf, &tag);

	if (r == 0)
		r = parse_ref(p, &ref);
	if (r == 0 && !kft_ctf_at(p, "{"))
		r = find_tagged(p, tag, &known);
	if (r < 0)
		return r;
	struct kft_ctf_type *t = kft_ctf_new_type(p, KFT_CTF_VARIANT);
	if (!t)
		return kft_ctf_no_memory(p);
	if (known)
		*t = *known;
	else
		r = parse_members(p, t);
	if (ref)
		t->ref = ref;
	if (r == 0 && !known && tag)
		r = kft_ctf_declare(p, tag, t);
	*ret = t;
	return r;
}

typedef KFT_VEC(struct kft_ctf_label) labels_vec;

/*
 * Parses "NAME", "NAME = 3" or "NAME = 1 ... 5", with the name optionally quoted; *next
 * is the value of a label without one.
 */
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

/*
 * Parses an enum's integer type; the default is "int", which the
 * metadata must declare (4.1.8).
 */
static int parse_container(struct kft_ctf_parser *p, const struct kft_ctf_type **ret)
{
	int r = 0;

	if (kft_ctf_take(p, ":"))
		r = kft_ctf_parse_type(p, ret);
	else
		*ret = kft_ctf_find_named(p, "int");
	if (r < 0)
		return r;
	if (!*ret || (*ret)->kind != KFT_CTF_INT)
		return kft_ctf_fail(p, "an enum needs an integer type");
	return 0;
}

int kft_ctf_parse_enum(struct kft_ctf_parser *p, const struct kft_ctf_type **ret)
{
	const struct kft_ctf_type *container = NULL;
	char buf[KFT_CTF_WORD_MAX];
	const char *tag;
	int r = take_tag(p, "enum", buf, &tag);

	if (r < 0)
		return r;
	if (tag && !kft_ctf_at(p, "{") && !kft_ctf_at(p, ":"))
		return find_tagged(p, tag, ret);
	r = parse_container(p, &container);
	if (r < 0)
		return r;
	struct kft_ctf_type *t = kft_ctf_new_type(p, KFT_CTF_ENUM);
	if (!t)
		return kft_ctf_no_memory(p);
	*t = *container;
	t->kind = KFT_CTF_ENUM;
	r = parse_labels(p, t);
	if (r == 0 && tag)
		r = kft_ctf_declare(p, tag, t);
	*ret = t;
	return r;
}

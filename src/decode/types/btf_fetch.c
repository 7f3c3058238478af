// SPDX-License-Identifier: LGPL-2.1-or-later
/* Translates C expressions into arguments of kprobe events, by BTF. */
#include "decode/types/btf_fetch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/err.h"
#include "base/scan.h"
#include "base/suggest.h"

/* Limit for chains of typedefs and qualifiers, and for nested members without a name. */
#define CHAIN_MAX 32
/* MAX_ARG_NAME_LEN of kernel/trace/trace_probe.h, without NUL */
#define NAME_MAX_BYTES	   31
#define WORD_MAX_BYTES	   128
#define WORDS_AFTER_MEMBER 3

#define WORD                                                             \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" \
	"_"

/* An argument split into parts; a missing part is NULL. */
struct parts {
	const char *name;
	const char *expression;
	const char *type;
};

enum int_encoding {
	INT_SIGNED = 1,
};

/* The value of the part of an expression that was parsed so far. */
struct value {
	uint32_t type; /* id without typedefs and qualifiers; 0: void, or not known */
	struct kft_strbuf base; /* fetch argument of the value, or of its address */
	bool in_memory; /* the value is in memory at base plus offset */
	int64_t offset;
	uint32_t bit; /* of a bit field: first bit, in the value at offset */
	uint32_t bits; /* 0: not a bit field */
	bool is_known; /* the type is known */
};

struct member {
	uint32_t type;
	uint32_t bit_offset;
	uint32_t bits;
};

/* The type below typedefs and qualifiers; 0 for void. */
static uint32_t strip(const struct kft_btf *btf, uint32_t id)
{
	struct kft_btf_type t;

	for (int i = 0; i < CHAIN_MAX && kft_btf_type(btf, id, &t); i++) {
		if (t.kind != KFT_BTF_TYPEDEF && t.kind != KFT_BTF_CONST &&
		    t.kind != KFT_BTF_VOLATILE && t.kind != KFT_BTF_RESTRICT &&
		    t.kind != KFT_BTF_TYPE_TAG)
			return id;
		id = t.size;
	}
	return 0;
}

static bool is_aggregate(const struct kft_btf_type *t)
{
	return t->kind == KFT_BTF_STRUCT || t->kind == KFT_BTF_UNION;
}

static bool read_member(const struct kft_btf *btf, const struct kft_btf_type *t,
			uint32_t index, const char **ret_name, struct member *ret)
{
	uint32_t name;
	uint32_t type;
	uint32_t offset;

	if (!kft_btf_word(btf, t, index * WORDS_AFTER_MEMBER, &name) ||
	    !kft_btf_word(btf, t, index * WORDS_AFTER_MEMBER + 1, &type) ||
	    !kft_btf_word(btf, t, index * WORDS_AFTER_MEMBER + 2, &offset))
		return false;
	*ret_name = kft_btf_string(btf, name);
	*ret = (struct member){.type = type, .bit_offset = offset};
	if (t->flag) { /* "BTF_KIND_STRUCT" in btf.rst */
		ret->bits = offset >> 24;
		ret->bit_offset = offset & 0xffffff;
	}
	return true;
}

/*
 * Finds a member, also in members without a name. Similar names go
 * to s, which may be NULL.
 */
static bool find_member(const struct kft_btf *btf, uint32_t id, const char *name,
			int depth, struct kft_suggest *s, struct member *ret)
{
	struct kft_btf_type t;
	struct member m;
	const char *its_name;

	if (depth > CHAIN_MAX || !kft_btf_type(btf, id, &t) || !is_aggregate(&t))
		return false;
	for (uint32_t i = 0; i < t.count && read_member(btf, &t, i, &its_name, &m); i++) {
		if (strcmp(its_name, name) == 0) {
			*ret = m;
			return true;
		}
		if (*its_name)
			kft_suggest_add(s, its_name, strlen(its_name));
		else if (find_member(btf, strip(btf, m.type), name, depth + 8, s, ret)) {
			ret->bit_offset += m.bit_offset;
			return true;
		}
	}
	return false;
}

/* Turns an address into a load: "+8(+16($arg1))". */
static void load(struct value *v)
{
	struct kft_strbuf text = {};

	if (!v->in_memory)
		return;
	kft_strbuf_addf(&text, "%+" PRId64 "(%s)", v->offset, kft_strbuf_cstr(&v->base));
	text.failed |= !kft_strbuf_ok(&v->base);
	kft_strbuf_finish(&v->base);
	v->base = text;
	v->in_memory = false;
	v->offset = 0;
}

static const char *kind_name(const struct kft_btf *btf, uint32_t id, char *buf,
			     size_t size)
{
	struct kft_btf_type t;

	if (!kft_btf_type(btf, id, &t))
		return "void";
	const char *kind = t.kind == KFT_BTF_STRUCT  ? "struct "
			   : t.kind == KFT_BTF_UNION ? "union "
						     : "";
	(void)snprintf(buf, size, "%s%.80s", kind,
		       t.kind == KFT_BTF_PTR ? "pointer" : t.name);
	return buf;
}

static int enter_pointer(const struct kft_btf *btf, struct value *v, const char *name,
			 struct kft_err *e)
{
	struct kft_btf_type t;

	if (!kft_btf_type(btf, v->type, &t) || t.kind != KFT_BTF_PTR)
		return kft_err_set(e, -EINVAL, "'->%s' needs a pointer before it", name);
	load(v);
	v->type = strip(btf, t.size);
	v->in_memory = true;
	return 0;
}

static int take_member(const struct kft_btf *btf, struct value *v, bool is_arrow,
		       const char *name, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf hint = {};
	struct kft_suggest s;
	struct member m;
	char kind[100];
	int r = is_arrow ? enter_pointer(btf, v, name, e) : 0;

	if (r < 0)
		return r;
	if (!v->in_memory)
		return kft_err_set(e, -EINVAL,
				   "'.%s' needs a struct before it; a pointer "
				   "takes '->'",
				   name);
	kft_suggest_init(&s, name);
	if (!find_member(btf, v->type, name, 0, &s, &m)) {
		kft_err_set(e, -EINVAL, "%s has no member '%s'",
			    kind_name(btf, v->type, kind, sizeof(kind)), name);
		if (kft_suggest_text(&s, &hint))
			kft_err_hint(e, "%s", kft_strbuf_cstr(&hint));
		return -EINVAL;
	}
	v->type = strip(btf, m.type);
	v->bits = m.bits;
	v->bit = m.bits ? m.bit_offset % 8 : 0;
	v->offset += m.bit_offset / 8;
	return 0;
}

/* Whether the type is a char, for text; typedefs of it such as u8 are numbers. */
static bool is_char(const struct kft_btf *btf, uint32_t id)
{
	struct kft_btf_type t;

	for (int i = 0; i < CHAIN_MAX && kft_btf_type(btf, id, &t); i++) {
		if (t.kind == KFT_BTF_INT)
			return strcmp(t.name, "char") == 0 ||
			       strcmp(t.name, "unsigned char") == 0;
		if (t.kind != KFT_BTF_CONST && t.kind != KFT_BTF_VOLATILE &&
		    t.kind != KFT_BTF_TYPE_TAG)
			return false;
		id = t.size;
	}
	return false;
}

/* Bits of the smallest unsigned integer that holds `bits`; 0: too many. */
static uint32_t container(uint32_t bits)
{
	for (uint32_t n = 8; n <= 64; n *= 2)
		if (bits <= n)
			return n;
	return 0;
}

static int finish_array(const struct kft_btf *btf, struct value *v,
			const struct kft_btf_type *t, struct kft_strbuf *sb,
			struct kft_err *e)
{
	uint32_t element;

	if (!kft_btf_word(btf, t, 0, &element) || !is_char(btf, element))
		return kft_err_set(e, -EINVAL, "an array cannot be recorded");
	load(v);
	kft_strbuf_addf(sb, "%s:string", kft_strbuf_cstr(&v->base));
	return 0;
}

static int finish_int(const struct kft_btf *btf, struct value *v,
		      const struct kft_btf_type *t, struct kft_strbuf *sb,
		      struct kft_err *e)
{
	uint32_t info = 0;
	bool is_signed = t->kind == KFT_BTF_INT ? kft_btf_word(btf, t, 0, &info) &&
							  (info >> 24 & INT_SIGNED)
						: t->flag;
	uint32_t held = container(v->bit + v->bits);

	load(v);
	if (v->bits && !held)
		return kft_err_set(e, -EINVAL, "this bit field cannot be recorded");
	if (v->bits)
		kft_strbuf_addf(sb, "%s:b%u@%u/%u", kft_strbuf_cstr(&v->base), v->bits,
				v->bit, held);
	else if (t->size && t->size <= 8 && !(t->size & (t->size - 1)))
		kft_strbuf_addf(sb, "%s:%c%u", kft_strbuf_cstr(&v->base),
				is_signed ? 's' : 'u', t->size * 8);
	else
		return kft_err_set(e, -EINVAL, "a number of %u bytes cannot be recorded",
				   t->size);
	return 0;
}

static int say_aggregate(const struct kft_btf *btf, const struct value *v,
			 struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf names = {};
	struct kft_btf_type t;
	struct member m;
	const char *name;
	char kind[100];

	if (kft_btf_type(btf, v->type, &t))
		for (uint32_t i = 0;
		     i < t.count && names.len < 100 && read_member(btf, &t, i, &name, &m);
		     i++)
			if (*name)
				kft_strbuf_addf(&names, "%s%.60s", names.len ? ", " : "",
						name);
	kft_err_set(e, -EINVAL, "%s cannot be recorded whole: name one of its members",
		    kind_name(btf, v->type, kind, sizeof(kind)));
	if (names.len)
		kft_err_hint(e, "it has %s ...", kft_strbuf_cstr(&names));
	return -EINVAL;
}

/* Appends the value by its type: a number, a string, or an address. */
static int finish_value(const struct kft_btf_fetch *f, struct value *v,
			struct kft_strbuf *sb, struct kft_err *e)
{
	struct kft_btf_type t;

	if (!v->is_known || !kft_btf_type(f->btf, v->type, &t)) {
		load(v);
		kft_strbuf_addf(sb, "%s:x%u", kft_strbuf_cstr(&v->base),
				f->long_size * 8);
		return 0;
	}
	switch (t.kind) {
	case KFT_BTF_PTR:
		load(v);
		if (is_char(f->btf, t.size))
			kft_strbuf_addf(sb, "+0(%s):string", kft_strbuf_cstr(&v->base));
		else
			kft_strbuf_addf(sb, "%s:x%u", kft_strbuf_cstr(&v->base),
					f->long_size * 8);
		return 0;
	case KFT_BTF_INT:
	case KFT_BTF_ENUM:
	case KFT_BTF_ENUM64:
		return finish_int(f->btf, v, &t, sb, e);
	case KFT_BTF_ARRAY:
		return finish_array(f->btf, v, &t, sb, e);
	default:
		return say_aggregate(f->btf, v, e);
	}
}

static int find_proto(const struct kft_btf_fetch *f, struct kft_btf_type *ret,
		      struct kft_err *e)
{
	struct kft_btf_type t;

	if (!f->btf) {
		kft_err_set(e, -ENOENT, "this kernel has no types (BTF) to find '%s' in",
			    f->function);
		kft_err_hint(e, "$arg1, $arg2 ... and $retval work without");
		return -ENOENT;
	}
	for (uint32_t id = 1; kft_btf_type(f->btf, id, &t); id++)
		if (t.kind == KFT_BTF_FUNC && strcmp(t.name, f->function) == 0 &&
		    kft_btf_type(f->btf, t.size, ret) && ret->kind == KFT_BTF_FUNC_PROTO)
			return 0;
	kft_err_set(e, -ENOENT, "the kernel's types do not contain the arguments of '%s'",
		    f->function);
	kft_err_hint(e, "$arg1, $arg2 ... and $retval work without");
	return -ENOENT;
}

/* Lists the parameters that can be fetched. */
static void list_sources(const struct kft_btf_fetch *f, const struct kft_btf_type *proto,
			 struct kft_strbuf *names)
{
	uint32_t name;

	for (uint32_t i = 0;
	     i < proto->count && kft_btf_word(f->btf, proto, i * 2, &name); i++)
		if (f->sources[i].base)
			kft_strbuf_addf(names, "%s%.60s", names->len ? ", " : "",
					kft_btf_string(f->btf, name));
}

static int take_parameter(const struct kft_btf_fetch *f, const struct kft_btf_type *proto,
			  uint32_t i, const char *name, struct value *v,
			  struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf names = {};

	if (!HAVE_DWARF || !f->sources) {
		kft_strbuf_addf(&v->base, "$arg%u", i + 1);
		return 0;
	}
	const struct kft_btf_source *s = &f->sources[i];
	if (s->base) {
		kft_strbuf_adds(&v->base, s->base);
		v->in_memory = s->in_memory;
		v->offset = s->offset;
		return 0;
	}
	list_sources(f, proto, &names);
	kft_err_set(e, -EINVAL, "'%s' cannot be recorded when '%s' is entered: %s", name,
		    f->function, s->why_not);
	if (names.len)
		kft_err_hint(e, "these can: %s", kft_strbuf_cstr(&names));
	return -EINVAL;
}

static int find_parameter(const struct kft_btf_fetch *f, const char *name,
			  struct value *v, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf names = {};
	struct kft_btf_type proto;
	uint32_t its_name;
	uint32_t type;
	int r = find_proto(f, &proto, e);

	if (r < 0)
		return r;
	for (uint32_t i = 0;
	     i < proto.count && kft_btf_word(f->btf, &proto, i * 2, &its_name) &&
	     kft_btf_word(f->btf, &proto, i * 2 + 1, &type);
	     i++) {
		const char *s = kft_btf_string(f->btf, its_name);

		if (strcmp(s, name) == 0) {
			v->type = strip(f->btf, type);
			v->is_known = true;
			return take_parameter(f, &proto, i, name, v, e);
		}
		kft_strbuf_addf(&names, "%s%.60s", names.len ? ", " : "", s);
	}
	kft_err_set(e, -EINVAL, "'%s' has no argument '%s'", f->function, name);
	if (names.len)
		kft_err_hint(e, "it has %s", kft_strbuf_cstr(&names));
	return -EINVAL;
}

/* Handles $retval and $argN, with a type if the function's type is known. */
static void take_special(const struct kft_btf_fetch *f, const char *name, struct value *v)
{
	struct kft_btf_type proto;
	const char *number = name;
	uint32_t n;
	uint32_t type = 0;

	kft_strbuf_adds(&v->base, name);
	if (!f->btf || find_proto(f, &proto, NULL) < 0)
		return;
	if (strcmp(name, "$retval") == 0)
		type = proto.size;
	else if (!kft_scan_text(&number, "$arg") || !kft_scan_u32(&number, &n) || !n ||
		 n > proto.count || !kft_btf_word(f->btf, &proto, (n - 1) * 2 + 1, &type))
		return;
	v->type = strip(f->btf, type);
	v->is_known = true;
}

static bool is_word_char(char ch)
{
	return ch == '_' || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
	       (ch >= '0' && ch <= '9');
}

/* Reads the name at *p and moves past it; false without a name. */
static bool next_name(const char **p, char ret[WORD_MAX_BYTES])
{
	size_t n = **p == '$';

	while (is_word_char((*p)[n]))
		n++;
	if (!n || n >= WORD_MAX_BYTES)
		return false;
	memcpy(ret, *p, n);
	ret[n] = '\0';
	*p += n;
	return true;
}

static int take_first(const struct kft_btf_fetch *f, const char *name, struct value *v,
		      struct kft_err *e)
{
	if (*name == '$') {
		if (f->at_return == (strcmp(name, "$retval") == 0)) {
			take_special(f, name, v);
			return 0;
		}
		kft_err_set(e, -EINVAL, "'%s' is not known %s", name,
			    f->at_return ? "when the function returns"
					 : "when the function is entered");
		return -EINVAL;
	}
	if (!f->at_return)
		return find_parameter(f, name, v, e);
	kft_err_set(e, -EINVAL, "'%s' is not known when the function returns", name);
	kft_err_hint(e, "$retval is; arguments need a probe without %%return");
	return -EINVAL;
}

static int take_all(const struct kft_btf_fetch *f, const char *p, char *name,
		    struct value *v, struct kft_err *e)
{
	const char *expression = p;
	int r = next_name(&p, name) ? take_first(f, name, v, e) : -ENODATA;

	while (r == 0 && *p) {
		bool is_arrow = strncmp(p, "->", 2) == 0;

		p += is_arrow ? 2 : *p == '.' ? 1 : 0;
		if ((!is_arrow && p[-1] != '.') || !next_name(&p, name) || *name == '$')
			r = -ENODATA;
		else if (!v->is_known)
			r = kft_err_set(e, -EINVAL, "the type before '%s' is not known",
					name);
		else
			r = take_member(f->btf, v, is_arrow, name, e);
	}
	if (r != -ENODATA)
		return r;
	kft_err_set(e, -EINVAL, "not an argument: '%.100s'", expression);
	kft_err_hint(e, *expression == '%'
				? "registers of arguments have numbers: $arg1, $arg2"
				: "write names of the source with '->' and '.': "
				  "file->f_inode->i_ino");
	return -EINVAL;
}

/* Appends the value with the requested type; strings are read through a pointer. */
static void finish_as(struct value *v, const char *type, struct kft_strbuf *sb)
{
	bool is_string = strcmp(type, "string") == 0 || strcmp(type, "ustring") == 0;

	load(v);
	kft_strbuf_addf(sb, is_string ? "+0(%s):%s" : "%s:%s", kft_strbuf_cstr(&v->base),
			type);
}

/* Splits "NAME=EXPRESSION:TYPE" in place; a missing part is NULL. */
static int split(char *text, struct parts *ret)
{
	char *equals = strchr(text, '=');
	char *colon = strchr(text, ':');

	*ret = (struct parts){.expression = equals ? equals + 1 : text};
	if (colon) {
		*colon = '\0';
		ret->type = colon + 1;
	}
	if (equals) {
		*equals = '\0';
		ret->name = text;
	}
	bool is_name = !ret->name || (*ret->name && !ret->name[strspn(ret->name, WORD)]);
	bool is_type = !ret->type ||
		       (*ret->type && !ret->type[strspn(ret->type, WORD "@/[]")]);

	return is_name && is_type ? 0 : -EINVAL;
}

int kft_btf_fetch(const struct kft_btf_fetch *f, const char *text, struct kft_strbuf *sb,
		  struct kft_err *e)
{
	_cleanup_free_ char *copy = strdup(text);
	char name[WORD_MAX_BYTES];
	struct value v = {};
	struct parts parts;

	if (!copy)
		return kft_err_memory(e);
	if (split(copy, &parts) < 0)
		return kft_err_set(e, -EINVAL, "not an argument: '%.100s'", text);
	int r = take_all(f, parts.expression, name, &v, e);

	if (r == 0)
		kft_strbuf_addf(sb, "%.*s=", NAME_MAX_BYTES,
				parts.name ? parts.name : name + (*name == '$'));
	if (r == 0 && parts.type)
		finish_as(&v, parts.type, sb);
	else if (r == 0)
		r = finish_value(f, &v, sb, e);
	sb->failed |= !kft_strbuf_ok(&v.base);
	kft_strbuf_finish(&v.base);
	return r;
}

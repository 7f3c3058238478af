// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses events/SYSTEM/NAME/format. */
#include "decode/format.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "decode/types/ctype.h"

/* A part of the text. */
struct span {
	const char *p;
	const char *end;
};

static size_t span_len(struct span s)
{
	return s.end - s.p;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static struct span trim(struct span s)
{
	while (s.p < s.end && is_blank(*s.p))
		s.p++;
	while (s.end > s.p && is_blank(s.end[-1]))
		s.end--;
	return s;
}

static bool next_line(struct span *text, struct span *ret)
{
	if (text->p == text->end)
		return false;
	const char *nl = memchr(text->p, '\n', span_len(*text));
	const char *stop = nl ? nl : text->end;

	*ret = (struct span){text->p, stop};
	text->p = nl ? nl + 1 : stop;
	return true;
}

/* Skips a word at the start. */
static bool take(struct span *s, const char *word)
{
	size_t n = strlen(word);

	if (span_len(*s) < n || memcmp(s->p, word, n) != 0)
		return false;
	s->p += n;
	return true;
}

/* Takes the text up to the next ';', and skips the ';'. */
static bool take_part(struct span *s, struct span *ret)
{
	const char *semi = s->p == s->end ? NULL : memchr(s->p, ';', span_len(*s));

	if (!semi)
		return false;
	*ret = trim((struct span){s->p, semi});
	s->p = semi + 1;
	return true;
}

/* A plain decimal number that fills the span. */
static bool number(struct span s, uint32_t max, uint32_t *ret)
{
	uint64_t v = 0;

	s = trim(s);
	if (s.p == s.end)
		return false;
	for (; s.p < s.end; s.p++) {
		if (*s.p < '0' || *s.p > '9')
			return false;
		v = v * 10 + (*s.p - '0');
		if (v > max)
			return false;
	}
	*ret = v;
	return true;
}

/* The parts of "type name[dim]". */
struct declaration {
	struct span name;
	struct span before; /* the type, up to the name */
	struct span after; /* "[dim]" or ")(args)" after the name */
	struct span dim; /* inside the last [] of after */
	bool is_array;
	bool is_function; /* type (*name)(args) */
};

/*
 * Cuts all "[dim]" off the end; dim is the last one cut, which is the first in the text.
 */
static bool cut_dims(struct span *s, struct declaration *d)
{
	while (s->end > s->p && s->end[-1] == ']') {
		const char *open = s->end - 1;

		while (open > s->p && *open != '[')
			open--;
		if (*open != '[')
			return false;
		d->dim = trim((struct span){open + 1, s->end - 1});
		d->is_array = true;
		s->end = open;
		*s = trim(*s);
	}
	return true;
}

/* The name inside "(*name)(args)". */
static bool cut_function(struct span s, struct declaration *d)
{
	const char *star = memmem(s.p, span_len(s), "(*", 2);

	if (!star)
		return false;
	const char *name = star + 2;
	while (name < s.end && is_blank(*name))
		name++;
	const char *end = name;
	while (end < s.end && is_name_char(*end))
		end++;
	d->name = (struct span){name, end};
	d->before = (struct span){s.p, name};
	d->after = (struct span){end, s.end};
	d->is_function = true;
	return end > name;
}

static bool split_declaration(struct span s, struct declaration *d)
{
	const char *end = s.end;

	if (!cut_dims(&s, d) || s.p == s.end)
		return false;
	if (s.end[-1] == ')')
		return cut_function(s, d);
	const char *name = s.end;
	while (name > s.p && is_name_char(name[-1]))
		name--;
	d->name = (struct span){name, s.end};
	d->after = (struct span){s.end, end};
	/* The tracers' own events of old kernels have "type member.name". */
	if (name > s.p && name[-1] == '.')
		while (name > s.p && !is_blank(name[-1]))
			name--;
	d->before = trim((struct span){s.p, name});
	return d->name.p < d->name.end && d->before.p < d->before.end;
}

static const char *save_type(const struct declaration *d, struct kft_arena *arena)
{
	size_t before = span_len(d->before);
	size_t after = span_len(d->after);

	if (before + after > KFT_FORMAT_TYPE_MAX)
		return NULL;
	char *type = kft_arena_alloc(arena, before + after + 1);
	if (!type)
		return NULL;
	memcpy(type, d->before.p, before);
	if (after)
		memcpy(type + before, d->after.p, after);
	return type;
}

/* Handles __data_loc and __rel_loc, which stand before the type of their data. */
static void set_place(struct kft_field *f, struct span *type)
{
	if (take(type, "__data_loc "))
		f->place = KFT_FIELD_DATA_LOC;
	else if (take(type, "__rel_loc "))
		f->place = KFT_FIELD_REL_LOC;
}

static bool is_int_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static void set_array_kind(struct kft_field *f, const struct kft_ctype *elem,
			   uint32_t count)
{
	bool sized = f->place == KFT_FIELD_INLINE && count && f->size % count == 0;

	f->elem_size = sized ? f->size / count : elem->size;
	if (elem->is_struct || !is_int_size(f->elem_size)) {
		f->kind = KFT_FIELD_OTHER;
		f->elem_size = 1;
	} else {
		f->kind = elem->is_char && f->elem_size == 1 ? KFT_FIELD_STRING
							     : KFT_FIELD_ARRAY;
	}
}

static void set_kind(struct kft_field *f, const struct declaration *d, struct span type,
		     uint32_t long_size)
{
	struct kft_ctype ct = {};
	uint32_t count = 0;
	bool is_array = d->is_array;

	if (f->place != KFT_FIELD_INLINE) {
		/* The element type of "__data_loc char[] name" is before the '['. */
		const char *open = memchr(type.p, '[', span_len(type));

		type.end = open ? open : type.end;
		is_array = true;
	} else if (is_array) {
		(void)number(d->dim, KFT_FORMAT_END_MAX, &count);
	}
	bool known = kft_ctype_parse(type.p, span_len(type), long_size, &ct);
	/*
	 * Before 5.6, the tracers' own events declare arrays as scalars
	 * ("char buf", size 0 or 31).
	 */
	if (known && !is_array && !ct.is_struct && ct.size && !is_int_size(f->size) &&
	    f->size % ct.size == 0) {
		is_array = true;
		count = f->size / ct.size;
	}
	f->is_pointer = !is_array && (ct.is_pointer || d->is_function);
	f->is_long = ct.is_long || d->is_function;
	if (is_array) {
		set_array_kind(f, &ct, count);
		if (f->size == 0 && f->place == KFT_FIELD_INLINE)
			f->place = KFT_FIELD_TAIL;
		return;
	}
	bool is_number = !ct.is_struct && is_int_size(f->size);
	f->elem_size = is_number ? f->size : 1;
	f->kind = is_number ? KFT_FIELD_INT : KFT_FIELD_OTHER;
}

/* Parses "offset:8;	size:16;	signed:1;" in any order; signed is missing before 2.6.37. */
static int read_layout(struct span s, struct kft_field *f)
{
	struct span part;
	bool have_offset = false;
	bool have_size = false;
	uint32_t v;

	while (take_part(&s, &part)) {
		if (take(&part, "offset:")) {
			if (!number(part, KFT_FORMAT_END_MAX, &f->offset))
				return -EINVAL;
			have_offset = true;
		} else if (take(&part, "size:")) {
			if (!number(part, KFT_FORMAT_END_MAX, &f->size))
				return -EINVAL;
			have_size = true;
		} else if (take(&part, "signed:")) {
			if (!number(part, UINT32_MAX, &v))
				return -EINVAL;
			f->is_signed = v != 0;
		}
	}
	return have_offset && have_size ? 0 : -EINVAL;
}

/* Parses a line after the word "field". */
static int parse_field(struct span s, uint32_t long_size, struct kft_arena *arena,
		       struct kft_field *ret)
{
	struct kft_field f = {};
	struct declaration d = {};
	struct span decl;

	s = trim(s);
	(void)take(&s, "special"); /* in the tracers' own events before 2.6.34 */
	if (!take(&s, ":") || !take_part(&s, &decl) || !split_declaration(decl, &d) ||
	    span_len(d.name) > KFT_FORMAT_NAME_MAX)
		return -EINVAL;
	int r = read_layout(s, &f);
	if (r < 0 || f.offset + f.size > KFT_FORMAT_END_MAX)
		return -EINVAL;
	struct span type = d.before;
	set_place(&f, &type);
	bool is_loc = f.place != KFT_FIELD_INLINE;
	/*
	 * An array of locations ("__data_loc char[][2] arg") becomes an array of
	 * 32-bit words. Synthetic events store each location in eight bytes, of
	 * which the first four are used.
	 */
	bool is_locs = is_loc && (d.is_array || memmem(type.p, span_len(type), "][", 2));
	if (is_locs || (is_loc && f.size < sizeof(uint32_t))) {
		f.place = KFT_FIELD_INLINE;
		f.kind = f.size % sizeof(uint32_t) ? KFT_FIELD_OTHER : KFT_FIELD_ARRAY;
		f.elem_size = f.size % sizeof(uint32_t) ? 1 : sizeof(uint32_t);
	} else {
		set_kind(&f, &d, type, long_size);
	}
	if (span_len(d.before) + span_len(d.after) > KFT_FORMAT_TYPE_MAX)
		return -EINVAL;
	f.type = save_type(&d, arena);
	f.name = kft_arena_strndup(arena, d.name.p, span_len(d.name));
	if (!f.type || !f.name)
		return -ENOMEM;
	*ret = f;
	return 0;
}

static size_t count_fields(struct span text)
{
	struct span line;
	size_t n = 0;

	while (next_line(&text, &line)) {
		line = trim(line);
		n += take(&line, "field");
	}
	return n;
}

/* Whether the text goes on with the next line of the other one, to its end. */
static bool same_line(struct span text, struct span *other)
{
	struct span line;

	if (!next_line(other, &line) || other->p == line.end)
		return false;
	size_t n = (size_t)(other->p - line.p);
	return span_len(text) >= n && memcmp(text.p, line.p, n) == 0;
}

/* The lines behind "format:" of a text that was parsed. */
static struct span fields_of(const struct kft_class_text *like)
{
	struct span text = {like->text, like->text + like->len};
	struct span line;

	while (next_line(&text, &line)) {
		line = trim(line);
		if (take(&line, "format:"))
			break;
	}
	return text;
}

static int parse_fields(struct span *text, uint32_t long_size,
			const struct kft_class_text *like, struct kft_arena *arena,
			struct kft_class *ret)
{
	struct span other = like ? fields_of(like) : (struct span){};
	bool is_same = like != NULL;
	size_t max = count_fields(*text);
	bool in_common = true;

	if (max > KFT_FORMAT_FIELD_MAX)
		return -EINVAL;
	struct kft_field *fields = kft_arena_calloc(arena, max, sizeof(*fields));
	if (!fields)
		return -ENOMEM;
	ret->fields = fields;
	for (;;) {
		struct span rest = *text;
		struct span line;

		is_same = is_same && same_line(rest, &other);
		if (!next_line(&rest, &line) || take(&line, "print fmt:"))
			return 0;
		*text = rest;
		line = trim(line);
		if (line.p == line.end) {
			in_common &= ret->n_fields == 0;
			continue;
		}
		if (!take(&line, "field"))
			continue;
		struct kft_field *f = &fields[ret->n_fields];
		int r = 0;
		if (is_same)
			*f = like->cls->fields[ret->n_fields];
		else
			r = parse_field(line, long_size, arena, f);
		if (r < 0)
			return r;
		in_common &= strncmp(f->name, "common_", 7) == 0;
		f->is_common = in_common;
		ret->n_common += in_common;
		ret->n_fields++;
	}
}

static int parse_head(struct span *text, struct kft_arena *arena, struct kft_class *ret)
{
	struct span line;
	bool have_id = false;
	uint32_t id;

	while (next_line(text, &line)) {
		line = trim(line);
		if (take(&line, "format:"))
			return have_id && ret->name ? 0 : -EINVAL;
		if (take(&line, "name:")) {
			line = trim(line);
			if (line.p == line.end || span_len(line) > KFT_FORMAT_NAME_MAX)
				return -EINVAL;
			ret->name = kft_arena_strndup(arena, line.p, span_len(line));
			if (!ret->name)
				return -ENOMEM;
		} else if (take(&line, "ID:")) {
			if (!number(line, UINT16_MAX, &id))
				return -EINVAL;
			ret->id = id;
			have_id = true;
		}
	}
	return -EINVAL;
}

/* The print fmt is the rest of the text: strings in it may hold newlines. */
static const char *save_print_fmt(struct span text, struct kft_arena *arena)
{
	if (!take(&text, "print fmt:"))
		return "";
	while (text.p < text.end && is_blank(*text.p))
		text.p++;
	while (text.end > text.p && (is_blank(text.end[-1]) || text.end[-1] == '\n'))
		text.end--;
	return kft_arena_strndup(arena, text.p, span_len(text));
}

int kft_format_parse(const char *system, const char *text, size_t len, uint32_t long_size,
		     const struct kft_class_text *like, struct kft_arena *arena,
		     struct kft_class *ret)
{
	struct kft_class cls = {.system = system};
	struct span rest = {text, text + len};

	if (len == 0 || len > KFT_FORMAT_TEXT_MAX || memchr(text, '\0', len))
		return -EINVAL;
	int r = parse_head(&rest, arena, &cls);
	if (r == 0)
		r = parse_fields(&rest, long_size, like, arena, &cls);
	if (r < 0)
		return r;
	cls.print_fmt = save_print_fmt(rest, arena);
	if (!cls.print_fmt)
		return -ENOMEM;
	*ret = cls;
	return 0;
}

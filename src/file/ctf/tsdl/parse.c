// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses the blocks of TSDL, the metadata of CTF 1.8. */
#include "file/ctf/tsdl/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "file/ctf/tsdl/parse_impl.h"

/* Blocks like "trace { ... };" assign values and types (7.2). */

/* One "key = value;" or "key := type;" of a block. */
struct entry {
	const char *key;
	const char *text; /* of a value; NULL: a number or a type */
	int64_t number;
	const struct kft_ctf_type *type; /* NULL: a value */
};

typedef int entry_fn(struct kft_ctf_parser *p, const struct entry *entry, void *arg);

static int take_entry(struct kft_ctf_parser *p, struct entry *ret)
{
	int r = kft_ctf_take_path(p, &ret->key);

	if (r < 0)
		return r;
	if (kft_ctf_take(p, ":="))
		r = kft_ctf_parse_type(p, &ret->type);
	else if (kft_ctf_take(p, "="))
		r = kft_ctf_take_value(p, &ret->text, &ret->number);
	else
		return kft_ctf_fail(p, "'=' or ':=' is expected");
	return r < 0 ? r : kft_ctf_expect(p, ";");
}

/* A struct, variant or enum that is declared without a member of this type. */
static bool at_compound(const struct kft_ctf_parser *p)
{
	return kft_ctf_at(p, "struct") || kft_ctf_at(p, "variant") ||
	       kft_ctf_at(p, "enum");
}

static int parse_compound(struct kft_ctf_parser *p)
{
	const struct kft_ctf_type *unused;
	int r = kft_ctf_parse_type(p, &unused);

	return r < 0 ? r : kft_ctf_expect(p, ";");
}

/* 1: a declaration was parsed. */
static int parse_declaration(struct kft_ctf_parser *p)
{
	int r = kft_ctf_parse_naming(p);

	if (r != 0 || !at_compound(p))
		return r;
	r = parse_compound(p);
	return r < 0 ? r : 1;
}

static int parse_block(struct kft_ctf_parser *p, entry_fn *fn, void *arg)
{
	size_t names = p->names.len;
	int r = kft_ctf_expect(p, "{");

	while (r == 0 && !kft_ctf_take(p, "}")) {
		struct entry entry = {};

		r = parse_declaration(p);
		if (r != 0) {
			r = r < 0 ? r : 0;
			continue;
		}
		r = take_entry(p, &entry);
		if (r == 0)
			r = fn(p, &entry, arg);
	}
	p->names.len = names;
	/* The specification requires ';' after a block; a missing one is accepted. */
	(void)kft_ctf_take(p, ";");
	return r;
}

static bool is(const struct entry *entry, const char *key)
{
	return strcmp(entry->key, key) == 0;
}

static int set_struct(struct kft_ctf_parser *p, const struct entry *entry,
		      const struct kft_ctf_type **ret)
{
	if (!entry->type || entry->type->kind != KFT_CTF_STRUCT)
		return kft_ctf_fail(p, "before: a struct is expected");
	*ret = entry->type;
	return 0;
}

static int set_number(struct kft_ctf_parser *p, const struct entry *entry, uint64_t *ret)
{
	if (entry->type || entry->text)
		return kft_ctf_fail(p, "before: a number is expected");
	*ret = (uint64_t)entry->number;
	return 0;
}

static int set_name(struct kft_ctf_parser *p, const struct entry *entry, const char **ret)
{
	if (!entry->text)
		return kft_ctf_fail(p, "before: a name is expected");
	*ret = entry->text;
	return 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 'a' - 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Parses "2a6422d0-6cee-11e0-8c08-cb07d7b3a564". */
static int set_uuid(struct kft_ctf_parser *p, const char *text)
{
	size_t n = 0;

	for (; text && *text; text++) {
		int d = hex_digit(*text);

		if (*text == '-')
			continue;
		if (d < 0 || n == 32)
			break;
		uint8_t *byte = &p->meta->uuid[n / 2];
		*byte = n % 2 ? *byte << 4 | d : d;
		n++;
	}
	if (!text || *text || n != 32)
		return kft_ctf_fail(p, "before: no UUID");
	p->meta->has_uuid = true;
	return 0;
}

static int trace_entry(struct kft_ctf_parser *p, const struct entry *entry, void *arg)
{
	if (is(entry, "packet.header"))
		return set_struct(p, entry, &p->meta->packet_header);
	if (is(entry, "uuid"))
		return set_uuid(p, entry->text);
	if (is(entry, "major") && entry->number != 1)
		return kft_ctf_fail(p, "before: only version 1 of CTF can be read");
	return 0;
}

static int env_entry(struct kft_ctf_parser *p, const struct entry *entry, void *arg)
{
	struct kft_ctf_env env = {entry->key, entry->text};
	char digits[32];

	if (!env.text) {
		(void)snprintf(digits, sizeof(digits), "%" PRId64, entry->number);
		env.text = kft_arena_strdup(&p->meta->arena, digits);
	}
	return env.text && kft_vec_push(&p->meta->env, env) ? 0 : kft_ctf_no_memory(p);
}

static int clock_entry(struct kft_ctf_parser *p, const struct entry *entry, void *arg)
{
	struct kft_ctf_clock *c = arg;

	if (is(entry, "name"))
		return set_name(p, entry, &c->name);
	if (is(entry, "uuid"))
		c->uuid = entry->text;
	if (is(entry, "freq")) {
		if (entry->text || entry->number < 1)
			return kft_ctf_fail(p, "before: no frequency");
		c->freq = (uint64_t)entry->number;
	}
	if (is(entry, "offset_s"))
		c->offset_s = entry->number;
	if (is(entry, "offset"))
		c->offset = entry->number;
	return 0;
}

/* Integers may refer to a clock before it is declared: then its entry exists. */
static int parse_clock(struct kft_ctf_parser *p)
{
	struct kft_ctf_clock c = {.name = "", .freq = UINT64_C(1000000000)};
	int r = parse_block(p, clock_entry, &c);

	if (r < 0)
		return r;
	kft_vec_for_each(&p->meta->clocks, known) {
		if (strcmp(known->name, c.name) == 0) {
			*known = c;
			return 0;
		}
	}
	if (p->meta->clocks.len >= KFT_CTF_NO_CLOCK)
		return kft_ctf_fail(p, "too many clocks");
	return kft_vec_push(&p->meta->clocks, c) ? 0 : kft_ctf_no_memory(p);
}

static int stream_entry(struct kft_ctf_parser *p, const struct entry *entry, void *arg)
{
	struct kft_ctf_stream_class *s = arg;

	if (is(entry, "id"))
		return set_number(p, entry, &s->id);
	if (is(entry, "packet.context"))
		return set_struct(p, entry, &s->packet_context);
	if (is(entry, "event.header"))
		return set_struct(p, entry, &s->event_header);
	if (is(entry, "event.context"))
		return set_struct(p, entry, &s->event_context);
	return 0;
}

static int parse_stream(struct kft_ctf_parser *p)
{
	struct kft_ctf_stream_class s = {};
	int r = parse_block(p, stream_entry, &s);

	if (r < 0)
		return r;
	kft_vec_for_each(&p->meta->streams, known)
		if (known->id == s.id)
			return kft_ctf_fail(p, "before: a stream with this id is there");
	if (p->meta->streams.len == KFT_CTF_STREAMS_MAX)
		return kft_ctf_fail(p, "too many streams");
	return kft_vec_push(&p->meta->streams, s) ? 0 : kft_ctf_no_memory(p);
}

static int event_entry(struct kft_ctf_parser *p, const struct entry *entry, void *arg)
{
	struct kft_ctf_event_class *ev = arg;

	if (is(entry, "name"))
		return set_name(p, entry, &ev->name);
	if (is(entry, "id"))
		return set_number(p, entry, &ev->id);
	if (is(entry, "stream_id"))
		return set_number(p, entry, &ev->stream_id);
	if (is(entry, "context"))
		return set_struct(p, entry, &ev->context);
	if (is(entry, "fields"))
		return set_struct(p, entry, &ev->fields);
	return 0;
}

static int parse_event(struct kft_ctf_parser *p)
{
	struct kft_ctf_event_class ev = {.name = ""};
	int r = parse_block(p, event_entry, &ev);

	if (r < 0)
		return r;
	if (p->meta->events.len == KFT_CTF_EVENTS_MAX)
		return kft_ctf_fail(p, "too many events");
	return kft_vec_push(&p->meta->events, ev) ? 0 : kft_ctf_no_memory(p);
}

static int skip_entry(struct kft_ctf_parser *p, const struct entry *entry, void *arg)
{
	return 0;
}

static int parse_top(struct kft_ctf_parser *p)
{
	int r = parse_declaration(p);

	if (r != 0)
		return r < 0 ? r : 0;
	if (kft_ctf_take(p, "trace"))
		return parse_block(p, trace_entry, NULL);
	if (kft_ctf_take(p, "env"))
		return parse_block(p, env_entry, NULL);
	if (kft_ctf_take(p, "clock"))
		return parse_clock(p);
	if (kft_ctf_take(p, "stream"))
		return parse_stream(p);
	if (kft_ctf_take(p, "event"))
		return parse_event(p);
	if (kft_ctf_take(p, "callsite"))
		return parse_block(p, skip_entry, NULL);
	if (kft_ctf_take(p, ";"))
		return 0;
	return kft_ctf_fail(p, "a declaration is expected");
}

/*
 * Integers may be declared before the trace block, which defines the "native" byte order:
 * it is looked up first. False when no trace block defines it.
 */
static bool find_order(const char *text, size_t len, bool *ret_big)
{
	struct kft_ctf_lex l;
	unsigned int depth = 0;
	bool in_trace = false;

	for (kft_ctf_lex_init(&l, text, len); l.token.kind != KFT_CTF_END;
	     kft_ctf_lex_next(&l)) {
		if (kft_ctf_token_is(&l.token, "{"))
			depth++;
		else if (kft_ctf_token_is(&l.token, "}"))
			depth -= depth > 0;
		else if (depth == 0 && l.token.kind == KFT_CTF_NAME)
			in_trace = kft_ctf_token_is(&l.token, "trace");
		else if (depth == 1 && in_trace &&
			 kft_ctf_token_is(&l.token, "byte_order"))
			break;
	}
	kft_ctf_lex_next(&l);
	if (!kft_ctf_token_is(&l.token, "="))
		return false;
	kft_ctf_lex_next(&l);
	*ret_big = kft_ctf_token_is(&l.token, "be") ||
		   kft_ctf_token_is(&l.token, "network");
	return *ret_big || kft_ctf_token_is(&l.token, "le");
}

int kft_ctf_parse(const char *text, size_t len, struct kft_ctf_meta *ret,
		  struct kft_err *e)
{
	struct kft_ctf_parser p = {.meta = ret, .e = e};
	int r = 0;

	ret->arena.limit_bytes = KFT_CTF_ARENA_MAX;
	kft_ctf_lex_init(&p.lex, text, len);
	if (!find_order(text, len, &ret->big_endian))
		return kft_ctf_fail(&p, "no 'trace' block says the byte order");
	while (r == 0 && p.lex.token.kind != KFT_CTF_END)
		r = parse_top(&p);
	/* A trace without stream blocks has one stream class with bare events. */
	if (r == 0 && !ret->streams.len &&
	    !kft_vec_push(&ret->streams, (struct kft_ctf_stream_class){}))
		r = kft_ctf_no_memory(&p);
	kft_vec_finish(&p.names);
	return r;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses the metadata of CTF 2: fragments, each a JSON text. */
#include "file/ctf/json/parse.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/err.h"

#if HAVE_JSON

#include "file/ctf/json/json.h"
#include "file/ctf/text.h"

static int set_uuid(struct kft_ctf_json *p, struct json_object *uuid)
{
	if (json_object_array_length(uuid) != sizeof(p->meta->uuid))
		return kft_err_set(p->e, -EINVAL, "'uuid' has 16 bytes");
	for (size_t i = 0; i < sizeof(p->meta->uuid); i++) {
		uint64_t byte = 0;
		int r = kft_ctf_json_number(p, json_object_array_get_idx(uuid, i), &byte);

		if (r < 0)
			return r;
		p->meta->uuid[i] = byte;
	}
	p->meta->has_uuid = true;
	return 0;
}

static int parse_preamble(struct kft_ctf_json *p, struct json_object *o)
{
	struct json_object *extensions;
	struct json_object *uuid;
	uint64_t version = 0;
	int r = kft_ctf_json_uint(p, o, "version", 0, UINT64_MAX, &version);

	if (r == 0 && version != 2)
		return kft_err_set(p->e, -ENOTSUP,
				   "version %" PRIu64 " of CTF cannot be read", version);
	if (r == 0)
		r = kft_ctf_json_get(p, o, "extensions", json_type_object, &extensions);
	/* An unknown extension may change the meaning of anything. */
	if (r == 0 && extensions && json_object_object_length(extensions))
		return kft_err_set(p->e, -ENOTSUP, "its extensions cannot be read");
	if (r == 0)
		r = kft_ctf_json_get(p, o, "uuid", json_type_array, &uuid);
	return r < 0 || !uuid ? r : set_uuid(p, uuid);
}

static int parse_alias(struct kft_ctf_json *p, struct json_object *o)
{
	struct kft_ctf_alias a = {};
	struct json_object *type;
	int r = kft_ctf_json_text(p, o, "name", &a.name);

	if (r < 0)
		return r;
	if (!a.name || !json_object_object_get_ex(o, "field-class", &type))
		return kft_err_set(p->e, -EINVAL, "an alias has a name and a class");
	r = kft_ctf_json_type(p, type, &a.type);
	if (r < 0)
		return r;
	return kft_vec_push(&p->aliases, a) ? 0 : kft_ctf_json_no_memory(p);
}

static int take_env(struct kft_ctf_json *p, struct json_object *env)
{
	json_object_object_foreach(env, key, v)
	{
		/* json-c returns numbers as their digits. */
		const char *text = json_object_get_string(v);
		struct kft_ctf_env entry = {
			.key = kft_arena_strdup(&p->meta->arena, key),
			.text = kft_arena_strdup(&p->meta->arena, text ? text : ""),
		};

		if (!entry.key || !entry.text || !kft_vec_push(&p->meta->env, entry))
			return kft_ctf_json_no_memory(p);
	}
	return 0;
}

/*
 * Resynchronizing after a broken packet searches for the magic number in its byte order.
 */
static void find_order(struct kft_ctf_meta *m)
{
	const struct kft_ctf_type *t = m->packet_header;

	for (uint32_t i = 0; t && i < t->n_members; i++)
		if (t->members[i].type->roles >> KFT_CTF_MAGIC & 1)
			m->big_endian = t->members[i].type->big_endian;
}

static int parse_trace(struct kft_ctf_json *p, struct json_object *o)
{
	struct json_object *env;
	int r = kft_ctf_json_get(p, o, "environment", json_type_object, &env);

	if (r == 0 && env)
		r = take_env(p, env);
	if (r == 0)
		r = kft_ctf_json_scope(p, o, "packet-header-field-class",
				       &p->meta->packet_header);
	find_order(p->meta);
	return r;
}

static int take_offset(struct kft_ctf_json *p, struct json_object *o,
		       struct kft_ctf_clock *c)
{
	struct json_object *v;
	uint64_t cycles = 0;
	int r = kft_ctf_json_uint(p, o, "cycles", 0, INT64_MAX, &cycles);

	c->offset = (int64_t)cycles;
	if (r == 0)
		r = kft_ctf_json_get(p, o, "seconds", json_type_int, &v);
	if (r == 0 && v)
		c->offset_s = json_object_get_int64(v);
	return r;
}

/* CTF2-SPECRC-1.0 to 7.0 have the same structure, but other names than CTF2-SPEC-2.0. */
static int refuse_draft(struct kft_ctf_json *p, const char *why)
{
	return kft_err_set(p->e, -ENOTSUP,
			   "it is of a draft of CTF 2, which cannot be read: %s", why);
}

/* Streams refer to a clock by its id; its name is for people. */
static int parse_clock(struct kft_ctf_json *p, struct json_object *o)
{
	struct kft_ctf_clock c = {};
	struct json_object *offset;
	int r = kft_ctf_json_uint(p, o, "frequency", 1, INT64_MAX, &c.freq);

	if (r == 0)
		r = kft_ctf_json_text(p, o, "id", &c.id);
	c.name = c.id;
	if (r == 0)
		r = kft_ctf_json_text(p, o, "name", &c.name);
	if (r == 0 && !c.id && c.name)
		return refuse_draft(p, "a clock has a name and no id");
	if (r == 0 && (!c.id || !c.freq))
		r = kft_err_set(p->e, -EINVAL, "a clock has an id and a frequency");
	if (r == 0)
		r = kft_ctf_json_get(p, o, "offset-from-origin", json_type_object,
				     &offset);
	if (r == 0 && offset)
		r = take_offset(p, offset, &c);
	if (r < 0)
		return r;
	if (p->meta->clocks.len >= KFT_CTF_NO_CLOCK)
		return kft_err_set(p->e, -EINVAL, "too many clocks");
	return kft_vec_push(&p->meta->clocks, c) ? 0 : kft_ctf_json_no_memory(p);
}

static int find_clock(struct kft_ctf_json *p, const char *id, uint16_t *ret)
{
	*ret = KFT_CTF_NO_CLOCK;
	if (!id)
		return 0;
	for (size_t i = 0; i < p->meta->clocks.len; i++)
		if (strcmp(p->meta->clocks.data[i].id, id) == 0)
			*ret = i;
	if (*ret == KFT_CTF_NO_CLOCK)
		return kft_err_set(p->e, -EINVAL, "no clock '%.64s' is declared before",
				   id);
	return 0;
}

static int parse_stream(struct kft_ctf_json *p, struct json_object *o)
{
	struct kft_ctf_stream_class s = {};
	const char *clock = NULL;
	int r = kft_ctf_json_uint(p, o, "id", 0, UINT64_MAX, &s.id);

	if (json_object_object_get_ex(o, "default-clock-class-name", NULL))
		return refuse_draft(p, "a stream class names its clock");
	if (r == 0)
		r = kft_ctf_json_text(p, o, "default-clock-class-id", &clock);
	if (r == 0)
		r = find_clock(p, clock, &s.clock);
	if (r == 0)
		r = kft_ctf_json_scope(p, o, "packet-context-field-class",
				       &s.packet_context);
	if (r == 0)
		r = kft_ctf_json_scope(p, o, "event-record-header-field-class",
				       &s.event_header);
	if (r == 0)
		r = kft_ctf_json_scope(p, o, "event-record-common-context-field-class",
				       &s.event_context);
	if (r < 0)
		return r;
	kft_vec_for_each(&p->meta->streams, known)
		if (known->id == s.id)
			return kft_err_set(p->e, -EINVAL, "its id is taken");
	if (p->meta->streams.len == KFT_CTF_STREAMS_MAX)
		return kft_err_set(p->e, -EINVAL, "too many streams");
	return kft_vec_push(&p->meta->streams, s) ? 0 : kft_ctf_json_no_memory(p);
}

static int parse_event(struct kft_ctf_json *p, struct json_object *o)
{
	struct kft_ctf_event_class ev = {.name = ""};
	int r = kft_ctf_json_uint(p, o, "id", 0, UINT64_MAX, &ev.id);

	if (r == 0)
		r = kft_ctf_json_uint(p, o, "data-stream-class-id", 0, UINT64_MAX,
				      &ev.stream_id);
	if (r == 0)
		r = kft_ctf_json_text(p, o, "name", &ev.name);
	if (r == 0)
		r = kft_ctf_json_scope(p, o, "specific-context-field-class", &ev.context);
	if (r == 0)
		r = kft_ctf_json_scope(p, o, "payload-field-class", &ev.fields);
	if (r < 0)
		return kft_err_wrap(p->e, r, "'%.64s'", ev.name);
	if (p->meta->events.len == KFT_CTF_EVENTS_MAX)
		return kft_err_set(p->e, -EINVAL, "too many events");
	return kft_vec_push(&p->meta->events, ev) ? 0 : kft_ctf_json_no_memory(p);
}

static const struct {
	const char *type;
	int (*parse)(struct kft_ctf_json *p, struct json_object *o);
} fragments[] = {
	{"preamble", parse_preamble},	     {"field-class-alias", parse_alias},
	{"trace-class", parse_trace},	     {"clock-class", parse_clock},
	{"data-stream-class", parse_stream}, {"event-record-class", parse_event},
};

static int parse_fragment(struct kft_ctf_json *p, struct json_object *o)
{
	struct json_object *type;
	int r = kft_ctf_json_need(p, o, "type", json_type_string, &type);

	if (r < 0)
		return r;
	const char *name = json_object_get_string(type);
	for (size_t i = 0; i < ARRAY_SIZE(fragments); i++) {
		if (strcmp(fragments[i].type, name) != 0)
			continue;
		r = fragments[i].parse(p, o);
		return r < 0 ? kft_err_wrap(p->e, r, "%s", name) : 0;
	}
	return kft_err_set(p->e, -ENOTSUP, "fragment '%.64s' cannot be read", name);
}

/* A fragment is freed after parsing: the meta has copies of its contents. */
static int parse_text(struct kft_ctf_json *p, struct json_tokener *tok, const char *text,
		      size_t len)
{
	/* json-c ignores bytes after the object, so all but blanks are refused here. */
	while (len && strchr(" \t\r\n", text[len - 1]))
		len--;
	if (len > KFT_CTF_FRAGMENT_MAX)
		return kft_err_set(p->e, -EFBIG, "it is too big");
	json_tokener_reset(tok);
	struct json_object *o = json_tokener_parse_ex(tok, text, (int)len);
	enum json_tokener_error err = json_tokener_get_error(tok);
	int r;

	if (err != json_tokener_success)
		r = kft_err_set(p->e, -EINVAL, "invalid JSON: %s",
				json_tokener_error_desc(err));
	else if (json_object_get_type(o) != json_type_object)
		r = kft_err_set(p->e, -EINVAL, "it is not a JSON object");
	else
		r = parse_fragment(p, o);
	json_object_put(o);
	return r;
}

static int parse_all(struct kft_ctf_json *p, struct json_tokener *tok, const char *text,
		     size_t len)
{
	const char *end = text + len;
	unsigned int n = 0;
	int r = 0;

	while (r == 0 && text < end) {
		const char *next = memchr(text + 1, KFT_CTF_SEPARATOR, end - text - 1);

		next = next ? next : end;
		/* Two separators in a row enclose nothing (RFC 7464, 2.1). */
		if (next - text > 1) {
			n++;
			r = parse_text(p, tok, text + 1, next - text - 1);
		}
		text = next;
	}
	return r < 0 ? kft_err_wrap(p->e, r, "fragment %u", n) : 0;
}

int kft_ctf_parse2(const char *text, size_t len, struct kft_ctf_meta *ret,
		   struct kft_err *e)
{
	struct json_tokener *tok = json_tokener_new_ex(4 * KFT_CTF_NESTING_MAX);
	struct kft_ctf_json p = {.meta = ret, .e = e};

	ret->arena.limit_bytes = KFT_CTF_ARENA_MAX;
	ret->is_ctf2 = true;
	if (!tok)
		return kft_ctf_json_no_memory(&p);
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	int r = parse_all(&p, tok, text, len);
	if (r == 0 && !ret->streams.len)
		r = kft_err_set(e, -EINVAL, "no data-stream-class is described");
	kft_vec_finish(&p.aliases);
	json_tokener_free(tok);
	return r;
}

#else

int kft_ctf_parse2(const char *text, size_t len, struct kft_ctf_meta *ret,
		   struct kft_err *e)
{
	int r = kft_err_set(e, -ENOTSUP, "it is CTF 2, and kft was built without json-c");

	kft_err_hint(e, "'lttng create --trace-format=ctf-1.8' records a format that kft "
			"reads");
	return r;
}

#endif

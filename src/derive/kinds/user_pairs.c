// SPDX-License-Identifier: LGPL-2.1-or-later
/* Kinds of intervals that a user defines. */
#include "derive/kinds/user_pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "derive/engine/async.h"
#include "derive/engine/nested_pairs.h"

/* An event that is both ends the open interval before it begins the next. */
enum { END, BEGIN, N_EVENTS };

/* Marks a key that is the number of a name; no address and no plausible number begins so. */
#define TEXT_KEY (UINT64_C(0x80000000) << 32)

/* The kind, and all data that it points to. */
struct user_pair {
	struct kft_interval_kind kind; /* first: users have a pointer to it */
	struct kft_arena arena;
	struct kft_kind_event events[N_EVENTS + 1];
	bool by_task;
	bool by_cpu;
};

/* The rest of the text, and the data for error messages. */
struct parser {
	const char *text;
	const char *p;
	struct user_pair *pair;
	struct kft_err *err;
};

static int refuse(const struct parser *ps, const char *what)
{
	int r = kft_err_set(ps->err, -EINVAL, "not an interval: '%s': %s", ps->text,
			    what);

	kft_err_hint(ps->err, "like 'NAME: EVENT -> EVENT by FIELD', with EVENT "
			      "sched:sched_waking/pid == 7/ for some events only");
	return r;
}

static void skip_blanks(struct parser *ps)
{
	ps->p += strspn(ps->p, " \t");
}

static int copy(struct parser *ps, const char *from, size_t len, const char **ret)
{
	*ret = kft_arena_strndup(&ps->pair->arena, from, len);
	return *ret ? 0 : -ENOMEM;
}

/* Reads a word, up to one of the characters in ends. */
static int word(struct parser *ps, const char *ends, const char *what, const char **ret)
{
	skip_blanks(ps);
	size_t len = strcspn(ps->p, ends);

	if (!len)
		return refuse(ps, what);
	int r = copy(ps, ps->p, len, ret);

	ps->p += len;
	skip_blanks(ps);
	return r;
}

/* Reads "/.../": a / within quotes is part of the filter. */
static int filter(struct parser *ps, const char **ret)
{
	const char *end = ++ps->p;
	bool quoted = false;

	for (; *end && (quoted || *end != '/'); end++)
		quoted ^= *end == '"';
	if (!*end)
		return refuse(ps, "a filter has no end");
	int r = copy(ps, ps->p, end - ps->p, ret);

	ps->p = end + 1;
	skip_blanks(ps);
	return r;
}

static int event(struct parser *ps, struct kft_kind_event *ret)
{
	const char *name = NULL;
	int r = word(ps, " \t/", "an event is missing", &name);

	if (r < 0)
		return r;
	const char *colon = strchr(name, ':');

	ret->name = colon ? colon + 1 : name;
	if (colon == name || !*ret->name)
		return refuse(ps, "an event is missing");
	if (colon)
		r = copy(ps, name, colon - name, &ret->system);
	if (!r && *ps->p == '/')
		r = filter(ps, &ret->filter);
	return r;
}

static int add_field(struct parser *ps, const char *field, unsigned int *n)
{
	if (strcmp(field, "task") == 0) {
		ps->pair->by_task = true;
		return 0;
	}
	if (strcmp(field, "cpu") == 0) {
		ps->pair->by_cpu = true;
		return 0;
	}
	const char *equals = strchr(field, '=');
	const char *first = field;
	int r = 0;

	if (*n == KFT_KIND_FIELDS)
		return refuse(ps, "these are too many fields");
	if (equals)
		r = copy(ps, field, equals - field, &first);
	if (!*first || (equals && !equals[1]))
		return refuse(ps, "a field is missing");
	ps->pair->events[BEGIN].fields[*n] = first;
	ps->pair->events[END].fields[*n] = equals ? equals + 1 : field;
	++*n;
	return r;
}

static int fields(struct parser *ps)
{
	unsigned int n = 0;
	int r = 0;

	if (!*ps->p)
		return 0;
	if (strncmp(ps->p, "by", 2) != 0 || (ps->p[2] != ' ' && ps->p[2] != '\t'))
		return refuse(ps, "only 'by' can follow the second event");
	ps->p += 2;
	for (;;) {
		const char *field = NULL;

		r = word(ps, " \t,", "a field is missing", &field);
		if (!r)
			r = add_field(ps, field, &n);
		if (r < 0 || !*ps->p)
			return r;
		if (*ps->p++ != ',')
			return refuse(ps, "fields have a comma between them");
	}
}

static int parse(struct parser *ps)
{
	struct user_pair *pair = ps->pair;
	int r = word(ps, ": \t", "a name is missing", &pair->kind.name);

	if (!r && *ps->p++ != ':')
		r = refuse(ps, "a ':' is missing behind the name");
	if (!r)
		r = event(ps, &pair->events[BEGIN]);
	if (!r && strncmp(ps->p, "->", 2) != 0)
		r = refuse(ps, "a '->' is missing between two events");
	if (r < 0)
		return r;
	ps->p += 2;
	r = event(ps, &pair->events[END]);
	return r < 0 ? r : fields(ps);
}

static uint64_t value_of(const struct kft_kind_input *in, unsigned int i)
{
	return in->is_text[i] ? TEXT_KEY | kft_names_number(in->names, in->texts[i],
							    in->fields[i])
			      : in->fields[i];
}

static uint64_t id_of(const struct user_pair *pair, const struct kft_kind_input *in)
{
	uint64_t id = kft_async_id(pair->by_task ? (uint32_t)in->pid : 0,
				   pair->by_cpu ? in->cpu : 0);

	for (unsigned int i = 0; i < in->n_fields; i++)
		id = kft_async_id(id, value_of(in, i));
	return id;
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	const struct user_pair *pair = kind->arg;
	uint64_t key = in->n_fields ? value_of(in, 0) : 0;
	struct kft_interval i = kft_nested_pairs_interval(kind, key, in);
	uint64_t id = id_of(pair, in);

	if (in->event == BEGIN)
		return kft_async_begin(state, id, &i, in, sink);
	return kft_async_has(state, id) ? kft_async_end(state, id, &i, in, sink) : 0;
}

void kft_key_of_user(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb)
{
	if (key >> 32 == TEXT_KEY >> 32)
		kft_names_text(&t->names, key & UINT32_MAX, sb);
	else if (key >> 48 == UINT16_MAX)
		kft_key_function(t, key, sb);
}

static void only_name(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "all");
}

struct kft_interval_kind *kft_user_pair_destroy(struct kft_interval_kind *kind)
{
	struct user_pair *pair = (struct user_pair *)kind;

	if (!pair)
		return NULL;
	kft_arena_finish(&pair->arena);
	free(pair);
	return NULL;
}

static uint8_t count_fields(const struct user_pair *pair)
{
	uint8_t n = 0;

	while (n < KFT_KIND_FIELDS && pair->events[BEGIN].fields[n])
		n++;
	return n;
}

int kft_user_pair_parse(const char *text, struct kft_interval_kind **ret,
			struct kft_err *e)
{
	struct user_pair *pair = calloc(1, sizeof(*pair));
	struct parser ps = {.text = text, .p = text, .pair = pair, .err = e};
	int r = pair ? parse(&ps) : -ENOMEM;

	if (r < 0) {
		if (pair)
			kft_user_pair_destroy(&pair->kind);
		return r == -ENOMEM ? kft_err_sys(e, r, "cannot read '%s'", text) : r;
	}
	const char *key = pair->events[BEGIN].fields[0];

	pair->kind.about = "an interval that the user named";
	pair->kind.key = key ? key : "all";
	pair->kind.arg = pair;
	pair->kind.events = pair->events;
	pair->events[BEGIN].role = KFT_KIND_BEGINS;
	pair->events[END].role = KFT_KIND_ENDS;
	pair->kind.pairs = (struct kft_kind_pairs){
		.n_ids = count_fields(pair),
		.has_constant_id = !key,
		.by_cpu = pair->by_cpu,
		.by_task = pair->by_task,
		.is_of_user = true,
	};
	pair->kind.key_name = key ? kft_key_of_user : only_name;
	pair->kind.create = kft_async_create;
	pair->kind.feed = feed;
	pair->kind.flush = kft_async_flush;
	pair->kind.destroy = kft_async_destroy;
	*ret = &pair->kind;
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Conditions on intervals: an interval is converted to a record, to use an event filter. */
#include "analysis/stats/interval_where.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"

/* The record for an event filter; fields[] describes its layout. */
struct record {
	uint64_t duration;
	uint64_t number;
	int64_t value;
	int32_t pid;
	uint32_t cpu;
	char kind[32];
	char comm[32];
	char key[256];
};

#define NUMBER(member, with_sign)                                                       \
	{                                                                               \
		.name = #member, .type = "", .offset = offsetof(struct record, member), \
		.size = sizeof(((struct record *)0)->member),                           \
		.elem_size = sizeof(((struct record *)0)->member),                      \
		.kind = KFT_FIELD_INT, .is_signed = (with_sign)                         \
	}
#define TEXT(member)                                                          \
	{                                                                     \
		.name = #member, .type = "char[]",                            \
		.offset = offsetof(struct record, member),                    \
		.size = sizeof(((struct record *)0)->member), .elem_size = 1, \
		.kind = KFT_FIELD_STRING                                      \
	}

static const struct kft_field fields[] = {
	NUMBER(duration, false),
	NUMBER(number, false),
	NUMBER(value, true),
	NUMBER(pid, true),
	NUMBER(cpu, false),
	TEXT(kind),
	TEXT(comm),
	TEXT(key),
};

static const struct kft_class interval_class = {
	.system = "kft",
	.name = "interval",
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
	.print_fmt = "",
};

struct kft_interval_where {
	struct kft_filter *filter; /* owned */
};

struct kft_interval_where *kft_interval_where_destroy(struct kft_interval_where *w)
{
	if (!w)
		return NULL;
	w->filter = kft_filter_destroy(w->filter);
	free(w);
	return NULL;
}

static bool is_of_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

static bool has_unit(const char *word, size_t len)
{
	return len > 1 && word[0] >= '0' && word[0] <= '9' && word[len - 1] == 's';
}

/* Adds a duration as its number of ns, and every other word unchanged. */
static void add_word(struct kft_strbuf *sb, const char *word, size_t len)
{
	char copy[32];
	uint64_t ns;

	if (has_unit(word, len) && len < sizeof(copy)) {
		memcpy(copy, word, len);
		copy[len] = '\0';
		if (kft_parse_duration(copy, 1, &ns) == 0) {
			kft_strbuf_addu(sb, ns, 1);
			return;
		}
	}
	kft_strbuf_add(sb, word, len);
}

static void replace_durations(const char *text, struct kft_strbuf *sb)
{
	bool quoted = false;

	while (*text) {
		size_t len = 0;

		while (!quoted && is_of_word(text[len]))
			len++;
		if (len) {
			add_word(sb, text, len);
			text += len;
			continue;
		}
		quoted ^= *text == '"';
		kft_strbuf_addc(sb, *text++);
	}
}

int kft_interval_where_parse(const char *text, struct kft_interval_where **ret,
			     struct kft_err *e)
{
	_cleanup_(kft_interval_where_destroyp) struct kft_interval_where *w =
		calloc(1, sizeof(*w));
	_cleanup_(kft_strbuf_finish) struct kft_strbuf plain = {};

	replace_durations(text, &plain);
	if (!w || !kft_strbuf_ok(&plain))
		return kft_err_sys(e, -ENOMEM, "cannot read '%s'", text);
	int r = kft_filter_compile(kft_strbuf_cstr(&plain), &interval_class, &w->filter,
				   e);

	if (r < 0)
		return r;
	*ret = TAKE(w);
	return 0;
}

const struct kft_filter *kft_interval_where_filter(const struct kft_interval_where *w)
{
	return w->filter;
}

/* Copies a text, truncated to size - 1 bytes, and fills the rest with NULs. */
static void put_text(char *to, size_t size, const char *text, size_t len)
{
	len = KFT_MIN(len, size - 1);
	memcpy(to, text, len);
	memset(to + len, 0, size - len);
}

bool kft_interval_where_match(const struct kft_interval_where *w, struct kft_trace *t,
			      const struct kft_interval *i)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf key = {};
	struct record r = {
		.duration = kft_interval_ns(i),
		.number = i->key,
		.value = i->value == KFT_INTERVAL_NO_VALUE ? 0 : i->value,
		.pid = i->pid,
		.cpu = i->cpu,
	};
	const char *comm = kft_task_comm_at(&t->tasks, (uint32_t)i->pid, i->begin_ns);
	const struct kft_event ev = {
		.data = (const uint8_t *)&r, .size = sizeof(r), .cpu = i->cpu};

	kft_interval_key_text(t, i->kind, i->key, &key);
	put_text(r.kind, sizeof(r.kind), i->kind->name, strlen(i->kind->name));
	put_text(r.comm, sizeof(r.comm), comm, strlen(comm));
	put_text(r.key, sizeof(r.key), kft_strbuf_cstr(&key), key.len);
	return kft_filter_match(w->filter, &ev, false);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/select.h"

#include <errno.h>
#include <fnmatch.h>

#include "base/err.h"
#include "base/suggest.h"

/* Longer names than any kernel's are not matched. */
#define NAME_MAX_BYTES 256

/* A pattern taken apart. */
struct pattern {
	char system[NAME_MAX_BYTES]; /* empty: name may be a system's or an event's */
	char event[NAME_MAX_BYTES];
};

static bool copy(char *to, const char *from, size_t len)
{
	if (len >= NAME_MAX_BYTES)
		return false;
	memcpy(to, from, len);
	to[len] = '\0';
	return true;
}

static bool split(const char *text, struct pattern *ret)
{
	const char *colon = strchr(text, ':');
	const char *event = colon ? colon + 1 : text;

	if (!*event || colon == text)
		return false;
	return copy(ret->system, text, colon ? colon - text : 0) &&
	       copy(ret->event, event, strlen(event));
}

static bool is_match(const char *glob, const char *name)
{
	return fnmatch(glob, name, FNM_NOESCAPE) == 0;
}

static bool matches(const struct pattern *p, const char *system, const char *event)
{
	if (p->system[0])
		return is_match(p->system, system) && is_match(p->event, event);
	return is_match(p->event, system) || is_match(p->event, event);
}

/* "system:event" of a format text; false when it has no usable name. */
static bool event_name(const struct kft_class_text *x, char *ret)
{
	const char *name;
	size_t len;

	return kft_class_text_name(x, &name, &len) && copy(ret, name, len);
}

static void suggest(struct kft_trace *t, const struct pattern *p, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf hint = {};
	struct kft_suggest near;
	char name[NAME_MAX_BYTES];

	kft_suggest_init(&near, p->event);
	kft_vec_for_each(&t->classes.texts, x) {
		if (event_name(x, name))
			kft_suggest_add(&near, name, strlen(name));
		if (!p->system[0])
			kft_suggest_add(&near, x->system, strlen(x->system));
	}
	if (kft_suggest_text(&near, &hint))
		kft_err_hint(e, "%s", kft_strbuf_cstr(&hint));
}

int kft_select_events(struct kft_trace *t, const char *pattern, uint64_t *wanted,
		      struct kft_err *e)
{
	const struct kft_map *ids = &t->classes.by_id;
	struct pattern p = {};
	char name[NAME_MAX_BYTES];
	bool any = false;

	if (!split(pattern, &p))
		return kft_err_set(e, -EINVAL, "'%s' names no event", pattern);
	for (size_t i = 0; ids->slots && i <= ids->mask; i++) {
		uint64_t id = ids->slots[i].key;

		if (id == KFT_MAP_NO_KEY)
			continue;
		const struct kft_class_text *x =
			&t->classes.texts.data[ids->slots[i].value];
		if (!event_name(x, name) || !matches(&p, x->system, name))
			continue;
		wanted[id / 64] |= UINT64_C(1) << (id % 64);
		any = true;
	}
	if (any)
		return 0;
	int r = kft_err_set(e, -ENOENT, "the trace describes no event '%s'", pattern);
	suggest(t, &p, e);
	return r;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes and reads the cause of a snapshot. */
#include "watch/cause.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/scan.h"
#include "model/merge.h"

/* A longer condition is cut, and cannot be parsed again. */
#define CONDITION_MAX 150
#define WHY_MAX	      60
#define NS_PER_S      UINT64_C(1000000000)

static const char snapshot[] = "kft: snapshot ";
static const char on[] = "on ";
static const char at[] = ", at ";

void kft_watch_cause(const struct kft_condition *c, const struct kft_seen *seen,
		     char ret[static KFT_WATCH_CAUSE_MAX])
{
	(void)snprintf(ret, KFT_WATCH_CAUSE_MAX, "%s%.*s: %.*s%s%" PRIu64 ".%09" PRIu64,
		       on, CONDITION_MAX, c->text, WHY_MAX, seen->why, at,
		       seen->ts / NS_PER_S, seen->ts % NS_PER_S);
}

/* Finds the last occurrence of a text. */
static char *find_last(char *in, const char *text)
{
	char *found = NULL;

	for (char *p = strstr(in, text); p; p = strstr(p + 1, text))
		found = p;
	return found;
}

static bool parse_ns(const char *text, uint64_t *ret)
{
	uint64_t s;
	uint64_t ns;

	return kft_scan_u64(&text, &s) && kft_scan_text(&text, ".") &&
	       kft_scan_u64(&text, &ns) && ns < NS_PER_S && !kft_mul(s, NS_PER_S, &s) &&
	       !kft_add(s, ns, ret);
}

/* Parses the text of a mark after "kft: snapshot ". */
static int parse(const char *text, struct kft_watch_cause *ret)
{
	char copy[KFT_WATCH_CAUSE_MAX];

	(void)snprintf(ret->text, sizeof(ret->text), "%.*s", (int)strcspn(text, "\n"),
		       text);
	memcpy(copy, ret->text, sizeof(copy));
	char *when = find_last(copy, at);
	if (strncmp(copy, on, strlen(on)) != 0 || !when ||
	    !parse_ns(when + strlen(at), &ret->at_ns))
		return 0;
	*when = '\0';
	char *why = find_last(copy, ": ");
	if (!why)
		return 0;
	*why = '\0';
	int r = kft_condition_parse_when(copy + strlen(on), &ret->condition, NULL);
	return r == -ENOMEM ? r : r == 0;
}

/*
 * Finds the last snapshot mark in the trace: a snapshot contains the marks
 * of earlier ones as well.
 */
static int find_last_mark(struct kft_trace *t, const struct kft_class *print,
			  struct kft_strbuf *ret)
{
	const struct kft_field *buf = kft_class_field(print, "buf");
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	uint64_t ids[65536 / 64] = {};
	const struct kft_scope scope = {.wanted = ids};
	const struct kft_event *ev;
	const char *text;
	size_t len;

	kft_bits_add(ids, print->id);
	int r = buf ? kft_merge_create(t, &scope, &m) : 0;
	while (m && r >= 0 && (r = kft_merge_next(m, &ev)) > 0) {
		if (ev->id != print->id ||
		    !kft_event_str(ev, buf, t->swap, &text, &len) ||
		    len < strlen(snapshot) ||
		    memcmp(text, snapshot, strlen(snapshot)) != 0)
			continue;
		ret->len = 0;
		kft_strbuf_add(ret, text + strlen(snapshot), len - strlen(snapshot));
	}
	return r < 0 ? r : kft_strbuf_ok(ret) ? 0 : -ENOMEM;
}

int kft_watch_cause_find(struct kft_trace *t, struct kft_watch_cause *ret,
			 struct kft_err *e)
{
	const struct kft_class *print = kft_class_table_find(&t->classes, "ftrace",
							     "print");
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int r = print ? find_last_mark(t, print, &text) : 0;

	*ret = (struct kft_watch_cause){};
	if (r == 0)
		r = parse(kft_strbuf_cstr(&text), ret);
	return r < 0 ? kft_err_sys(e, r, "cannot look for the snapshot's reason") : r;
}

void kft_watch_cause_finish(struct kft_watch_cause *c)
{
	kft_condition_finish(&c->condition);
	*c = (struct kft_watch_cause){};
}

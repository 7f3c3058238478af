// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses conditions: "irq:24 > 5ms do snapshot,exec logger stall". */
#include "watch/condition.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"

static const struct {
	const char *word;
	bool has_text;
} actions[] = {
	[KFT_ACTION_SNAPSHOT] = {"snapshot", false},
	[KFT_ACTION_STOP] = {"stop", false},
	[KFT_ACTION_PAUSE] = {"pause", false},
	[KFT_ACTION_RESUME] = {"resume", false},
	[KFT_ACTION_MARK] = {"mark", true},
	[KFT_ACTION_SET] = {"set", true},
	[KFT_ACTION_EXEC] = {"exec", true},
};

static int not_a_condition(const char *text, bool has_when, struct kft_err *e)
{
	(void)kft_err_set(e, -EINVAL, "not a condition: '%.200s'", text);
	if (has_when)
		kft_err_hint(e, "ACTIONS behind do, with commas: snapshot, stop, pause, "
				"resume, mark [TEXT], set +SET, set -SET, exec COMMAND");
	else
		kft_err_hint(
			e, "write SYSTEM:EVENT[/FILTER/], enter:FUNCTION, exit:FUNCTION, "
			   "mark:TEXT, KIND[:KEY] > TIME, sched:TASK wait > TIME, no "
			   "SYSTEM:EVENT for TIME, or a TIME, and behind it do ACTIONS");
	return -EINVAL;
}

/* Copies the text without surrounding blanks; NULL when out of memory. */
static char *copy(const char *text, size_t len)
{
	while (len && (*text == ' ' || *text == '\t'))
		text++, len--;
	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	return strndup(text, len);
}

/* "SYSTEM:EVENT[/FILTER/]" of len bytes. */
static int parse_event(const char *text, size_t len, struct kft_condition *c)
{
	const char *slash = memchr(text, '/', len);
	size_t name = slash ? (size_t)(slash - text) : len;
	const char *colon = memchr(text, ':', name);

	if (!colon || colon == text || strcspn(text, "*?[ ") < name)
		return -EINVAL;
	if (slash && (len - name < 3 || text[len - 1] != '/'))
		return -EINVAL;
	c->what = strndup(text, name);
	c->filter = slash ? strndup(slash + 1, len - name - 2) : NULL;
	return c->what && (!slash || c->filter) ? 0 : -ENOMEM;
}

static int parse_time(const char *text, uint64_t *ret)
{
	int r = kft_parse_duration(text, 1000000000, ret);

	return r == 0 && !*ret ? -EINVAL : r;
}

/* "KIND[:KEY]", or "sched[:TASK] [wait]" for a task's wait for a CPU. */
static int parse_interval(const char *text, size_t len, struct kft_condition *c)
{
	static const char wait[] = " wait";
	bool waits = len > strlen(wait) &&
		     strncmp(text + len - strlen(wait), wait, strlen(wait)) == 0;
	_cleanup_free_ char *word = copy(text, waits ? len - strlen(wait) : len);

	if (!word)
		return -ENOMEM;
	char *colon = strchr(word, ':');
	if (colon)
		*colon = '\0';
	bool is_sched = strcmp(word, "sched") == 0;
	if (!*word || (colon && !colon[1]) || (waits && !is_sched))
		return -EINVAL;
	c->what = strdup(is_sched ? "task" : word);
	if (colon && is_sched)
		c->task = strdup(colon + 1);
	else if (colon)
		c->key = strdup(colon + 1);
	return c->what && (!colon || c->key || c->task) ? 0 : -ENOMEM;
}

static int parse_silence(const char *text, struct kft_condition *c)
{
	static const char until[] = " for ";
	const char *found = NULL;

	for (const char *p = strstr(text, until); p; p = strstr(p + 1, until))
		found = p;
	if (!found || parse_time(found + strlen(until), &c->ns) < 0)
		return -EINVAL;
	c->when = KFT_WHEN_SILENCE;
	return parse_event(text, (size_t)(found - text), c);
}

static int parse_when(const char *text, struct kft_condition *c)
{
	static const struct {
		const char *word;
		enum kft_when when;
	} words[] = {{"enter:", KFT_WHEN_ENTER},
		     {"exit:", KFT_WHEN_EXIT},
		     {"mark:", KFT_WHEN_MARK}};
	const char *above = strstr(text, " > ");

	/* Before "mark:", as marks with a duration are a kind of interval. */
	if (above && !strchr(text, '/') && parse_time(above + 3, &c->ns) == 0) {
		c->when = KFT_WHEN_INTERVAL;
		return parse_interval(text, (size_t)(above - text), c);
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t len = strlen(words[i].word);

		if (strncmp(text, words[i].word, len) != 0)
			continue;
		c->when = words[i].when;
		c->what = strdup(text + len);
		return !c->what ? -ENOMEM : *c->what ? 0 : -EINVAL;
	}
	if (strncmp(text, "no ", 3) == 0)
		return parse_silence(text + 3, c);
	if (strchr(text, ':')) {
		c->when = KFT_WHEN_EVENT;
		return parse_event(text, strlen(text), c);
	}
	c->when = KFT_WHEN_TIME;
	return parse_time(text, &c->ns);
}

static bool is_change_of_set(const char *text)
{
	return (text[0] == '+' || text[0] == '-') && text[1];
}

static int add_action(struct kft_condition *c, enum kft_action_kind kind,
		      const char *text, size_t len)
{
	_cleanup_free_ char *own = actions[kind].has_text ? copy(text, len) : NULL;

	/* A mark without a text gets the text of its condition. */
	if (own && !*own && kind == KFT_ACTION_MARK) {
		free(own);
		own = strdup(c->text);
	}
	struct kft_action a = {.kind = kind, .text = own};

	if (actions[kind].has_text && !own)
		return -ENOMEM;
	if ((own && !*own) || (kind == KFT_ACTION_SET && !is_change_of_set(own)) ||
	    c->actions.len == KFT_CONDITION_ACTIONS_MAX)
		return -EINVAL;
	if (!kft_vec_push(&c->actions, a))
		return -ENOMEM;
	(void)TAKE(own);
	return 0;
}

/* "snapshot,mark [TEXT],exec COMMAND": COMMAND reaches to the end of the text. */
static int parse_actions(const char *text, struct kft_condition *c)
{
	for (;;) {
		text += strspn(text, " ");
		size_t word = strcspn(text, " ,");
		size_t kind = 0;

		while (kind < ARRAY_SIZE(actions) &&
		       (strlen(actions[kind].word) != word ||
			strncmp(text, actions[kind].word, word) != 0))
			kind++;
		if (kind == ARRAY_SIZE(actions))
			return -EINVAL;
		size_t len = kind == KFT_ACTION_EXEC ? strlen(text) : strcspn(text, ",");
		if (!actions[kind].has_text && text[word + strspn(text + word, " ")] &&
		    text[word + strspn(text + word, " ")] != ',')
			return -EINVAL;
		int r = add_action(c, kind, text + word, len - word);
		if (r < 0 || !text[len])
			return r;
		text += len + 1;
	}
}

/* Parses a WHEN of len bytes. */
static int parse_first(const char *text, size_t len, struct kft_condition *c)
{
	c->text = copy(text, len);
	return c->text ? parse_when(c->text, c) : -ENOMEM;
}

/*
 * Splits at the first " do " with a valid condition before it: a
 * filter may contain " do ".
 */
static int parse(const char *text, struct kft_condition *c, bool *ret_has_when)
{
	static const char then[] = " do ";
	int r = -EINVAL;

	for (const char *p = strstr(text, then); p && r == -EINVAL;
	     p = strstr(p + 1, then)) {
		kft_condition_finish(c);
		*c = (struct kft_condition){};
		r = parse_first(text, (size_t)(p - text), c);
		*ret_has_when |= r == 0;
		if (r == 0)
			r = parse_actions(p + strlen(then), c);
	}
	return r;
}

/* Moves c to *ret on success, finishes it on failure. */
static int finish(int r, const char *text, bool has_when, struct kft_condition *c,
		  struct kft_condition *ret, struct kft_err *e)
{
	if (r == 0) {
		*ret = *c;
		return 0;
	}
	kft_condition_finish(c);
	return r == -ENOMEM ? kft_err_memory(e) : not_a_condition(text, has_when, e);
}

int kft_condition_parse(const char *text, struct kft_condition *ret, struct kft_err *e)
{
	struct kft_condition c = {};
	bool has_when = false;
	int r = -EINVAL;

	if (strlen(text) <= KFT_CONDITION_MAX_BYTES)
		r = parse(text, &c, &has_when);
	return finish(r, text, has_when, &c, ret, e);
}

int kft_condition_parse_when(const char *text, struct kft_condition *ret,
			     struct kft_err *e)
{
	struct kft_condition c = {};
	bool fits = strlen(text) <= KFT_CONDITION_MAX_BYTES;

	return finish(fits ? parse_first(text, strlen(text), &c) : -EINVAL, text, false,
		      &c, ret, e);
}

void kft_condition_finish(struct kft_condition *c)
{
	free(c->text);
	free(c->what);
	free(c->filter);
	free(c->key);
	free(c->task);
	kft_vec_for_each(&c->actions, a) {
		free(a->text);
		if (a->set)
			kft_plan_finish(a->set);
		free(a->set);
	}
	kft_vec_finish(&c->actions);
}

bool kft_condition_does(const struct kft_condition *c, enum kft_action_kind kind)
{
	kft_vec_for_each(&c->actions, a)
		if (a->kind == kind)
			return true;
	return false;
}

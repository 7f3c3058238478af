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
	[KFT_ACTION_EXEC] = {"exec", true},
};

static int not_a_condition(const char *text, struct kft_err *e)
{
	(void)kft_err_set(e, -EINVAL, "not a condition: '%.200s'", text);
	kft_err_hint(e, "write SYSTEM:EVENT[/FILTER/], enter:FUNCTION, exit:FUNCTION, "
			"mark:TEXT, KIND[:KEY] > TIME, sched:TASK wait > TIME, no "
			"SYSTEM:EVENT for TIME, or a TIME, and behind it do ACTIONS");
	return -EINVAL;
}

/* Without blanks at both ends; NULL when out of memory. */
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

/* "KIND[:KEY]", "sched[:TASK] [wait]": of a task its wait for a CPU. */
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


// SPDX-License-Identifier: GPL-2.0-only
/* Turns the options of `kft record` into a plan. */
#include "cli/record_plan.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/now.h"
#include "base/units.h"
#include "sets/choose.h"

#if defined(__x86_64__)
#define ARCH "x86_64-linux-gnu"
#elif defined(__i386__)
#define ARCH "i386-linux-gnu"
#elif defined(__aarch64__)
#define ARCH "aarch64-linux-gnu"
#elif defined(__arm__)
#define ARCH "arm-linux-gnueabihf"
#elif defined(__s390x__)
#define ARCH "s390x-linux-gnu"
#elif defined(__riscv)
#define ARCH "riscv64-linux-gnu"
#else
#define ARCH ""
#endif

static int add_event(struct kft_plan *p, const char *pattern, size_t len,
		     const char *filter, bool stack, struct kft_err *e)
{
	_cleanup_free_ char *copy = strndup(pattern, len);

	if (!copy)
		return kft_err_memory(e);
	int r = kft_plan_add_event(p, copy, filter, e);
	if (r == 0)
		p->events[p->n_events - 1].stack = stack;
	return r;
}

/* Copies FILTER of "/FILTER/". */
static int filter_of(const char *text, const char *slash, char **ret, struct kft_err *e)
{
	size_t len = strlen(slash);

	if (len < 2 || slash[len - 1] != '/') {
		kft_err_set(e, -EINVAL, "the filter of '%s' has no closing '/'", text);
		kft_err_hint(e, "events with a filter are written EVENT/FILTER/");
		return -EINVAL;
	}
	if (len == 2)
		return kft_err_set(e, -EINVAL, "the filter of '%s' is empty", text);
	*ret = strndup(slash + 1, len - 2);
	return *ret ? 0 : kft_err_memory(e);
}

/* Parses "/FILTER/", "/FILTER/stack" or "//stack". */
static int modifiers_of(const char *text, const char *slash, char **ret_filter,
			bool *ret_stack, struct kft_err *e)
{
	static const char stack[] = "/stack";
	size_t len = strlen(slash);
	bool has_stack = len > strlen(stack) &&
			 strcmp(slash + len - strlen(stack), stack) == 0;
	_cleanup_free_ char *copy = strdup(slash);

	if (!copy)
		return kft_err_memory(e);
	if (has_stack)
		copy[len - strlen("stack")] = '\0';
	*ret_stack = has_stack;
	if (has_stack && strcmp(copy, "//") == 0)
		return 0;
	return filter_of(text, copy, ret_filter, e);
}

int cli_plan_add_events(struct kft_plan *p, const char *text, struct kft_err *e)
{
	_cleanup_free_ char *filter = NULL;
	const char *end = strchrnul(text, '/');
	bool stack = false;

	if (*end) {
		int r = modifiers_of(text, end, &filter, &stack, e);

		if (r < 0)
			return r;
	}
	for (const char *start = text;;) {
		const char *comma = memchr(start, ',', end - start);
		const char *stop = comma ? comma : end;
		int r = add_event(p, start, stop - start, comma ? NULL : filter,
				  !comma && stack, e);

		if (r < 0 || !comma)
			return r;
		start = comma + 1;
	}
}

typedef int add_fn(struct kft_plan *p, const char *word, struct kft_err *e);

/* Adds the words of one or more options "GLOB[,GLOB...]". */
static int add_words(struct kft_plan *p, const struct kft_opt_strings *all, add_fn *add,
		     struct kft_err *e)
{
	for (size_t i = 0; i < all->len; i++) {
		_cleanup_free_ char *copy = strdup(all->data[i]);
		char *rest = copy;

		if (!copy)
			return kft_err_memory(e);
		for (char *word = strsep(&rest, ","); word; word = strsep(&rest, ",")) {
			int r = add(p, word, e);

			if (r < 0)
				return r;
		}
	}
	return 0;
}

/* Whether an option applies only to calls with a duration. */
static bool wants_calls(const struct cli_function_args *arg)
{
	return arg->calls.len || arg->roots.len || arg->min_ns || arg->max_ns ||
	       arg->max_depth || arg->no_irqs || arg->retval || arg->times;
}

int cli_plan_set_functions(struct kft_plan *p, const struct cli_function_args *arg,
			   struct kft_err *e)
{
	struct kft_plan_functions *f = &p->functions;

	f->entries = arg->entries.len && !wants_calls(arg);
	/* Functions of sets were added before. */
	f->enabled |= f->entries || arg->exclude.len || arg->args || wants_calls(arg);
	if (arg->max_depth > UINT32_MAX)
		return kft_err_set(e, -EINVAL, "--max-depth is too large");
	if (arg->max_ns && arg->max_ns < arg->min_ns)
		return kft_err_set(
			e, -EINVAL,
			"--max is less than --min: no call takes as long as both");
	f->min_ns = arg->min_ns;
	f->max_ns = arg->max_ns;
	f->max_depth = (uint32_t)arg->max_depth;
	f->args = arg->args;
	f->retval = arg->retval;
	f->context = arg->no_irqs ? KFT_CONTEXT_TASK : KFT_CONTEXT_ANY;
	int r = add_words(p, &arg->calls, kft_plan_add_function, e);
	if (r == 0)
		r = add_words(p, &arg->entries,
			      f->entries ? kft_plan_add_function : kft_plan_add_entered,
			      e);
	if (r == 0)
		r = add_words(p, &arg->exclude, kft_plan_exclude_function, e);
	if (r == 0)
		r = add_words(p, &arg->roots, kft_plan_add_root, e);
	/* The switches show when a task was on a CPU. */
	if (r == 0 && arg->times)
		r = kft_plan_add_event(p, "sched:sched_switch", NULL, e);
	return r;
}

/* The plan's start is relative to boot, its stop relative to the start. */
static int set_time(struct kft_plan_trigger *t, const char *text, bool is_start,
		    struct kft_err *e)
{
	uint64_t ns;

	if (kft_parse_duration(text, 1000000000, &ns) < 0) {
		kft_err_set(e, -EINVAL, "not a moment: '%s'", text);
		kft_err_hint(e, "write enter:FUNCTION, exit:FUNCTION, "
				"SYSTEM:EVENT[/FILTER/], or a time as in 10s");
		return -EINVAL;
	}
	uint64_t from = is_start ? kft_clock_ns(CLOCK_BOOTTIME) : 0;
	if (kft_add(from, ns, &ns))
		return kft_err_set(e, -EINVAL, "too late: '%s'", text);
	*t = (struct kft_plan_trigger){.kind = KFT_TRIGGER_TIME, .time_ns = ns};
	return 0;
}

static int set_event(struct kft_plan_trigger *t, const char *text, struct kft_err *e)
{
	_cleanup_free_ char *filter = NULL;
	const char *end = strchrnul(text, '/');
	int r = *end ? filter_of(text, end, &filter, e) : 0;

	if (r < 0)
		return r;
	_cleanup_free_ char *event = strndup(text, (size_t)(end - text));
	if (!event)
		return kft_err_memory(e);
	return kft_plan_trigger_set_event(t, event, filter, e);
}

int cli_plan_set_trigger(struct kft_plan_trigger *t, const char *text, bool is_start,
			 struct kft_err *e)
{
	static const char enter[] = "enter:";
	static const char leave[] = "exit:";

	if (strncmp(text, enter, strlen(enter)) == 0)
		return kft_plan_trigger_set_function(t, KFT_TRIGGER_ENTRY,
						     text + strlen(enter), e);
	if (strncmp(text, leave, strlen(leave)) == 0)
		return kft_plan_trigger_set_function(t, KFT_TRIGGER_EXIT,
						     text + strlen(leave), e);
	return strchr(text, ':') ? set_event(t, text, e) : set_time(t, text, is_start, e);
}

int cli_plan_add_pid(struct kft_plan *p, const char *text, struct kft_err *e)
{
	uint64_t pid;

	if (kft_parse_u64(text, &pid) < 0 || pid == 0 || pid > INT_MAX)
		return kft_err_set(e, -EINVAL, "not a process id: '%s'", text);
	return kft_plan_add_pid(p, (pid_t)pid, e);
}

int cli_parse_limit(const char *text, uint64_t *ret_bytes, uint64_t *ret_events,
		    struct kft_err *e)
{
	static const char events[] = "ev";
	_cleanup_free_ char *number = strdup(text);
	uint64_t n = 0;

	if (!number)
		return kft_err_memory(e);
	size_t len = strlen(number);
	bool counts = len > strlen(events) &&
		      strcmp(number + len - strlen(events), events) == 0;
	if (counts)
		number[len - strlen(events)] = '\0';
	int r = counts ? kft_parse_u64(number, &n) : kft_parse_size(number, &n);
	if (r < 0 || !n) {
		(void)kft_err_set(e, -EINVAL, "not a limit: '%s'", text);
		kft_err_hint(e, "write bytes as in 1G, or events as in 1000000ev");
		return -EINVAL;
	}
	*(counts ? ret_events : ret_bytes) = n;
	return 0;
}

int cli_parse_buffer_size(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	uint64_t bytes;

	if (kft_parse_size(arg, &bytes) < 0)
		return kft_err_set(e, -EINVAL,
				   "option '--buffer-size': '%s' is not a size (like 64k "
				   "or 4M)",
				   arg);
	if (!bytes)
		return kft_err_set(e, -EINVAL,
				   "invalid buffer size 0: nothing could be recorded");
	*(uint64_t *)opt->value = bytes;
	return 0;
}

int cli_plan_add_sets(struct kft_plan *p, const struct kft_opt_strings *sets,
		      const struct kft_notify *notify, struct kft_err *e)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	int r = sets->len ? kft_host_open(NULL, &host, e) : 0;

	return sets->len && r == 0
		       ? kft_plan_add_sets(p, host, sets->data, sets->len, notify, e)
		       : r;
}

static char *find_in(const char *dir, size_t len, const char *name)
{
	char *path = NULL;

	if (asprintf(&path, "%.*s/%s", (int)len, dir, name) < 0)
		return NULL;
	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

/* Searches the loader's directories; Debian's contain the architecture. */
static char *find_library(const char *name)
{
	static const char *const dirs[] = {
		"/lib",		  "/usr/lib",	"/lib64",	  "/usr/lib64",
		"/usr/local/lib", "/lib/" ARCH, "/usr/lib/" ARCH,
	};
	char *found = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(dirs) && !found; i++)
		found = find_in(dirs[i], strlen(dirs[i]), name);
	return found;
}

/* Finds a program by name; returns its path, to be freed, or NULL. */
static char *find_program(const char *name)
{
	const char *path = getenv("PATH");
	char *found = NULL;

	for (const char *p = path ? path : ""; *p && !found;) {
		size_t len = strcspn(p, ":");

		found = len ? find_in(p, len, name) : NULL;
		p += len;
		p += *p == ':';
	}
	return found ? found : find_library(name);
}

int cli_plan_add_probe(struct kft_plan *p, bool is_user, const char *text,
		       struct kft_err *e)
{
	int r = kft_plan_add_probe(p, is_user, text, e);

	if (r < 0 || !is_user)
		return r;
	struct kft_plan_probe *probe = &p->probes[p->n_probes - 1];
	if (strchr(probe->program, '/'))
		return 0;
	char *found = find_program(probe->program);
	if (!found)
		return 0;
	free(probe->program);
	probe->program = found;
	return 0;
}

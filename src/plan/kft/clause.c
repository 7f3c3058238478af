// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses the clauses of a configuration. */
#include "plan/kft/clause.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "model/func_word.h"

#define PID_MAX_LIMIT 4194304 /* the kernel's limit on 64 bit: include/linux/threads.h */
#define EVENTS_MAX    1000 /* event clauses in one run */
#define COMM_MAX      15 /* TASK_COMM_LEN without its NUL */

static const char a_time[] =
	"a time: microseconds, or with a unit as in 500us, 2ms, 1.5s";
static const char a_function[] = "a function's name or 0x address";
static const char a_size[] = "a size: bytes of stack left, as in 1024 or 2k";
static const char a_count[] = "a number of entries above 0";
static const char a_pid[] = "a process or thread id";
static const char an_event[] = "an event: system:event, a system, or a pattern of these";
static const char one_event[] = "one event: system:event";
static const char a_comm[] = "a command's name as the kernel keeps it: 1 to 15 bytes";

/* member: points to the rule's member of run. -EINVAL after a complaint. */
typedef int arg_fn(struct kft_words *w, struct kft_run_config *run, void *member);

static int arg_flag(struct kft_words *w, struct kft_run_config *run, void *member)
{
	*(bool *)member = true;
	return 0;
}

static int arg_time(struct kft_words *w, struct kft_run_config *run, void *member)
{
	struct kft_pos pos = w->tok.pos;
	const char *word = kft_words_take(w, a_time);
	uint64_t ns;

	if (!word)
		return -EINVAL;
	if (kft_parse_duration(word, 1000, &ns) < 0)
		return kft_words_wrong(w, pos, word, a_time);
	*(uint64_t *)member = ns;
	return 0;
}

static int take_func(struct kft_words *w, struct kft_config_func *ret)
{
	struct kft_pos pos = w->tok.pos;
	const char *word = kft_words_take(w, a_function);

	if (!word)
		return -EINVAL;
	struct kft_config_func f = {.word = word, .pos = pos};
	if (kft_func_word_parse(word, &f.kind, &f.addr) < 0) {
		(void)kft_words_wrong(w, pos, word, a_function);
		if (*word >= '0' && *word <= '9')
			kft_diag_hint(w->diags, "an address starts with 0x");
		return -EINVAL;
	}
	*ret = f;
	return 0;
}

/* A string after the event is its filter; clauses never begin with a string. */
static int take_event(struct kft_words *w, const char *wanted,
		      struct kft_config_event *ret)
{
	struct kft_config_event ev = {.pattern = kft_words_take(w, wanted)};

	if (!ev.pattern)
		return -EINVAL;
	if (w->tok.kind == KFT_TOKEN_STRING) {
		ev.filter = kft_words_take(w, "a filter");
		if (!ev.filter)
			return -EINVAL;
	}
	*ret = ev;
	return 0;
}

static int take_one_event(struct kft_words *w, struct kft_config_event *ret)
{
	struct kft_pos pos = w->tok.pos;
	struct kft_plan unused = {};
	int r = take_event(w, one_event, ret);

	if (r < 0)
		return r;
	r = kft_plan_trigger_set_event(&unused.start, ret->pattern, ret->filter, NULL);
	kft_plan_finish(&unused);
	if (r == -EINVAL)
		return kft_words_wrong(w, pos, ret->pattern, one_event);
	w->out_of_memory |= r < 0;
	return 0;
}

static int arg_trigger(struct kft_words *w, struct kft_run_config *run, void *member)
{
	static const char *const kinds[] = {"entry", "exit", "event", "time", NULL};
	struct kft_config_trigger t = {};
	int r;

	if (kft_words_accept(w, "time")) {
		t.kind = KFT_TRIGGER_TIME;
		r = arg_time(w, run, &t.time_ns);
	} else if (kft_words_accept(w, "event")) {
		t.kind = KFT_TRIGGER_EVENT;
		r = take_one_event(w, &t.event);
	} else if (kft_words_at(w, "entry") || kft_words_at(w, "exit")) {
		t.kind = kft_words_at(w, "entry") ? KFT_TRIGGER_ENTRY : KFT_TRIGGER_EXIT;
		kft_words_skip(w);
		r = take_func(w, &t.func);
		if (r == 0 && t.func.kind == KFT_FUNC_GLOB)
			r = kft_words_wrong(w, t.func.pos, t.func.word,
					    "one function, not a pattern");
	} else {
		r = kft_words_expected(w, "entry, exit, event or time", kinds);
	}
	if (r == 0)
		*(struct kft_config_trigger *)member = t;
	return r;
}

static int take_watch(struct kft_words *w, struct kft_run_config *run,
		      enum kft_watch_kind kind)
{
	struct kft_pos pos = w->tok.pos;
	const char *word = kft_words_take(w, a_size);
	uint64_t bytes;

	if (!word)
		return -EINVAL;
	if (kft_parse_size(word, &bytes) < 0)
		return kft_words_wrong(w, pos, word, a_size);
	run->watch = kind;
	run->watch_bytes = bytes;
	return 0;
}

static int arg_watch_stack(struct kft_words *w, struct kft_run_config *run, void *member)
{
	return take_watch(w, run, KFT_WATCH_STACK);
}

static int arg_watch_worst(struct kft_words *w, struct kft_run_config *run, void *member)
{
	return take_watch(w, run, KFT_WATCH_WORST_STACK);
}

static int arg_count(struct kft_words *w, struct kft_run_config *run, void *member)
{
	struct kft_pos pos = w->tok.pos;
	const char *word = kft_words_take(w, a_count);
	uint64_t n;

	if (!word)
		return -EINVAL;
	if (kft_parse_u64(word, &n) < 0 || n == 0)
		return kft_words_wrong(w, pos, word, a_count);
	*(uint64_t *)member = n;
	return 0;
}

static int too_many(struct kft_words *w, struct kft_pos pos, int max, const char *what)
{
	kft_diag_add(w->diags, pos, "more than %d %s in the lists of one run", max, what);
	return -EINVAL;
}

static int item_func(struct kft_words *w, struct kft_run_config *run, void *member)
{
	struct kft_config_func f;
	int r = take_func(w, &f);

	if (r < 0)
		return r;
	if (run->funclist.len + run->nofunclist.len >= KFT_CONFIG_MAX_FUNCS)
		return too_many(w, f.pos, KFT_CONFIG_MAX_FUNCS, "functions");
	if (!kft_vec_push((struct kft_config_funcs *)member, f))
		w->out_of_memory = true;
	return 0;
}

static int item_pid(struct kft_words *w, struct kft_run_config *run, void *member)
{
	struct kft_pos pos = w->tok.pos;
	const char *word = kft_words_take(w, a_pid);
	uint64_t pid;

	if (!word)
		return -EINVAL;
	if (kft_parse_u64(word, &pid) < 0 || pid == 0 || pid > PID_MAX_LIMIT)
		return kft_words_wrong(w, pos, word, a_pid);
	if (run->pids.len == KFT_CONFIG_MAX_TASKS)
		return too_many(w, pos, KFT_CONFIG_MAX_TASKS, "processes");
	if (!kft_vec_push(&run->pids, (uint32_t)pid))
		w->out_of_memory = true;
	return 0;
}

static int item_comm(struct kft_words *w, struct kft_run_config *run, void *member)
{
	struct kft_pos pos = w->tok.pos;
	const char *word = kft_words_take(w, a_comm);

	if (!word)
		return -EINVAL;
	if (!*word || (strlen(word) > COMM_MAX && !strpbrk(word, "*?[")))
		return kft_words_wrong(w, pos, word, a_comm);
	if (run->comms.len == KFT_CONFIG_MAX_TASKS)
		return too_many(w, pos, KFT_CONFIG_MAX_TASKS, "commands");
	if (!kft_vec_push(&run->comms, word))
		w->out_of_memory = true;
	return 0;
}

/*
 * Reads words up to fend, separated by blanks or commas. KFT's static form had no fend:
 * the next clause, end, and the end of the file end the list as well.
 */
static int take_list(struct kft_words *w, struct kft_run_config *run, void *member,
		     arg_fn *item, const char *what)
{
	struct kft_pos start = w->tok.pos;
	size_t count = 0;

	while (!kft_words_at(w, "fend") && !kft_words_at_keyword(w) &&
	       w->tok.kind != KFT_TOKEN_END) {
		if (w->tok.kind == KFT_TOKEN_COMMA) {
			kft_words_skip(w);
			continue;
		}
		int r = item(w, run, member);
		if (r < 0)
			return r;
		count++;
	}
	(void)kft_words_accept(w, "fend");
	if (count)
		return 0;
	kft_diag_add(w->diags, start, "the list is empty: expected %s", what);
	return -EINVAL;
}

static int arg_funcs(struct kft_words *w, struct kft_run_config *run, void *member)
{
	return take_list(w, run, member, item_func, a_function);
}

static int arg_pids(struct kft_words *w, struct kft_run_config *run, void *member)
{
	return take_list(w, run, member, item_pid, a_pid);
}

static int arg_comms(struct kft_words *w, struct kft_run_config *run, void *member)
{
	return take_list(w, run, member, item_comm, a_comm);
}

static int arg_event(struct kft_words *w, struct kft_run_config *run, void *member)
{
	struct kft_pos pos = w->tok.pos;
	struct kft_config_event ev;
	struct kft_plan unused = {};
	int r = take_event(w, an_event, &ev);

	if (r < 0)
		return r;
	r = kft_plan_add_event(&unused, ev.pattern, ev.filter, NULL);
	kft_plan_finish(&unused);
	if (r == -EINVAL)
		return kft_words_wrong(w, pos, ev.pattern, an_event);
	if (run->events.len == EVENTS_MAX)
		return too_many(w, pos, EVENTS_MAX, "events");
	if (r < 0 || !kft_vec_push(&run->events, ev))
		w->out_of_memory = true;
	return 0;
}

#define MEMBER(m) offsetof(struct kft_run_config, m)

/* Rules with the same first word are adjacent. */
static const struct rule {
	const char *first;
	const char *second; /* NULL for clauses of one word */
	enum kft_clause clause;
	arg_fn *arg;
	size_t member; /* offset in struct kft_run_config */
	bool adds_up; /* may be repeated; other clauses may not */
} rules[] = {
	{"trigger", "start", KFT_CLAUSE_START, arg_trigger, MEMBER(start)},
	{"trigger", "stop", KFT_CLAUSE_STOP, arg_trigger, MEMBER(stop)},
	{"filter", "mintime", KFT_CLAUSE_MINTIME, arg_time, MEMBER(mintime_ns)},
	{"filter", "maxtime", KFT_CLAUSE_MAXTIME, arg_time, MEMBER(maxtime_ns)},
	{"filter", "noints", KFT_CLAUSE_NOINTS, arg_flag, MEMBER(noints)},
	{"filter", "onlyints", KFT_CLAUSE_ONLYINTS, arg_flag, MEMBER(onlyints)},
	{"filter", "funclist", KFT_CLAUSE_FUNCLIST, arg_funcs, MEMBER(funclist), true},
	{"filter", "nofunclist", KFT_CLAUSE_NOFUNCLIST, arg_funcs, MEMBER(nofunclist),
	 true},
	{"filter", "pid", KFT_CLAUSE_PID, arg_pids, MEMBER(pids), true},
	{"filter", "comm", KFT_CLAUSE_COMM, arg_comms, MEMBER(comms), true},
	{"event", NULL, KFT_CLAUSE_EVENT, arg_event, MEMBER(events), true},
	{"watch", "stack", KFT_CLAUSE_WATCH, arg_watch_stack},
	{"watch", "worst-stack", KFT_CLAUSE_WATCH, arg_watch_worst},
	{"logentries", NULL, KFT_CLAUSE_LOGENTRIES, arg_count, MEMBER(logentries)},
	{"autorepeat", NULL, KFT_CLAUSE_AUTOREPEAT, arg_flag, MEMBER(autorepeat)},
	{"overwrite", NULL, KFT_CLAUSE_OVERWRITE, arg_flag, MEMBER(overwrite)},
	{"untimed", NULL, KFT_CLAUSE_UNTIMED, arg_flag, MEMBER(untimed)},
	{"prime", NULL, KFT_CLAUSE_PRIME, arg_flag, MEMBER(prime)},
};

/*
 * Reports the possible second words of a first word: "start or stop",
 * "mintime, ... or comm".
 */
static int expected_second(struct kft_words *w, const char *first)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf what = {};
	const char *choices[ARRAY_SIZE(rules) + 1];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (strcmp(rules[i].first, first) == 0)
			choices[n++] = rules[i].second;
	choices[n] = NULL;
	for (size_t i = 0; i < n; i++)
		kft_strbuf_addf(&what, "%s%s",
				i == 0	    ? ""
				: i + 1 < n ? ", "
					    : " or ",
				choices[i]);
	kft_strbuf_addf(&what, " after %s", first);
	return kft_words_expected(w, kft_strbuf_cstr(&what), choices);
}

static int expected_first(struct kft_words *w)
{
	const char *choices[ARRAY_SIZE(rules) + 2];
	size_t n = 0;

	choices[n++] = "end";
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (strcmp(choices[n - 1], rules[i].first) != 0)
			choices[n++] = rules[i].first;
	choices[n] = NULL;
	return kft_words_expected(
		w,
		"trigger, filter, event, watch, logentries, autorepeat, "
		"overwrite, untimed, prime or end",
		choices);
}

/* Takes the words that name a clause; NULL after a complaint. */
static const struct rule *take_rule(struct kft_words *w)
{
	const char *first = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		const struct rule *r = &rules[i];

		if (!first && kft_words_accept(w, r->first))
			first = r->first;
		if (!first || strcmp(first, r->first) != 0)
			continue;
		if (!r->second || kft_words_accept(w, r->second))
			return r;
	}
	if (first)
		(void)expected_second(w, first);
	else
		(void)expected_first(w);
	return NULL;
}

int kft_clause_read(struct kft_words *w, struct kft_run_config *run)
{
	struct kft_pos pos = w->tok.pos;
	const struct rule *rule = take_rule(w);

	if (!rule)
		return -EINVAL;
	struct kft_pos *before = &run->clauses[rule->clause];
	int r = rule->arg(w, run, (char *)run + rule->member);
	if (r < 0)
		return r;
	if (!before->line) {
		*before = pos;
		return 0;
	}
	if (rule->adds_up)
		return 0;
	kft_diag_add(w->diags, pos, "'%s%s%s' is given twice, first on line %u",
		     rule->first, rule->second ? " " : "",
		     rule->second ? rule->second : "", before->line);
	return -EINVAL;
}

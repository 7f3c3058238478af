// SPDX-License-Identifier: GPL-2.0-only
/* `kft sets`: lists sets, and their points on this kernel. */
#include "cli/answer.h"

#include <errno.h>
#include <stdio.h>

#include "base/err.h"
#include "tracefs/sources/event_cost.h"
#include "cli/sets_measure.h"
#include "sets/choose.h"

static struct {
	bool measure;
	int format;
	const char *root;
} arg;

static const struct kft_opt opts[] = {
	{0, "measure", NULL,
	 "record each set for half a second and show its events per second and their cost",
	 KFT_OPT_FLAG, &arg.measure},
	CLI_FORMAT_OPT(arg.format),
	/* for tests: a directory that replaces the running kernel */
	{0, "root", "DIR", NULL, KFT_OPT_STRING, &arg.root},
	{},
};

/* The sets to show, and the data of one kernel. */
struct view {
	struct kft_sets sets;
	struct kft_set_kernel kernel;
	kft_chosen_sets chosen;
	struct kft_result result;
	struct kft_result_table *table;
	struct kft_host *host;
	uint64_t event_ns; /* cost of an event; 0: not measured */
};

static const struct kft_result_column set_columns[] = {
	{"set", "SET", .is_text = true},
	{"events", "EVENTS"},
	{"kprobes", "KPROBES"},
	{"functions", "FUNCTIONS"},
	{"missing", "MISSING"},
	{"rate", "RATE", .is_optional = true},
	{"cost", "OF A CPU", .is_optional = true},
	{"about", "WHAT", .is_text = true},
	{"file", "FILE", .is_text = true, .for_programs = true},
};

static const struct kft_result_column point_columns[] = {
	{"set", "SET", .is_text = true},
	{"point", "POINT", .is_text = true},
	{"is", "IS", .is_text = true},
	{"what", "HERE", .is_text = true},
	{"callstack", "CALLSTACK", .is_text = true, .is_optional = true},
};

/* Adds the rate; a set without points, or that cannot be recorded, has none. */
static void put_measured(struct view *v, const char *name, const kft_found_points *points)
{
	struct kft_err e = {};
	uint64_t per_s;
	int r = v->event_ns ? cli_sets_measure(v->host, points, &per_s, &e) : -ENODATA;

	if (r < 0 && r != -ENODATA && r != -ENOENT)
		cli_print_note("set '%s' is not measured: %s", name, e.msg);
	kft_result_put(v->table, r < 0 ? kft_value_none()
				       : kft_value_number(KFT_VALUE_RATE, per_s * 1000));
	kft_result_put(v->table, r < 0 ? kft_value_none()
				       : kft_value_number(KFT_VALUE_RATIO,
							  per_s * v->event_ns / 1000));
}

static void put_set(struct view *v, const struct kft_set *set,
		    const kft_found_points *points)
{
	uint64_t counts[KFT_FOUND_FUNCTION + 1] = {};

	kft_vec_for_each(points, point)
		counts[point->found]++;
	kft_result_put(v->table, kft_value_word(set->name));
	kft_result_put(v->table, kft_value_count(counts[KFT_FOUND_EVENT]));
	kft_result_put(v->table, kft_value_count(counts[KFT_FOUND_KPROBE]));
	kft_result_put(v->table, kft_value_count(counts[KFT_FOUND_FUNCTION]));
	kft_result_put(v->table, kft_value_count(counts[KFT_FOUND_NOTHING]));
	put_measured(v, set->name, points);
	kft_result_put(v->table, kft_value_word(set->about));
	kft_result_put(v->table, kft_value_word(set->file));
}

static void put_points(struct view *v, const kft_found_points *points)
{
	kft_vec_for_each(points, point) {
		kft_result_put(v->table, kft_value_word(point->set));
		kft_result_put(v->table, kft_value_word(point->wanted));
		kft_result_put(v->table, kft_value_word(kft_found_name(point->found)));
		kft_result_put(v->table, kft_value_word(point->what));
		kft_result_put(v->table, point->callstack ? kft_value_word("yes")
							  : kft_value_none());
	}
}

/* Whether a set of a later file replaces this one. */
static bool is_hidden(const struct view *v, const struct kft_set *set)
{
	return set->is_symbol || kft_sets_find(&v->sets, NULL, set->name) != set;
}

static int choose(struct view *v, int argc, char **argv, struct kft_err *e)
{
	if (argc)
		return kft_sets_choose(&v->sets, (const char *const *)argv, (size_t)argc,
				       &v->chosen, e);
	kft_vec_for_each(&v->sets.list, set)
		if (!is_hidden(v, set) && !kft_vec_push(&v->chosen, set))
			return kft_err_memory(e);
	return 0;
}

static int show(struct view *v, bool points_too, struct kft_err *e)
{
	int r = 0;

	v->table = points_too ? kft_result_add_table(&v->result, "points", point_columns,
						     ARRAY_SIZE(point_columns))
			      : kft_result_add_table(&v->result, "sets", set_columns,
						     ARRAY_SIZE(set_columns));
	for (size_t i = 0; i < v->chosen.len && r == 0; i++) {
		kft_found_points points = {};

		r = kft_sets_resolve(&v->sets, v->chosen.data[i], &v->kernel, &points, e);
		if (r == 0 && points_too)
			put_points(v, &points);
		else if (r == 0)
			put_set(v, v->chosen.data[i], &points);
		kft_vec_finish(&points);
	}
	return r;
}

static int load(struct view *v, struct kft_err *e)
{
	_cleanup_free_ char *users = NULL;

	if (asprintf(&users, "%s%s", arg.root ? arg.root : "", KFT_SETS_USERS_DIR) < 0)
		return kft_err_memory(e);
	int r = kft_sets_add_builtin(&v->sets, e);
	return r == 0 ? kft_sets_add_users(&v->sets, users, e) : r;
}

static int run(struct cli *c, int argc, char **argv)
{
	struct view v = {};
	int status = CLI_FAILED;
	int r = load(&v, &c->err);

	if (r == 0)
		r = choose(&v, argc, argv, &c->err);
	if (r == 0)
		r = kft_host_open(arg.root, &v.host, &c->err);
	if (r == 0)
		r = kft_set_kernel_read(v.host, &v.kernel, &c->err);
	if (r == 0 && arg.measure)
		r = kft_event_cost_measure(v.host, &v.event_ns, &c->err);
	if (r == 0)
		r = show(&v, argc > 0 && !arg.measure, &c->err);
	if (r == 0)
		status = cli_answer(c, arg.format, true, &v.result);
	kft_result_finish(&v.result);
	kft_vec_finish(&v.chosen);
	kft_set_kernel_finish(&v.kernel);
	kft_sets_finish(&v.sets);
	v.host = kft_host_close(v.host);
	return status;
}

const struct cli_verb cli_verb_sets = {
	.name = "sets",
	.group = CLI_GROUP_KERNEL,
	.summary = "list sets of events and their members on this kernel",
	.operands = "[SET|FILE:SET|FILE:]...",
	.about = "Without SET lists all sets; with SET each of its points: the event, "
		 "kprobe or function on this kernel, or the reason why it is "
		 "missing. 'kft record -s SET' records them.",
	.opts = opts,
	.max_operands = -1,
	.run = run,
};

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets up the function tracers for a plan. */
#include "tracefs/sources/graph.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/io.h"
#include "base/map.h"
#include "base/scan.h"
#include "tracefs/control/control_file.h"
#include "tracefs/sources/funcmap.h"
#include "tracefs/control/orphans.h"
#include "tracefs/sources/pids.h"
#include "tracefs/control/setup.h"

#define CLAIM_FILE	"claim"
#define CLAIM_MAX_BYTES 256

/*
 * Modules are loaded and unloaded rarely: a map that is out of date when it is used is
 * read again.
 */
#define MAP_TRIES 5

struct claim {
	unsigned int top;
	unsigned int graph; /* traces calls: the other members are for calls only */
	uint64_t thresh_us;
	unsigned int skips_irqs;
	unsigned int max_depth;
	uint64_t roots; /* hash of their names; 0: none */
};

struct claims {
	const struct kft_rundir *dir;
	struct claim mine;
	bool others; /* another session traces calls */
	struct kft_err *e;
};

const char *kft_graph_tracer_name(enum kft_graph_tracer t)
{
	static const char *const names[] = {
		[KFT_TRACER_NONE] = "nop",
		[KFT_TRACER_CALLS] = KFT_GRAPH_TRACER,
		[KFT_TRACER_ENTRIES] = KFT_ENTRY_TRACER,
	};

	return names[t];
}

static enum kft_graph_tracer tracer_kind(const struct kft_plan *plan)
{
	return plan->functions.entries ? KFT_TRACER_ENTRIES : KFT_TRACER_CALLS;
}

static const char *tracer_of(const struct kft_plan *plan)
{
	return kft_graph_tracer_name(tracer_kind(plan));
}

static int read_claim(int base_fd, const char *name, struct claim *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	char path[KFT_RUNDIR_NAME_MAX + sizeof("/" CLAIM_FILE)];

	(void)snprintf(path, sizeof(path), "%s/" CLAIM_FILE, name);
	int r = kft_read_regular_at(base_fd, path, CLAIM_MAX_BYTES, &sb);
	if (r < 0)
		return r;
	const char *p = kft_strbuf_cstr(&sb);
	bool is_whole =
		kft_scan_text(&p, "top ") && kft_scan_u32(&p, &ret->top) &&
		kft_scan_text(&p, " graph ") && kft_scan_u32(&p, &ret->graph) &&
		kft_scan_text(&p, " thresh ") && kft_scan_u64(&p, &ret->thresh_us) &&
		kft_scan_text(&p, " skips_irqs ") && kft_scan_u32(&p, &ret->skips_irqs) &&
		kft_scan_text(&p, " depth ") && kft_scan_u32(&p, &ret->max_depth) &&
		kft_scan_text(&p, " roots ") && kft_scan_hex(&p, &ret->roots);

	return is_whole ? 0 : -EINVAL;
}

static int refuse(struct claims *c, const char *name, const char *why)
{
	const char *attached = kft_rundir_attached(name);

	(void)kft_err_set(c->e, -EBUSY, "session '%s' %s", attached ? attached : name,
			  why);
	if (attached)
		kft_err_hint(c->e, "end that 'kft record' first");
	else
		kft_err_hint(c->e,
			     "end it first: 'kft stop -n %s', 'kft save', "
			     "'kft reset -n %s'",
			     name, name);
	return -EBUSY;
}

static int compare_claim(void *arg, const char *name)
{
	struct claims *c = arg;
	struct claim other;

	if (strcmp(name, c->dir->name) == 0 || strlen(name) >= KFT_RUNDIR_NAME_MAX ||
	    read_claim(c->dir->base_fd, name, &other) < 0)
		return 0;
	if (other.top && c->mine.top)
		return refuse(c, name, "holds the tracer, which this kernel has once");
	if (!other.graph || !c->mine.graph)
		return 0;
	c->others = true;
	if (other.thresh_us != c->mine.thresh_us)
		return refuse(c, name,
			      "traces with another mintime, of which the kernel "
			      "has one for all");
	if (other.skips_irqs && !c->mine.skips_irqs)
		return refuse(c, name, "leaves interrupts out, in this kernel for all");
	if (other.max_depth != c->mine.max_depth || other.roots != c->mine.roots)
		return refuse(c, name,
			      "traces with another max-depth or graph-root, of which "
			      "the kernel has one for all");
	return 0;
}

/* Refuses to disturb, or be disturbed by, a tracing program that is not kft. */
static int check_foreign(const struct kft_ledger *u, const struct claims *c,
			 struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tracer = {};
	uint64_t thresh = 0;

	if (c->others || !c->mine.graph)
		return 0;
	if (kft_control_file_read_u64(u->tracefs_fd, "tracing_thresh", &thresh) == 0 &&
	    thresh) {
		(void)kft_err_set(e, -EBUSY,
				  "another program has set tracing_thresh to %" PRIu64
				  ", which applies to all tracers",
				  thresh);
		kft_err_hint(e, "write 0 to tracing_thresh when it is not needed");
		return -EBUSY;
	}
	if (c->mine.thresh_us &&
	    kft_control_file_read(u->tracefs_fd, "current_tracer", &tracer) == 0 &&
	    strcmp(tracer.buf, KFT_GRAPH_TRACER) == 0) {
		(void)kft_err_set(e, -EBUSY,
				  "another program traces with function_graph and would "
				  "lose records to a mintime");
		return -EBUSY;
	}
	return 0;
}

/*
 * Writes the claim, with the lock of all runs held. The kernel leaves interrupts out only
 * if no other session traces calls.
 */
static int take_claim(const struct kft_rundir *dir, const struct kft_ledger *u,
		      struct claim *claim, struct kft_err *e)
{
	struct claims c = {.dir = dir, .mine = *claim, .e = e};
	char text[CLAIM_MAX_BYTES];
	int r = kft_rundir_list(u->host, compare_claim, &c, e);

	if (r == 0)
		r = check_foreign(u, &c, e);
	if (r < 0)
		return r;
	if (c.others)
		claim->skips_irqs = 0;
	int n = snprintf(text, sizeof(text),
			 "top %u graph %u thresh %" PRIu64 " skips_irqs %u depth %u "
			 "roots %" PRIx64 "\n",
			 claim->top, claim->graph, claim->thresh_us, claim->skips_irqs,
			 claim->max_depth, claim->roots);
	return kft_rundir_write(dir, CLAIM_FILE, text, n, e);
}

/* If a kft session uses the top level, names it in e. Returns code. */
static int name_holder(const struct kft_rundir *dir, const struct kft_ledger *u, int code,
		       struct kft_err *e)
{
	struct claims c = {.dir = dir, .mine = {.top = 1}, .e = e};

	(void)!kft_rundir_list(u->host, compare_claim, &c, NULL);
	return code;
}

void kft_graph_release(const struct kft_rundir *dir)
{
	(void)unlinkat(dir->fd, CLAIM_FILE, 0);
}

bool kft_graph_wants_all(const struct kft_plan_functions *f)
{
	/* Linux 6.12 does not always trace later modules where set_ftrace_notrace is set. */
	if (f->exclude.len)
		return false;
	for (size_t i = 0; i < f->include.len; i++)
		if (f->include.items[i].kind == KFT_FUNC_GLOB &&
		    strcmp(f->include.items[i].name, "*") == 0)
			return true;
	return !f->include.len;
}

static int write_set(const struct kft_tracefs_dir *p, const char *file,
		     const struct kft_funcset *s, const struct kft_funcmap *m,
		     struct kft_err *e)
{
	int r = kft_tracefs_dir_note_empty(p, file, e);

	return r < 0 ? r : kft_funcset_write(s, m, p->fd, file, e);
}

static void subtract(struct kft_funcset *s, const struct kft_funcset *minus)
{
	s->count = 0;
	for (size_t i = 0; i < s->n_bits / 64 + 1; i++) {
		s->bits[i] &= ~minus->bits[i];
		s->count += (size_t)__builtin_popcountll(s->bits[i]);
	}
}

/* -ESTALE when a module was loaded or unloaded since the map was read. */
static int filter_functions_once(const struct kft_tracefs_dir *p,
				 const struct kft_plan *plan, bool fresh,
				 struct kft_err *e)
{
	const struct kft_plan_functions *f = &plan->functions;
	struct kft_funcmap *m;
	_cleanup_(kft_funcset_finish) struct kft_funcset include = {};
	_cleanup_(kft_funcset_finish) struct kft_funcset exclude = {};
	int r = kft_funcmap_of(p->ledger->host, fresh, &m, e);

	if (r < 0)
		return r;
	if (kft_funcset_init(&include, m) < 0 || kft_funcset_init(&exclude, m) < 0)
		return kft_err_sys(e, -ENOMEM, "cannot choose functions");
	r = kft_funcmap_select_all(m, p->ledger->host, &f->include, &include, e);
	if (r == 0)
		r = kft_funcmap_select_all(m, p->ledger->host, &f->exclude, &exclude, e);
	/* A root takes effect only if it is traced itself. */
	if (r == 0 && f->include.len)
		r = kft_funcmap_select_all(m, p->ledger->host, &f->roots, &include, e);
	if (r < 0)
		return r;
	if (!f->include.len)
		return write_set(p, "set_ftrace_notrace", &exclude, m, e);
	subtract(&include, &exclude);
	if (!include.count)
		return kft_err_set(e, -EINVAL, "no function is left to be recorded");
	return write_set(p, "set_ftrace_filter", &include, m, e);
}

static int filter_functions(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
			    struct kft_graph_setup *ret, struct kft_err *e)
{
	const struct kft_plan_functions *f = &plan->functions;
	int r = -ESTALE;

	if (kft_graph_wants_all(f))
		return 0;
	for (int i = 0; r == -ESTALE && i < MAP_TRIES; i++)
		r = filter_functions_once(p, plan, i > 0, e);
	ret->functions_filtered = r == 0;
	return r;
}

/* Writes exactly the plan's tasks. set_ftrace_pid parses one number in each write(). */
static int write_tasks(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
		       struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int r = kft_tracefs_dir_note_empty(p, "set_ftrace_pid", e);

	for (size_t i = 0; i < plan->n_pids; i++)
		kft_strbuf_addf(&text, "%ld\n", (long)plan->pids[i]);
	if (r < 0)
		return r;
	_cleanup_close_ int fd = openat(p->fd, "set_ftrace_pid",
					O_WRONLY | O_TRUNC | O_CLOEXEC);
	r = fd < 0 ? -errno : kft_write_all(fd, kft_strbuf_cstr(&text), text.len);
	return r < 0 ? kft_err_sys(e, r, "cannot write set_ftrace_pid") : 0;
}

static int filter_tasks(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
			struct kft_graph_setup *ret, struct kft_err *e)
{
	/* The drains' threads will write themselves into this file. */
	int untraced = kft_find_at(p->fd, KFT_UNTRACED_FILE) < 0
			       ? 0
			       : kft_tracefs_dir_note_empty(p, KFT_UNTRACED_FILE, e);

	if (untraced < 0 || !plan->n_pids)
		return untraced;
	/* If the kernel lacks the file, tasks are filtered when the records are read. */
	if (kft_find_at(p->fd, "set_ftrace_pid") < 0)
		return 0;
	int r = plan->follow_children ? kft_pids_set_functions(p, plan, e)
				      : write_tasks(p, plan, e);
	ret->tasks_filtered = r == 0;
	return r;
}

/* The option exists since Linux 2.6.39, and only while the tracer is set. */
static int skip_irqs(const struct kft_tracefs_dir *p, struct kft_graph_setup *s,
		     struct kft_err *e)
{
	static const char option[] = "options/funcgraph-irqs";

	if (s->skips_irqs && kft_find_at(p->fd, option) < 0)
		s->skips_irqs = false;
	return s->skips_irqs ? kft_tracefs_dir_set_shared(p, option, "0", e) : 0;
}

/* Limits calls with files that only the top level has and that apply to all instances. */
static int limit_calls(const struct kft_ledger *u, const struct kft_plan_functions *f,
		       struct kft_err *e)
{
	static const char file[] = "set_graph_function";
	int r = f->max_depth ? kft_ledger_set_u64(u, "max_graph_depth", f->max_depth, e)
			     : 0;

	if (r == 0 && f->roots.len)
		r = kft_ledger_note_empty(u, file, e);
	for (size_t i = 0; r == 0 && i < f->roots.len; i++) {
		const char *name = f->roots.items[i].name;

		if (!name)
			return kft_err_set(e, -EINVAL,
					   "a root is a function's name, not 0x%" PRIx64,
					   f->roots.items[i].addr);
		r = kft_write_at(u->tracefs_fd, file, i ? O_APPEND : O_TRUNC, name,
				 strlen(name));
		if (r < 0)
			kft_err_sys(e, r, "cannot restrict function_graph to '%s'", name);
	}
	return r;
}

static int add_values(const struct kft_tracefs_dir *p, const struct kft_plan_functions *f,
		      struct kft_err *e)
{
	const struct {
		bool wanted;
		const char *option;
		const char *what;
		const char *since;
	} values[] = {
		{f->args, f->entries ? "options/func-args" : "options/funcgraph-args",
		 "arguments", "6.15 with CONFIG_FUNCTION_TRACE_ARGS"},
		{f->retval, "options/funcgraph-retval", "return values",
		 "6.5 with CONFIG_FUNCTION_GRAPH_RETVAL"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		if (!values[i].wanted)
			continue;
		if (kft_find_at(p->fd, values[i].option) < 0) {
			(void)kft_err_set(
				e, -EOPNOTSUPP,
				"this kernel does not record the %s of functions",
				values[i].what);
			kft_err_hint(e, "Linux since %s does", values[i].since);
			return -EOPNOTSUPP;
		}
		int r = kft_tracefs_dir_set_shared(p, values[i].option, "1", e);
		if (r < 0)
			return r;
	}
	return 0;
}

static int set_up_place(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
			struct kft_graph_setup *s, struct kft_err *e)
{
	const struct kft_plan_functions *f = &plan->functions;
	/* Noted first and so undone last: the top level's buffer becomes empty again. */
	int r = kft_tracefs_dir_note_empty(p, "trace", e);

	if (r == 0)
		r = kft_tracefs_dir_set(p, "tracing_on", "0", e);
	if (r == 0 && s->thresh_us)
		r = kft_ledger_set_u64(p->ledger, "tracing_thresh", s->thresh_us, e);
	if (r == 0)
		r = kft_setup(p, plan, e);
	if (r == 0)
		r = filter_functions(p, plan, s, e);
	if (r == 0)
		r = limit_calls(p->ledger, f, e);
	if (r == 0)
		r = filter_tasks(p, plan, s, e);
	if (r == 0)
		r = kft_tracefs_dir_set(p, "current_tracer", tracer_of(plan), e);
	if (r == 0)
		r = add_values(p, f, e);
	return r == 0 ? skip_irqs(p, s, e) : r;
}

static struct claim claim_of(const struct kft_ledger *u, const struct kft_plan *plan,
			     bool top)
{
	const struct kft_plan_functions *f = &plan->functions;
	bool has_thresh = kft_find_at(u->tracefs_fd, "tracing_thresh") == 0;
	struct claim claim = {.top = top, .graph = !f->entries};

	if (f->entries)
		return claim;
	claim.thresh_us = f->untimed || !has_thresh ? 0 : f->min_ns / 1000;
	claim.skips_irqs = f->context == KFT_CONTEXT_TASK;
	claim.max_depth = f->max_depth;
	for (size_t i = 0; i < f->roots.len; i++)
		if (f->roots.items[i].name)
			claim.roots += kft_hash_bytes(f->roots.items[i].name,
						      strlen(f->roots.items[i].name));
	return claim;
}

/*
 * Makes a run's own instance, or keeps the caller's if it can have the tracer, else takes
 * the top level.
 */
static int find_place(const struct kft_rundir *dir, const struct kft_ledger *u,
		      const char *tracer, struct kft_tracefs_dir *p, struct kft_err *e)
{
	int r = p->fd < 0 ? kft_tracefs_dir_create(u, dir->name, tracer, p, e)
			  : kft_tracefs_dir_for_tracer(p, tracer, e);

	return r == -EBUSY ? name_holder(dir, u, r, e) : r;
}

int kft_graph_set_up(const struct kft_rundir *dir, const struct kft_ledger *u,
		     const struct kft_plan *plan, struct kft_tracefs_dir *place,
		     struct kft_graph_setup *ret, struct kft_err *e)
{
	int r = kft_orphans_undo(u->host, NULL, NULL, e);

	if (r == 0)
		r = kft_rundir_lock_all(dir, e);
	if (r < 0)
		return r;
	r = find_place(dir, u, tracer_of(plan), place, e);
	struct claim claim = claim_of(u, plan, place->top);
	if (r == 0)
		r = take_claim(dir, u, &claim, e);
	struct kft_graph_setup setup = {
		.tracer = tracer_kind(plan),
		.top = claim.top,
		.thresh_us = claim.thresh_us,
		.skips_irqs = claim.skips_irqs,
	};
	if (r == 0)
		r = set_up_place(place, plan, &setup, e);
	kft_rundir_unlock_all(dir);
	if (r < 0)
		kft_tracefs_dir_close(place);
	else
		*ret = setup;
	return r;
}

int kft_graph_set_up_entries(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
			     struct kft_err *e)
{
	struct kft_graph_setup s = {.tracer = KFT_TRACER_ENTRIES};

	return set_up_place(p, plan, &s, e);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "capture/tracefs/graph.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/io.h"
#include "capture/tracefs/buffer.h"
#include "capture/tracefs/ctl.h"
#include "capture/tracefs/funcmap.h"
#include "capture/tracefs/setup.h"

#define CLAIM_FILE	"claim"
#define CLAIM_MAX_BYTES 256

/* Modules come and go rarely: a map that is old when it is used is read again. */
#define MAP_TRIES 5

struct claim {
	unsigned int top;
	uint64_t thresh_us;
	unsigned int skips_irqs;
};

struct claims {
	const struct kft_rundir *dir;
	struct claim mine;
	bool others; /* there is another run that traces */
	struct kft_err *e;
};

static int read_claim(int base_fd, const char *name, struct claim *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	char path[KFT_RUN_NAME_MAX + sizeof("/" CLAIM_FILE)];

	(void)snprintf(path, sizeof(path), "%s/" CLAIM_FILE, name);
	int r = kft_read_at(base_fd, path, CLAIM_MAX_BYTES, &sb);
	if (r < 0)
		return r;
	return sscanf(kft_strbuf_cstr(&sb), "top %u thresh %" SCNu64 " skips_irqs %u",
		      &ret->top, &ret->thresh_us, &ret->skips_irqs) == 3
		       ? 0
		       : -EINVAL;
}

static int refuse(struct claims *c, const char *name, const char *why)
{
	(void)kft_err_set(c->e, -EBUSY, "session '%s' %s", name, why);
	kft_err_hint(c->e,
		     "end it first: 'kft stop -n %s', 'kft save', 'kft reset -n %s'",
		     name, name);
	return -EBUSY;
}

static int compare_claim(void *arg, const char *name)
{
	struct claims *c = arg;
	struct claim other;

	if (strcmp(name, c->dir->name) == 0 || !kft_run_name_is_valid(name) ||
	    read_claim(c->dir->base_fd, name, &other) < 0)
		return 0;
	c->others = true;
	if (other.top && c->mine.top)
		return refuse(c, name, "holds the tracer, which this kernel has once");
	if (other.thresh_us != c->mine.thresh_us)
		return refuse(c, name,
			      "traces with another mintime, of which the kernel "
			      "has one for all");
	if (other.skips_irqs && !c->mine.skips_irqs)
		return refuse(c, name, "leaves interrupts out, in this kernel for all");
	return 0;
}

/* Somebody who is not kft. */
static int check_foreign(const struct kft_ledger *u, const struct claims *c,
			 struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tracer = {};
	uint64_t thresh = 0;

	if (c->others)
		return 0;
	if (kft_ctl_read_u64(u->tracefs_fd, "tracing_thresh", &thresh) == 0 && thresh) {
		(void)kft_err_set(e, -EBUSY,
				  "somebody has set tracing_thresh to %" PRIu64
				  ", which is for all tracers",
				  thresh);
		kft_err_hint(e, "write 0 to tracing_thresh when nobody needs it");
		return -EBUSY;
	}
	if (c->mine.thresh_us &&
	    kft_ctl_read(u->tracefs_fd, "current_tracer", &tracer) == 0 &&
	    strcmp(tracer.buf, KFT_GRAPH_TRACER) == 0) {
		(void)kft_err_set(e, -EBUSY,
				  "somebody traces with function_graph, whose "
				  "records a mintime would take away");
		return -EBUSY;
	}
	return 0;
}

/* With the lock of all runs held. Interrupts are left out in the kernel if nobody minds. */
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
	int n = snprintf(text, sizeof(text), "top %u thresh %" PRIu64 " skips_irqs %u\n",
			 claim->top, claim->thresh_us, claim->skips_irqs);
	return kft_rundir_write(dir, CLAIM_FILE, text, n, e);
}

/* Whoever uses the top level may be a session, which can be named. */
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

static int write_set(const struct kft_place *p, const char *file,
		     const struct kft_funcset *s, const struct kft_funcmap *m,
		     struct kft_err *e)
{
	int r = p->top ? kft_ledger_note_empty(p->ledger, file, e) : 0;

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

/* One try with a fresh map: -ESTALE when a module came or went in between. */
static int filter_functions_once(const struct kft_place *p, const struct kft_plan *plan,
				 struct kft_err *e)
{
	const struct kft_plan_functions *f = &plan->functions;
	_cleanup_(kft_funcmap_finish) struct kft_funcmap m = {};
	_cleanup_(kft_funcset_finish) struct kft_funcset include = {};
	_cleanup_(kft_funcset_finish) struct kft_funcset exclude = {};
	int r = kft_funcmap_read(p->ledger->host, &m, e);

	if (r < 0)
		return r;
	if (kft_funcset_init(&include, &m) < 0 || kft_funcset_init(&exclude, &m) < 0)
		return kft_err_sys(e, -ENOMEM, "cannot choose functions");
	r = kft_funcmap_select_all(&m, p->ledger->host, &f->include, &include, e);
	if (r == 0)
		r = kft_funcmap_select_all(&m, p->ledger->host, &f->exclude, &exclude, e);
	if (r < 0)
		return r;
	if (!f->include.len)
		return write_set(p, "set_ftrace_notrace", &exclude, &m, e);
	subtract(&include, &exclude);
	if (!include.count)
		return kft_err_set(e, -EINVAL, "no function is left to be recorded");
	return write_set(p, "set_ftrace_filter", &include, &m, e);
}

static int filter_functions(const struct kft_place *p, const struct kft_plan *plan,
			    struct kft_graph_setup *ret, struct kft_err *e)
{
	const struct kft_plan_functions *f = &plan->functions;
	int r = -ESTALE;

	if (!f->include.len && !f->exclude.len)
		return 0;
	for (int i = 0; r == -ESTALE && i < MAP_TRIES; i++)
		r = filter_functions_once(p, plan, e);
	ret->functions_filtered = r == 0;
	return r;
}

static int filter_tasks(const struct kft_place *p, const struct kft_plan *plan,
			struct kft_graph_setup *ret, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	if (!plan->n_pids)
		return 0;
	for (size_t i = 0; i < plan->n_pids; i++)
		kft_strbuf_addf(&text, "%ld\n", (long)plan->pids[i]);
	int r = p->top ? kft_ledger_note_empty(p->ledger, "set_ftrace_pid", e) : 0;
	if (r < 0)
		return r;
	/* The kernel takes one number with each write(). */
	_cleanup_close_ int fd = openat(p->fd, "set_ftrace_pid",
					O_WRONLY | O_TRUNC | O_CLOEXEC);
	/* A kernel without it: tasks are told apart when the records are read. */
	if (fd < 0 && errno == ENOENT)
		return 0;
	r = fd < 0 ? -errno : kft_write_all(fd, kft_strbuf_cstr(&text), text.len);
	if (r < 0)
		return kft_err_sys(e, r, "cannot write set_ftrace_pid");
	if (plan->follow_children)
		r = kft_place_set(p, "options/function-fork", "1", e);
	ret->tasks_filtered = r == 0;
	return r;
}

/* A new instance is made ready as for any recording; the top level is to be given back. */
static int set_buffer(const struct kft_place *p, const struct kft_plan *plan,
		      struct kft_err *e)
{
	const struct kft_host *host = p->ledger->host;
	uint64_t bytes = plan->buffer_bytes;

	if (!p->top)
		return kft_setup(host, p->fd, plan, e);
	if (!bytes)
		bytes = kft_buffer_default_bytes(host);
	int r = kft_place_set(p, "trace_clock", plan->clock ? plan->clock : "mono", e);
	if (r == 0)
		r = kft_place_set_u64(p, "buffer_size_kb", (bytes + 1023) / 1024, e);
	if (r == 0)
		r = kft_place_set(p, "options/overwrite", plan->overwrite ? "1" : "0", e);
	return r;
}

/* The option is there since 2.6.39, and only while the tracer is. */
static int skip_irqs(const struct kft_place *p, struct kft_graph_setup *s,
		     struct kft_err *e)
{
	static const char option[] = "options/funcgraph-irqs";

	if (s->skips_irqs && kft_find_at(p->fd, option) < 0)
		s->skips_irqs = false;
	return s->skips_irqs ? kft_place_set_shared(p, option, "0", e) : 0;
}

static int set_up_place(const struct kft_place *p, const struct kft_plan *plan,
			struct kft_graph_setup *s, struct kft_err *e)
{
	int r = kft_place_set(p, "tracing_on", "0", e);

	if (r == 0 && s->thresh_us)
		r = kft_ledger_set_u64(p->ledger, "tracing_thresh", s->thresh_us, e);
	if (r == 0)
		r = set_buffer(p, plan, e);
	if (r == 0)
		r = filter_functions(p, plan, s, e);
	if (r == 0)
		r = filter_tasks(p, plan, s, e);
	if (r == 0)
		r = kft_place_set(p, "current_tracer", KFT_GRAPH_TRACER, e);
	return r == 0 ? skip_irqs(p, s, e) : r;
}

int kft_graph_set_up(const struct kft_rundir *dir, const struct kft_ledger *u,
		     const struct kft_plan *plan, struct kft_place *ret_place,
		     struct kft_graph_setup *ret, struct kft_err *e)
{
	const struct kft_plan_functions *f = &plan->functions;
	bool has_thresh = kft_find_at(u->tracefs_fd, "tracing_thresh") == 0;
	struct kft_place p = {.fd = -1};
	int r = kft_rundir_lock_all(dir, e);

	if (r < 0)
		return r;
	r = kft_place_create(u, dir->name, KFT_GRAPH_TRACER, &p, e);
	if (r == -EBUSY)
		r = name_holder(dir, u, r, e);
	struct claim claim = {
		.top = p.top,
		.thresh_us = f->untimed || !has_thresh ? 0 : f->min_ns / 1000,
		.skips_irqs = f->context == KFT_CONTEXT_TASK,
	};
	if (r == 0)
		r = take_claim(dir, u, &claim, e);
	struct kft_graph_setup setup = {
		.top = p.top,
		.thresh_us = claim.thresh_us,
		.skips_irqs = claim.skips_irqs,
	};
	if (r == 0)
		r = set_up_place(&p, plan, &setup, e);
	kft_rundir_unlock_all(dir);
	if (r < 0) {
		kft_place_close(&p);
		return r;
	}
	*ret_place = p;
	*ret = setup;
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Records entries of functions in a buffer beside that of their calls. */
#include "capture/tracefs/entries.h"

#include <errno.h>
#include <stdio.h>

#include "base/err.h"
#include "base/io.h"
#include "capture/tracefs/ctl.h"
#include "capture/tracefs/drains.h"
#include "capture/tracefs/graph.h"
#include "capture/tracefs/setup.h"
#include "model/scope.h"

#define SUFFIX "+entries" /* session names have no '+' */

struct kft_entries {
	struct kft_instance instance;
	struct kft_place place; /* the same, as setup knows it */
	bool overwrite;
	uint64_t buffer_bytes; /* of each CPU */
	int guard_fd; /* owned */
	struct kft_drains *drains; /* owned; NULL until connected */
};

/* The plan as if entries were all that it wants of functions. */
static struct kft_plan plan_of_entries(const struct kft_plan *plan)
{
	struct kft_plan own = *plan; /* owns nothing */

	own.functions = (struct kft_plan_functions){
		.enabled = true,
		.entries = true,
		.include = plan->functions.entered,
		.exclude = plan->functions.exclude,
		.args = plan->functions.args,
	};
	return own;
}

static int set_up(struct kft_entries *n, const struct kft_ledger *ledger,
		  const struct kft_plan *plan, struct kft_err *e)
{
	const struct kft_plan own = plan_of_entries(plan);
	uint64_t buffer_kb = 0;
	int r = kft_place_open_instance(ledger, n->instance.name, &n->place);

	if (r < 0)
		return kft_err_sys(e, r, "cannot open the tracefs instance '%s'",
				   n->instance.name);
	n->guard_fd = kft_setup_guard(&n->place);
	n->overwrite = plan->overwrite;
	r = kft_graph_set_up_entries(&n->place, &own, e);
	(void)!kft_ctl_read_u64(n->place.fd, "buffer_size_kb", &buffer_kb);
	n->buffer_bytes = buffer_kb * 1024;
	return r;
}

int kft_entries_open(const struct kft_ledger *ledger, const struct kft_plan *plan,
		     const struct kft_instance *session, struct kft_entries **ret,
		     struct kft_err *e)
{
	char name[KFT_INSTANCE_NAME_MAX];

	if (!plan->functions.entered.len)
		return 0;
	struct kft_entries *n = calloc(1, sizeof(*n));
	if (!n)
		return kft_err_sys(e, -ENOMEM, "cannot record entries of functions");
	n->instance.fd = -1;
	n->instance.instances_fd = -1;
	n->place.fd = -1;
	n->guard_fd = -1;
	(void)snprintf(name, sizeof(name), "%s" SUFFIX,
		       kft_instance_session(session->name));
	int r = kft_instance_create(ledger->host, name, &n->instance, e);
	if (r == 0)
		r = set_up(n, ledger, plan, e);
	if (r < 0)
		(void)!kft_entries_close(n, NULL);
	else
		*ret = n;
	return r;
}

int kft_entries_connect(struct kft_entries *n, struct kft_sink *sink, size_t page_size,
			const struct kft_drains *main, struct kft_err *e)
{
	struct kft_drains_opts opts = {.page_size = page_size, .with = main};

	if (!n)
		return 0;
	if (!sink->ops->buffer)
		return kft_err_set(e, -EOPNOTSUPP,
				   "entries of functions beside their calls go to a file "
				   "only");
	int r = sink->ops->buffer(sink, KFT_ENTRIES_BUFFER, &opts.sink, e);
	if (r < 0)
		return r;
	opts.instance_fd = n->place.fd;
	opts.buffer_bytes = n->buffer_bytes;
	opts.overwrite = n->overwrite;
	return kft_drains_open(&opts, &n->drains, e);
}

int kft_entries_switch(const struct kft_entries *n, bool on)
{
	return n ? kft_ctl_set(n->place.fd, "tracing_on", on ? "1" : "0") : 0;
}

int kft_entries_start(struct kft_entries *n, struct kft_err *e)
{
	int r = n ? kft_drains_start(n->drains, e) : 0;

	if (r < 0)
		return r;
	r = kft_entries_switch(n, true);
	return r < 0 ? kft_err_sys(e, r, "cannot start to record entries") : 0;
}

int kft_entries_finish(struct kft_entries *n, struct kft_meta *meta, struct kft_err *e)
{
	int off = kft_entries_switch(n, false);
	int r = n ? kft_drains_finish(n->drains, e) : 0;

	if (r < 0 || !n)
		return r;
	r = off < 0 ? off : kft_drains_report(n->drains, KFT_ENTRIES_BUFFER, meta);
	return r < 0 ? kft_err_sys(e, r, "cannot complete the entries of functions") : 0;
}

void kft_entries_progress(const struct kft_entries *n, struct kft_progress *p)
{
	struct kft_progress more = {};

	if (!n || !n->drains)
		return;
	kft_drains_progress(n->drains, &more);
	p->events += more.events;
	p->bytes += more.bytes;
	p->lost += more.lost;
	p->taken = kft_lost_add(p->taken, more.taken);
}

int kft_entries_close(struct kft_entries *n, struct kft_err *e)
{
	if (!n)
		return 0;
	if (n->place.fd >= 0)
		(void)!kft_entries_switch(n, false);
	n->drains = kft_drains_close(n->drains);
	kft_closep(&n->guard_fd);
	kft_place_close(&n->place);
	int r = kft_instance_remove(&n->instance, e);
	free(n);
	return r;
}

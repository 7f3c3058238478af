// SPDX-License-Identifier: LGPL-2.1-or-later
/* Looks up the event sets that actions switch. */
#include "watch/sets.h"

#include <errno.h>

#include "base/err.h"
#include "session/run/switched.h"
#include "sets/choose.h"

static int find_set(struct kft_action *a, struct kft_host *host,
		    const struct kft_notify *notify, struct kft_err *e)
{
	const char *const name[] = {a->text + 1};

	a->set = calloc(1, sizeof(*a->set));
	if (!a->set)
		return kft_err_memory(e);
	int r = kft_plan_add_sets(a->set, host, name, 1, notify, e);
	return r == 0 ? kft_switched_check(a->set, name[0], e) : r;
}

int kft_watch_find_sets(struct kft_condition *c, struct kft_host *host,
			const struct kft_notify *notify, struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; i < c->actions.len && r == 0; i++)
		if (c->actions.data[i].kind == KFT_ACTION_SET)
			r = find_set(&c->actions.data[i], host, notify, e);
	return r;
}

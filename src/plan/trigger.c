// SPDX-License-Identifier: LGPL-2.1-or-later
/* Triggers of a plan that are events. */
#include "plan/trigger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

void kft_plan_trigger_finish(struct kft_plan_trigger *t)
{
	free(t->func.name);
	free(t->event.pattern);
	free(t->event.filter);
	*t = (struct kft_plan_trigger){};
}

int kft_plan_trigger_copy(const struct kft_plan_trigger *t, struct kft_plan_trigger *ret)
{
	struct kft_plan_trigger copy = *t;

	copy.func.name = t->func.name ? strdup(t->func.name) : NULL;
	copy.event.pattern = t->event.pattern ? strdup(t->event.pattern) : NULL;
	copy.event.filter = t->event.filter ? strdup(t->event.filter) : NULL;
	if (!copy.func.name != !t->func.name ||
	    !copy.event.pattern != !t->event.pattern ||
	    !copy.event.filter != !t->event.filter) {
		kft_plan_trigger_finish(&copy);
		return -ENOMEM;
	}
	*ret = copy;
	return 0;
}

/* Whether the text is exactly one event: "system:event" without globs. */
static bool is_one_event(const char *text)
{
	const char *colon = strchr(text, ':');

	return colon && colon != text && colon[1] && !strpbrk(colon + 1, ":") &&
	       !strpbrk(text, "*?[]/. \t\n");
}

KFT_EXPORT int kft_plan_trigger_set_event(struct kft_plan_trigger *t, const char *event,
					  const char *filter, struct kft_err *e)
{
	if (!t || !event)
		return kft_err_missing(e, t ? "event" : "trigger");
	if (!is_one_event(event)) {
		kft_err_set(e, -EINVAL, "not one event: '%.200s'", event);
		kft_err_hint(e, "a trigger wants SYSTEM:EVENT");
		return -EINVAL;
	}
	struct kft_plan_trigger new = {
		.kind = KFT_TRIGGER_EVENT,
		.event =
			{
				.pattern = strdup(event),
				.filter = filter ? strdup(filter) : NULL,
			},
	};
	if (!new.event.pattern || (filter && !new.event.filter)) {
		kft_plan_trigger_finish(&new);
		return kft_err_memory(e);
	}
	kft_plan_trigger_finish(t);
	*t = new;
	return 0;
}

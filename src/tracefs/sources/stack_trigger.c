// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets the triggers that record call stacks of single events. */
#include "tracefs/sources/stack_trigger.h"

#include <errno.h>
#include <stdio.h>

#include "base/err.h"
#include "base/io.h"
#include "base/strbuf.h"

#define VERB "stacktrace"

int kft_stack_trigger_remove(const struct kft_tracefs_dir *p, const char *system,
			     const char *event)
{
	char file[KFT_PLACE_FILE_MAX];

	if (snprintf(file, sizeof(file), "events/%s/%s/trigger", system, event) >=
	    (int)sizeof(file))
		return -ENAMETOOLONG;
	int r = kft_write_at(p->fd, file, 0, "!" VERB, sizeof("!" VERB) - 1);

	/* -ENOENT: there was no trigger. */
	return r == -ENOENT ? 0 : r;
}

int kft_stack_trigger_set(const struct kft_tracefs_dir *p, const char *system,
			  const char *event, const char *filter, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf command = {};
	char file[KFT_PLACE_FILE_MAX];
	char path[KFT_PLACE_PREFIX_MAX + KFT_PLACE_FILE_MAX];

	if (snprintf(file, sizeof(file), "events/%s/%s/trigger", system, event) >=
	    (int)sizeof(file))
		return kft_err_set(e, -ENAMETOOLONG, "an event has too long a name");
	(void)snprintf(path, sizeof(path), "%s%s", p->prefix, file);
	kft_strbuf_adds(&command, VERB);
	if (filter)
		kft_strbuf_addf(&command, " if %s", filter);
	if (!kft_strbuf_ok(&command))
		return kft_err_memory(e);
	int r = kft_ledger_note_trigger(p->ledger, path, VERB, e);
	if (r < 0)
		return r;
	r = kft_write_at(p->fd, file, 0, command.buf, command.len);
	/* In an instance the session set the trigger before, and now enables the event again. */
	if (r == -EEXIST && !p->top)
		r = 0;
	return r < 0 ? kft_err_sys(e, r, "cannot record the call stacks of event %s:%s",
				   system, event)
		     : 0;
}

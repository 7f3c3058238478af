// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prepares a new instance for a plan. */
#include "tracefs/control/setup.h"

#include <errno.h>
#include <fcntl.h>

#include "base/err.h"
#include "base/scan.h"
#include "tracefs/control/buffer.h"
#include "tracefs/control/control_file.h"

static int unknown_clock(const char *clock, const char *list, struct kft_err *e)
{
	kft_err_set(e, -EINVAL, "this kernel has no trace clock '%s'", clock);
	kft_err_hint(e, "it has: %s", list);
	return -EINVAL;
}

static int set_clock(const struct kft_tracefs_dir *p, const char *wanted,
		     struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = kft_control_file_read(p->fd, "trace_clock", &sb);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read the trace clock");
	const char *list = kft_strbuf_cstr(&sb);
	const char *clock = wanted			 ? wanted
			    : kft_has_word(list, "mono") ? "mono"
							 : "global";
	if (!kft_has_word(list, clock))
		return wanted ? unknown_clock(wanted, list, e) : 0;
	return kft_tracefs_dir_set(p, "trace_clock", clock, e);
}

int kft_setup(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
	      struct kft_err *e)
{
	static const char *const options[][2] = {
		{"options/record-tgid", "1"},
		{"options/stacktrace", "0"},
		{"options/userstacktrace", "0"},
	};
	int r = kft_tracefs_dir_set(p, "tracing_on", "0", e);

	/* Setting the clock empties the buffers and is cheapest while they are small. */
	if (r == 0)
		r = set_clock(p, plan->clock, e);
	if (r == 0)
		r = kft_tracefs_dir_set(p, "options/overwrite",
					plan->overwrite ? "1" : "0", e);
	for (size_t i = 0; i < ARRAY_SIZE(options) && r == 0; i++)
		r = kft_tracefs_dir_set_optional(p, options[i][0], options[i][1], e);
	return r < 0 ? r : kft_buffer_set(p, plan->buffer_bytes, e);
}

int kft_setup_guard(const struct kft_tracefs_dir *p)
{
	int fd = openat(p->fd, "free_buffer", O_WRONLY | O_CLOEXEC);

	/* Without the option, closing it frees the memory but does not stop recording. */
	if (fd >= 0)
		(void)!kft_tracefs_dir_set_optional(p, "options/disable_on_free", "1",
						    NULL);
	return fd;
}

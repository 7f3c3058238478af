// SPDX-License-Identifier: LGPL-2.1-or-later
#include "capture/tracefs/setup.h"

#include <errno.h>
#include <fcntl.h>

#include "base/err.h"
#include "capture/tracefs/buffer.h"
#include "capture/tracefs/ctl.h"

/* True when a list like "local [global] mono" has the word. */
static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = list; *p;) {
		p += strspn(p, " []\n");
		size_t n = strcspn(p, " []\n");

		if (n == len && strncmp(p, word, n) == 0)
			return true;
		p += n;
	}
	return false;
}

static int unknown_clock(const char *clock, const char *list, struct kft_err *e)
{
	kft_err_set(e, -EINVAL, "this kernel has no trace clock '%s'", clock);
	kft_err_hint(e, "it has: %s", list);
	return -EINVAL;
}

static int set_clock(int instance_fd, const char *wanted, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = kft_ctl_read(instance_fd, "trace_clock", &sb);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read the trace clock");
	const char *list = kft_strbuf_cstr(&sb);
	const char *clock = wanted ? wanted : has_word(list, "mono") ? "mono" : "global";
	if (!has_word(list, clock))
		return wanted ? unknown_clock(wanted, list, e) : 0;
	r = kft_ctl_set(instance_fd, "trace_clock", clock);
	return r < 0 ? kft_err_sys(e, r, "cannot set the trace clock '%s'", clock) : 0;
}

static int set_option(int instance_fd, const char *path, const char *value, bool vital,
		      struct kft_err *e)
{
	int r = vital ? kft_ctl_set(instance_fd, path, value)
		      : kft_ctl_set_optional(instance_fd, path, value);

	return r < 0 ? kft_err_sys(e, r, "cannot set '%s' of tracefs to %s", path, value)
		     : 0;
}

int kft_setup(const struct kft_host *host, int instance_fd, const struct kft_plan *plan,
	      struct kft_err *e)
{
	const struct {
		const char *path;
		const char *value;
		bool vital;
	} options[] = {
		{"options/overwrite", plan->overwrite ? "1" : "0", true},
		{"options/record-tgid", "1", false},
		{"options/stacktrace", "0", false},
		{"options/userstacktrace", "0", false},
	};
	int r = set_option(instance_fd, "tracing_on", "0", true, e);

	/* Setting the clock empties the buffers and is cheapest while they are small. */
	if (r == 0)
		r = set_clock(instance_fd, plan->clock, e);
	for (size_t i = 0; i < ARRAY_SIZE(options) && r == 0; i++)
		r = set_option(instance_fd, options[i].path, options[i].value,
			       options[i].vital, e);
	return r < 0 ? r : kft_buffer_set(host, instance_fd, plan->buffer_bytes, e);
}

int kft_setup_guard(int instance_fd)
{
	int fd = openat(instance_fd, "free_buffer", O_WRONLY | O_CLOEXEC);

	/* Without the option closing it frees the memory but lets the kernel record on. */
	if (fd >= 0)
		(void)!kft_ctl_set_optional(instance_fd, "options/disable_on_free", "1");
	return fd;
}

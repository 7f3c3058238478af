// SPDX-License-Identifier: LGPL-2.1-or-later
/* Uses the kernel's stack tracer for a run that watches the stack. */
#include "tracefs/detached/stack_tracer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "base/scan.h"
#include "tracefs/control/control_file.h"

#define ENABLED_FILE	"kernel/stack_tracer_enabled"
#define MAX_FILE	"stack_max_size"
#define TRACE_FILE	"stack_trace"
#define TRACE_MAX_BYTES (256u << 10)

uint64_t kft_watch_stack_bytes(const char *machine)
{
	/* THREAD_SIZE of Linux 6 without KASAN: 16 KB, 8 KB where words have 32 bits. */
	static const char *const narrow[] = {"arm",  "i386", "i486",
					     "i586", "i686", "mips"};

	for (size_t i = 0; i < ARRAY_SIZE(narrow); i++)
		if (strncmp(machine, narrow[i], strlen(narrow[i])) == 0)
			return 8192;
	return 16384;
}

static uint64_t stack_bytes(void)
{
	struct utsname u;

	return kft_watch_stack_bytes(uname(&u) == 0 ? u.machine : "");
}

/*
 * Converts the plan's limit: the stack tracer counts bytes in use, KFT bytes that are
 * left.
 */
static uint64_t threshold(const struct kft_plan *plan)
{
	return stack_bytes() - plan->functions.watch_bytes;
}

static int check_idle(const struct kft_ledger *u, struct kft_err *e)
{
	uint64_t enabled = 0;
	int r = kft_control_file_read_u64(u->host->root_fd, "proc/sys/" ENABLED_FILE,
					  &enabled);

	if (r < 0) {
		(void)kft_err_sys(e, r, "cannot use the stack tracer");
		kft_err_hint(e, "it needs a kernel with CONFIG_STACK_TRACER");
		return r;
	}
	if (enabled)
		return kft_err_set(
			e, -EBUSY,
			"another program uses this kernel's only stack tracer");
	return 0;
}

int kft_watch_arm(const struct kft_ledger *u, const struct kft_plan *plan,
		  struct kft_err *e)
{
	const struct kft_plan_functions *f = &plan->functions;

	if (f->watch == KFT_WATCH_NONE)
		return 0;
	if (f->watch_bytes >= stack_bytes())
		return kft_err_set(e, -EINVAL,
				   "a stack of this kernel has %" PRIu64
				   " bytes: %" PRIu64 " are never left",
				   stack_bytes(), f->watch_bytes);
	int r = check_idle(u, e);
	if (r == 0)
		r = kft_ledger_set_u64(u, MAX_FILE, threshold(plan), e);
	return r == 0 ? kft_ledger_set_sysctl(u, ENABLED_FILE, "1", e) : r;
}

int kft_watch_begin(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
		    struct kft_session_state *rec)
{
	if (plan->functions.watch == KFT_WATCH_NONE)
		return 0;
	rec->lowest_stack_bytes = 0;
	rec->watch = (struct kft_watch_counts){.last_ns = kft_now_ns()};
	return kft_control_file_set_u64(p->ledger->tracefs_fd, MAX_FILE, threshold(plan));
}

static int write_mark(const struct kft_tracefs_dir *p, const char *text, int len)
{
	return kft_write_at(p->fd, "trace_marker", 0, text, len);
}

/* Bytes of "name+0x5/0x20" that a marker has room for. */
#define LOCATION_MAX ((size_t)199)

/* "  0)     3176      48   name+0x5/0x20" */
static int save_frame(const struct kft_tracefs_dir *p, const char *line)
{
	char text[256];
	uint32_t number, depth, size;
	const char *location;
	size_t location_len;

	if (!kft_scan_u32(&line, &number) || !kft_scan_text(&line, ")") ||
	    !kft_scan_u32(&line, &depth) || !kft_scan_u32(&line, &size) ||
	    !kft_scan_word(&line, &location, &location_len))
		return 0;
	int len = snprintf(text, sizeof(text), KFT_WATCH_MARK_FRAME "%u %u %.*s", depth,
			   size, (int)KFT_MIN(location_len, LOCATION_MAX), location);
	return write_mark(p, text, len);
}

static int save_stack(const struct kft_tracefs_dir *p, uint64_t left)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	char text[64];
	char *save = NULL;
	int len = snprintf(text, sizeof(text), KFT_WATCH_MARK_STACK "%" PRIu64, left);
	int r = kft_read_at(p->ledger->tracefs_fd, TRACE_FILE, TRACE_MAX_BYTES, &sb);

	if (r == 0)
		r = write_mark(p, text, len);
	(void)kft_strbuf_cstr(&sb);
	for (char *line = sb.buf ? strtok_r(sb.buf, "\n", &save) : NULL; line && r == 0;
	     line = strtok_r(NULL, "\n", &save))
		r = save_frame(p, line);
	return r;
}

static void count_look(struct kft_watch_counts *w, bool found)
{
	uint64_t now = kft_now_ns();

	if (w->last_ns && now > w->last_ns)
		w->longest_ns = KFT_MAX(w->longest_ns, now - w->last_ns);
	w->last_ns = now;
	w->looks++;
	w->stacks += found;
}

int kft_watch_look(const struct kft_tracefs_dir *p, const struct kft_plan *plan,
		   struct kft_session_state *rec)
{
	uint64_t all = stack_bytes();
	uint64_t used;

	if (plan->functions.watch == KFT_WATCH_NONE)
		return 0;
	int r = kft_control_file_read_u64(p->ledger->tracefs_fd, MAX_FILE, &used);
	if (r < 0)
		return r;
	uint64_t left = used < all ? all - used : 0;
	bool is_lower = !rec->lowest_stack_bytes || left < rec->lowest_stack_bytes;
	bool found = used > threshold(plan) &&
		     (plan->functions.watch == KFT_WATCH_STACK || is_lower);
	count_look(&rec->watch, found);
	if (!found)
		return 1;
	r = save_stack(p, left);
	/* A next stack that is as deep should be seen, too. */
	if (r == 0 && plan->functions.watch == KFT_WATCH_STACK)
		r = kft_control_file_set_u64(p->ledger->tracefs_fd, MAX_FILE,
					     threshold(plan));
	if (r == 0 && is_lower)
		rec->lowest_stack_bytes = KFT_MAX(left, UINT64_C(1));
	return r < 0 ? r : 1;
}

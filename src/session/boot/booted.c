// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opens the recording of a boot, and restores the kernel. */
#include "session/boot/booted.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#include "base/err.h"
#include "base/io.h"
#include "session/boot/params.h"
#include "tracefs/sources/graph.h"
#include "tracefs/control/control_file.h"
#include "capture/rundir.h"
#include "tracefs/control/ledger.h"
#include "tracefs/control/mount.h"
#include "tracefs/control/orphans.h"

#define CMDLINE		  "proc/cmdline"
#define CMDLINE_MAX_BYTES 65536

/* The kernel's value without trace_buf_size: TRACE_BUF_SIZE_DEFAULT of kernel/trace. */
#define BUFFER_DEFAULT_KB "1408"

/*
 * A session with the ledger of the kernel's restore, while that goes on. A user's session
 * cannot have this name.
 */
#define SESSION "+boot"

/* The value of the parameter that starts with name ("trace_clock="); NULL: not given. */
static const char *find_in(const char *line, const char *name, size_t *ret_len)
{
	const char *p = line;
	const char *found = NULL;

	while (*p) {
		size_t len = strcspn(p, " \t\n");

		/* The kernel takes the last of several. */
		if (strncmp(p, name, strlen(name)) == 0) {
			found = p + strlen(name);
			*ret_len = len - strlen(name);
		}
		p += len;
		p += strspn(p, " \t\n");
	}
	return found;
}

static const char *find_param(const struct kft_boot *b, const char *name, size_t *ret_len)
{
	return find_in(b->line.buf, name, ret_len);
}

const char *kft_boot_find_word(const char *line, size_t *ret_len)
{
	return find_in(line, KFT_BOOT_WORD, ret_len);
}

static bool param_has(const struct kft_boot *b, const char *name, const char *part)
{
	size_t len;
	const char *value = find_param(b, name, &len);

	return value && memmem(value, len, part, strlen(part));
}

static bool has_param(const struct kft_boot *b, const char *name)
{
	size_t len;

	return find_param(b, name, &len);
}

static int read_line(struct kft_boot *b, struct kft_err *e)
{
	int r = kft_read_at(b->host->root_fd, CMDLINE, CMDLINE_MAX_BYTES, &b->line);

	(void)kft_strbuf_cstr(&b->line);
	if (r == 0 && !kft_strbuf_ok(&b->line))
		r = -ENOMEM;
	if (r < 0)
		return kft_err_sys(e, r, "cannot read /proc/cmdline");
	while (b->line.len && b->line.buf[b->line.len - 1] == '\n')
		b->line.buf[--b->line.len] = '\0';
	b->word = kft_boot_find_word(b->line.buf, &b->word_len);
	if (b->word)
		return 0;
	(void)kft_err_set(e, -ENOENT,
			  "this kernel was not booted with the parameters of 'kft boot'");
	kft_err_hint(e,
		     "'kft boot FILE' prints them, 'kft boot --install FILE' puts them "
		     "where the next boot finds them");
	return -ENOENT;
}

static int check_tracer(struct kft_boot *b, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tracer = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf events = {};
	int r = kft_control_file_read(b->fd, "current_tracer", &tracer);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read current_tracer");
	if (strcmp(tracer.buf, "nop") == 0) {
		(void)kft_err_set(
			e, -EALREADY,
			"the trace of this boot is no longer in the kernel: it "
			"was saved, or another program switched the tracer off");
		kft_err_hint(e,
			     "'dmesg | grep -i trace' says if the tracer never started");
		return -EALREADY;
	}
	size_t len = 0;
	const char *ours = find_param(b, "ftrace=", &len);
	bool has_events = kft_control_file_read(b->fd, "events/initcall/enable",
						&events) == 0 &&
			  *events.buf == '1';
	if (ours && strlen(tracer.buf) == len && strncmp(tracer.buf, ours, len) == 0 &&
	    has_events)
		return 0;
	return kft_err_set(e, -EBUSY,
			   "another program uses the kernel's top-level tracer now: "
			   "current_tracer is %.80s%s",
			   tracer.buf, has_events ? "" : ", events of initcalls are off");
}

static int lock(struct kft_boot *b, struct kft_err *e)
{
	int tracefs;
	int r = kft_tracefs_open(b->host, &tracefs, e);

	if (r < 0)
		return r;
	b->fd = openat(tracefs, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	r = b->fd < 0 ? -errno : 0;
	if (r == 0 && flock(b->fd, LOCK_EX | LOCK_NB) < 0)
		r = -errno;
	if (r == -EWOULDBLOCK)
		return kft_err_set(e, -EBUSY,
				   "another 'kft save --boot' is at work already");
	return r < 0 ? kft_err_sys(e, r, "cannot lock tracefs") : 0;
}

int kft_boot_open(struct kft_host *host, struct kft_boot *ret, struct kft_err *e)
{
	struct kft_boot b = {.host = host, .fd = -1};
	int r = read_line(&b, e);

	/* Completes a restore of the kernel by a process that was killed. */
	if (r == 0)
		r = kft_orphans_undo(host, NULL, NULL, e);

	if (r == 0)
		r = lock(&b, e);
	if (r == 0)
		r = check_tracer(&b, e);
	if (r < 0)
		kft_boot_close(&b);
	else
		*ret = b;
	return r;
}

void kft_boot_close(struct kft_boot *b)
{
	kft_closep(&b->fd);
	b->fd = -1;
	kft_strbuf_finish(&b->line);
}

bool kft_boot_is_stopped(const struct kft_boot *b)
{
	uint64_t is_on;

	return kft_control_file_read_u64(b->fd, "tracing_on", &is_on) == 0 && !is_on;
}

int kft_boot_stop(struct kft_boot *b, struct kft_err *e)
{
	int r = kft_control_file_set(b->fd, "tracing_on", "0");

	if (r < 0) {
		kft_err_sys(e, r, "cannot stop the recording of the boot");
		kft_host_hint(b->host, r, e);
	}
	return r;
}

bool kft_boot_filter_worked(const struct kft_boot *b)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	return !has_param(b, "ftrace_filter=") ||
	       kft_control_file_read(b->fd, "set_ftrace_filter", &sb) < 0 ||
	       *sb.buf != '#';
}

/*
 * The settings that parameters make, and their values without them. They are undone from
 * the last to the first: the option funcgraph-irqs exists only while the tracer is set,
 * and the tracer has to go before its filters.
 */
static const struct {
	const char *param; /* NULL: with any parameters */
	const char *part; /* a part of its value; NULL: any */
	const char *path;
	const char *usual; /* NULL: it is emptied */
} changes[] = {
	{NULL, NULL, "tracing_on", "1"},
	{NULL, NULL, "trace", NULL},
	{"trace_buf_size=", NULL, "buffer_size_kb", BUFFER_DEFAULT_KB},
	{"trace_options=", KFT_BOOT_NO_OVERWRITE, "options/overwrite", "1"},
	{"trace_event=", KFT_BOOT_EVENTS, "events/module/module_load/enable", "0"},
	{"trace_event=", KFT_BOOT_EVENTS, "events/initcall/enable", "0"},
	{KFT_BOOT_ROOTS, NULL, "set_graph_function", NULL},
	{"ftrace_notrace=", NULL, "set_ftrace_notrace", NULL},
	{"ftrace_filter=", NULL, "set_ftrace_filter", NULL},
	{"tracing_thresh=", NULL, "tracing_thresh", "0"},
	{NULL, NULL, "current_tracer", "nop"},
	{"trace_options=", KFT_BOOT_NO_IRQS, "options/funcgraph-irqs", "1"},
};

static bool has_change(const struct kft_boot *b, size_t i)
{
	if (!changes[i].param)
		return true;
	return changes[i].part ? param_has(b, changes[i].param, changes[i].part)
			       : has_param(b, changes[i].param);
}

static int note_changes(const struct kft_boot *b, const struct kft_ledger *l,
			struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(changes) && r == 0; i++) {
		const char *path = changes[i].path;

		if (has_change(b, i))
			r = changes[i].usual
				    ? kft_ledger_note_set(l, path, changes[i].usual, e)
				    : kft_ledger_note_empty(l, path, e);
	}
	return r;
}

static bool has_triggers(const struct kft_boot *b)
{
	return param_has(b, "kprobe_event=", KFT_BOOT_GROUP);
}

static int note_triggers(const struct kft_ledger *l, struct kft_err *e)
{
	int r = kft_ledger_note_probe(l, KFT_BOOT_GROUP "/" KFT_PROBE_STOP, e);

	if (r == 0)
		r = kft_ledger_note_probe(l, KFT_BOOT_GROUP "/" KFT_PROBE_START, e);
	if (r == 0)
		r = kft_ledger_note_set(l, "events/" KFT_BOOT_GROUP "/enable", "0", e);
	return r;
}

/* Disables the triggers' events if they have no directory: see session/boot/mend.h. */
static int disable_by_name(const struct kft_boot *b, struct kft_err *e)
{
	static const char off[] = "!" KFT_BOOT_GROUP ":*";

	if (kft_find_at(b->fd, "events/" KFT_BOOT_GROUP "/enable") == 0)
		return 0;
	int r = kft_write_at(b->fd, "set_event", O_APPEND, off, strlen(off));
	return r < 0 && r != -ENOENT ? kft_err_sys(e, r, "cannot restore set_event") : 0;
}

int kft_boot_restore(struct kft_boot *b, struct kft_err *e)
{
	struct kft_rundir dir;
	struct kft_ledger ledger;
	int r = kft_rundir_open_attached(b->host, SESSION, &dir, e);

	if (r < 0)
		return r;
	r = kft_ledger_init(&ledger, b->host, dir.fd, e);
	if (r == 0)
		r = note_changes(b, &ledger, e);
	if (r == 0 && has_triggers(b))
		r = note_triggers(&ledger, e);
	if (r == 0 && has_triggers(b))
		r = disable_by_name(b, e);
	int undone = kft_ledger_undo(&ledger, r < 0 ? NULL : e);
	r = r < 0 ? r : undone;
	if (undone == 0)
		undone = kft_rundir_remove(&dir, r < 0 ? NULL : e);
	kft_rundir_close(&dir);
	return r < 0 ? r : undone;
}

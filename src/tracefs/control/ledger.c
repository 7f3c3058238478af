// SPDX-License-Identifier: LGPL-2.1-or-later
/* Notes changes of the kernel before they are made, and takes them back. */
#include "tracefs/control/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/vec.h"
#include "tracefs/control/control_file.h"
#include "tracefs/control/instance.h"
#include "tracefs/control/mount.h"
#include "uapi/openat2.h"

#define LEDGER_FILE	 "undo"
#define LEDGER_MAX_BYTES (1u << 20)

int kft_ledger_init(struct kft_ledger *u, struct kft_host *host, int dir_fd,
		    struct kft_err *e)
{
	int tracefs;
	int r = kft_tracefs_open(host, &tracefs, e);

	if (r < 0)
		return r;
	*u = (struct kft_ledger){.host = host, .dir_fd = dir_fd, .tracefs_fd = tracefs};
	return 0;
}

static int note(const struct kft_ledger *u, const char *kind, const char *what,
		const char *old, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	_cleanup_close_ int fd = kft_make_file_at(u->dir_fd, LEDGER_FILE,
						  O_WRONLY | O_APPEND | O_NONBLOCK);
	int r = fd < 0 ? fd : 0;

	kft_strbuf_addf(&line, "%s %s%s%s\n", kind, what, old ? "\t" : "",
			old ? old : "");
	if (r == 0 && !kft_strbuf_ok(&line))
		r = -ENOMEM;
	if (r == 0)
		r = kft_write_all(fd, line.buf, line.len);
	return r < 0 ? kft_err_sys(e, r, "cannot note how to restore %s", what) : 0;
}

int kft_ledger_note_set(const struct kft_ledger *u, const char *path, const char *old,
			struct kft_err *e)
{
	return note(u, "set", path, old, e);
}

int kft_ledger_note_sysctl(const struct kft_ledger *u, const char *path, const char *old,
			   struct kft_err *e)
{
	return note(u, "sysctl", path, old, e);
}

int kft_ledger_set(const struct kft_ledger *u, const char *path, const char *value,
		   struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf old = {};
	int r = kft_control_file_read_value(u->tracefs_fd, path, &old);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read %s", path);
	if (strcmp(kft_strbuf_cstr(&old), value) == 0)
		return 0;
	r = note(u, "set", path, kft_strbuf_cstr(&old), e);
	if (r < 0)
		return r;
	r = kft_control_file_set(u->tracefs_fd, path, value);
	if (r < 0) {
		kft_err_sys(e, r, "cannot write '%s' to %s", value, path);
		kft_host_hint(u->host, r, e);
	}
	return r;
}

int kft_ledger_set_u64(const struct kft_ledger *u, const char *path, uint64_t value,
		       struct kft_err *e)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%" PRIu64, value);
	return kft_ledger_set(u, path, text, e);
}

static int open_sysctl(const struct kft_ledger *u)
{
	int fd = openat(u->host->root_fd, "proc/sys", O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int kft_ledger_set_sysctl(const struct kft_ledger *u, const char *path, const char *value,
			  struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf old = {};
	_cleanup_close_ int fd = open_sysctl(u);
	int r = fd < 0 ? fd : kft_control_file_read_value(fd, path, &old);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read /proc/sys/%s", path);
	r = note(u, "sysctl", path, kft_strbuf_cstr(&old), e);
	if (r < 0)
		return r;
	r = kft_control_file_set(fd, path, value);
	if (r < 0) {
		kft_err_sys(e, r, "cannot write '%s' to /proc/sys/%s", value, path);
		kft_host_hint(u->host, r, e);
	}
	return r;
}

int kft_ledger_note_empty(const struct kft_ledger *u, const char *path, struct kft_err *e)
{
	return note(u, "empty", path, NULL, e);
}

int kft_ledger_note_filter(const struct kft_ledger *u, const char *path,
			   struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf old = {};
	int r = kft_control_file_read(u->tracefs_fd, path, &old);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read %s", path);
	/* The kernel shows "none" for no filter, and removes a filter when "0" is written. */
	return note(u, "set", path, strcmp(old.buf, "none") == 0 ? "0" : old.buf, e);
}

int kft_ledger_note_trigger(const struct kft_ledger *u, const char *path,
			    const char *text, struct kft_err *e)
{
	return note(u, "trigger", path, text, e);
}

int kft_ledger_note_probe(const struct kft_ledger *u, const char *event,
			  struct kft_err *e)
{
	return note(u, "probe", event, NULL, e);
}

int kft_ledger_note_dynamic(const struct kft_ledger *u, const char *path,
			    const char *file, const char *text, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf how = {};

	kft_strbuf_addf(&how, "%s\t%s", file, text);
	return note(u, "dynamic", path, kft_strbuf_cstr(&how), e);
}

int kft_ledger_note_instance(const struct kft_ledger *u, const char *name,
			     struct kft_err *e)
{
	return note(u, "instance", name, NULL, e);
}

bool kft_ledger_exists(const struct kft_ledger *u)
{
	return kft_find_at(u->dir_fd, LEDGER_FILE) == 0;
}

/*
 * True when a path stays below its directory: another program may have altered the file.
 * Linux before 5.6 has no openat2(2); there, as neither tracefs nor /proc/sys has symbolic
 * links, only ".." and absolute paths lead out.
 */
static bool is_beneath(int dir_fd, const char *path)
{
	struct kft_open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = KFT_RESOLVE_BENEATH | KFT_RESOLVE_NO_SYMLINKS,
	};

	for (const char *p = path; *p; p += *p == '/') {
		size_t len = strcspn(p, "/");

		if (len == 2 && p[0] == '.' && p[1] == '.')
			return false;
		p += len;
	}
	_cleanup_close_ int fd = (int)syscall(KFT_SYS_OPENAT2, dir_fd, path, &how,
					      sizeof(how));
	return *path != '/' && (fd >= 0 || (errno != EXDEV && errno != ELOOP));
}

/* Ends the path at its tab, and returns the text after it; NULL: the line is malformed. */
static char *split(int dir_fd, char *path)
{
	char *tab = strchr(path, '\t');

	if (!tab)
		return NULL;
	*tab = '\0';
	return is_beneath(dir_fd, path) ? tab + 1 : NULL;
}

static int undo_set(const struct kft_ledger *u, char *arg)
{
	const char *old = split(u->tracefs_fd, arg);

	return old ? kft_control_file_set(u->tracefs_fd, arg, old) : -EINVAL;
}

static int undo_sysctl(const struct kft_ledger *u, char *arg)
{
	_cleanup_close_ int fd = open_sysctl(u);
	const char *old = split(fd, arg);

	if (!old)
		return -EINVAL;
	return fd < 0 ? fd : kft_control_file_set(fd, arg, old);
}

static int undo_empty(const struct kft_ledger *u, char *arg)
{
	_cleanup_close_ int fd = -1;

	if (!is_beneath(u->tracefs_fd, arg))
		return -EINVAL;
	fd = openat(u->tracefs_fd, arg, O_WRONLY | O_TRUNC | O_CLOEXEC);
	return fd < 0 ? -errno : 0;
}

/* A trigger that counted down is removed by its text without the count. */
static int undo_trigger(const struct kft_ledger *u, char *arg)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	const char *trigger = split(u->tracefs_fd, arg);

	if (!trigger)
		return -EINVAL;
	kft_strbuf_addf(&text, "!%s", trigger);
	if (!kft_strbuf_ok(&text))
		return -ENOMEM;
	int r = kft_write_at(u->tracefs_fd, arg, 0, text.buf, text.len);

	/*
	 * A hist trigger that was removed before cannot be parsed without the variables
	 * of the others.
	 */
	return r == -EINVAL && strncmp(trigger, "hist:", 5) == 0 ? 0 : r;
}

static int undo_probe(const struct kft_ledger *u, char *arg)
{
	char text[256];
	int n = snprintf(text, sizeof(text), "-:%s", arg);

	if (n < 0 || n >= (int)sizeof(text))
		return -EINVAL;
	return kft_write_at(u->tracefs_fd, "kprobe_events", O_APPEND, text, n);
}

/* An unreadable path counts as gone: a process that may not delete the event could not make it. */
static int undo_dynamic(const struct kft_ledger *u, char *arg)
{
	char *rest = arg;
	const char *path = strsep(&rest, "\t");
	const char *file = strsep(&rest, "\t");

	if (!rest || !is_beneath(u->tracefs_fd, path) || !is_beneath(u->tracefs_fd, file))
		return -EINVAL;
	if (kft_find_at(u->tracefs_fd, path) < 0)
		return 0;
	return kft_write_at(u->tracefs_fd, file, O_APPEND, rest, strlen(rest));
}

static int undo_instance(const struct kft_ledger *u, char *arg)
{
	_cleanup_close_ int instances_fd = -1;
	_cleanup_close_ int fd = -1;
	int r = kft_instances_lock(u->host, &instances_fd, NULL);

	if (r < 0)
		return r;
	if (strchr(arg, '/') || !is_beneath(instances_fd, arg))
		return -EINVAL;
	fd = openat(instances_fd, arg, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return kft_instance_discard(u->host, instances_fd, fd, arg);
}

static const struct {
	const char *kind;
	int (*undo)(const struct kft_ledger *u, char *arg);
} kinds[] = {
	{"set ", undo_set},	    {"sysctl ", undo_sysctl},
	{"empty ", undo_empty},	    {"trigger ", undo_trigger},
	{"probe ", undo_probe},	    {"instance ", undo_instance},
	{"dynamic ", undo_dynamic},
};

static int undo_line(const struct kft_ledger *u, char *line)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t len = strlen(kinds[i].kind);

		if (strncmp(line, kinds[i].kind, len) == 0)
			return kinds[i].undo(u, line + len);
	}
	return -EINVAL;
}

static int undo_lines(const struct kft_ledger *u, char *text, struct kft_err *e)
{
	KFT_VEC(char *) lines = {};
	char *save = NULL;
	int first = 0;

	for (char *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (!kft_vec_push(&lines, line))
			first = kft_err_sys(e, -ENOMEM, "cannot restore the kernel");
	for (size_t i = lines.len; i-- > 0 && first != -ENOMEM;) {
		int r = undo_line(u, lines.data[i]);

		/* -ENOENT: the thing to undo is gone already. */
		if (r < 0 && r != -ENOENT && first == 0)
			first = kft_err_sys(e, r, "cannot restore '%s'", lines.data[i]);
	}
	kft_vec_finish(&lines);
	return first;
}

int kft_ledger_undo(const struct kft_ledger *u, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int r = kft_read_regular_at(u->dir_fd, LEDGER_FILE, LEDGER_MAX_BYTES, &text);

	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return kft_err_sys(e, r, "cannot read how to restore the kernel");
	(void)kft_strbuf_cstr(&text);
	r = undo_lines(u, text.buf, e);
	if (r == 0 && unlinkat(u->dir_fd, LEDGER_FILE, 0) < 0 && errno != ENOENT)
		r = kft_err_sys(e, -errno, "cannot remove the undo file");
	return r;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "fake.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#define TEMPLATE "template"

/* The tree of the running test: the ops get a descriptor only. */
static const struct fake *current;

static const struct {
	const char *path;
	const char *text;
} template_files[] = {
	{"tracing_on", "1\n"},
	{"trace_clock", "[local] global mono boot x86-tsc\n"},
	{"buffer_size_kb", "1410\n"},
	{"buffer_subbuf_size_kb", "4\n"},
	{"buffer_percent", "50\n"},
	{"free_buffer", ""},
	{"error_log", ""},
	{"set_event_pid", ""},
	{"options/overwrite", "1\n"},
	{"options/disable_on_free", "0\n"},
	{"options/record-tgid", "0\n"},
	{"options/event-fork", "0\n"},
	{"options/stacktrace", "0\n"},
	{"options/userstacktrace", "0\n"},
	{"events/enable", "0\n"},
	{"events/sched/sched_switch/enable", "0\n"},
	{"events/sched/sched_switch/filter", "none\n"},
	{"events/sched/sched_wakeup/enable", "0\n"},
	{"events/sched/sched_wakeup/filter", "none\n"},
	{"events/irq/irq_handler_entry/enable", "0\n"},
	{"events/irq/irq_handler_entry/filter", "none\n"},
	{"per_cpu/cpu0/stats", "entries: 0\noverrun: 0\ncommit overrun: 0\nbytes: 0\n"
			       "oldest event ts:     0.000000\nnow ts:  1179.173203\n"
			       "dropped events: 0\nread events: 0\n"},
	{"per_cpu/cpu0/trace_pipe_raw", ""},
};

static const struct {
	const char *path;
	const char *text;
} top_files[] = {
	{"trace_clock", "[local] global mono boot x86-tsc\n"},
	{"available_events", "sched:sched_switch\nsched:sched_wakeup\n"
			     "irq:irq_handler_entry\n"},
	{"available_tracers", "function_graph function nop\n"},
	{"available_filter_functions", "vfs_read\nvfs_write [mod]\nschedule\n"},
	{"events/header_page",
	 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	 "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	 "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	 "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n"},
	{"events/header_event", "# compressed entry header\n"},
	{"events/ftrace/function/format", "name: function\nID: 1\n"},
	{"events/sched/sched_switch/format", "name: sched_switch\nID: 300\n"},
	{"events/sched/sched_wakeup/format", "name: sched_wakeup\nID: 301\n"},
	{"events/irq/irq_handler_entry/format", "name: irq_handler_entry\nID: 302\n"},
	{"printk_formats", "0xffffffff81000000 : \"%s\"\n"},
	{"saved_cmdlines", "1 init\n2 kthreadd\n"},
	{"saved_tgids", "1 1\n2 2\n"},
};

static int make_dir_at(int dirfd, const char *path)
{
	char dir[PATH_MAX];

	for (const char *p = strchr(path, '/'); p; p = strchr(p + 1, '/')) {
		(void)snprintf(dir, sizeof(dir), "%.*s", (int)(p - path), path);
		if (mkdirat(dirfd, dir, 0700) < 0 && errno != EEXIST)
			return -errno;
	}
	return 0;
}

static int copy_file(int from, int to)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(from, buf, sizeof(buf))) > 0)
		if (write(to, buf, n) != n)
			return -EIO;
	return n < 0 ? -errno : 0;
}

static int target_fd;
static size_t template_len;

/* nftw() has no argument for its caller. */
static int copy_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	const char *rel = path + template_len;
	char link[PATH_MAX];

	if (kind == FTW_D || *rel != '/')
		return 0;
	rel++;
	if (make_dir_at(target_fd, rel) < 0)
		return -1;
	if (kind == FTW_SL) {
		ssize_t n = readlink(path, link, sizeof(link) - 1);

		if (n < 0)
			return -1;
		link[n] = '\0';
		return symlinkat(link, target_fd, rel);
	}
	_cleanup_close_ int from = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_close_ int to = openat(target_fd, rel,
					O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return copy_file(from, to);
}

static int fake_make_instance(int dirfd, const char *name)
{
	char template[PATH_MAX];

	if (mkdirat(dirfd, name, 0700) < 0)
		return -errno;
	(void)snprintf(template, sizeof(template), "%s/" TEMPLATE, current->root);
	template_len = strlen(template);
	target_fd = openat(dirfd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int r = nftw(template, copy_one, 16, FTW_PHYS);
	(void)close(target_fd);
	return r < 0 ? -EIO : 0;
}

static int fake_remove_instance(int dirfd, const char *name)
{
	char path[PATH_MAX];

	if (faccessat(dirfd, name, F_OK, 0) < 0)
		return -errno;
	(void)snprintf(path, sizeof(path), FAKE_TRACEFS "/instances/%s/busy", name);
	if (fake_exists(current, path))
		return -EBUSY;
	*strrchr(path, '/') = '\0';
	fake_remove(current, path);
	return 0;
}

static const struct kft_host_ops fake_ops = {
	.make_instance = fake_make_instance,
	.remove_instance = fake_remove_instance,
};

int fake_tracefs_setup(void **state)
{
	if (fake_setup(state))
		return -1;
	struct fake *f = *state;
	char path[PATH_MAX];

	current = f;
	f->host->ops = &fake_ops;
	for (size_t i = 0; i < ARRAY_SIZE(top_files); i++) {
		(void)snprintf(path, sizeof(path), FAKE_TRACEFS "/%s", top_files[i].path);
		fake_write(f, path, top_files[i].text);
	}
	fake_mkdir(f, FAKE_TRACEFS "/instances");
	for (size_t i = 0; i < ARRAY_SIZE(template_files); i++)
		fake_template_write(f, template_files[i].path, template_files[i].text);
	return 0;
}

static const char *in_template(const char *path)
{
	static char buf[PATH_MAX];

	(void)snprintf(buf, sizeof(buf), TEMPLATE "/%s", path);
	return buf;
}

void fake_template_write(const struct fake *f, const char *path, const char *text)
{
	fake_remove(f, in_template(path));
	fake_write(f, in_template(path), text);
}

void fake_template_link(const struct fake *f, const char *path, const char *target)
{
	fake_remove(f, in_template(path));
	fake_link(f, in_template(path), target);
}

void fake_template_remove(const struct fake *f, const char *path)
{
	fake_remove(f, in_template(path));
}

size_t fake_instances(const struct fake *f)
{
	char path[PATH_MAX];
	size_t n = 0;

	(void)snprintf(path, sizeof(path), "%s/" FAKE_TRACEFS "/instances", f->root);
	DIR *dir = opendir(path);
	assert_non_null(dir);
	for (struct dirent *d = readdir(dir); d; d = readdir(dir))
		n += d->d_name[0] != '.';
	(void)closedir(dir);
	return n;
}

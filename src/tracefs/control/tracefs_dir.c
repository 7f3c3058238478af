// SPDX-License-Identifier: LGPL-2.1-or-later
/* Chooses the directory of tracefs that a session records in. */
#include "tracefs/control/tracefs_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/dir.h"
#include "base/err.h"
#include "base/io.h"
#include "tracefs/control/cpu_counts.h"
#include "tracefs/control/control_file.h"
#include "tracefs/control/instance.h"
#include "tracefs/control/persistent.h"

#define INSTANCE_PREFIX "kft+"
#define STATS_MAX_BYTES 4096

void kft_tracefs_dir_instance_name(const char *name, char *ret, size_t size)
{
	(void)snprintf(ret, size, INSTANCE_PREFIX "%s", name);
}

static int open_instance(int tracefs_fd, const char *instance, int *ret_fd)
{
	char path[KFT_PLACE_PREFIX_MAX];

	(void)snprintf(path, sizeof(path), "instances/%s", instance);
	int fd = openat(tracefs_fd, path,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	*ret_fd = fd;
	return 0;
}

static bool has_tracer(int dirfd, const char *tracer)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	char *save = NULL;

	if (kft_control_file_read(dirfd, "available_tracers", &sb) < 0)
		return false;
	for (char *w = strtok_r(sb.buf, " \n", &save); w;
	     w = strtok_r(NULL, " \n", &save))
		if (strcmp(w, tracer) == 0)
			return true;
	return false;
}

/* True for a persistent instance, which exists since the boot for sessions of this name. */
static bool is_there_for_us(int instances_fd, const char *instance)
{
	_cleanup_close_ int fd = openat(instances_fd, instance,
					O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd >= 0 && kft_instance_is_kept(fd);
}

static int make_instance(const struct kft_ledger *u, const char *instance,
			 struct kft_err *e)
{
	_cleanup_close_ int instances_fd = -1;
	int r = kft_ledger_note_instance(u, instance, e);

	if (r == 0)
		r = kft_instances_lock(u->host, &instances_fd, e);
	if (r < 0)
		return r;
	r = u->host->ops->make_instance(instances_fd, instance);
	if (r == -EEXIST && is_there_for_us(instances_fd, instance))
		return 0;
	if (r < 0) {
		kft_err_sys(e, r, "cannot make the tracefs instance '%s'", instance);
		kft_host_hint(u->host, r, e);
	}
	return r;
}

static int busy(struct kft_err *e, const char *why)
{
	(void)kft_err_set(e, -EBUSY,
			  "another program uses the kernel's top-level "
			  "tracer: %s",
			  why);
	kft_err_hint(e,
		     "this kernel has no tracer of functions in instances, so only one "
		     "can trace them at a time: end the other one, or 'trace-cmd reset'");
	return -EBUSY;
}

/* A filter without entries has comments, or says "no pid". */
static bool says_nothing(int dirfd, const char *file)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (kft_control_file_read(dirfd, file, &sb) < 0)
		return true;
	return !sb.len || sb.buf[0] == '#' || strcmp(sb.buf, "no pid") == 0;
}

bool kft_tracefs_dir_has_entries(int dir_fd)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(dir_fd, "per_cpu");
	const char *name;
	bool found = false;

	while (dir && !found && (name = kft_dir_next(dir))) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
		struct kft_cpu_counts counts;
		char path[300];

		(void)snprintf(path, sizeof(path), "%s/stats", name);
		if (strncmp(name, "cpu", 3) == 0 &&
		    kft_read_at(dirfd(dir), path, STATS_MAX_BYTES, &sb) == 0 &&
		    kft_cpu_counts_parse(kft_strbuf_cstr(&sb), &counts) == 0)
			found = counts.entries > 0;
	}
	return found;
}

/* Refuses a top level that is in use, because taking it resets its buffer and filters. */
static int check_idle(int tracefs_fd, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	static const char *const filters[] = {"set_ftrace_filter",  "set_ftrace_notrace",
					      "set_ftrace_pid",	    KFT_UNTRACED_FILE,
					      "set_graph_function", "set_graph_notrace"};

	if (kft_control_file_read(tracefs_fd, "current_tracer", &sb) == 0 &&
	    strcmp(sb.buf, "nop") != 0) {
		char why[128];

		(void)snprintf(why, sizeof(why), "current_tracer is %.80s", sb.buf);
		return busy(e, why);
	}
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++)
		if (!says_nothing(tracefs_fd, filters[i]))
			return busy(e, filters[i]);
	if (kft_control_file_read(tracefs_fd, "events/enable", &sb) == 0 &&
	    *sb.buf != '0')
		return busy(e, "it has events enabled");
	if (kft_tracefs_dir_has_entries(tracefs_fd))
		return busy(e, "its buffer has data, which would be lost");
	return 0;
}

static int refuse_tracer(const char *tracer, struct kft_err *e)
{
	bool is_calls = strcmp(tracer, KFT_GRAPH_TRACER) == 0;

	(void)kft_err_set(e, -ENODEV, "this kernel has no tracer '%s'", tracer);
	kft_err_hint(e,
		     "%s cannot be recorded; a kernel with %s can, as distributions have "
		     "it; 'kft doctor' shows the features of this one",
		     is_calls ? "calls of functions" : "entries of functions",
		     is_calls ? "CONFIG_FUNCTION_GRAPH_TRACER"
			      : "CONFIG_FUNCTION_TRACER");
	return -ENODEV;
}

static int take_top(const struct kft_ledger *u, const char *tracer,
		    struct kft_tracefs_dir *ret, struct kft_err *e)
{
	if (!has_tracer(u->tracefs_fd, tracer))
		return refuse_tracer(tracer, e);
	int r = check_idle(u->tracefs_fd, e);
	return r < 0 ? r : kft_tracefs_dir_open(u, "", true, ret);
}

int kft_tracefs_dir_for_tracer(struct kft_tracefs_dir *p, const char *tracer,
			       struct kft_err *e)
{
	struct kft_tracefs_dir top;

	if (has_tracer(p->fd, tracer))
		return 0;
	int r = take_top(p->ledger, tracer, &top, e);
	if (r < 0)
		return r;
	kft_tracefs_dir_close(p);
	*p = top;
	return 0;
}

int kft_tracefs_dir_open_instance(const struct kft_ledger *u, const char *instance,
				  struct kft_tracefs_dir *ret)
{
	struct kft_tracefs_dir p = {.ledger = u, .fd = -1};
	int r = open_instance(u->tracefs_fd, instance, &p.fd);

	if (r < 0)
		return r;
	(void)snprintf(p.prefix, sizeof(p.prefix), "instances/%s/", instance);
	p.kept = kft_instance_is_kept(p.fd);
	*ret = p;
	return 0;
}

int kft_tracefs_dir_make_instance(const struct kft_ledger *u, const char *instance,
				  struct kft_tracefs_dir *ret, struct kft_err *e)
{
	int r = make_instance(u, instance, e);

	if (r < 0)
		return r;
	r = kft_tracefs_dir_open_instance(u, instance, ret);
	return r < 0 ? kft_err_sys(e, r, "cannot open the tracefs instance '%s'",
				   instance)
		     : 0;
}

int kft_tracefs_dir_create(const struct kft_ledger *u, const char *name,
			   const char *tracer, struct kft_tracefs_dir *ret,
			   struct kft_err *e)
{
	char instance[KFT_PLACE_PREFIX_MAX - 16];

	kft_tracefs_dir_instance_name(name, instance, sizeof(instance));
	int r = kft_tracefs_dir_make_instance(u, instance, ret, e);
	if (r < 0 || has_tracer(ret->fd, tracer))
		return r;
	/* The kernel has no such tracer in instances (before Linux 6.11): use the top level. */
	kft_tracefs_dir_close(ret);
	r = kft_ledger_undo(u, e);
	return r < 0 ? r : take_top(u, tracer, ret, e);
}

int kft_tracefs_dir_open(const struct kft_ledger *u, const char *name, bool top,
			 struct kft_tracefs_dir *ret)
{
	struct kft_tracefs_dir p = {.ledger = u, .top = top};
	char instance[KFT_PLACE_PREFIX_MAX - 16];

	kft_tracefs_dir_instance_name(name, instance, sizeof(instance));
	if (!top)
		return kft_tracefs_dir_open_instance(u, instance, ret);
	p.fd = openat(u->tracefs_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p.fd < 0)
		return -errno;
	*ret = p;
	return 0;
}

int kft_tracefs_dir_open_beside(struct kft_tracefs_dir *p, const char *instance,
				struct kft_err *e)
{
	struct kft_tracefs_dir *beside = calloc(1, sizeof(*beside));
	int r = beside ? kft_tracefs_dir_open_instance(p->ledger, instance, beside)
		       : -ENOMEM;

	if (r < 0) {
		free(beside);
		return kft_err_sys(e, r, "cannot open the tracefs instance '%s'",
				   instance);
	}
	p->beside = beside;
	return 0;
}

int kft_tracefs_dir_make_beside(struct kft_tracefs_dir *p, const char *instance,
				struct kft_err *e)
{
	int r = make_instance(p->ledger, instance, e);

	return r < 0 ? r : kft_tracefs_dir_open_beside(p, instance, e);
}

void kft_tracefs_dir_close(struct kft_tracefs_dir *p)
{
	kft_closep(&p->fd);
	p->fd = -1;
	if (p->beside)
		kft_closep(&p->beside->fd);
	free(TAKE(p->beside));
}

int kft_tracefs_dir_switch(const struct kft_tracefs_dir *p, bool on)
{
	const char *value = on ? "1" : "0";
	int r = kft_control_file_set(p->fd, "tracing_on", value);
	int beside = p->beside ? kft_control_file_set(p->beside->fd, "tracing_on", value)
			       : 0;

	return r < 0 ? r : beside;
}

int kft_tracefs_dir_set_shared(const struct kft_tracefs_dir *p, const char *file,
			       const char *value, struct kft_err *e)
{
	char path[KFT_PLACE_PREFIX_MAX + KFT_PLACE_FILE_MAX];

	(void)snprintf(path, sizeof(path), "%s%s", p->prefix, file);
	return kft_ledger_set(p->ledger, path, value, e);
}

int kft_tracefs_dir_set(const struct kft_tracefs_dir *p, const char *file,
			const char *value, struct kft_err *e)
{
	if (p->top || p->kept)
		return kft_tracefs_dir_set_shared(p, file, value, e);
	int r = kft_control_file_set(p->fd, file, value);

	if (r < 0) {
		kft_err_sys(e, r, "cannot write '%s' to %s%s", value, p->prefix, file);
		kft_host_hint(p->ledger->host, r, e);
	}
	return r;
}

int kft_tracefs_dir_set_optional(const struct kft_tracefs_dir *p, const char *file,
				 const char *value, struct kft_err *e)
{
	if (kft_find_at(p->fd, file) == -ENOENT)
		return 0;
	return kft_tracefs_dir_set(p, file, value, e);
}

int kft_tracefs_dir_note_empty(const struct kft_tracefs_dir *p, const char *file,
			       struct kft_err *e)
{
	return p->top ? kft_ledger_note_empty(p->ledger, file, e) : 0;
}

int kft_tracefs_dir_set_u64(const struct kft_tracefs_dir *p, const char *file,
			    uint64_t value, struct kft_err *e)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	return kft_tracefs_dir_set(p, file, text, e);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the events that tell which task gets which name when. */
#include "capture/tracefs/name_events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/io.h"
#include "capture/tracefs/ctl.h"
#include "decode/format.h"

#define FORMAT_MAX_BYTES (64U << 10)

static bool find_field(const struct kft_class *c, const char *name, uint32_t size,
		       struct kft_field *ret)
{
	const struct kft_field *f = kft_class_field(c, name);

	if (!f || f->place != KFT_FIELD_INLINE || f->size != size)
		return false;
	*ret = *f;
	return true;
}

static bool find_event(struct kft_name_events *n, int tracefs_fd, const char *name,
		       const char *comm, struct kft_name_event *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_class c = {};
	char path[64];

	(void)snprintf(path, sizeof(path), "events/task/%s/format", name);
	if (kft_read_at(tracefs_fd, path, FORMAT_MAX_BYTES, &sb) < 0 ||
	    kft_format_parse("task", sb.buf, sb.len, sizeof(long), &n->arena, &c) < 0)
		return false;
	ret->id = c.id;
	return find_field(&c, "common_pid", 4, &ret->common_pid) &&
	       find_field(&c, "pid", 4, &ret->pid) &&
	       find_field(&c, comm, 16, &ret->comm);
}

static bool find_layout(struct kft_name_events *n, int tracefs_fd)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	uint64_t kb;

	n->page_size = sysconf(_SC_PAGESIZE);
	if (kft_ctl_read_u64(n->fd, "buffer_subbuf_size_kb", &kb) == 0 && kb)
		n->page_size = kb * 1024;
	return kft_read_at(tracefs_fd, "events/header_page", FORMAT_MAX_BYTES, &sb) ==
		       0 &&
	       kft_ring_layout_parse(sb.buf, sb.len, KFT_HOST_BIG_ENDIAN, &n->layout) ==
		       0;
}

static int open_cpus(struct kft_name_events *n)
{
	char path[64];
	int r = kft_cpus_list(n->fd, &n->cpus);

	for (size_t i = 0; r == 0 && i < n->cpus.len; i++) {
		(void)snprintf(path, sizeof(path), "per_cpu/cpu%u/trace_pipe_raw",
			       n->cpus.data[i]);
		int fd = openat(n->fd, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

		r = fd < 0 ? -errno : 0;
		if (r == 0 && !kft_vec_push(&n->raw_fds, fd)) {
			kft_closep(&fd);
			r = -ENOMEM;
		}
	}
	return r;
}

int kft_name_events_enable(int instance_fd)
{
	static const char *const files[] = {"events/task/task_newtask/enable",
					    "events/task/task_rename/enable"};
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(files); i++)
		r = kft_write_at(instance_fd, files[i], O_TRUNC, "1", 1);
	return r == 0 ? kft_ctl_set(instance_fd, "tracing_on", "1") : r;
}

int kft_name_events_open(struct kft_name_events *n, const struct kft_host *host,
			 int instance_fd)
{
	n->fd = instance_fd;
	if (!find_event(n, host->tracefs_fd, "task_newtask", "comm", &n->birth) ||
	    !find_event(n, host->tracefs_fd, "task_rename", "newcomm", &n->rename) ||
	    !find_layout(n, host->tracefs_fd))
		return -EOPNOTSUPP;
	n->page = malloc(n->page_size);
	return n->page ? open_cpus(n) : -ENOMEM;
}

void kft_name_events_close(struct kft_name_events *n)
{
	kft_vec_for_each(&n->raw_fds, fd)
		kft_closep(fd);
	kft_vec_finish(&n->raw_fds);
	kft_vec_finish(&n->cpus);
	kft_arena_finish(&n->arena);
	free(n->page);
	*n = (struct kft_name_events){};
}

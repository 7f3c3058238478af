// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the names of tasks, with their times, from the kernel. */
#include "tracefs/sources/name_events.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/io.h"
#include "tracefs/control/cpu_counts.h"
#include "tracefs/control/control_file.h"
#include "decode/format.h"
#include "decode/task_names.h"

#define FORMAT_MAX_BYTES (64U << 10)
#define STATS_MAX_BYTES	 4096
#define PID_OF_KTHREADD	 2

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
	    kft_format_parse("task", sb.buf, sb.len, sizeof(long), NULL, &n->arena, &c) <
		    0)
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
	if (kft_control_file_read_u64(n->fd, "buffer_subbuf_size_kb", &kb) == 0 && kb)
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
	return r == 0 ? kft_control_file_set(instance_fd, "tracing_on", "1") : r;
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

static uint32_t int_of(const uint8_t *data, const struct kft_field *f)
{
	return kft_load_u32(data + f->offset, false);
}

/* Converts an event into a record; false for other events. */
static bool read_event(const struct kft_name_events *n, uint64_t ts, const uint8_t *data,
		       uint32_t size, struct kft_task_name *ret)
{
	uint16_t id = kft_load_u16(data, false);
	const struct kft_name_event *ev = id == n->birth.id    ? &n->birth
					  : id == n->rename.id ? &n->rename
							       : NULL;

	if (!ev || size < ev->comm.offset + ev->comm.size ||
	    size < ev->pid.offset + ev->pid.size)
		return false;
	*ret = (struct kft_task_name){
		.ts = ts,
		.pid = int_of(data, &ev->pid),
		.is_renamed = ev == &n->rename,
		.is_kernel = ev == &n->birth &&
			     int_of(data, &ev->common_pid) == PID_OF_KTHREADD,
	};
	memcpy(ret->comm, data + ev->comm.offset, sizeof(ret->comm) - 1);
	return true;
}

static size_t read_page(struct kft_name_events *n, size_t size,
			struct kft_strbuf *records)
{
	struct kft_ring_page page;
	struct kft_task_name name;
	const uint8_t *data;
	uint32_t data_size;
	size_t left_out = 0;

	if (kft_ring_page_open(&n->layout, n->page, size, &page) < 0)
		return 0;
	if (page.lost)
		n->hole_ns = KFT_MAX(n->hole_ns, page.ts);
	while (kft_ring_next(&page, KFT_HOST_BIG_ENDIAN, &data, &data_size) > 0) {
		if (!read_event(n, page.ts, data, data_size, &name))
			continue;
		if (records->len < KFT_TASK_NAMES_MAX_BYTES)
			kft_task_name_encode(records, &name);
		else
			left_out++;
	}
	return left_out;
}

size_t kft_name_events_read(struct kft_name_events *n, struct kft_strbuf *records)
{
	size_t left_out = 0;

	kft_vec_for_each(&n->raw_fds, fd) {
		ssize_t size;

		while ((size = read(*fd, n->page, n->page_size)) > 0)
			left_out += read_page(n, size, records);
	}
	return left_out;
}

uint64_t kft_name_events_lost(const struct kft_name_events *n)
{
	uint64_t lost = 0;
	char path[64];

	kft_vec_for_each(&n->cpus, cpu) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
		struct kft_cpu_counts counts;

		(void)snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", *cpu);
		if (kft_read_at(n->fd, path, STATS_MAX_BYTES, &sb) == 0 &&
		    kft_cpu_counts_parse(kft_strbuf_cstr(&sb), &counts) == 0)
			lost += kft_cpu_counts_lost(&counts);
	}
	return lost;
}

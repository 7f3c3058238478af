// SPDX-License-Identifier: LGPL-2.1-or-later
/* Loads BPF programs and maps into the kernel. */
#include "bpf/kernel.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"

/* ENOTSUPP is internal to the kernel, so user space has no name for it. */
#define KERNEL_ENOTSUPP 524

/* Bytes for the verifier's log of a program that it refuses. */
#define LOG_BYTES (1 << 20)

int kft_bpf(int cmd, union kft_bpf_attr *attr)
{
	int r = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	if (r < 0)
		return errno == KERNEL_ENOTSUPP ? -EOPNOTSUPP : -errno;
	return r;
}

/* The kernel refuses a union with stray bits, and `= {}` clears only the first member. */
static void clear(union kft_bpf_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
}

int kft_bpf_map_create(const struct kft_bpf_map *map)
{
	union kft_bpf_attr attr;

	clear(&attr);
	attr.old.map_type = map->type;
	attr.old.key_size = map->key_size;
	attr.old.value_size = map->value_size;
	attr.old.max_entries = map->entries;
	attr.old.map_flags = map->flags;
	strncpy(attr.old.map_name, map->name, sizeof(attr.old.map_name) - 1);
	return kft_bpf(BPF_MAP_CREATE, &attr);
}

static int access_map(int cmd, int fd, const void *key, const void *value)
{
	union kft_bpf_attr attr;

	clear(&attr);
	attr.old.map_fd = (uint32_t)fd;
	attr.old.key = (uintptr_t)key;
	attr.old.value = (uintptr_t)value;
	int r = kft_bpf(cmd, &attr);

	return r < 0 ? r : 0;
}

int kft_bpf_map_lookup(int fd, const void *key, void *value)
{
	return access_map(BPF_MAP_LOOKUP_ELEM, fd, key, value);
}

int kft_bpf_map_update(int fd, const void *key, const void *value)
{
	return access_map(BPF_MAP_UPDATE_ELEM, fd, key, value);
}

int kft_bpf_map_delete(int fd, const void *key)
{
	return access_map(BPF_MAP_DELETE_ELEM, fd, key, NULL);
}

int kft_bpf_map_next(int fd, const void *key, void *ret_key)
{
	return access_map(BPF_MAP_GET_NEXT_KEY, fd, key, ret_key);
}

static int load(uint32_t type, const char *name, const struct kft_bpf_code *code,
		char *log)
{
	union kft_bpf_attr attr;

	clear(&attr);
	attr.prog_load.prog_type = type;
	attr.prog_load.insns = (uintptr_t)code->insns.data;
	attr.prog_load.insn_cnt = (uint32_t)code->insns.len;
	attr.prog_load.license = (uintptr_t) "GPL";
	strncpy(attr.prog_load.prog_name, name, sizeof(attr.prog_load.prog_name) - 1);
	if (log) {
		attr.prog_load.log_level = 1;
		attr.prog_load.log_size = LOG_BYTES;
		attr.prog_load.log_buf = (uintptr_t)log;
	}
	return kft_bpf(BPF_PROG_LOAD, &attr);
}

/* The verifier's reason is its last line but for its statistics ("processed 23 insns ..."). */
static char *reason_in(char *log)
{
	char *end = strstr(log, "\nprocessed ");

	if (end)
		*end = '\0';
	size_t len = strlen(log);

	while (len && log[len - 1] == '\n')
		log[--len] = '\0';
	char *line = strrchr(log, '\n');

	return line ? line + 1 : log;
}

static int explain_refusal(uint32_t type, const char *name,
			   const struct kft_bpf_code *code, int r, struct kft_err *e)
{
	_cleanup_free_ char *log = calloc(1, LOG_BYTES);

	(void)kft_err_set(e, r, "the kernel refuses the BPF program '%s'", name);
	/* Without privileges the kernel does not look at the program at all. */
	if (r == -EPERM || !log)
		return r;
	_cleanup_close_ int fd = load(type, name, code, log);

	log[LOG_BYTES - 1] = '\0';
	if (fd < 0 && *log)
		kft_err_hint(e, "its verifier says: %s", reason_in(log));
	return r;
}

int kft_bpf_load_program(uint32_t type, const char *name, struct kft_bpf_code *code,
			 struct kft_err *e)
{
	int r = kft_bpf_code_resolve(code);

	if (r < 0)
		return kft_err_set(e, r, "the BPF program '%s' cannot be built", name);
	r = load(type, name, code, NULL);
	return r < 0 ? explain_refusal(type, name, code, r, e) : r;
}

int kft_bpf_attach_event(int program_fd, uint32_t event_id)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = event_id,
		.sample_period = 1,
	};
	/* The program runs on all CPUs, whichever CPU the event is opened on. */
	_cleanup_close_ int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1,
					      PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program_fd) < 0 ||
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) < 0)
		return -errno;
	return TAKE_FD(fd);
}

int kft_bpf_attach_raw(int program_fd, const char *tracepoint)
{
	union kft_bpf_attr attr;

	clear(&attr);
	attr.old.raw_tracepoint.name = (uintptr_t)tracepoint;
	attr.old.raw_tracepoint.prog_fd = (uint32_t)program_fd;
	return kft_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

uint64_t kft_bpf_missed_runs(int program_fd)
{
	struct kft_bpf_prog_info info = {};
	union kft_bpf_attr attr;

	clear(&attr);
	attr.old.info.bpf_fd = (uint32_t)program_fd;
	attr.old.info.info_len = sizeof(info);
	attr.old.info.info = (uintptr_t)&info;
	return kft_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) < 0 ? 0 : info.recursion_misses;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tries the features of buffers: splice, mmap, sizes, clocks, snapshots. */
#include "doctor/mechanisms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/dir.h"
#include "tracefs/control/catalog.h"

/* Opens trace_pipe_raw of this CPU in doctor's instance; on failure fills in the row. */
static int open_raw(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	char path[64];
	int cpu = kft_doctor_pin();

	if (cpu < 0) {
		kft_doctor_refused(env, res, cpu, "cannot stay on one CPU");
		return cpu;
	}
	snprintf(path, sizeof(path), "per_cpu/cpu%d/trace_pipe_raw", cpu);
	int fd = openat(env->inst_fd, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	int r = -errno;

	kft_doctor_refused_file(env, res, r, path);
	return r;
}

/*
 * Writes more than a sub-buffer holds: splice returns only whole sub-buffers, and not
 * the one that is being written.
 */
static int kick_fill(struct kft_doctor_env *env)
{
	char text[1001];
	int r = 0;

	memset(text, 'k', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (long left = 3 * sysconf(_SC_PAGESIZE); left > 0 && !r; left -= 1000)
		r = kft_doctor_append(env->inst_fd, "trace_marker", text);
	return r;
}

void kft_doctor_splice(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	int pipe_fds[2];
	int64_t n;

	if (!kft_doctor_need_instance(env, res))
		return;
	_cleanup_close_ int fd = open_raw(env, res);

	if (fd < 0 || !kft_doctor_try_record(env, res, kick_fill, &n))
		return;
	if (pipe2(pipe_fds, O_CLOEXEC | O_NONBLOCK) < 0) {
		kft_doctor_refused(env, res, -errno, "cannot make a pipe");
		return;
	}
	ssize_t len = splice(fd, NULL, pipe_fds[1], NULL, sysconf(_SC_PAGESIZE),
			     SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
	int r = len < 0 ? -errno : 0;

	close(pipe_fds[0]);
	close(pipe_fds[1]);
	if (r < 0)
		kft_doctor_refused(env, res, r, "cannot splice from trace_pipe_raw");
	else
		kft_doctor_yes(res, "%zd bytes moved without copying", len);
}

void kft_doctor_ring_mmap(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	size_t size = sysconf(_SC_PAGESIZE);

	if (!kft_doctor_need_instance(env, res))
		return;
	_cleanup_close_ int fd = open_raw(env, res);

	if (fd < 0)
		return;
	void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED) {
		kft_doctor_refused(env, res, -errno, "cannot map trace_pipe_raw");
		return;
	}
	munmap(map, size);
	kft_doctor_yes(res, "%s", "");
}

void kft_doctor_subbuf_size(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	static const char file[] = "buffer_subbuf_size_kb";
	char old[16];
	char text[16];
	uint64_t kb;

	if (!kft_doctor_need_instance(env, res))
		return;
	int r = kft_control_file_read_u64(env->inst_fd, file, &kb);

	if (!r && kb > 1024)
		r = -ERANGE;
	if (r < 0) {
		kft_doctor_refused_file(env, res, r, file);
		return;
	}
	snprintf(old, sizeof(old), "%u", (unsigned int)kb);
	snprintf(text, sizeof(text), "%u", (unsigned int)kb * 2);
	r = kft_doctor_set(env->inst_fd, file, text);
	if (r < 0)
		kft_doctor_refused(env, res, r, "cannot set '%s' to %s", file, text);
	else
		kft_doctor_yes(res, "%s kB now, %s kB accepted", old, text);
	(void)!kft_doctor_write(env->inst_fd, file, old);
}

void kft_doctor_clocks(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf names = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf now = {};
	_cleanup_(kft_catalog_finish) struct kft_catalog list = {};

	if (!kft_doctor_need_instance(env, res))
		return;
	int r = kft_doctor_write(env->inst_fd, "trace_clock", "mono");

	if (!r)
		r = kft_control_file_read(env->inst_fd, "trace_clock", &now);
	if (!r)
		r = kft_catalog_read(env->host, KFT_CATALOG_CLOCKS, NULL, &list, NULL);
	if (r < 0) {
		kft_doctor_refused(env, res, r, "cannot set 'trace_clock' to mono");
		return;
	}
	kft_vec_for_each(&list.entries, it)
		kft_strbuf_addf(&names, "%s%s", names.len ? " " : "", it->name);
	if (kft_control_file_says(now.buf, "mono"))
		kft_doctor_yes(res, "%s", kft_strbuf_cstr(&names));
	else
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "mono accepted, but not used");
	(void)!kft_doctor_write(env->inst_fd, "trace_clock", "local");
}

void kft_doctor_snapshot(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	if (!kft_doctor_need_instance(env, res))
		return;
	int r = kft_doctor_write(env->inst_fd, "snapshot", "1");

	if (r < 0) {
		kft_doctor_refused_file(env, res, r, "snapshot");
		return;
	}
	(void)!kft_doctor_write(env->inst_fd, "snapshot", "0");
	kft_doctor_yes(res, "in instances");
}

/*
 * A persistent instance, in memory reserved by the boot loader, has a file
 * that other instances lack.
 */
void kft_doctor_persistent_ring(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	const char *name;
	char path[300];

	if (!kft_doctor_need_tracefs(env, res))
		return;
	_cleanup_closedir_ DIR *dir = kft_opendir_at(env->tracefs_fd, "instances");

	if (!dir) {
		kft_doctor_refused_file(env, res, -errno, "instances");
		return;
	}
	kft_doctor_no(res, KFT_DOCTOR_SWITCHED_OFF, "no instance in reserved memory");
	while ((name = kft_dir_next(dir))) {
		snprintf(path, sizeof(path), "instances/%s/last_boot_info", name);
		if (kft_doctor_exists(env->tracefs_fd, path))
			kft_doctor_yes(res, "instances/%s", name);
	}
}

// SPDX-License-Identifier: GPL-2.0-only
#include "live.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/io.h"
#include "tracefs/control/instance.h"
#include "tracefs/control/mount.h"

static const char *path_of(const char *name, const char *path)
{
	static char buf[PATH_MAX];

	(void)snprintf(buf, sizeof(buf), "instances/" KFT_INSTANCE_PREFIX "%s/%s", name,
		       path);
	return buf;
}

static int tracefs(void)
{
	static struct kft_host *host;
	int fd;

	if (!host)
		assert_int_equal(kft_host_open(NULL, &host, NULL), 0);
	assert_int_equal(kft_tracefs_open(host, &fd, NULL), 0);
	return fd;
}

void live_need_tracefs(void)
{
	struct kft_instance i;
	struct kft_host *host;
	struct kft_err e = {};

	if (kft_host_open(NULL, &host, &e) < 0 ||
	    kft_instance_create(host, NULL, &i, &e) < 0) {
		(void)fprintf(stderr, "skipped: %s\n", e.msg);
		exit(77);
	}
	(void)!kft_instance_remove(&i, NULL);
	kft_host_close(host);
}

void live_need_private_mounts(void)
{
	struct statx root = {};

	if (statx(AT_FDCWD, "/", 0, 0, &root) < 0 ||
	    !(root.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) ||
	    root.stx_attributes & STATX_ATTR_MOUNT_ROOT)
		return;
	(void)fprintf(stderr, "skipped: the root directory is no mount point\n");
	skip();
}

static void show_note(void *arg, const char *text)
{
	(void)fprintf(stderr, "note: %s\n", text);
}

void live_init(struct live *l, const char *name)
{
	char full[64];

	*l = (struct live){.opts = {.notify = {.note = show_note}, .sink_dirfd = -1}};
	(void)snprintf(full, sizeof(full), "test-%ld-%s", (long)getpid(), name);
	assert_int_equal(kft_host_open(NULL, &l->host, NULL), 0);
	assert_int_equal(kft_plan_set_name(&l->plan, full, NULL), 0);
	test_sink_init(&l->sink);
}

void live_finish(struct live *l)
{
	assert_int_equal(kft_capture_close(l->session, &l->err), 0);
	l->session = NULL;
	assert_false(live_instance_exists(l->plan.name));
	kft_plan_finish(&l->plan);
	test_sink_finish(&l->sink);
	kft_host_close(l->host);
}

static void must(const struct live *l, int r)
{
	if (r < 0)
		fail_msg("%s (%s)", l->err.msg, l->err.hint);
}

void live_start(struct live *l)
{
	must(l, kft_capture_create(l->host, &l->plan, &l->sink.base, &l->opts,
				   &l->session, &l->err));
	must(l, kft_capture_arm(l->session, &l->err));
	/* Programs that mark all sessions would add events to those that are counted. */
	(void)!kft_write_at(tracefs(), path_of(l->plan.name, "options/markers"), 0, "0",
			    1);
	must(l, kft_capture_start(l->session, &l->err));
}

void live_stop(struct live *l)
{
	must(l, kft_capture_stop(l->session, &l->err));
	must(l, kft_capture_close(l->session, &l->err));
	l->session = NULL;
}

bool live_instance_exists(const char *name)
{
	return faccessat(tracefs(), path_of(name, ""), F_OK, 0) == 0;
}

const char *live_instance_read(const char *name, const char *path)
{
	static struct kft_strbuf sb;

	kft_strbuf_clear(&sb);
	assert_int_equal(kft_read_at(tracefs(), path_of(name, path), 1 << 20, &sb), 0);
	return kft_strbuf_cstr(&sb);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

static void pin(int cpu)
{
	cpu_set_t set;

	if (cpu < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	(void)sched_setaffinity(0, sizeof(set), &set);
}

static void *hammer_main(void *arg)
{
	struct hammer *h = arg;

	pin(h->cpu);
	h->tid = syscall(SYS_gettid);
	(void)sem_post(&h->ready);
	(void)sem_wait(&h->go);
	/* Again: its CPU may have been off in between. */
	pin(h->cpu);
	uint64_t start = now_ns();
	for (uint64_t i = 0; i < h->count; i++) {
		(void)syscall(SYS_getppid, i);
		/* Looked at in batches: reading the clock takes longer than a call. */
		if (h->per_second && i % 64 == 0)
			while ((now_ns() - start) * (h->per_second / 1000) / 1000000 < i)
				;
	}
	return NULL;
}

void live_hammers_prepare(struct live *l, struct hammer *h, size_t n)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_addf(&sb, "id == %d && (", SYS_getppid);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(sem_init(&h[i].ready, 0, 0), 0);
		assert_int_equal(sem_init(&h[i].go, 0, 0), 0);
		assert_int_equal(pthread_create(&h[i].thread, NULL, hammer_main, &h[i]),
				 0);
		(void)sem_wait(&h[i].ready);
		kft_strbuf_addf(&sb, "%scommon_pid == %d", i ? " || " : "", h[i].tid);
	}
	kft_strbuf_adds(&sb, ")");
	assert_int_equal(kft_plan_add_event(&l->plan, "raw_syscalls:sys_enter",
					    kft_strbuf_cstr(&sb), NULL),
			 0);
}

void live_hammers_run(struct hammer *h, size_t n)
{
	for (size_t i = 0; i < n; i++)
		(void)sem_post(&h[i].go);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(pthread_join(h[i].thread, NULL), 0);
		(void)sem_destroy(&h[i].ready);
		(void)sem_destroy(&h[i].go);
	}
}

static uint64_t read_pages(const struct live *l, uint32_t cpu, const uint8_t *data,
			   size_t size,
			   void (*each)(void *arg, const struct kft_event *ev), void *arg)
{
	size_t page_size = l->sink.page_size;
	struct kft_ring_layout layout;
	struct kft_ring_page page;
	uint64_t n = 0;

	assert_int_equal(size % page_size, 0);
	assert_int_equal(kft_ring_layout_parse(l->sink.header_page,
					       strlen(l->sink.header_page),
					       KFT_HOST_BIG_ENDIAN, &layout),
			 0);
	for (size_t at = 0; at < size; at += page_size) {
		const uint8_t *record;
		uint32_t len;
		int r;

		assert_int_equal(kft_ring_page_open(&layout, data + at, page_size, &page),
				 0);
		assert_false(page.cut);
		uint64_t lost = page.lost;
		while ((r = kft_ring_next(&page, KFT_HOST_BIG_ENDIAN, &record, &len)) >
		       0) {
			struct kft_event ev = {
				.ts = page.ts,
				.lost_before = lost,
				.data = record,
				.size = len,
				.cpu = cpu,
				.id = kft_load_u16(record, false),
			};

			lost = 0;
			n++;
			if (each)
				each(arg, &ev);
		}
		assert_int_equal(r, 0);
	}
	return n;
}

uint64_t live_events(const struct live *l,
		     void (*each)(void *arg, const struct kft_event *ev), void *arg)
{
	uint64_t n = 0;

	for (uint32_t cpu = 0; cpu < TEST_SINK_CPUS; cpu++) {
		struct stat st;

		if (l->sink.fds[cpu] < 0)
			continue;
		assert_int_equal(fstat(l->sink.fds[cpu], &st), 0);
		if (st.st_size == 0)
			continue;
		void *map = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED,
				 l->sink.fds[cpu], 0);
		assert_true(map != MAP_FAILED);
		n += read_pages(l, cpu, map, st.st_size, each, arg);
		(void)munmap(map, st.st_size);
	}
	return n;
}

unsigned int live_event_id(const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	char full[PATH_MAX];

	(void)snprintf(full, sizeof(full), "events/%s/id", path);
	assert_int_equal(kft_read_at(tracefs(), full, 64, &sb), 0);
	return atoi(kft_strbuf_cstr(&sb));
}

/*
 * raw_syscalls:sys_enter: common_pid at 4, the system call at 8 and its six arguments
 * behind, each of the kernel's long.
 */
struct call_walk {
	void (*each)(void *arg, const struct call *c);
	void *arg;
	uint64_t n;
	unsigned int id;
};

static void walk_call(void *arg, const struct kft_event *ev)
{
	struct call_walk *w = arg;

	if (ev->id != w->id)
		return;
	size_t word = ev->size >= 64 ? 8 : 4;
	assert_true(ev->size >= 8 + 2 * word);
	struct call c = {
		.ts = ev->ts,
		.lost_before = ev->lost_before,
		.tid = kft_load_u32(ev->data + 4, false),
		.cpu = ev->cpu,
		.number = word == 8 ? kft_load_u64(ev->data + 16, false)
				    : kft_load_u32(ev->data + 12, false),
	};
	w->n++;
	if (w->each)
		w->each(w->arg, &c);
}

uint64_t live_calls(const struct live *l, void (*each)(void *arg, const struct call *c),
		    void *arg)
{
	struct call_walk w = {
		.each = each,
		.arg = arg,
		.id = live_event_id("raw_syscalls/sys_enter"),
	};

	(void)live_events(l, walk_call, &w);
	return w.n;
}

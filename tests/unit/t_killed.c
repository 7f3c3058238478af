// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recorder and a recovery are killed at every system call in turn: the data that had reached
 * a file by then must be readable, at once and after kft recover.
 */
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/io.h"
#include "file/tracedat/live_sink.h"
#include "file/tracedat/read/recover.h"
#include "look.h"
#include "sample.h"
#include "tmpdir.h"

#define N_CPUS	  LOOK_CPUS
#define N_PAGES	  2 /* of each CPU */
#define OLD_ID	  7
#define NEW_ID	  8
#define MAX_STEPS 2000

static const struct kft_tracedat_opts plain = {};

/* The steps that the child has certainly completed, in shared memory. */
struct done {
	uint32_t pages[N_CPUS];
	uint32_t losses;
	bool begun;
	bool ended;
};

static struct done *done;

static void die_unless(bool ok)
{
	if (!ok)
		_exit(9);
}

/* A page in two pieces, as a full disk or a kill might leave it. */
static void put_page(struct kft_sink *s, uint32_t cpu, uint32_t i)
{
	const size_t half = SAMPLE_PAGE_HEADER + 100 * SAMPLE_EVENT_BYTES + 7;
	uint8_t page[SAMPLE_PAGE_BYTES];
	int fd = -1;

	die_unless(s->ops->cpu_fd(s, cpu, &fd, NULL) == 0);
	sample_page(page, i * SAMPLE_EVENTS_IN_PAGE, SAMPLE_EVENTS_IN_PAGE);
	die_unless(kft_write_all(fd, page, half) == 0);
	die_unless(kft_write_all(fd, page + half, sizeof(page) - half) == 0);
	done->pages[cpu]++;
}

static struct kft_sink *begin(const char *path, struct kft_meta *m)
{
	struct kft_sink *s = NULL;

	sample_meta(m);
	m->trace_id = NEW_ID;
	die_unless(kft_tracedat_sink_create(path, &plain, &s, NULL) == 0);
	die_unless(s->ops->begin(s, m, NULL) == 0);
	done->begun = true;
	return s;
}

static void put_events(struct kft_sink *s, const struct kft_meta *m)
{
	const struct kft_lost_range lost = {.cpu = 1, .since = 1, .until = 2, .count = 1};

	for (uint32_t i = 0; i < N_PAGES; i++) {
		for (uint32_t cpu = 0; cpu < N_CPUS; cpu++)
			put_page(s, cpu, i);
		die_unless(s->ops->lost(s, &lost) == 0);
		done->losses++;
		die_unless(s->ops->tasks(s, &m->cmdlines, &m->tgids) == 0);
	}
}

static void record(const char *path)
{
	struct kft_meta m = {};
	struct kft_sink *s = begin(path, &m);
	const struct kft_lost_range lost = {.cpu = 1, .since = 1, .until = 2, .count = 1};

	put_events(s, &m);
	for (uint32_t i = 0; i < done->losses; i++)
		die_unless(kft_vec_push(&m.lost, lost));
	die_unless(s->ops->end(s, &m, NULL) == 0);
	done->ended = true;
	s->ops->destroy(s);
}

static void recover(const char *path)
{
	struct kft_tracedat_recovered result;

	die_unless(kft_tracedat_recover(path, NULL, &plain, &result, NULL) == 0);
	done->ended = true;
}

/*
 * Runs the action in a child and kills it before its steps'th system call. False when it
 * came to its end before.
 */
static bool run_and_kill(void (*action)(const char *), const char *path,
			 unsigned int steps)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		die_unless(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0);
		(void)raise(SIGSTOP);
		action(path);
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSTOPPED(status));
	/* Entry and exit of a call stop the child: to the entry of the last one. */
	for (unsigned int i = 0; i < 2 * steps - 1; i++) {
		assert_int_equal(ptrace(PTRACE_SYSCALL, pid, NULL, NULL), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (WIFEXITED(status)) {
			assert_int_equal(WEXITSTATUS(status), 0);
			return false;
		}
	}
	(void)kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return true;
}

/* All that was written for sure is there, and nothing that was not. */
static void assert_complete(const struct look *f)
{
	assert_int_equal(f->id, NEW_ID);
	for (uint32_t cpu = 0; cpu < N_CPUS; cpu++) {
		assert_true(f->events[cpu] >= done->pages[cpu] * SAMPLE_EVENTS_IN_PAGE);
		assert_true(f->events[cpu] <=
			    (done->pages[cpu] + 1) * SAMPLE_EVENTS_IN_PAGE);
	}
	assert_true(f->losses >= done->losses);
}

static void assert_same(const struct look *a, const struct look *b)
{
	assert_memory_equal(a->events, b->events, sizeof(a->events));
	assert_int_equal(a->losses, b->losses);
}

static void write_old(const char *path)
{
	struct kft_meta m = {};
	const struct kft_tracedat_buffer b = {
		.name = "", .clock = "mono", .page_size = SAMPLE_PAGE_BYTES};
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	sample_meta(&m);
	m.trace_id = OLD_ID;
	assert_int_equal(kft_tracedat_write(fd, &m, &b, 1, &plain, NULL), 0);
	kft_meta_finish(&m);
}

/* The next recorder replaces the file only if it `may`: it does not destroy usable data. */
static void assert_next_begin(const char *path, bool may)
{
	struct kft_meta m = {};
	struct kft_sink *s = NULL;

	sample_meta(&m);
	assert_int_equal(kft_tracedat_sink_create(path, &plain, &s, NULL), 0);
	assert_int_equal(s->ops->begin(s, &m, NULL), may ? 0 : -EEXIST);
	s->ops->destroy(s);
	kft_meta_finish(&m);
}

static void check_killed_recorder(struct tmpdir *d, const char *path)
{
	struct kft_tracedat_recovered result;
	struct look f = look_at(path);

	if (f.id == OLD_ID) {
		assert_false(done->begun);
		assert_next_begin(path, true);
		return;
	}
	assert_complete(&f);
	assert_true(f.unfinished || done->pages[N_CPUS - 1] == N_PAGES);
	if (f.unfinished && (f.events[0] || f.events[1])) {
		assert_next_begin(path, false);
		assert_int_equal(kft_tracedat_recover(path, NULL, &plain, &result, NULL),
				 0);
		assert_int_equal(result.damage_count, 0);
		struct look again = look_at(path);
		assert_false(again.unfinished);
		assert_same(&f, &again);
	}
	assert_next_begin(path, true);
	assert_false(tmpdir_exists(d, "x.parts"));
}

static void setup_done(void)
{
	done = mmap(NULL, sizeof(*done), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(done != MAP_FAILED);
}

static bool can_ptrace(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

static void a_recorder_killed_at_any_call_loses_nothing(void **state)
{
	struct tmpdir *d = *state;
	char path[sizeof(d->path)];
	unsigned int step = 1;
	bool killed = true;

	(void)strcpy(path, tmpdir_path(d, "x"));
	for (; killed && step < MAX_STEPS; step++) {
		*done = (struct done){};
		write_old(path);
		killed = run_and_kill(record, path, step);
		check_killed_recorder(d, path);
		(void)unlink(path);
		assert_int_equal(tmpdir_count(d), 0);
	}
	assert_false(killed);
	/* There were calls to be killed at. */
	assert_true(step > 50);
}

static void a_recovery_killed_at_any_call_loses_nothing(void **state)
{
	struct tmpdir *d = *state;
	char path[sizeof(d->path)];
	unsigned int step = 1;
	bool killed = true;

	(void)strcpy(path, tmpdir_path(d, "x"));
	for (; killed && step < MAX_STEPS; step++) {
		struct kft_meta m = {};

		*done = (struct done){};
		struct kft_sink *s = begin(path, &m);
		put_events(s, &m);
		s->ops->destroy(s);
		kft_meta_finish(&m);
		killed = run_and_kill(recover, path, step);
		struct look f = look_at(path);
		assert_complete(&f);
		if (f.unfinished)
			recover(path);
		struct look again = look_at(path);
		assert_false(again.unfinished);
		assert_same(&f, &again);
		assert_next_begin(path, true);
		(void)unlink(path);
		assert_int_equal(tmpdir_count(d), 0);
	}
	assert_false(killed);
	assert_true(step > 20);
}

#define T(f) cmocka_unit_test_setup_teardown(f, tmpdir_setup, tmpdir_teardown)

static const struct CMUnitTest tests[] = {
	T(a_recorder_killed_at_any_call_loses_nothing),
	T(a_recovery_killed_at_any_call_loses_nothing),
};

int main(void)
{
	if (!can_ptrace()) {
		(void)fprintf(stderr, "ptrace is not allowed here\n");
		return 77;
	}
	setup_done();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

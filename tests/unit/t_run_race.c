// SPDX-License-Identifier: GPL-2.0-only
/* A run of a kernel that goes on while it is looked at. */
#include "t.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "session/run/run.h"
#include "fake.h"
#include "fake_graph.h"

#define PATH_LEN 400

/*
 * A kernel that lets triggers fire at one moment of a look: when the stats of cpu `at` are
 * read (cpus: when the look is over). That file is a FIFO, so that the reader waits for it.
 */
struct kernel {
	struct fake *f;
	unsigned int cpus;
	unsigned int at;
	unsigned int recorded_on; /* the CPU with the triggers' records in its buffer */
	bool stops; /* the stop's trigger fires as well */
	char fifo[PATH_LEN];
};

static struct kft_plan plan;

static const char *stats_path(unsigned int cpu)
{
	char file[64];

	(void)snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", cpu);
	return fake_graph_path("a", file);
}

static const char *absolute(const struct kernel *k, const char *path, char ret[PATH_LEN])
{
	(void)snprintf(ret, PATH_LEN, "%s/%s", k->f->root, path);
	return ret;
}

/* Replaces a file atomically: readers get the old text or the new one. */
static void replace(const struct kernel *k, const char *path, const char *text)
{
	char name[PATH_LEN];
	char new_name[PATH_LEN + 8];

	(void)snprintf(new_name, sizeof(new_name), "%s.new", absolute(k, path, name));
	int fd = open(new_name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	(void)close(fd);
	assert_int_equal(rename(new_name, name), 0);
}

static void fire(const struct kernel *k)
{
	char file[128];
	char group[KFT_PROBE_GROUP_MAX];

	kft_probes_group("a", group);
	(void)snprintf(file, sizeof(file), "events/%s/start/trigger", group);
	replace(k, fake_graph_path("a", file), "traceon:count=0\n");
	if (k->stops) {
		(void)snprintf(file, sizeof(file), "events/%s/stop/trigger", group);
		replace(k, fake_graph_path("a", file), "traceoff:count=0\n");
	}
	replace(k, fake_graph_path("a", "tracing_on"), k->stops ? "0\n" : "1\n");
	if (k->recorded_on != k->at)
		replace(k, stats_path(k->recorded_on), "entries: 1\n");
}

static void *run_kernel(void *arg)
{
	const struct kernel *k = arg;
	const char *text = k->recorded_on == k->at ? "entries: 1\n" : "entries: 0\n";
	/* This open() waits until the reader opens the FIFO. */
	int fd = open(k->fifo, O_WRONLY | O_CLOEXEC);

	fire(k);
	(void)!write(fd, text, strlen(text));
	(void)close(fd);
	return NULL;
}

static void look(struct kft_run *r)
{
	assert_int_equal(kft_run_refresh(r, &plan, NULL), 0);
}

static void look_while_it_fires(struct kernel *k, struct kft_run *r)
{
	pthread_t thread;

	if (k->at == k->cpus) {
		look(r);
		fire(k);
		return;
	}
	absolute(k, stats_path(k->at), k->fifo);
	assert_int_equal(unlink(k->fifo), 0);
	assert_int_equal(mkfifo(k->fifo, 0600), 0);
	assert_int_equal(pthread_create(&thread, NULL, run_kernel, k), 0);
	look(r);
	assert_int_equal(pthread_join(thread, NULL), 0);
	replace(k, stats_path(k->at),
		k->recorded_on == k->at ? "entries: 1\n" : "entries: 0\n");
}

/* Primed, nothing recorded. */
static void rewind_run(const struct kernel *k, struct kft_run *r,
		       const struct kft_session_state *primed)
{
	char file[128];
	char group[KFT_PROBE_GROUP_MAX];

	kft_probes_group("a", group);
	(void)snprintf(file, sizeof(file), "events/%s/stop/trigger", group);
	replace(k, fake_graph_path("a", file), "traceoff:count=1\n");
	replace(k, fake_graph_path("a", "tracing_on"), "0\n");
	replace(k, stats_path(k->recorded_on), "entries: 0\n");
	r->rec = *primed;
}

static void assert_fired(const struct kernel *k, const struct kft_run *r)
{
	assert_int_equal(r->rec.started, KFT_CAUSE_TRIGGER);
	assert_int_equal(kft_state_is_complete(r->rec.state), k->stops);
	assert_int_equal(r->rec.stopped, k->stops ? KFT_CAUSE_TRIGGER : KFT_CAUSE_NONE);
}

/* Whenever its triggers fire, a run must not be mistaken for one that another program ended. */
static void look_often(struct fake *f, unsigned int cpus, unsigned int times)
{
	struct kernel k = {.f = f, .cpus = cpus};
	struct kft_session_state primed;
	struct kft_run r;

	for (unsigned int cpu = 0; cpu < cpus; cpu++)
		fake_write(f, stats_path(cpu), "entries: 0\n");
	assert_int_equal(kft_run_open(f->host, "a", &r, NULL), 0);
	primed = r.rec;
	for (unsigned int i = 0; i < times; i++) {
		/* Vary the CPU that is being read and, relative to it, the CPU with the records. */
		k.at = i * 37 % (cpus + 1);
		k.recorded_on = (k.at + i * 89) % cpus;
		k.stops = i % 2;
		look_while_it_fires(&k, &r);
		if (r.rec.started != KFT_CAUSE_NONE)
			assert_int_equal(kft_state_is_complete(r.rec.state), k.stops);
		look(&r);
		assert_fired(&k, &r);
		rewind_run(&k, &r, &primed);
	}
	kft_run_close(&r);
}

static void what_fires_during_a_look_ends_no_run(void **state)
{
	look_often(*state, 4, 1000);
}

static void nor_does_it_with_many_cpus(void **state)
{
	look_often(*state, 256, 60);
}

static int setup(void **state)
{
	int n = fake_tracefs_setup(state);
	struct fake *f = *state;
	struct kft_run r;

	fake_graph_files(f, "a", true);
	plan = (struct kft_plan){.functions = {.enabled = true}};
	assert_int_equal(kft_plan_trigger_set_function(&plan.start, KFT_TRIGGER_ENTRY,
						       "vfs_read", NULL),
			 0);
	assert_int_equal(kft_plan_trigger_set_function(&plan.stop, KFT_TRIGGER_EXIT,
						       "vfs_read", NULL),
			 0);
	assert_int_equal(kft_run_load(f->host, "a", "begin end", 9,
				      &(struct kft_run_options){}, &r, NULL),
			 0);
	assert_int_equal(kft_run_prime(&r, &plan, NULL), 0);
	kft_run_close(&r);
	return n;
}

static int teardown(void **state)
{
	kft_plan_finish(&plan);
	return fake_teardown(state);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(what_fires_during_a_look_ends_no_run, setup,
					teardown),
	cmocka_unit_test_setup_teardown(nor_does_it_with_many_cpus, setup, teardown),
};

T_MAIN(tests)

// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <fcntl.h>

#include "tracefs/sources/probes.h"
#include "fake.h"
#include "fake_graph.h"

/* Opens the top-level tracefs directory, with a ledger of changes in run/. */
static void open_place(struct fake *f, struct kft_ledger *u, struct kft_tracefs_dir *p)
{
	fake_graph_files(f, "a", true);
	int fd = openat(f->host->root_fd, "run", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(kft_ledger_init(u, f->host, fd, NULL), 0);
	assert_int_equal(kft_tracefs_dir_open(u, "a", true, p), 0);
}

static void close_place(struct kft_ledger *u, struct kft_tracefs_dir *p)
{
	kft_tracefs_dir_close(p);
	(void)close(u->dir_fd);
}

static const char *read_event(struct fake *f, const char *event, const char *file)
{
	char group[KFT_PROBE_GROUP_MAX];
	char path[256];

	kft_probes_group("a", group);
	(void)snprintf(path, sizeof(path), TOP "events/%s/%s/%s", group, event, file);
	return fake_read(f, path);
}

static void triggers_are_probes_with_triggers(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {};
	struct kft_ledger u;
	struct kft_tracefs_dir p;

	open_place(f, &u, &p);
	assert_int_equal(kft_plan_trigger_set_function(&plan.start, KFT_TRIGGER_ENTRY,
						       "vfs_read", NULL),
			 0);
	assert_int_equal(kft_plan_trigger_set_function(&plan.stop, KFT_TRIGGER_EXIT,
						       "0xffff8000", NULL),
			 0);
	assert_int_equal(kft_probes_prepare(&p, "a", &plan, NULL), 0);
	assert_int_equal(kft_probes_arm(&p, "a", &plan, false, NULL), 0);
	/* Probes are appended, so the fake file has the lines of both. */
	assert_non_null(strstr(fake_read(f, TOP "kprobe_events"), "/start vfs_read"));
	assert_non_null(strstr(fake_read(f, TOP "kprobe_events"), "/stop 0xffff8000"));
	assert_string_equal(read_event(f, "start", "enable"), "1");
	assert_string_equal(read_event(f, "start", "trigger"), "traceon:1");
	assert_string_equal(read_event(f, "stop", "trigger"),
			    "traceoff:1 if common_pid >= 0");
	/* Triggers first, then events, then probes: each needs the one behind it. */
	assert_int_equal(kft_probes_disarm(&p, "a", &plan.start, KFT_PROBE_START), 0);
	assert_int_equal(strncmp(read_event(f, "start", "trigger"), "!traceon", 8), 0);
	assert_int_equal(kft_ledger_undo(&u, NULL), 0);
	assert_string_equal(read_event(f, "stop", "enable"), "0");
	assert_non_null(strstr(fake_read(f, TOP "kprobe_events"), "-:kft_"));
	kft_plan_finish(&plan);
	close_place(&u, &p);
}

static void autorepeat_has_no_count(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {.autorepeat = true};
	struct kft_ledger u;
	struct kft_tracefs_dir p;

	open_place(f, &u, &p);
	assert_int_equal(kft_plan_trigger_set_function(&plan.start, KFT_TRIGGER_ENTRY,
						       "vfs_read", NULL),
			 0);
	assert_int_equal(kft_probes_prepare(&p, "a", &plan, NULL), 0);
	assert_int_equal(kft_probes_arm(&p, "a", &plan, false, NULL), 0);
	assert_string_equal(read_event(f, "start", "trigger"), "traceon");
	assert_string_equal(read_event(f, "stop", "trigger"), "");
	kft_plan_finish(&plan);
	close_place(&u, &p);
}

/* Its event is recorded once. */
static void what_is_beside_is_switched_too(void **state)
{
	static const char beside[] = TOP
		"instances/beside/events/sched/sched_wakeup/trigger";
	static const char main[] = TOP "events/sched/sched_wakeup/trigger";
	struct fake *f = *state;
	struct kft_plan plan = {};
	struct kft_ledger u;
	struct kft_tracefs_dir p;

	open_place(f, &u, &p);
	fake_write(f, beside, "");
	fake_write(f, main, "");
	fake_write(f, TOP "events/sched/sched_wakeup/enable", "0\n");
	assert_int_equal(kft_tracefs_dir_open_beside(&p, "beside", NULL), 0);
	assert_int_equal(kft_plan_trigger_set_event(&plan.start, "sched:sched_wakeup",
						    "pid == 1", NULL),
			 0);
	assert_int_equal(kft_probes_arm(&p, "a", &plan, false, NULL), 0);
	assert_string_equal(fake_read(f, main), "traceon:1 if pid == 1");
	assert_string_equal(fake_read(f, beside), "traceon:1 if pid == 1");
	assert_int_equal(kft_probes_disarm(&p, "a", &plan.start, KFT_PROBE_START), 0);
	assert_int_equal(strncmp(fake_read(f, main), "!traceon", 8), 0);
	assert_int_equal(strncmp(fake_read(f, beside), "!traceon", 8), 0);
	assert_int_equal(kft_ledger_undo(&u, NULL), 0);
	kft_plan_finish(&plan);
	close_place(&u, &p);
}

static void a_count_of_zero_has_fired(void **state)
{
	static const struct kft_plan_trigger entry = {.kind = KFT_TRIGGER_ENTRY};
	struct fake *f = *state;
	struct kft_ledger u;
	struct kft_tracefs_dir p;
	char group[KFT_PROBE_GROUP_MAX];
	char path[256];

	open_place(f, &u, &p);
	kft_probes_group("a", group);
	(void)snprintf(path, sizeof(path), TOP "events/%s/start/trigger", group);
	fake_write(f, path, "traceon:count=1\n");
	assert_false(kft_probe_fired(&p, "a", &entry, KFT_PROBE_START));
	fake_write(f, path, "traceon:count=0\n");
	assert_true(kft_probe_fired(&p, "a", &entry, KFT_PROBE_START));
	assert_false(kft_probe_fired(&p, "b", &entry, KFT_PROBE_START));
	close_place(&u, &p);
}

#define WITH_TRACEFS(test) \
	cmocka_unit_test_setup_teardown(test, fake_tracefs_setup, fake_teardown)

/* The kernel puts a probe of "MODULE:FUNCTION" in again when the module is loaded again. */
static void probes_in_modules_name_the_module(void **state)
{
	struct fake *f = *state;
	struct kft_plan plan = {};
	char group[KFT_PROBE_GROUP_MAX];
	char module[KFT_PROBE_MODULE_MAX];
	char line[128];
	struct kft_ledger u;
	struct kft_tracefs_dir p;

	fake_write(f, "proc/modules", "dummy 16384 0 - Live 0xffffffffc0400000\n");
	fake_write(f, "proc/kallsyms",
		   "ffffffff81000000 T both\nffffffff81000010 T a_dummy_xmit\n"
		   "ffffffffc0400000 t dummy_xmit\t[dummy]\n"
		   "ffffffffc0400080 t dummy_xmit_2\t[dummy]\n"
		   "ffffffffc0400090 t both\t[dummy]\n");
	open_place(f, &u, &p);
	assert_int_equal(kft_plan_trigger_set_function(&plan.start, KFT_TRIGGER_ENTRY,
						       "dummy_xmit", NULL),
			 0);
	assert_int_equal(kft_plan_trigger_set_function(&plan.stop, KFT_TRIGGER_ENTRY,
						       "both", NULL),
			 0);
	assert_int_equal(kft_probes_prepare(&p, "a", &plan, NULL), 0);
	assert_non_null(strstr(fake_read(f, TOP "kprobe_events"), "/stop both"));
	assert_non_null(
		strstr(fake_read(f, TOP "kprobe_events"), "/start dummy:dummy_xmit"));
	/* The probes as the kernel lists them. */
	kft_probes_group("a", group);
	(void)snprintf(line, sizeof(line),
		       "p:%s/stop both\np:%s/start dummy:dummy_xmit\n", group, group);
	fake_write(f, TOP "kprobe_events", line);
	assert_false(kft_probe_lacks_module(f->host, "a", &plan.start, KFT_PROBE_START,
					    module));
	fake_write(f, "proc/modules", "dummy2 16384 0 - Live 0xffffffffc0400000\n");
	assert_true(kft_probe_lacks_module(f->host, "a", &plan.start, KFT_PROBE_START,
					   module));
	assert_string_equal(module, "dummy");
	assert_false(
		kft_probe_lacks_module(f->host, "a", &plan.stop, KFT_PROBE_STOP, module));
	close_place(&u, &p);
	kft_plan_finish(&plan);
}

static const struct CMUnitTest tests[] = {
	WITH_TRACEFS(triggers_are_probes_with_triggers),
	WITH_TRACEFS(probes_in_modules_name_the_module),
	WITH_TRACEFS(autorepeat_has_no_count),
	WITH_TRACEFS(what_is_beside_is_switched_too),
	WITH_TRACEFS(a_count_of_zero_has_fired),
};

T_MAIN(tests)

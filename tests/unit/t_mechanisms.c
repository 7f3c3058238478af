// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "capture/rundir.h"
#include "doctor/mechanisms.h"
#include "doctor/target.h"
#include "doctor/tracer.h"
#include "fake.h"

#define TOP(file) FAKE_TRACEFS "/" file

/* The arguments of a mechanism's function, over a stand-in. */
struct bench {
	struct fake *fake;
	struct kft_rundir dir;
	struct kft_doctor_facts facts;
	struct kft_doctor_env env;
	struct kft_doctor_result res;
};

static int open_dir(const struct fake *f, const char *path)
{
	return openat(f->host->root_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int setup(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));
	void *fake;

	if (!b || fake_tracefs_setup(&fake))
		return -1;
	*state = b;
	b->fake = fake;
	fake_write(b->fake, TOP("current_tracer"), "nop\n");
	fake_write(b->fake, TOP("tracing_thresh"), "0\n");
	fake_write(b->fake, TOP("set_event"), "");
	fake_write(b->fake, TOP("instances/mine/current_tracer"), "nop\n");
	b->env = (struct kft_doctor_env){
		.host = b->fake->host,
		.root_fd = b->fake->host->root_fd,
		.tracefs_fd = open_dir(b->fake, FAKE_TRACEFS),
		.inst_fd = open_dir(b->fake, TOP("instances/mine")),
		.inst = "mine",
		.group = "kft_doctor_1",
		.caps = UINT64_MAX,
		.facts = &b->facts,
	};
	fake_write(b->fake, "run/exists", "");
	if (kft_rundir_open_attached(b->fake->host, "doctor", &b->dir, NULL) < 0 ||
	    kft_ledger_init(&b->env.ledger, b->fake->host, b->dir.fd, NULL) < 0)
		return -1;
	return 0;
}

static int teardown(void **state)
{
	struct bench *b = *state;
	void *fake = b->fake;

	(void)close(b->env.tracefs_fd);
	(void)close(b->env.inst_fd);
	kft_rundir_close(&b->dir);
	free(b);
	return fake_teardown(&fake);
}

static void undo(struct bench *b)
{
	assert_int_equal(kft_ledger_undo(&b->env.ledger, NULL), 0);
}

static void expect(const struct bench *b, enum kft_doctor_state state,
		   enum kft_doctor_reason reason, const char *detail)
{
	assert_string_equal(b->res.detail, detail);
	assert_string_equal(kft_doctor_state_name(b->res.state),
			    kft_doctor_state_name(state));
	assert_string_equal(kft_doctor_reason_name(b->res.reason),
			    kft_doctor_reason_name(reason));
}

static void rows_say_everything_and_are_unique(void **state)
{
	for (size_t i = 0; i < kft_n_mechanisms; i++) {
		const struct kft_mechanism *p = &kft_mechanisms[i];

		assert_true(*p->group && *p->title && *p->purpose && *p->without &&
			    *p->needs && p->run);
		/* The table of kft doctor has no room for longer titles. */
		assert_true(strlen(p->title) <= 25);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(p->id, kft_mechanisms[k].id);
	}
}

static void every_reason_has_a_remedy(void **state)
{
	for (int i = 0; i < KFT_DOCTOR_N_REASONS; i++) {
		struct kft_doctor_result res = {.reason = i};
		const char *remedy = kft_doctor_remedy(&kft_mechanisms[0], &res);

		assert_true(i == KFT_DOCTOR_FINE ? !remedy : remedy && *remedy);
		assert_non_null(kft_doctor_reason_name(i));
	}
}

static void refusals_are_told_apart(void **state)
{
	struct bench *b = *state;

	kft_doctor_refused(&b->env, &b->res, -EPERM, "step");
	expect(b, KFT_DOCTOR_NO, KFT_DOCTOR_FAILED, "step: Operation not permitted");
	b->env.locked_down = true;
	kft_doctor_refused(&b->env, &b->res, -EPERM, "step");
	expect(b, KFT_DOCTOR_NO, KFT_DOCTOR_LOCKDOWN, "step: Operation not permitted");
	b->env.caps &= ~(UINT64_C(1) << CAP_SYS_ADMIN);
	kft_doctor_refused(&b->env, &b->res, -EACCES, "step");
	expect(b, KFT_DOCTOR_UNKNOWN, KFT_DOCTOR_PRIVILEGE, "step: Permission denied");
	kft_doctor_refused(&b->env, &b->res, -EBUSY, "step");
	expect(b, KFT_DOCTOR_UNKNOWN, KFT_DOCTOR_BUSY, "step: Device or resource busy");
	kft_doctor_refused(&b->env, &b->res, -EIO, "step");
	expect(b, KFT_DOCTOR_NO, KFT_DOCTOR_FAILED, "step: Input/output error");
	kft_doctor_refused_file(&b->env, &b->res, -ENOENT, "kprobe_events");
	expect(b, KFT_DOCTOR_NO, KFT_DOCTOR_ABSENT, "no 'kprobe_events'");
	kft_doctor_refused_file(&b->env, &b->res, -ENOENT, "proc/kallsyms");
	expect(b, KFT_DOCTOR_NO, KFT_DOCTOR_ABSENT, "no '/proc/kallsyms'");
}

static void lockdown_is_read(void **state)
{
	static const char file[] = "sys/kernel/security/lockdown";
	struct bench *b = *state;

	kft_doctor_lockdown(&b->env, &b->res);
	assert_int_equal(b->res.state, KFT_DOCTOR_UNKNOWN);
	fake_write(b->fake, file, "[none] integrity confidentiality\n");
	kft_doctor_lockdown(&b->env, &b->res);
	assert_int_equal(b->res.state, KFT_DOCTOR_YES);
	fake_write(b->fake, file, "none [integrity] confidentiality\n");
	kft_doctor_lockdown(&b->env, &b->res);
	assert_int_equal(b->res.state, KFT_DOCTOR_LIMITED);
	fake_write(b->fake, file, "none integrity [confidentiality]\n");
	kft_doctor_lockdown(&b->env, &b->res);
	assert_int_equal(b->res.state, KFT_DOCTOR_NO);
}

static void hidden_addresses_are_seen(void **state)
{
	struct bench *b = *state;

	fake_write(b->fake, "proc/kallsyms",
		   "0000000000000000 T a\n0000000000000000 T b\n");
	fake_write(b->fake, "proc/sys/kernel/kptr_restrict", "2\n");
	kft_doctor_kallsyms(&b->env, &b->res);
	expect(b, KFT_DOCTOR_NO, KFT_DOCTOR_SWITCHED_OFF,
	       "2 symbols, addresses hidden (kernel.kptr_restrict is 2)");
	b->env.caps = 0;
	kft_doctor_kallsyms(&b->env, &b->res);
	assert_int_equal(b->res.reason, KFT_DOCTOR_PRIVILEGE);
	fake_write(b->fake, "proc/kallsyms",
		   "0000000000000000 A zero\nffffffff81000000 T _text\n");
	kft_doctor_kallsyms(&b->env, &b->res);
	expect(b, KFT_DOCTOR_YES, KFT_DOCTOR_FINE, "2 symbols");
}

static void a_threshold_in_use_is_left_alone(void **state)
{
	struct bench *b = *state;

	fake_write(b->fake, TOP("tracing_thresh"), "500\n");
	kft_doctor_tracing_thresh(&b->env, &b->res);
	assert_int_equal(b->res.reason, KFT_DOCTOR_BUSY);
	assert_string_equal(fake_read(b->fake, TOP("tracing_thresh")), "500\n");
	fake_write(b->fake, TOP("tracing_thresh"), "0\n");
	fake_write(b->fake, TOP("instances/other/current_tracer"), "function_graph\n");
	kft_doctor_tracing_thresh(&b->env, &b->res);
	assert_int_equal(b->res.reason, KFT_DOCTOR_BUSY);
	assert_string_equal(fake_read(b->fake, TOP("tracing_thresh")), "0\n");
	assert_false(kft_ledger_exists(&b->env.ledger));
}

static void a_free_threshold_is_tried_and_put_back(void **state)
{
	struct bench *b = *state;

	kft_doctor_tracing_thresh(&b->env, &b->res);
	expect(b, KFT_DOCTOR_LIMITED, KFT_DOCTOR_NEEDS_OTHER,
	       "can be set, but this kernel has no function_graph");
	assert_string_equal(fake_read(b->fake, TOP("tracing_thresh")), "10000000");
	undo(b);
	assert_string_equal(fake_read(b->fake, TOP("tracing_thresh")), "0");
}

static void a_top_level_in_use_is_left_alone(void **state)
{
	static const struct {
		const char *path;
		const char *text;
	} uses[] = {
		{TOP("current_tracer"), "function\n"},
		{TOP("set_event"), "sched:sched_switch\n"},
		{TOP("set_ftrace_filter"), "vfs_read\n"},
		{TOP("set_ftrace_filter"),
		 "#### all functions enabled ####\nvfs_read:traceoff:count=1\n"},
		{TOP("per_cpu/cpu0/stats"), "entries: 3\n"},
	};
	struct bench *b = *state;

	for (size_t i = 0; i < ARRAY_SIZE(uses); i++) {
		fake_write(b->fake, TOP("current_tracer"), "nop\n");
		fake_write(b->fake, TOP("set_event"), "");
		fake_write(b->fake, TOP("set_ftrace_filter"),
			   "#### all functions enabled ####\n");
		fake_write(b->fake, TOP("per_cpu/cpu0/stats"), "entries: 0\n");
		fake_write(b->fake, uses[i].path, uses[i].text);
		assert_false(kft_doctor_top_is_free(&b->env));
		assert_string_equal(fake_read(b->fake, uses[i].path), uses[i].text);
		assert_false(kft_ledger_exists(&b->env.ledger));
	}
}

static void a_busy_stack_tracer_is_left_alone(void **state)
{
	static const char sysctl[] = "proc/sys/kernel/stack_tracer_enabled";
	struct bench *b = *state;

	b->facts.func_line = 2;
	fake_write(b->fake, sysctl, "1\n");
	kft_doctor_stack_tracer(&b->env, &b->res);
	assert_int_equal(b->res.reason, KFT_DOCTOR_BUSY);
	fake_write(b->fake, sysctl, "0\n");
	fake_write(b->fake, TOP("stack_trace_filter"), "vfs_read\n");
	kft_doctor_stack_tracer(&b->env, &b->res);
	assert_int_equal(b->res.reason, KFT_DOCTOR_BUSY);
	fake_write(b->fake, TOP("stack_trace_filter"),
		   "#### all functions enabled ####\n");
	fake_write(b->fake, TOP("stack_max_size"), "4000\n");
	kft_doctor_stack_tracer(&b->env, &b->res);
	assert_int_equal(b->res.state, KFT_DOCTOR_YES);
	assert_string_equal(fake_read(b->fake, sysctl), "0\n");
	assert_false(kft_ledger_exists(&b->env.ledger));
}

static void a_free_stack_tracer_is_tried_and_put_back(void **state)
{
	static const char sysctl[] = "proc/sys/kernel/stack_tracer_enabled";
	struct bench *b = *state;

	b->facts.func_line = 2;
	fake_write(b->fake, sysctl, "0\n");
	fake_write(b->fake, TOP("stack_trace_filter"),
		   "#### all functions enabled ####\n");
	fake_write(b->fake, TOP("stack_max_size"), "0\n");
	kft_doctor_stack_tracer(&b->env, &b->res);
	assert_int_equal(b->res.state, KFT_DOCTOR_YES);
	assert_string_equal(fake_read(b->fake, sysctl), "1");
	assert_string_equal(fake_read(b->fake, TOP("stack_trace_filter")), "2");
	undo(b);
	assert_string_equal(fake_read(b->fake, sysctl), "0");
	assert_string_equal(fake_read(b->fake, TOP("stack_trace_filter")), "");
}

static void dynamic_events_are_deleted(void **state)
{
	struct bench *b = *state;

	fake_write(b->fake, TOP("kprobe_events"), "p:other/k f\n");
	kft_doctor_kprobe_events(&b->env, &b->res);
	/* The stand-in takes the definition, but makes no event of it. */
	assert_int_equal(b->res.state, KFT_DOCTOR_NO);
	assert_string_equal(fake_read(b->fake, TOP("kprobe_events")),
			    "p:other/k f\np:kft_doctor_1/k vfs_fallocate");
	fake_mkdir(b->fake, TOP("events/kft_doctor_1/k"));
	undo(b);
	assert_string_equal(
		fake_read(b->fake, TOP("kprobe_events")),
		"p:other/k f\np:kft_doctor_1/k vfs_fallocate-:kft_doctor_1/k");
}

static void missing_files_are_missing_mechanisms(void **state)
{
	static void (*const tries[])(struct kft_doctor_env *,
				     struct kft_doctor_result *) = {
		kft_doctor_kprobe_events,    kft_doctor_uprobe_events,
		kft_doctor_synthetic_events, kft_doctor_snapshot,
		kft_doctor_ring_mmap,	     kft_doctor_stack_tracer,
		kft_doctor_subbuf_size,
	};
	struct bench *b = *state;

	fake_write(b->fake, "proc/self/maps", "");
	for (size_t i = 0; i < ARRAY_SIZE(tries); i++) {
		b->res = (struct kft_doctor_result){};
		tries[i](&b->env, &b->res);
		assert_int_equal(b->res.state, KFT_DOCTOR_NO);
		assert_int_equal(b->res.reason, KFT_DOCTOR_ABSENT);
		undo(b);
	}
}

static void a_setting_of_0_is_switched_off(void **state)
{
	static const struct kft_mechanism delays = {.tries = "task_delayacct"};
	struct bench *b = *state;

	b->env.mechanism = &delays;
	kft_doctor_setting(&b->env, &b->res);
	assert_int_equal(b->res.reason, KFT_DOCTOR_ABSENT);
	fake_write(b->fake, "proc/sys/kernel/task_delayacct", "0\n");
	kft_doctor_setting(&b->env, &b->res);
	expect(b, KFT_DOCTOR_LIMITED, KFT_DOCTOR_SWITCHED_OFF,
	       "kernel.task_delayacct is 0");
	fake_write(b->fake, "proc/sys/kernel/task_delayacct", "1\n");
	kft_doctor_setting(&b->env, &b->res);
	expect(b, KFT_DOCTOR_YES, KFT_DOCTOR_FINE, "kernel.task_delayacct is 1");
}

static void a_file_is_a_mechanism(void **state)
{
	static const struct kft_mechanism user_events = {.tries = "user_events_data"};
	struct bench *b = *state;

	b->env.mechanism = &user_events;
	kft_doctor_file(&b->env, &b->res);
	assert_int_equal(b->res.reason, KFT_DOCTOR_ABSENT);
	fake_write(b->fake, TOP("user_events_data"), "");
	kft_doctor_file(&b->env, &b->res);
	expect(b, KFT_DOCTOR_YES, KFT_DOCTOR_FINE, "user_events_data");
}

static void a_function_of_ours_is_found_in_its_file(void **state)
{
	struct bench *b = *state;
	struct kft_doctor_place place;
	uintptr_t addr = (uintptr_t)kft_doctor_kick_target & ~(uintptr_t)1;
	char maps[512];

	(void)snprintf(maps, sizeof(maps),
		       "1000-2000 r-xp 00000000 fe:00 7 /bin/other\n"
		       "%lx-%lx r-xp 00003000 fe:00 99   /opt/my dir/kft\n"
		       "7000-8000 rw-p 00000000 00:00 0 [heap]\n",
		       (unsigned long)addr - 0x100, (unsigned long)addr + 0x100);
	fake_write(b->fake, "proc/self/maps", maps);
	assert_int_equal(kft_doctor_find_target(b->env.root_fd, &place), 0);
	assert_string_equal(place.path, "/opt/my dir/kft");
	assert_int_equal(place.offset & ~(uint64_t)1, 0x3100);
	fake_write(b->fake, "proc/self/maps", "1000-2000 r-xp 0 fe:00 7 /bin/other\n");
	assert_int_equal(kft_doctor_find_target(b->env.root_fd, &place), -ENOENT);
}

static void events_of_dead_doctors_are_deleted(void **state)
{
	struct bench *b = *state;
	char path[128];
	char expect_text[64];
	pid_t dead = fork();

	if (!dead)
		_exit(0);
	assert_int_equal(waitpid(dead, NULL, 0), dead);
	fake_write(b->fake, TOP("dynamic_events"), "");
	(void)snprintf(path, sizeof(path), TOP("events/kft_doctor_%d/k"), dead);
	fake_mkdir(b->fake, path);
	(void)snprintf(path, sizeof(path), TOP("events/kft_doctor_%d/k"), getpid());
	fake_mkdir(b->fake, path);
	fake_mkdir(b->fake, TOP("events/kft_doctor_x/k"));
	kft_doctor_remove_stale(b->env.tracefs_fd);
	(void)snprintf(expect_text, sizeof(expect_text), "-:kft_doctor_%d/k", dead);
	assert_string_equal(fake_read(b->fake, TOP("dynamic_events")), expect_text);
}

#define with_bench(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(rows_say_everything_and_are_unique),
	cmocka_unit_test(every_reason_has_a_remedy),
	with_bench(refusals_are_told_apart),
	with_bench(lockdown_is_read),
	with_bench(hidden_addresses_are_seen),
	with_bench(a_threshold_in_use_is_left_alone),
	with_bench(a_free_threshold_is_tried_and_put_back),
	with_bench(a_top_level_in_use_is_left_alone),
	with_bench(a_busy_stack_tracer_is_left_alone),
	with_bench(a_free_stack_tracer_is_tried_and_put_back),
	with_bench(dynamic_events_are_deleted),
	with_bench(missing_files_are_missing_mechanisms),
	with_bench(a_setting_of_0_is_switched_off),
	with_bench(a_file_is_a_mechanism),
	with_bench(a_function_of_ours_is_found_in_its_file),
	with_bench(events_of_dead_doctors_are_deleted),
};

T_MAIN(tests)

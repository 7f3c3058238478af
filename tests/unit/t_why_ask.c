// SPDX-License-Identifier: GPL-2.0-only
/* Which intervals a question of kft why is about. */
#include "t.h"

#include "analysis/why_ask.h"
#include "derive/kinds.h"
#include "derive/task_state.h"

static bool is_meant(const struct kft_why_ask *ask, enum kft_task_state state)
{
	struct kft_trace t = {};

	return kft_why_ask_has_key(ask, &t, &kft_kind_task, state);
}

static void waits_for_a_cpu_are_meant(void **state)
{
	const struct kft_why_ask any = {};
	const struct kft_why_ask sched = {.kinds = {&kft_kind_task}, .n_kinds = 1};
	const struct kft_why_ask task = {.task = "audio"};

	assert_true(is_meant(&any, KFT_TASK_WAITING));
	assert_false(is_meant(&any, KFT_TASK_PREEMPTED));
	assert_true(is_meant(&sched, KFT_TASK_PREEMPTED));
	assert_false(is_meant(&sched, KFT_TASK_STOPPED));
	assert_true(is_meant(&task, KFT_TASK_PREEMPTED));
	assert_true(is_meant(&task, KFT_TASK_STOPPED));
	assert_true(is_meant(&task, KFT_TASK_BLOCKED));
	assert_false(is_meant(&any, KFT_TASK_BLOCKED));
	assert_false(is_meant(&task, KFT_TASK_SLEEPING));
}

static void functions_of_idle_cpus_are_no_news(void **state)
{
	const struct kft_interval idle = {.kind = &kft_kind_function, .pid = 0};
	const struct kft_interval busy = {.kind = &kft_kind_function, .pid = 7};
	const struct kft_why_ask any = {};
	const struct kft_why_ask named = {.key = "do_idle"};
	struct kft_trace t = {};

	assert_false(kft_why_ask_has_task(&any, &t, &idle));
	assert_true(kft_why_ask_has_task(&any, &t, &busy));
	assert_true(kft_why_ask_has_task(&named, &t, &idle));
}

static void what_only_came_to_a_task_is_not_its_time(void **state)
{
	const struct kft_interval_kind *late = kft_interval_kind_find("hrtimer-late");
	const struct kft_interval timer = {.kind = late, .pid = 7};
	const struct kft_interval irq = {.kind = kft_interval_kind_find("irq"), .pid = 7};
	const struct kft_interval wait = {.kind = &kft_kind_task, .pid = 7};
	const struct kft_why_ask task = {.task = "7"};
	const struct kft_why_ask timers = {.task = "7", .kinds = {late}, .n_kinds = 1};
	struct kft_trace t = {};

	assert_false(kft_why_ask_has_task(&task, &t, &timer));
	assert_false(kft_why_ask_has_task(&task, &t, &irq));
	assert_true(kft_why_ask_has_task(&task, &t, &wait));
	assert_true(kft_why_ask_has_task(&timers, &t, &timer));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(waits_for_a_cpu_are_meant),
	cmocka_unit_test(functions_of_idle_cpus_are_no_news),
	cmocka_unit_test(what_only_came_to_a_task_is_not_its_time),
};

T_MAIN(tests)

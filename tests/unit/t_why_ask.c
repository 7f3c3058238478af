// SPDX-License-Identifier: GPL-2.0-only
/* Which intervals a question of kft why is about. */
#include "t.h"

#include <errno.h>
#include <stdio.h>

#include <kft/plan.h>

#include "analysis/why/ask.h"
#include "derive/kinds/kinds.h"
#include "derive/kinds/task_state.h"

static bool is_meant(const struct kft_why_ask *ask, enum kft_task_state state)
{
	struct kft_trace t = {};

	return kft_why_ask_means(ask, &t, &kft_kind_task, state) == KFT_WHY_MEANT;
}

static void waits_for_a_cpu_are_meant(void **state)
{
	const struct kft_why_ask any = {};
	const struct kft_why_ask sched = {.kinds = {&kft_kind_task}, .n_kinds = 1};
	const struct kft_why_ask task = {.task = "audio"};
	struct kft_trace t = {};

	assert_true(is_meant(&any, KFT_TASK_WAITING));
	assert_int_equal(kft_why_ask_means(&any, &t, &kft_kind_task, KFT_TASK_PREEMPTED),
			 KFT_WHY_MEANT_LAST);
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

static size_t recorded_for(const char *question, const char *event)
{
	struct kft_plan plan = {.size = sizeof(plan)};
	struct kft_err e = {};
	size_t found = 0;

	assert_int_equal(kft_plan_add_for(&plan, question, &e), 0);
	for (size_t i = 0; i < plan.n_events; i++)
		found += strcmp(plan.events[i].pattern, event) == 0;
	kft_plan_finish(&plan);
	return found;
}

static void each_kind_that_is_explained_can_be_recorded_for(void **state)
{
	struct kft_plan plan = {.size = sizeof(plan)};
	struct kft_err e = {};

	for (size_t i = 0; kft_interval_kinds[i]; i++) {
		const struct kft_interval_kind *kind = kft_interval_kinds[i];
		const char *names[] = {kind->name, kind->group ? kind->group : "sched"};

		for (size_t n = 0; n < ARRAY_SIZE(names) && !kind->is_instant; n++) {
			char question[64];

			(void)snprintf(question, sizeof(question), "why:%s", names[n]);
			(void)recorded_for(question, "sched:sched_switch");
		}
	}
	assert_int_equal(
		recorded_for("why:work-queued", "workqueue:workqueue_queue_work"), 1);
	assert_int_equal(recorded_for("why", "workqueue:workqueue_queue_work"), 0);
	assert_int_equal(recorded_for("why:frequency", "power:cpu_frequency"), 1);
	assert_int_equal(recorded_for("why:frequency", "power:cpu_idle"), 0);
	assert_int_equal(recorded_for("why,why:frequency", "power:cpu_frequency"), 1);
	assert_int_equal(recorded_for("why:frequency,why:idle", "power:cpu_idle"), 1);
	assert_int_equal(kft_plan_add_for(&plan, "why:frequency,sofirq", &e), -EINVAL);
	assert_int_equal(kft_plan_add_for(&plan, "why,", &e), -EINVAL);
	assert_int_equal(kft_plan_add_for(&plan, "why:sofirq", &e), -EINVAL);
	assert_int_equal(kft_plan_add_for(&plan, "why:", &e), -EINVAL);
	kft_plan_finish(&plan);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(waits_for_a_cpu_are_meant),
	cmocka_unit_test(functions_of_idle_cpus_are_no_news),
	cmocka_unit_test(each_kind_that_is_explained_can_be_recorded_for),
	cmocka_unit_test(what_only_came_to_a_task_is_not_its_time),
};

T_MAIN(tests)

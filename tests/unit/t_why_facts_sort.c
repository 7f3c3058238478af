// SPDX-License-Identifier: GPL-2.0-only
#include "derive/kinds/kinds.h"
#include "t.h"

#include "analysis/why/read.h"
#include "derive/kinds/task_state.h"
#include "model/trace.h"

#define CPUS   4096
#define TASKS  50
#define STATES 1000
#define PERIOD 1000

static void add_current(struct kft_why_facts *f, uint32_t cpu, uint64_t ts, int32_t pid)
{
	assert_true(kft_vec_push(&f->cpus.data[cpu].currents,
				 (struct kft_why_current){.ts = ts, .pid = pid}));
}

/*
 * Each task sleeps in each period, and is on a CPU for the last quarter of it; that it was
 * switched to is not in the trace, so its sleep seems to last until it left the CPU. The
 * CPUs without these tasks must not cost a search for each of the states: 4 thousand
 * million steps would take minutes.
 */
static void states_end_where_the_task_runs_on_a_machine_with_many_cpus(void **state)
{
	struct kft_why_facts f = {};

	assert_int_equal(kft_trace_create(&f.trace), 0);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		assert_true(kft_vec_push(&f.cpus, (struct kft_why_cpu){}));
		add_current(&f, cpu, 1, 0);
	}
	for (int32_t pid = 1; pid <= TASKS; pid++) {
		struct kft_why_task task = {.pid = pid};

		for (uint64_t i = 1; i <= STATES; i++) {
			const struct kft_interval sleep = {
				.begin_ns = i * PERIOD,
				.end_ns = (i + 1) * PERIOD,
				.key = KFT_TASK_SLEEPING,
				.kind = kft_interval_kind_find("task"),
				.flags = KFT_INTERVAL_NOT_ENDED,
			};

			assert_true(kft_vec_push(&task.states, sleep));
			add_current(&f, CPUS - pid, sleep.end_ns - PERIOD / 4, pid);
			add_current(&f, CPUS - pid, sleep.end_ns, 0);
		}
		assert_true(kft_vec_push(&f.tasks, task));
	}
	assert_int_equal(kft_why_facts_settle(&f), 0);
	kft_vec_for_each(&f.tasks, task) {
		assert_int_equal(task->states.len, 2 * STATES);
		for (size_t i = 0; i < task->states.len; i++) {
			const struct kft_interval *s = &task->states.data[i];

			assert_int_equal(s->key,
					 i % 2 ? KFT_TASK_RUNNING : KFT_TASK_SLEEPING);
			assert_int_equal(s->end_ns - s->begin_ns,
					 i % 2 ? PERIOD / 4 : PERIOD - PERIOD / 4);
			if (i % 2)
				assert_int_equal(s->cpu, CPUS - task->pid);
		}
	}
	struct kft_trace *t = f.trace;
	kft_why_facts_finish(&f);
	kft_trace_destroy(t);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(states_end_where_the_task_runs_on_a_machine_with_many_cpus),
};

int main(void)
{
	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "bpf_machine.h"
#include "derive/kinds/task_state.h"
#include "live/program.h"

enum { GATE, TASKS, OPEN, CELLS, ZERO, TALLY };

/* The record of an event: an id and a key. */
struct record {
	uint64_t before;
	int32_t id;
	uint16_t small;
	uint8_t padding[2];
	uint64_t key;
};

static const struct kft_live_maps all_tasks = {GATE, -1, OPEN, CELLS, ZERO, TALLY};
static const struct kft_live_maps followed = {GATE, TASKS, OPEN, CELLS, ZERO, TALLY};

static void set_up_by(struct machine *m, uint32_t rows, unsigned int by)
{
	const uint32_t first = 0;
	const uint32_t is_open = 1;

	*m = (struct machine){.pid = 5, .comm = "five"};
	machine_add_map(m, GATE, false, 4, 4, 1);
	machine_add_map(m, TASKS, true, 4, 4, 16);
	machine_add_map(m, OPEN, false, 4, sizeof(struct kft_live_open),
			1 << KFT_LIVE_PLACE_BITS);
	machine_add_map(m, CELLS, true, kft_live_key_bytes(by),
			sizeof(struct kft_live_cell), rows);
	machine_add_map(m, ZERO, false, 4, sizeof(struct kft_live_cell), 1);
	machine_add_map(m, TALLY, false, 4, sizeof(struct kft_live_tally), 1);
	machine_put(m, GATE, &first, &is_open);
}

static void set_up(struct machine *m, uint32_t rows)
{
	set_up_by(m, rows, KFT_INTERVAL_BY_KEY);
}

#define FIELD(type, member, is)                                               \
	((struct kft_live_value){.is_signed = (is),                           \
				 .bytes = sizeof(((struct type *)0)->member), \
				 .offset = offsetof(struct type, member)})

static struct kft_live_step step_of(enum kft_kind_role role)
{
	return (struct kft_live_step){
		.role = role,
		.ids = {FIELD(record, id, true)},
		.n_ids = 1,
		.key = FIELD(record, key, false),
	};
}

static void at_event(struct machine *m, const struct kft_live_maps *maps,
		     const struct kft_live_rules *how, enum kft_kind_role role,
		     uint64_t now, struct record rec)
{
	const struct kft_live_step step = step_of(role);
	struct kft_bpf_code code = {};

	m->now_ns = now;
	kft_live_emit_step(&code, maps, how, &step);
	assert_int_equal(kft_bpf_code_resolve(&code), 0);
	assert_int_equal(machine_run(m, &code, &rec), 0);
	kft_bpf_code_finish(&code);
}

static const struct kft_live_rules by_key = {.by = KFT_INTERVAL_BY_KEY};

static const struct kft_live_cell *cell_of(struct machine *m, uint64_t key)
{
	const struct kft_live_key k = {.key = key, .period = 1};

	return machine_find(m, CELLS, &k);
}

static struct kft_live_tally tally(struct machine *m)
{
	const uint32_t first = 0;

	return *(struct kft_live_tally *)machine_find(m, TALLY, &first);
}

/* Durations around each power of two, and others of all sizes. */
static uint64_t duration(unsigned int i)
{
	uint64_t random = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	if (i < 3 * 45)
		return (UINT64_C(1) << (i / 3)) + i % 3 - 1;
	return random >> (20 + i % 40);
}

/* Each figure of a cell agrees with a plain computation of it. */
static void cells_have_the_figures_of_their_intervals(void **state)
{
	struct machine m;
	struct kft_live_cell want = {};
	unsigned __int128 squares = 0;
	uint64_t min = UINT64_MAX;
	uint64_t now = 1000;

	set_up(&m, 4);
	for (unsigned int i = 0; i < 500; i++) {
		uint64_t ns = duration(i);

		at_event(&m, &all_tasks, &by_key, KFT_KIND_BEGINS, now,
			 (struct record){.id = 1, .key = 9});
		at_event(&m, &all_tasks, &by_key, KFT_KIND_ENDS, now + ns,
			 (struct record){.id = 1});
		if (!want.count || ns > want.max_ns) {
			want.max_ns = ns;
			want.max_begin_ns = now;
		}
		want.count++;
		want.total_ns += ns;
		want.buckets[kft_live_bucket(ns)]++;
		squares += (unsigned __int128)ns * ns;
		min = KFT_MIN(min, ns);
		now += ns + 1;
	}
	want.not_min_ns = ~min;
	want.squares_low = (uint64_t)squares;
	want.squares_high = (uint64_t)(squares >> 64);
	want.max_pid = 5;
	memcpy(want.max_comm, "five", 5);
	assert_memory_equal(cell_of(&m, 9), &want, sizeof(want));
	machine_finish(&m);
}

static void buckets_are_those_of_the_histogram(void **state)
{
	for (unsigned int i = 0; i < 1000; i++) {
		struct kft_live_cell cell = {.count = 1};
		struct kft_interval_stat row = {.min_ns = UINT64_MAX};
		uint64_t ns = KFT_MIN(duration(i), (UINT64_C(1) << KFT_LIVE_NS_BITS) - 1);
		uint64_t below;

		cell.buckets[kft_live_bucket(ns)] = 1;
		assert_int_equal(kft_live_cell_join(&cell, &row), 0);
		unsigned int bucket = kft_histogram_find(&row.histogram, 1, &below);
		uint64_t least = kft_histogram_least(bucket);
		uint64_t off = least > ns ? least - ns : ns - least;

		assert_true(off <= ns / 8);
		kft_histogram_finish(&row.histogram);
	}
	assert_int_equal(kft_live_bucket(UINT64_MAX), KFT_LIVE_BUCKETS - 1);
}

static void rows_of_several_cpus_are_one(void **state)
{
	struct kft_interval_stat row = {.min_ns = UINT64_MAX};
	const struct kft_live_cell none = {};
	struct kft_live_cell a = {.count = 2,
				  .total_ns = 30,
				  .not_min_ns = ~UINT64_C(10),
				  .max_ns = 20,
				  .squares_low = UINT64_MAX,
				  .max_begin_ns = 5,
				  .max_cpu = 3};
	struct kft_live_cell b = {.count = 1,
				  .total_ns = 7,
				  .not_min_ns = ~UINT64_C(7),
				  .max_ns = 7,
				  .squares_low = 1,
				  .max_begin_ns = 9};

	a.buckets[10] = 2;
	b.buckets[7] = 1;
	assert_int_equal(kft_live_cell_join(&none, &row), 0);
	assert_int_equal(kft_live_cell_join(&b, &row), 0);
	assert_int_equal(kft_live_cell_join(&a, &row), 0);
	assert_int_equal(row.count, 3);
	assert_int_equal(row.total_ns, 37);
	assert_int_equal(row.min_ns, 7);
	assert_int_equal(row.max_ns, 20);
	assert_int_equal(row.squares.high, 1);
	assert_int_equal(row.squares.low, 0);
	assert_int_equal(row.longest.begin_ns, 5);
	assert_int_equal(row.longest.end_ns, 25);
	assert_int_equal(row.longest.cpu, 3);
	kft_histogram_finish(&row.histogram);
}

/* An end without its beginning, and a beginning without its end, are counted as such. */
static void halves_of_intervals_are_counted_apart(void **state)
{
	struct machine m;

	set_up(&m, 4);
	at_event(&m, &all_tasks, &by_key, KFT_KIND_ENDS, 10, (struct record){.id = -3});
	assert_int_equal(tally(&m).unbegun, 1);
	at_event(&m, &all_tasks, &by_key, KFT_KIND_BEGINS, 20, (struct record){.id = -3});
	at_event(&m, &all_tasks, &by_key, KFT_KIND_BEGINS, 30, (struct record){.id = -3});
	assert_int_equal(tally(&m).unended, 1);
	at_event(&m, &all_tasks, &by_key, KFT_KIND_ENDS, 35, (struct record){.id = -3});
	assert_int_equal(cell_of(&m, 0)->total_ns, 5);
	at_event(&m, &all_tasks, &by_key, KFT_KIND_BEGINS, 40, (struct record){.id = 4});
	at_event(&m, &all_tasks, &by_key, KFT_KIND_CANCELS, 41, (struct record){.id = 4});
	at_event(&m, &all_tasks, &by_key, KFT_KIND_ENDS, 42, (struct record){.id = 4});
	assert_int_equal(tally(&m).unbegun, 2);
	assert_int_equal(tally(&m).unended, 1);
	assert_int_equal(cell_of(&m, 0)->count, 1);
	/* The clocks of two CPUs may differ. */
	at_event(&m, &all_tasks, &by_key, KFT_KIND_BEGINS, 50, (struct record){.id = 4});
	at_event(&m, &all_tasks, &by_key, KFT_KIND_ENDS, 49, (struct record){.id = 4});
	assert_int_equal(cell_of(&m, 0)->total_ns, 5);
	assert_int_equal(cell_of(&m, 0)->count, 2);
	machine_finish(&m);
}

/* The same id in another task, or on another CPU, is another interval where the kind says so. */
static void intervals_belong_to_their_task_or_cpu(void **state)
{
	const struct kft_live_rules by_task = {KFT_INTERVAL_BY_KEY, .by_task = true};
	const struct kft_live_rules by_cpu = {KFT_INTERVAL_BY_KEY, .by_cpu = true};
	struct machine m;

	set_up(&m, 4);
	at_event(&m, &all_tasks, &by_task, KFT_KIND_BEGINS, 10, (struct record){});
	m.pid = 6;
	at_event(&m, &all_tasks, &by_task, KFT_KIND_ENDS, 20, (struct record){});
	assert_int_equal(tally(&m).unbegun, 1);
	m.pid = 5;
	m.cpu = 1;
	at_event(&m, &all_tasks, &by_task, KFT_KIND_ENDS, 30, (struct record){});
	assert_int_equal(cell_of(&m, 0)->total_ns, 20);
	/* Idle tasks share a pid. */
	m.pid = 0;
	at_event(&m, &all_tasks, &by_task, KFT_KIND_BEGINS, 40, (struct record){});
	m.cpu = 0;
	at_event(&m, &all_tasks, &by_task, KFT_KIND_ENDS, 50, (struct record){});
	assert_int_equal(tally(&m).unbegun, 2);
	at_event(&m, &all_tasks, &by_cpu, KFT_KIND_BEGINS, 60, (struct record){.id = 7});
	m.cpu = 1;
	at_event(&m, &all_tasks, &by_cpu, KFT_KIND_ENDS, 70, (struct record){.id = 7});
	assert_int_equal(tally(&m).unbegun, 3);
	m.cpu = 0;
	m.pid = 8;
	at_event(&m, &all_tasks, &by_cpu, KFT_KIND_ENDS, 80, (struct record){.id = 7});
	assert_int_equal(cell_of(&m, 0)->total_ns, 40);
	machine_finish(&m);
}

static void rows_are_by_what_was_asked(void **state)
{
	const struct kft_live_rules how = {KFT_INTERVAL_BY_CPU | KFT_INTERVAL_BY_TASK |
					   KFT_INTERVAL_BY_COMM};
	const struct kft_live_key key = {.cpu = 2, .pid = 5, .comm = "five", .period = 1};
	struct machine m;

	set_up_by(&m, 4, how.by);
	m.cpu = 2;
	at_event(&m, &all_tasks, &how, KFT_KIND_BEGINS, 10, (struct record){.key = 3});
	m.cpu = 1;
	at_event(&m, &all_tasks, &how, KFT_KIND_ENDS, 20, (struct record){});
	const struct kft_live_cell *cell = machine_find(&m, CELLS, &key);

	assert_non_null(cell);
	assert_int_equal(cell->max_cpu, 2);
	assert_int_equal(m.maps[CELLS].n, 1);
	machine_finish(&m);
}

static void intervals_without_a_row_are_counted(void **state)
{
	struct machine m;

	set_up(&m, 2);
	for (int key = 0; key < 5; key++) {
		at_event(&m, &all_tasks, &by_key, KFT_KIND_BEGINS, 10,
			 (struct record){.key = (uint64_t)key});
		at_event(&m, &all_tasks, &by_key, KFT_KIND_ENDS, 20, (struct record){});
	}
	assert_int_equal(tally(&m).full, 3);
	assert_int_equal(cell_of(&m, 1)->count, 1);
	assert_null(cell_of(&m, 2));
	machine_finish(&m);
}

static void nothing_is_counted_while_the_gate_is_closed(void **state)
{
	const uint32_t first = 0;
	const uint32_t is_open = 0;
	struct machine m;

	set_up(&m, 2);
	machine_put(&m, GATE, &first, &is_open);
	at_event(&m, &all_tasks, &by_key, KFT_KIND_BEGINS, 10, (struct record){});
	at_event(&m, &all_tasks, &by_key, KFT_KIND_ENDS, 20, (struct record){});
	assert_int_equal(m.maps[CELLS].n, 0);
	assert_int_equal(tally(&m).unbegun, 0);
	machine_finish(&m);
}

static void intervals_belong_to_the_period_in_which_they_end(void **state)
{
	const struct kft_live_key key = {.key = 3, .period = 2};
	const uint32_t first = 0;
	const uint32_t period = 2;
	struct machine m;

	set_up(&m, 2);
	at_event(&m, &all_tasks, &by_key, KFT_KIND_BEGINS, 10, (struct record){.key = 3});
	machine_put(&m, GATE, &first, &period);
	at_event(&m, &all_tasks, &by_key, KFT_KIND_ENDS, 20, (struct record){});
	const struct kft_live_cell *cell = machine_find(&m, CELLS, &key);

	assert_non_null(cell);
	assert_int_equal(cell->total_ns, 10);
	assert_null(cell_of(&m, 3));
	machine_finish(&m);
}

struct fork_record {
	uint64_t before;
	int32_t parent;
	int32_t child;
};

static void at_fork(struct machine *m, int32_t parent, int32_t child)
{
	const struct kft_live_value values[] = {FIELD(fork_record, parent, true),
						FIELD(fork_record, child, true)};
	const struct fork_record rec = {0, parent, child};
	struct kft_bpf_code code = {};

	kft_live_emit_fork(&code, &followed, &values[0], &values[1]);
	assert_int_equal(kft_bpf_code_resolve(&code), 0);
	machine_run(m, &code, &rec);
	kft_bpf_code_finish(&code);
}

static void at_free(struct machine *m, int32_t pid)
{
	const struct kft_live_value value = FIELD(fork_record, child, true);
	const struct fork_record rec = {.child = pid};
	struct kft_bpf_code code = {};

	kft_live_emit_free(&code, &followed, &value);
	assert_int_equal(kft_bpf_code_resolve(&code), 0);
	machine_run(m, &code, &rec);
	kft_bpf_code_finish(&code);
}

static void only_followed_tasks_and_their_children_are_counted(void **state)
{
	static const uint32_t pids[] = {5, 6, 7, 8};
	const uint32_t five = 5;
	struct machine m;

	set_up(&m, 2);
	machine_put(&m, TASKS, &five, &five);
	at_fork(&m, 5, 6);
	at_fork(&m, 6, 7);
	at_fork(&m, 9, 8);
	at_free(&m, 6);
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		m.pid = pids[i];
		at_event(&m, &followed, &by_key, KFT_KIND_BEGINS, 10,
			 (struct record){.key = pids[i] == 5 || pids[i] == 7});
		at_event(&m, &followed, &by_key, KFT_KIND_ENDS, 20, (struct record){});
	}
	assert_int_equal(cell_of(&m, 1)->count, 2);
	assert_null(cell_of(&m, 0));
	machine_finish(&m);
}

struct switch_record {
	uint64_t before;
	char prev_comm[16];
	int32_t prev_pid;
	int32_t next_pid;
	int64_t prev_state;
	char next_comm[16];
};

static void at_switch(struct machine *m, uint64_t now, int32_t prev, int64_t prev_state,
		      int32_t next)
{
	const struct kft_live_switch event = {
		FIELD(switch_record, prev_pid, true),
		FIELD(switch_record, prev_state, true),
		FIELD(switch_record, next_pid, true),
		offsetof(struct switch_record, prev_comm),
		offsetof(struct switch_record, next_comm),
	};
	const struct switch_record rec = {.prev_comm = "prev",
					  .prev_pid = prev,
					  .next_pid = next,
					  .prev_state = prev_state,
					  .next_comm = "next"};
	struct kft_bpf_code code = {};

	m->now_ns = now;
	kft_live_emit_switch(&code, &all_tasks, &by_key, &event);
	assert_int_equal(kft_bpf_code_resolve(&code), 0);
	machine_run(m, &code, &rec);
	kft_bpf_code_finish(&code);
}

static void at_wakeup(struct machine *m, uint64_t now, int32_t pid, bool is_new)
{
	const struct kft_live_wakeup event = {
		.pid = FIELD(switch_record, next_pid, true),
		.target_cpu = FIELD(switch_record, prev_state, true),
		.comm = offsetof(struct switch_record, next_comm),
		.is_new = is_new,
	};
	const struct switch_record rec = {
		.next_pid = pid, .prev_state = 3, .next_comm = "woken"};
	struct kft_bpf_code code = {};

	m->now_ns = now;
	kft_live_emit_wakeup(&code, &all_tasks, &by_key, &event);
	assert_int_equal(kft_bpf_code_resolve(&code), 0);
	machine_run(m, &code, &rec);
	kft_bpf_code_finish(&code);
}

static void check_state(struct machine *m, enum kft_task_state key, uint64_t count,
			uint64_t total_ns)
{
	const struct kft_live_cell *cell = cell_of(m, key);

	assert_int_equal(cell ? cell->count : 0, count);
	assert_int_equal(cell ? cell->total_ns : 0, total_ns);
}

static void states_of_tasks_follow_each_other(void **state)
{
	struct machine m;

	set_up(&m, 8);
	at_wakeup(&m, 100, 20, true);
	at_switch(&m, 110, 0, 0, 20); /* waited 10 */
	assert_int_equal(tally(&m).unbegun, 0);
	at_switch(&m, 140, 20, 0, 21); /* ran 30, preempted; 21 is new here */
	assert_int_equal(tally(&m).unbegun, 1);
	at_switch(&m, 150, 21, 2, 20); /* 21 ran 10; 20 was preempted for 10 */
	at_wakeup(&m, 153, 20, false); /* it runs: nothing ends */
	at_wakeup(&m, 170, 21, false); /* blocked 20 */
	at_wakeup(&m, 175, 21, false); /* woken already */
	at_switch(&m, 180, 20, 1, 21); /* 20 ran 30; 21 waited 10 */
	at_wakeup(&m, 200, 20, false); /* slept 20 */
	at_switch(&m, 210, 21, 0x10, 20); /* 21 ran 30 and died; 20 waited 10 */
	check_state(&m, KFT_TASK_WAITING, 3, 30);
	check_state(&m, KFT_TASK_RUNNING, 4, 100);
	check_state(&m, KFT_TASK_PREEMPTED, 1, 10);
	check_state(&m, KFT_TASK_BLOCKED, 1, 20);
	check_state(&m, KFT_TASK_SLEEPING, 1, 20);
	check_state(&m, KFT_TASK_DEAD, 0, 0);
	assert_int_equal(tally(&m).unbegun, 1);
	at_wakeup(&m, 220, 21, true); /* another task with the pid of the dead one */
	at_switch(&m, 225, 20, 0, 21);
	check_state(&m, KFT_TASK_WAITING, 4, 35);
	machine_finish(&m);
}

/* Linux has a limit of 4096 instructions before 5.2, and no loops. */
static void programs_are_short(void **state)
{
	struct machine m;

	set_up(&m, 4);
	at_event(&m, &all_tasks, &by_key, KFT_KIND_BEGINS, 0, (struct record){});
	m.n_steps = 0;
	at_event(&m, &all_tasks, &by_key, KFT_KIND_ENDS, 1000000, (struct record){});
	assert_in_range(m.n_steps, 50, 250);
	machine_finish(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_have_the_figures_of_their_intervals),
		cmocka_unit_test(buckets_are_those_of_the_histogram),
		cmocka_unit_test(rows_of_several_cpus_are_one),
		cmocka_unit_test(halves_of_intervals_are_counted_apart),
		cmocka_unit_test(intervals_belong_to_their_task_or_cpu),
		cmocka_unit_test(rows_are_by_what_was_asked),
		cmocka_unit_test(intervals_without_a_row_are_counted),
		cmocka_unit_test(nothing_is_counted_while_the_gate_is_closed),
		cmocka_unit_test(intervals_belong_to_the_period_in_which_they_end),
		cmocka_unit_test(only_followed_tasks_and_their_children_are_counted),
		cmocka_unit_test(states_of_tasks_follow_each_other),
		cmocka_unit_test(programs_are_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

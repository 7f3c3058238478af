// SPDX-License-Identifier: LGPL-2.1-or-later
/* Emits the programs of live statistics. */
#include "live/program.h"

#include <stddef.h>

#include "derive/kinds/task_state.h"

#define OPEN(member)  ((int)offsetof(struct kft_live_open, member))
#define TALLY(member) offsetof(struct kft_live_tally, member)

static void leave(struct kft_bpf_code *c, unsigned int out)
{
	kft_bpf_place(c, out);
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_0, 0);
	kft_bpf_exit(c);
}

static void mix_cpu(const struct kft_live_emitter *m)
{
	kft_bpf_call(m->code, BPF_FUNC_get_smp_processor_id);
	kft_live_mix(m, BPF_REG_0);
}

/* Idle tasks, which all have the pid 0, are those of their CPUs. */
static void mix_task(const struct kft_live_emitter *m)
{
	struct kft_bpf_code *c = m->code;
	unsigned int not_idle = kft_bpf_label(c);

	kft_bpf_load(c, BPF_W, BPF_REG_0, BPF_REG_10, KFT_LIVE_AT_PID);
	kft_bpf_jump_k(c, BPF_JNE, BPF_REG_0, 0, not_idle);
	kft_bpf_call(c, BPF_FUNC_get_smp_processor_id);
	kft_bpf_load_u64(c, BPF_REG_1, UINT64_C(1) << 32);
	kft_bpf_alu(c, BPF_ADD, BPF_REG_0, BPF_REG_1);
	kft_bpf_place(c, not_idle);
	kft_live_mix(m, BPF_REG_0);
}

static void make_tag(const struct kft_live_emitter *m, const struct kft_live_rules *rules,
		     const struct kft_live_step *step)
{
	kft_live_begin_tag(m);
	for (unsigned int i = 0; i < step->n_ids; i++) {
		kft_live_load(m, BPF_REG_0, &step->ids[i]);
		kft_live_mix(m, BPF_REG_0);
	}
	if (rules->by_task)
		mix_task(m);
	if (rules->by_cpu)
		mix_cpu(m);
}

/* The interval belongs to the current task. The time is taken last: BPF's own is not counted. */
static void begin(const struct kft_live_emitter *m, const struct kft_live_step *step)
{
	struct kft_bpf_code *c = m->code;
	unsigned int was_free = kft_bpf_label(c);

	kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_7, OPEN(tag));
	kft_bpf_jump_k(c, BPF_JEQ, BPF_REG_1, 0, was_free);
	kft_live_count(m, TALLY(unended), was_free);
	kft_bpf_place(c, was_free);
	kft_live_load(m, BPF_REG_1, &step->key);
	kft_bpf_store(c, BPF_DW, BPF_REG_7, OPEN(key), BPF_REG_1);
	kft_bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, KFT_LIVE_AT_PID);
	kft_bpf_store(c, BPF_W, BPF_REG_7, OPEN(pid), BPF_REG_1);
	kft_bpf_call(c, BPF_FUNC_get_smp_processor_id);
	kft_bpf_store(c, BPF_W, BPF_REG_7, OPEN(cpu), BPF_REG_0);
	if (!kft_live_names_at_end(m->rules))
		kft_live_store_comm(m, BPF_REG_7, OPEN(comm));
	kft_bpf_store(c, BPF_DW, BPF_REG_7, OPEN(tag), BPF_REG_8);
	kft_bpf_call(c, BPF_FUNC_ktime_get_ns);
	kft_bpf_store(c, BPF_DW, BPF_REG_7, OPEN(begin_ns), BPF_REG_0);
}

static void end(const struct kft_live_emitter *m, unsigned int out)
{
	struct kft_bpf_code *c = m->code;
	unsigned int is_open = kft_bpf_label(c);

	kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_7, OPEN(tag));
	kft_bpf_jump(c, BPF_JEQ, BPF_REG_1, BPF_REG_8, is_open);
	kft_live_count(m, TALLY(unbegun), out);
	kft_bpf_goto(c, out);
	kft_bpf_place(c, is_open);
	kft_bpf_store_k(c, BPF_DW, BPF_REG_7, OPEN(tag), 0);
	kft_live_add_interval(m);
}

static void cancel(const struct kft_live_emitter *m, unsigned int out)
{
	struct kft_bpf_code *c = m->code;

	kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_7, OPEN(tag));
	kft_bpf_jump(c, BPF_JNE, BPF_REG_1, BPF_REG_8, out);
	kft_bpf_store_k(c, BPF_DW, BPF_REG_7, OPEN(tag), 0);
}

void kft_live_emit_step(struct kft_bpf_code *c, const struct kft_live_maps *maps,
			const struct kft_live_rules *rules,
			const struct kft_live_step *step)
{
	const struct kft_live_emitter m = {c, maps, rules};
	unsigned int out = kft_bpf_label(c);

	kft_live_enter(&m, out);
	if (step->role == KFT_KIND_ENDS)
		kft_live_note_now(&m);
	kft_live_current_pid(&m);
	kft_live_follow(&m, out);
	make_tag(&m, rules, step);
	kft_live_find_place(&m, out);
	if (step->role == KFT_KIND_BEGINS)
		begin(&m, step);
	else if (step->role == KFT_KIND_ENDS)
		end(&m, out);
	else
		cancel(&m, out);
	leave(c, out);
}

/* Finds the place of the task at KFT_LIVE_AT_PID. Idle tasks wait for nothing: not them. */
static void find_task(const struct kft_live_emitter *m, unsigned int out)
{
	struct kft_bpf_code *c = m->code;

	kft_bpf_load(c, BPF_W, BPF_REG_0, BPF_REG_10, KFT_LIVE_AT_PID);
	kft_bpf_jump_k(c, BPF_JEQ, BPF_REG_0, 0, out);
	kft_live_follow(m, out);
	kft_live_begin_tag(m);
	kft_bpf_load(c, BPF_W, BPF_REG_0, BPF_REG_10, KFT_LIVE_AT_PID);
	kft_live_mix(m, BPF_REG_0);
	kft_bpf_store(c, BPF_DW, BPF_REG_10, KFT_LIVE_AT_TAG, BPF_REG_8);
	kft_live_find_place(m, out);
}

/* Begins a state: r1 = its key. The CPU is the current one, or that of the value. */
static void begin_state(const struct kft_live_emitter *m, uint16_t comm,
			const struct kft_live_value *cpu)
{
	struct kft_bpf_code *c = m->code;

	kft_bpf_store(c, BPF_DW, BPF_REG_7, OPEN(key), BPF_REG_1);
	kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, KFT_LIVE_AT_TAG);
	kft_bpf_store(c, BPF_DW, BPF_REG_7, OPEN(tag), BPF_REG_1);
	kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_10, KFT_LIVE_AT_NOW);
	kft_bpf_store(c, BPF_DW, BPF_REG_7, OPEN(begin_ns), BPF_REG_1);
	kft_bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_10, KFT_LIVE_AT_PID);
	kft_bpf_store(c, BPF_W, BPF_REG_7, OPEN(pid), BPF_REG_1);
	/* The names are at multiples of 4 bytes only. */
	for (int at = 0; at < 16; at += 4) {
		kft_bpf_load(c, BPF_W, BPF_REG_1, BPF_REG_6, comm + at);
		kft_bpf_store(c, BPF_W, BPF_REG_7, OPEN(comm) + at, BPF_REG_1);
	}
	if (cpu)
		kft_live_load(m, BPF_REG_0, cpu);
	else
		kft_bpf_call(c, BPF_FUNC_get_smp_processor_id);
	kft_bpf_store(c, BPF_W, BPF_REG_7, OPEN(cpu), BPF_REG_0);
}

/*
 * Ends the state at r7 if it is known, and of those that the event can end: of a task that
 * leaves its CPU the one with the key RUNNING, otherwise one with another key.
 */
static void end_state(const struct kft_live_emitter *m, bool is_leaving)
{
	struct kft_bpf_code *c = m->code;
	unsigned int ended = kft_bpf_label(c);
	unsigned int is_known = kft_bpf_label(c);
	unsigned int missed = kft_bpf_label(c);

	kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_7, OPEN(tag));
	kft_bpf_jump(c, BPF_JNE, BPF_REG_1, BPF_REG_8, missed);
	kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_7, OPEN(key));
	kft_bpf_jump_k(c, is_leaving ? BPF_JEQ : BPF_JNE, BPF_REG_1, KFT_TASK_RUNNING,
		       is_known);
	kft_bpf_place(c, missed);
	kft_live_count(m, TALLY(unbegun), ended);
	kft_bpf_goto(c, ended);
	kft_bpf_place(c, is_known);
	kft_live_add_interval(m);
	kft_bpf_place(c, ended);
}

/* r1 = the state after leaving a CPU, as kft_task_state_when_off() has it. */
static void state_when_off(const struct kft_live_emitter *m,
			   const struct kft_live_value *prev_state)
{
	static const struct {
		uint8_t bits;
		enum kft_task_state state;
	} states[] = {
		{0x00, KFT_TASK_PREEMPTED}, {0x02, KFT_TASK_BLOCKED},
		{0x04, KFT_TASK_STOPPED},   {0x40, KFT_TASK_STOPPED},
		{0x08, KFT_TASK_TRACED},    {0x10, KFT_TASK_DEAD},
		{0x20, KFT_TASK_DEAD},
	};
	struct kft_bpf_code *c = m->code;
	unsigned int found = kft_bpf_label(c);

	kft_live_load(m, BPF_REG_2, prev_state);
	kft_bpf_alu_k(c, BPF_AND, BPF_REG_2, 0xff);
	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		kft_bpf_alu_k(c, BPF_MOV, BPF_REG_1, (int32_t)states[i].state);
		kft_bpf_jump_k(c, BPF_JEQ, BPF_REG_2, states[i].bits, found);
	}
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_1, KFT_TASK_SLEEPING);
	kft_bpf_place(c, found);
}

/* A dead task's pid may be used again at once. */
static void forget_dead(const struct kft_live_emitter *m, unsigned int out)
{
	struct kft_bpf_code *c = m->code;

	kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_7, OPEN(key));
	kft_bpf_jump_k(c, BPF_JNE, BPF_REG_1, KFT_TASK_DEAD, out);
	kft_bpf_store_k(c, BPF_DW, BPF_REG_7, OPEN(tag), 0);
}

void kft_live_emit_switch(struct kft_bpf_code *c, const struct kft_live_maps *maps,
			  const struct kft_live_rules *rules,
			  const struct kft_live_switch *event)
{
	const struct kft_live_emitter m = {c, maps, rules};
	unsigned int arrives = kft_bpf_label(c);
	unsigned int out = kft_bpf_label(c);

	kft_live_enter(&m, out);
	kft_live_note_now(&m);
	kft_live_pid_of(&m, &event->prev_pid);
	find_task(&m, arrives);
	end_state(&m, true);
	state_when_off(&m, &event->prev_state);
	begin_state(&m, event->prev_comm, NULL);
	forget_dead(&m, arrives);
	kft_bpf_place(c, arrives);
	kft_live_pid_of(&m, &event->next_pid);
	find_task(&m, out);
	end_state(&m, false);
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_1, KFT_TASK_RUNNING);
	begin_state(&m, event->next_comm, NULL);
	leave(c, out);
}

void kft_live_emit_wakeup(struct kft_bpf_code *c, const struct kft_live_maps *maps,
			  const struct kft_live_rules *rules,
			  const struct kft_live_wakeup *event)
{
	const struct kft_live_emitter m = {c, maps, rules};
	unsigned int out = kft_bpf_label(c);
	unsigned int unknown = kft_bpf_label(c);
	unsigned int begins = kft_bpf_label(c);

	kft_live_enter(&m, out);
	kft_live_note_now(&m);
	kft_live_pid_of(&m, &event->pid);
	find_task(&m, out);
	if (!event->is_new) {
		kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_7, OPEN(tag));
		kft_bpf_jump(c, BPF_JNE, BPF_REG_1, BPF_REG_8, unknown);
		kft_bpf_load(c, BPF_DW, BPF_REG_1, BPF_REG_7, OPEN(key));
		/* It was about to sleep, or another event has woken it already. */
		kft_bpf_alu_k(c, BPF_MOV, BPF_REG_2, KFT_TASK_SLEEPING);
		kft_bpf_jump(c, BPF_JGT, BPF_REG_2, BPF_REG_1, out);
		kft_live_add_interval(&m);
		kft_bpf_goto(c, begins);
		kft_bpf_place(c, unknown);
		kft_live_count(&m, TALLY(unbegun), begins);
	}
	kft_bpf_place(c, begins);
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_1, KFT_TASK_WAITING);
	begin_state(&m, event->comm, &event->target_cpu);
	leave(c, out);
}

void kft_live_emit_fork(struct kft_bpf_code *c, const struct kft_live_maps *maps,
			const struct kft_live_value *parent,
			const struct kft_live_value *child)
{
	const struct kft_live_emitter m = {c, maps, NULL};
	unsigned int out = kft_bpf_label(c);

	kft_bpf_alu(c, BPF_MOV, BPF_REG_6, BPF_REG_1);
	kft_live_pid_of(&m, parent);
	kft_live_follow(&m, out);
	kft_live_pid_of(&m, child);
	kft_bpf_load_map(c, BPF_REG_1, maps->tasks);
	for (int arg = BPF_REG_2; arg <= BPF_REG_3; arg++) {
		kft_bpf_alu(c, BPF_MOV, arg, BPF_REG_10);
		kft_bpf_alu_k(c, BPF_ADD, arg, KFT_LIVE_AT_PID);
	}
	kft_bpf_alu_k(c, BPF_MOV, BPF_REG_4, BPF_ANY);
	kft_bpf_call(c, BPF_FUNC_map_update_elem);
	leave(c, out);
}

void kft_live_emit_free(struct kft_bpf_code *c, const struct kft_live_maps *maps,
			const struct kft_live_value *pid)
{
	const struct kft_live_emitter m = {c, maps, NULL};
	unsigned int out = kft_bpf_label(c);

	kft_bpf_alu(c, BPF_MOV, BPF_REG_6, BPF_REG_1);
	kft_live_pid_of(&m, pid);
	kft_bpf_load_map(c, BPF_REG_1, maps->tasks);
	kft_bpf_alu(c, BPF_MOV, BPF_REG_2, BPF_REG_10);
	kft_bpf_alu_k(c, BPF_ADD, BPF_REG_2, KFT_LIVE_AT_PID);
	kft_bpf_call(c, BPF_FUNC_map_delete_elem);
	leave(c, out);
}

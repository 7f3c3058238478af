// SPDX-License-Identifier: LGPL-2.1-or-later
/* Looks up facts about a range of a trace. */
#include "analysis/why/facts.h"

#include <string.h>

#include "derive/kinds/task_state.h"

bool kft_why_is_function(const struct kft_why_facts *f, uint64_t addr, const char *name)
{
	const struct kft_symbol *s = kft_symbol_lookup(&f->trace->symbols, addr);

	return s && s->addr == addr && s->name_len == strlen(name) &&
	       memcmp(s->name, name, s->name_len) == 0;
}

/* 5/4 of the tick's period, so that a late tick is not yet silence. */
uint64_t kft_why_silent_ns(const struct kft_why_facts *f, const struct kft_why_cpu *cpu)
{
	return f->tick_ns && cpu->ticks.len ? f->tick_ns + f->tick_ns / 4 : UINT64_MAX;
}

void kft_why_facts_finish(struct kft_why_facts *f)
{
	kft_vec_for_each(&f->tasks, task) {
		kft_vec_finish(&task->states);
		kft_vec_finish(&task->calls);
		kft_vec_finish(&task->wakings);
		kft_vec_finish(&task->places);
		kft_vec_finish(&task->faults);
		kft_vec_finish(&task->births);
		kft_vec_finish(&task->handlers);
	}
	kft_vec_for_each(&f->cpus, cpu) {
		kft_vec_finish(&cpu->currents);
		kft_vec_finish(&cpu->irqs);
		kft_vec_finish(&cpu->pieces);
		kft_vec_finish(&cpu->gaps);
		kft_vec_finish(&cpu->helds);
		kft_vec_finish(&cpu->timers);
		kft_vec_finish(&cpu->requests);
		kft_vec_finish(&cpu->ticks);
	}
	kft_vec_finish(&f->tasks);
	kft_vec_finish(&f->cpus);
	kft_vec_finish(&f->signals);
	kft_vec_finish(&f->periods);
	kft_vec_finish(&f->unlocks);
	kft_vec_finish(&f->samples);
	kft_map_finish(&f->by_pid);
	kft_map_finish(&f->irq_names);
	kft_arena_finish(&f->arena);
}

const struct kft_why_task *kft_why_task_find(const struct kft_why_facts *f, int32_t pid)
{
	return kft_keyed_get(&f->tasks, &f->by_pid, (uint32_t)pid);
}

const struct kft_why_cpu *kft_why_cpu_find(const struct kft_why_facts *f, uint32_t cpu)
{
	return cpu < f->cpus.len ? &f->cpus.data[cpu] : NULL;
}

const struct kft_interval *kft_why_state_at(const struct kft_why_task *task, uint64_t ts,
					    uint64_t *ret_next)
{
	size_t n = kft_vec_count_until(&task->states, begin_ns, ts);

	*ret_next = n < task->states.len ? task->states.data[n].begin_ns : UINT64_MAX;
	/* A state without length and the next one begin at the same time. */
	return n && task->states.data[n - 1].end_ns > ts ? &task->states.data[n - 1]
							 : NULL;
}

const struct kft_why_current *kft_why_current_at(const struct kft_why_cpu *cpu,
						 uint64_t ts, uint64_t *ret_until)
{
	size_t n = kft_vec_count_until(&cpu->currents, ts, ts);

	*ret_until = n < cpu->currents.len ? cpu->currents.data[n].ts : UINT64_MAX;
	return n ? &cpu->currents.data[n - 1] : NULL;
}

const struct kft_why_piece *kft_why_piece_at(const struct kft_why_cpu *cpu, uint64_t ts,
					     uint64_t *ret_until)
{
	size_t n = kft_vec_count_until(&cpu->pieces, begin, ts);

	if (n && cpu->pieces.data[n - 1].end > ts) {
		*ret_until = cpu->pieces.data[n - 1].end;
		return &cpu->pieces.data[n - 1];
	}
	*ret_until = n < cpu->pieces.len ? cpu->pieces.data[n].begin : UINT64_MAX;
	return NULL;
}

/* Calls nest only a few levels deep, so the innermost one is near in the list. */
#define CALLS_LOOKED_AT 64

const struct kft_interval *kft_why_call_at(const struct kft_why_task *task,
					   const struct kft_interval_kind *kind,
					   uint64_t ts)
{
	size_t n = kft_vec_count_until(&task->calls, begin_ns, ts);

	for (size_t i = n; i && n - i < CALLS_LOOKED_AT; i--)
		if (task->calls.data[i - 1].kind == kind &&
		    task->calls.data[i - 1].end_ns > ts)
			return &task->calls.data[i - 1];
	return NULL;
}

uint64_t kft_why_next_call(const struct kft_why_task *task, uint64_t ts)
{
	size_t n = kft_vec_count_until(&task->calls, begin_ns, ts);

	return n < task->calls.len ? task->calls.data[n].begin_ns : UINT64_MAX;
}

bool kft_why_is_running(const struct kft_interval *state)
{
	return state->key == KFT_TASK_RUNNING;
}

bool kft_why_is_ready(const struct kft_interval *state)
{
	return state->key == KFT_TASK_WAITING || state->key == KFT_TASK_PREEMPTED;
}

bool kft_why_is_stopped(const struct kft_interval *state)
{
	return state->key == KFT_TASK_STOPPED;
}

const struct kft_why_waking *kft_why_waking_at(const struct kft_why_task *task,
					       uint64_t ts)
{
	size_t n = kft_vec_count_until(&task->wakings, ts, ts);

	return n && task->wakings.data[n - 1].ts == ts ? &task->wakings.data[n - 1]
						       : NULL;
}

uint32_t kft_why_place_at(const struct kft_why_task *task, uint64_t ts, uint32_t fallback,
			  uint64_t *ret_until)
{
	size_t n = kft_vec_count_until(&task->places, ts, ts);

	*ret_until = n < task->places.len ? task->places.data[n].ts : UINT64_MAX;
	return n ? task->places.data[n - 1].cpu : fallback;
}

const struct kft_why_handler *kft_why_handler_at(const struct kft_why_task *task,
						 uint64_t ts, uint64_t *ret_until)
{
	size_t n = kft_vec_count_until(&task->handlers, begin, ts);

	*ret_until = n < task->handlers.len ? task->handlers.data[n].begin : UINT64_MAX;
	for (size_t i = n; i && n - i < CALLS_LOOKED_AT; i--) {
		const struct kft_why_handler *h = &task->handlers.data[i - 1];

		if (h->end <= ts)
			continue;
		*ret_until = KFT_MIN(*ret_until, h->end);
		return h;
	}
	return NULL;
}

const struct kft_why_birth *kft_why_birth_after(const struct kft_why_task *task,
						uint64_t ts)
{
	size_t n = kft_vec_count_until(&task->births, ts, ts);
	uint64_t next;

	if (n == task->births.len || kft_why_state_at(task, ts, &next) ||
	    next < task->births.data[n].ts)
		return NULL;
	return &task->births.data[n];
}

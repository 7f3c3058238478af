/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bpf/code.h"
#include "live/cell.h"
#include "live/condition.h"

/* Bits of a tag that are the index of a place in the table of open intervals. */
#define KFT_LIVE_PLACE_BITS 16

/* A value that a program takes from an event. */
struct kft_live_value {
	bool is_constant;
	bool is_signed;
	uint8_t bytes; /* 1, 2, 4 or 8 */
	uint16_t offset; /* from the beginning of the program's context */
	uint64_t constant;
};

/* Descriptors of the maps of a kind of intervals; borrowed. */
struct kft_live_maps {
	int gate; /* of all kinds: u32, the period; 0 while nothing is counted */
	int tasks; /* of all kinds: the pids that are followed; -1: all tasks */
	int open; /* struct kft_live_open by place */
	int cells; /* struct kft_live_cell by struct kft_live_key, per CPU */
	int zero; /* a cell of zeros */
	int tally; /* struct kft_live_tally, per CPU */
};

/*
 * Pieces of the programs of live statistics. Registers that stay the same between pieces: r6 is
 * the context, r7 the interval's place (struct kft_live_open), r8 its tag. The stack has the
 * time of the event at KFT_LIVE_AT_NOW.
 */
enum {
	KFT_LIVE_AT_INDEX = -4, /* u32: argument of lookups */
	KFT_LIVE_AT_PID = -8, /* u32 */
	KFT_LIVE_AT_NOW = -16, /* u64, ns */
	KFT_LIVE_AT_TAG = -24, /* u64 */
	KFT_LIVE_AT_KEY = -64, /* struct kft_live_key */
	KFT_LIVE_AT_PERIOD = -68, /* u32 */
};

/* How the programs of a kind choose, identify and group its intervals. */
struct kft_live_rules {
	unsigned int by; /* enum kft_interval_by */
	bool by_cpu; /* an interval begins and ends on one CPU */
	bool by_task; /* and in one task */
	struct kft_live_condition where; /* without a filter: all intervals */
	struct kft_live_condition only[2]; /* likewise: all events; borrowed filters */
};

struct kft_live_emitter {
	struct kft_bpf_code *code;
	const struct kft_live_maps *maps;
	const struct kft_live_rules *rules;
};

/* dst = the value; the context is in r6. */
void kft_live_load(const struct kft_live_emitter *m, int dst,
		   const struct kft_live_value *value);

/* r6 = the context; jumps to out while the gate is closed, or at an event that is not chosen. */
void kft_live_enter(const struct kft_live_emitter *m, unsigned int out);

/* The pid at KFT_LIVE_AT_PID = that of the current task, or the value. */
void kft_live_current_pid(const struct kft_live_emitter *m);
void kft_live_pid_of(const struct kft_live_emitter *m,
		     const struct kft_live_value *value);

/* Jumps to out unless the task with that pid is followed. */
void kft_live_follow(const struct kft_live_emitter *m, unsigned int out);

/*
 * Whether the name of the task is only needed for the longest interval: it is taken at the end then,
 * where the same task runs. It costs a tenth of a program.
 */
bool kft_live_names_at_end(const struct kft_live_rules *rules);

/* The 16 bytes at a register and an offset = the name of the current task. */
void kft_live_store_comm(const struct kft_live_emitter *m, int reg, int offset);

/* Notes the time of the event. */
void kft_live_note_now(const struct kft_live_emitter *m);

/* Mixes a register into the tag in r8, which begins with kft_live_begin_tag(). */
void kft_live_begin_tag(const struct kft_live_emitter *m);
void kft_live_mix(const struct kft_live_emitter *m, int reg);

/* r7 = the place for the tag in r8. */
void kft_live_find_place(const struct kft_live_emitter *m, unsigned int out);

/* Counts a member of struct kft_live_tally up. */
void kft_live_count(const struct kft_live_emitter *m, size_t member, unsigned int out);

/*
 * Adds the interval at r7, which ends at KFT_LIVE_AT_NOW, to its cell. r8 is lost. Goes on at
 * the next instruction in any case.
 */
void kft_live_add_interval(const struct kft_live_emitter *m);

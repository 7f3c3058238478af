/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "base/macro.h"
#include "bpf/code.h"

/*
 * Executes BPF programs as the kernel would, with maps in memory. Maps per CPU have one value
 * only: programs run on one CPU at a time here.
 */
#define MACHINE_MAPS 8

struct machine_map {
	bool is_hash; /* else an array */
	uint32_t key_size;
	uint32_t value_size;
	uint32_t entries; /* most that it holds */
	uint32_t n; /* of a hash */
	uint8_t *keys; /* owned, like values */
	uint8_t *values;
};

/* Programs know a map by its index, in place of a descriptor. */
struct machine {
	struct machine_map maps[MACHINE_MAPS];
	uint64_t now_ns; /* results of the helpers */
	uint32_t cpu;
	uint32_t pid;
	char comm[16];
	uint64_t n_steps; /* instructions that were executed */
};

void machine_add_map(struct machine *m, int fd, bool is_hash, uint32_t key_size,
		     uint32_t value_size, uint32_t entries);
void machine_finish(struct machine *m);

/* The value for a key; NULL: there is none. */
void *machine_find(struct machine *m, int fd, const void *key);
void machine_put(struct machine *m, int fd, const void *key, const void *value);

/* Runs a resolved program with this context; fails the test at whatever it does not know. */
uint64_t machine_run(struct machine *m, const struct kft_bpf_code *code,
		     const void *context);

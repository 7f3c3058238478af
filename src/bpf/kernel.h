/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/macro.h"
#include "bpf/code.h"

/*
 * Programs and maps in the kernel. Both live as long as their descriptors, which the caller
 * owns: nothing is pinned, so the kernel removes them whatever ends the process.
 */

/* The system call bpf(2): its result, or -errno. */
int kft_bpf(int cmd, union kft_bpf_attr *attr);

struct kft_bpf_map {
	const char *name; /* at most 15 characters, for bpftool */
	uint32_t type; /* BPF_MAP_TYPE_* */
	uint32_t key_size; /* bytes */
	uint32_t value_size; /* bytes, of one CPU for the types that are per CPU */
	uint32_t entries;
	uint32_t flags;
};

/* A descriptor, or -errno. */
int kft_bpf_map_create(const struct kft_bpf_map *map) __must_check;

/*
 * 0 or -errno; -ENOENT without such a key. Of a map per CPU, value has a part for each possible
 * CPU, each a multiple of 8 bytes.
 */
int kft_bpf_map_lookup(int fd, const void *key, void *value) __must_check;
int kft_bpf_map_update(int fd, const void *key, const void *value) __must_check;
int kft_bpf_map_delete(int fd, const void *key) __must_check;
/* The key after this one (NULL: the first). -ENOENT after the last one. */
int kft_bpf_map_next(int fd, const void *key, void *ret_key) __must_check;

/*
 * Loads a program of this type (BPF_PROG_TYPE_*): a descriptor or -errno. If the kernel's
 * verifier refuses it, e has the verifier's last words.
 */
int kft_bpf_load_program(uint32_t type, const char *name, struct kft_bpf_code *code,
			 struct kft_err *e) __must_check;

/*
 * Runs a program at each event, on all CPUs, until the returned descriptor is closed; -errno.
 * The first takes a program of type TRACEPOINT and the event's id in tracefs, the second one of
 * type RAW_TRACEPOINT and the name of a tracepoint.
 */
int kft_bpf_attach_event(int program_fd, uint32_t event_id) __must_check;
int kft_bpf_attach_raw(int program_fd, const char *tracepoint) __must_check;

/*
 * The number of times that a program was not run because it, or another one, was running on
 * the CPU already. 0 on kernels before 5.12, which do not count them.
 */
uint64_t kft_bpf_missed_runs(int program_fd);

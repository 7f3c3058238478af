/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"
#include "uapi/bpf.h"

/*
 * A minimal BPF program: each run adds one to a counter that user space can read. It
 * needs no helper and no context, so the same instructions pass the verifier for
 * every kind of tracing program.
 */
struct kft_bpf_counter {
	int map_fd; /* owned; -1: not open */
	int prog_fd; /* owned; -1: not open */
};

struct kft_bpf_kind {
	uint32_t type; /* may be newer than the headers, like attach_type */
	uint32_t attach_type; /* expected_attach_type */
	uint32_t btf_id; /* target of a tp_btf or fentry program */
};

/* Loads the map and the program. -errno when the kernel refuses either. */
int kft_bpf_counter_load(const struct kft_bpf_kind *kind,
			 struct kft_bpf_counter *ret) __must_check;

/* The number of runs, or -errno. */
int64_t kft_bpf_counter_read(const struct kft_bpf_counter *c);

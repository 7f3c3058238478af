/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DOCTOR_BPF_H
#define KFT_DOCTOR_BPF_H

#include "base/macro.h"
#include "uapi/bpf.h"

/*
 * The smallest useful BPF program: each run adds one to a counter that user space can
 * read. It needs no helper and no context, so the same instructions verify for every
 * kind of tracing program.
 */
struct kft_bpf_counter {
	int map_fd; /* owned; -1: none */
	int prog_fd; /* owned; -1: none */
};

struct kft_bpf_kind {
	uint32_t type; /* may be newer than the headers, as the next */
	uint32_t attach_type; /* expected_attach_type */
	uint32_t btf_id; /* of what a tp_btf or fentry program attaches to */
};

/* The system call: its value, or -errno. */
int kft_bpf(int cmd, union kft_bpf_attr *attr);

/* -errno when the kernel refuses the map or the program. */
int kft_bpf_counter_load(const struct kft_bpf_kind *kind,
			 struct kft_bpf_counter *ret) __must_check;

/* How often it ran; -errno. */
int64_t kft_bpf_counter_read(const struct kft_bpf_counter *c);

#endif

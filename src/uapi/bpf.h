/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/bpf.h>
#include <stdint.h>

/*
 * Parts of <linux/bpf.h> that kft uses and the headers of Linux 5.4 do not have. The numbers
 * and layouts are the kernel's ABI; each comment names the first version that has them.
 */
enum {
	KFT_BPF_F_MMAPABLE = 1 << 10, /* 5.5, a flag of maps */
	KFT_BPF_PROG_TYPE_TRACING = 26, /* 5.5 */
	KFT_BPF_TRACE_RAW_TP = 23, /* 5.5 */
	KFT_BPF_TRACE_FENTRY = 24, /* 5.5 */
	KFT_BPF_LINK_CREATE = 28, /* 5.7, a command */
	KFT_BPF_MAP_TYPE_RINGBUF = 27, /* 5.8 */
	KFT_BPF_TRACE_KPROBE_MULTI = 42, /* 5.18 */
	KFT_BPF_TRACE_KPROBE_SESSION = 56, /* 6.10 */
};

/* The start of BPF_PROG_LOAD's arguments, with the field that 5.5 added at its end. */
struct kft_bpf_prog_load {
	uint32_t prog_type;
	uint32_t insn_cnt;
	uint64_t insns;
	uint64_t license;
	uint32_t log_level;
	uint32_t log_size;
	uint64_t log_buf;
	uint32_t kern_version;
	uint32_t prog_flags;
	char prog_name[16];
	uint32_t prog_ifindex;
	uint32_t expected_attach_type;
	uint32_t prog_btf_fd;
	uint32_t func_info_rec_size;
	uint64_t func_info;
	uint32_t func_info_cnt;
	uint32_t line_info_rec_size;
	uint64_t line_info;
	uint32_t line_info_cnt;
	uint32_t attach_btf_id;
};

/* BPF_LINK_CREATE's arguments for a link of type kprobe_multi. */
struct kft_bpf_link_multi {
	uint32_t prog_fd;
	uint32_t target_fd;
	uint32_t attach_type;
	uint32_t flags;
	uint32_t multi_flags;
	uint32_t cnt;
	uint64_t syms;
	uint64_t addrs;
	uint64_t cookies;
};

/* The start of struct bpf_prog_info, up to the counter that 5.12 added. */
struct kft_bpf_prog_info {
	uint8_t before[192];
	uint64_t run_time_ns;
	uint64_t run_count;
	uint64_t recursion_misses;
};

/* The arguments of bpf(2), those above among them. */
union kft_bpf_attr {
	union bpf_attr old;
	struct kft_bpf_prog_load prog_load;
	struct kft_bpf_link_multi link_multi;
};

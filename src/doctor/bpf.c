// SPDX-License-Identifier: LGPL-2.1-or-later
/* Loads the smallest useful BPF program. */
#include "doctor/bpf.h"

#include <string.h>

#include "bpf/kernel.h"

static int make_map(void)
{
	return kft_bpf_map_create(&(struct kft_bpf_map){
		.name = "kft_doctor",
		.type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 8,
		.entries = 1,
	});
}

static int load_program(const struct kft_bpf_kind *kind, int map_fd)
{
	const struct bpf_insn insns[] = {
		/* r1 = address of the map's value; a 64-bit immediate takes two */
		{.code = BPF_LD | BPF_DW | BPF_IMM,
		 .dst_reg = BPF_REG_1,
		 .src_reg = BPF_PSEUDO_MAP_VALUE,
		 .imm = map_fd},
		{.imm = 0},
		/* r2 = 1 */
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 1},
		/* *(u64 *)r1 += r2, atomically; 5.12 calls BPF_XADD BPF_ATOMIC */
		{.code = BPF_STX | BPF_DW | BPF_XADD,
		 .dst_reg = BPF_REG_1,
		 .src_reg = BPF_REG_2,
		 .imm = BPF_ADD},
		/* return 0 */
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	union kft_bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_load.prog_type = kind->type;
	attr.prog_load.expected_attach_type = kind->attach_type;
	attr.prog_load.attach_btf_id = kind->btf_id;
	attr.prog_load.insns = (uintptr_t)insns;
	attr.prog_load.insn_cnt = ARRAY_SIZE(insns);
	attr.prog_load.license = (uintptr_t) "GPL";
	memcpy(attr.prog_load.prog_name, "kft_doctor", sizeof("kft_doctor"));
	return kft_bpf(BPF_PROG_LOAD, &attr);
}

int kft_bpf_counter_load(const struct kft_bpf_kind *kind, struct kft_bpf_counter *ret)
{
	_cleanup_close_ int map_fd = make_map();

	if (map_fd < 0)
		return map_fd;
	int prog_fd = load_program(kind, map_fd);

	if (prog_fd < 0)
		return prog_fd;
	ret->map_fd = TAKE_FD(map_fd);
	ret->prog_fd = prog_fd;
	return 0;
}

int64_t kft_bpf_counter_read(const struct kft_bpf_counter *c)
{
	uint32_t key = 0;
	uint64_t value = 0;
	int r = kft_bpf_map_lookup(c->map_fd, &key, &value);

	return r < 0 ? r : (int64_t)value;
}

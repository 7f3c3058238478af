// SPDX-License-Identifier: GPL-2.0-only
#include "bpf_machine.h"

#include "t.h"

#define STACK_BYTES 512
#define STEPS_MAX   100000

void machine_add_map(struct machine *m, int fd, bool is_hash, uint32_t key_size,
		     uint32_t value_size, uint32_t entries)
{
	m->maps[fd] = (struct machine_map){
		.is_hash = is_hash,
		.key_size = key_size,
		.value_size = value_size,
		.entries = entries,
		.keys = calloc(entries, key_size),
		.values = calloc(entries, value_size),
	};
	assert_non_null(m->maps[fd].keys);
	assert_non_null(m->maps[fd].values);
}

void machine_finish(struct machine *m)
{
	for (int fd = 0; fd < MACHINE_MAPS; fd++) {
		free(m->maps[fd].keys);
		free(m->maps[fd].values);
	}
}

static struct machine_map *map_at(struct machine *m, uint64_t fd)
{
	assert_in_range(fd, 0, MACHINE_MAPS - 1);
	assert_non_null(m->maps[fd].keys);
	return &m->maps[fd];
}

static uint32_t find_index(const struct machine_map *map, const void *key)
{
	uint32_t i = 0;

	while (i < map->n &&
	       memcmp(map->keys + (size_t)i * map->key_size, key, map->key_size) != 0)
		i++;
	return i;
}

void *machine_find(struct machine *m, int fd, const void *key)
{
	struct machine_map *map = map_at(m, (uint64_t)fd);
	uint32_t i = map->is_hash ? find_index(map, key) : *(const uint32_t *)key;

	if (i >= (map->is_hash ? map->n : map->entries))
		return NULL;
	return map->values + (size_t)i * map->value_size;
}

void machine_put(struct machine *m, int fd, const void *key, const void *value)
{
	struct machine_map *map = map_at(m, (uint64_t)fd);
	uint32_t i = map->is_hash ? find_index(map, key) : *(const uint32_t *)key;

	if (i >= map->entries)
		return;
	if (map->is_hash && i == map->n) {
		memcpy(map->keys + (size_t)i * map->key_size, key, map->key_size);
		map->n++;
	}
	memcpy(map->values + (size_t)i * map->value_size, value, map->value_size);
}

static void delete (struct machine *m, int fd, const void *key)
{
	struct machine_map *map = map_at(m, (uint64_t)fd);
	uint32_t i = find_index(map, key);

	if (i >= map->n)
		return;
	map->n--;
	memcpy(map->keys + (size_t)i * map->key_size,
	       map->keys + (size_t)map->n * map->key_size, map->key_size);
	memcpy(map->values + (size_t)i * map->value_size,
	       map->values + (size_t)map->n * map->value_size, map->value_size);
}

static uint64_t call(struct machine *m, int helper, const uint64_t *r)
{
	switch (helper) {
	case BPF_FUNC_map_lookup_elem:
		return (uintptr_t)machine_find(m, (int)r[1], (void *)r[2]);
	case BPF_FUNC_map_update_elem:
		if (r[4] == BPF_ANY || !machine_find(m, (int)r[1], (void *)r[2]))
			machine_put(m, (int)r[1], (void *)r[2], (void *)r[3]);
		return 0;
	case BPF_FUNC_map_delete_elem:
		delete (m, (int)r[1], (void *)r[2]);
		return 0;
	case BPF_FUNC_ktime_get_ns:
		return m->now_ns;
	case BPF_FUNC_get_smp_processor_id:
		return m->cpu;
	case BPF_FUNC_get_current_pid_tgid:
		return UINT64_C(77) << 32 | m->pid;
	case BPF_FUNC_get_current_comm:
		assert_int_equal(r[2], sizeof(m->comm));
		memcpy((void *)r[1], m->comm, sizeof(m->comm));
		return 0;
	default:
		fail_msg("helper %d", helper);
		return 0;
	}
}

static uint64_t compute(int op, uint64_t a, uint64_t b)
{
	switch (op) {
	case BPF_MOV:
		return b;
	case BPF_ADD:
		return a + b;
	case BPF_SUB:
		return a - b;
	case BPF_MUL:
		return a * b;
	case BPF_AND:
		return a & b;
	case BPF_XOR:
		return a ^ b;
	case BPF_LSH:
		assert_in_range(b, 0, 63);
		return a << b;
	case BPF_RSH:
		assert_in_range(b, 0, 63);
		return a >> b;
	case BPF_ARSH:
		return (uint64_t)((int64_t)a >> b);
	default:
		fail_msg("operation %#x", op);
		return 0;
	}
}

static bool holds(int op, uint64_t a, uint64_t b)
{
	switch (op) {
	case BPF_JA:
		return true;
	case BPF_JEQ:
		return a == b;
	case BPF_JNE:
		return a != b;
	case BPF_JGT:
		return a > b;
	case BPF_JGE:
		return a >= b;
	case BPF_JSGT:
		return (int64_t)a > (int64_t)b;
	case BPF_JSGE:
		return (int64_t)a >= (int64_t)b;
	default:
		fail_msg("jump %#x", op);
		return false;
	}
}

static size_t bytes_of(uint8_t code)
{
	static const size_t bytes[] = {
		[BPF_W >> 3] = 4, [BPF_H >> 3] = 2, [BPF_B >> 3] = 1, [BPF_DW >> 3] = 8};

	return bytes[BPF_SIZE(code) >> 3];
}

static uint64_t load(const struct bpf_insn *i, uint64_t address)
{
	uint64_t v = 0;

	assert_int_equal((address + (uint64_t)i->off) % bytes_of(i->code), 0);
	memcpy(&v, (void *)(address + (uint64_t)i->off), bytes_of(i->code));
	return v;
}

static void store(const struct bpf_insn *i, uint64_t address, uint64_t v)
{
	assert_int_equal((address + (uint64_t)i->off) % bytes_of(i->code), 0);
	memcpy((void *)(address + (uint64_t)i->off), &v, bytes_of(i->code));
}

/* Helpers leave nothing in the registers of their arguments. */
static void lose_arguments(uint64_t *r)
{
	for (int i = 1; i <= 5; i++)
		r[i] = 0xdeadbeef;
}

uint64_t machine_run(struct machine *m, const struct kft_bpf_code *code,
		     const void *context)
{
	_Alignas(8) uint8_t stack[STACK_BYTES];
	uint64_t r[11] = {
		[1] = (uintptr_t)context, [10] = (uintptr_t)stack + sizeof(stack)};

	memset(stack, 0xee, sizeof(stack));
	for (size_t at = 0, n = 0; n < STEPS_MAX; n++) {
		assert_in_range(at, 0, code->insns.len - 1);
		const struct bpf_insn *i = &code->insns.data[at++];
		uint64_t k = (uint64_t)(int64_t)i->imm;
		uint64_t operand = BPF_SRC(i->code) == BPF_X ? r[i->src_reg] : k;

		m->n_steps++;
		switch (BPF_CLASS(i->code)) {
		case BPF_ALU64:
			r[i->dst_reg] = compute(BPF_OP(i->code), r[i->dst_reg], operand);
			break;
		case BPF_LDX:
			r[i->dst_reg] = load(i, r[i->src_reg]);
			break;
		case BPF_STX:
			store(i, r[i->dst_reg], r[i->src_reg]);
			break;
		case BPF_ST:
			store(i, r[i->dst_reg], k);
			break;
		case BPF_LD:
			r[i->dst_reg] = (uint32_t)i->imm | (uint64_t)(uint32_t)i[1].imm
								   << 32;
			at++;
			break;
		case BPF_JMP:
			if (BPF_OP(i->code) == BPF_EXIT)
				return r[0];
			if (BPF_OP(i->code) == BPF_CALL) {
				r[0] = call(m, i->imm, r);
				lose_arguments(r);
			} else if (holds(BPF_OP(i->code), r[i->dst_reg], operand)) {
				at += (size_t)i->off;
			}
			break;
		default:
			fail_msg("class %#x", BPF_CLASS(i->code));
		}
	}
	fail_msg("the program does not end");
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the numbers of system calls and softirqs by the names of their functions. */
#include <errno.h>
#include <string.h>

#include "file/kpt/reader.h"
#include "model/syscall.h"

/*
 * The number of the call: "sys_newuname" is uname; the address when
 * the function is not a call.
 */
static uint64_t number_of(const struct kft_kpt *k, uint64_t address)
{
	const struct kft_syscalls *calls = kft_trace_syscalls(k->trace);
	const struct kft_symbol *f = kft_symbol_lookup(&k->trace->symbols, address);
	char name[KFT_SYSCALL_NAME_MAX + 4] = "";

	if (!f || f->addr != address)
		return address;
	for (size_t i = 0; kft_kpt_call_prefixes[i]; i++) {
		const char *prefix = kft_kpt_call_prefixes[i];
		struct kft_kpt_word w = {f->name, f->name_len};
		size_t skip = strlen(prefix);

		if (!kft_kpt_begins(w, prefix) || w.len - skip >= sizeof(name))
			continue;
		memcpy(name, w.text + skip, w.len - skip);
		name[w.len - skip] = '\0';
		int64_t number = kft_syscall_number(calls, name);
		if (number < 0 && strncmp(name, "new", 3) == 0)
			number = kft_syscall_number(calls, name + 3);
		if (number >= 0)
			return (uint64_t)number;
	}
	return address;
}

int kft_kpt_meet_call(struct kft_kpt *k, uint64_t address)
{
	if (kft_map_get(&k->calls, address))
		return 0;
	uint64_t *number = kft_map_put(&k->calls, address);

	if (number)
		*number = number_of(k, address);
	return number ? 0 : -ENOMEM;
}

uint64_t kft_kpt_call(const struct kft_kpt *k, uint64_t address)
{
	const uint64_t *number = kft_map_get(&k->calls, address);

	return number ? *number : address;
}

uint64_t kft_kpt_vector_of(const struct kft_kpt *k, uint64_t address)
{
	const struct kft_symbol *f = kft_symbol_lookup(&k->trace->symbols, address);
	int vector = f ? kft_kpt_vector(f->name, f->name_len) : -1;

	return vector >= 0 ? (uint64_t)vector : KFT_KPT_VECTORS + (address & 0xfffff);
}

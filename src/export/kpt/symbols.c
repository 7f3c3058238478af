// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds functions for system calls and softirqs, which a trace has only as numbers.
 * Functions without a symbol get artificial addresses in the range of error
 * numbers, which kernels never use.
 */
#include <inttypes.h>

#include "export/kpt/kpt.h"
#include "model/syscall.h"

/* Distance from the end of the address range. */
#define MADE_BYTES 0x4000
#define MADE_EACH  16

static bool is_function(const struct kft_symbol *s, const char *prefix, const char *name)
{
	size_t skip = strlen(prefix);

	return s->name_len == skip + strlen(name) && memcmp(s->name, prefix, skip) == 0 &&
	       memcmp(s->name + skip, name, s->name_len - skip) == 0;
}

/*
 * The address of the function with the first matching prefix;
 * artificial without a symbol.
 */
static uint64_t address_of(struct kft_kpt_writer *w, const char *const *prefixes,
			   const char *name)
{
	const struct kft_symbol_table *t = &w->x->trace->symbols;

	for (size_t i = 0; prefixes[i]; i++)
		for (size_t j = 0; j < t->syms.len; j++)
			if (is_function(&t->syms.data[j], prefixes[i], name))
				return t->syms.data[j].addr;
	if (!w->next_made)
		w->next_made = (w->x->trace->meta.long_size == 4 ? UINT32_MAX
								 : UINT64_MAX) -
			       MADE_BYTES + 1;
	w->next_made += MADE_EACH;
	kft_strbuf_addf(&w->functions, "%08" PRIx64 " t %s%s\n", w->next_made,
			prefixes[0], name);
	return w->next_made;
}

uint64_t kft_kpt_call_address(struct kft_kpt_writer *w, uint64_t number)
{
	const char *name = kft_syscall_name(kft_trace_syscalls(w->x->trace),
					    (int64_t)number);
	uint64_t *slot = name ? kft_map_put(&w->calls, number) : NULL;

	/* In a file that came from KPTrace without symbols, the number is the address. */
	if (!slot)
		return number;
	if (!*slot)
		*slot = address_of(w, kft_kpt_call_prefixes, name);
	return *slot;
}

uint64_t kft_kpt_softirq_address(struct kft_kpt_writer *w, uint64_t vector)
{
	static const char *const whole[] = {"", NULL};

	if (vector >= KFT_KPT_VECTORS)
		return vector;
	if (!w->softirqs[vector])
		w->softirqs[vector] = address_of(w, whole, kft_kpt_softirqs[vector]);
	return w->softirqs[vector];
}

static void add_name(uint64_t pid, const char *comm, struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "pid %" PRIu64 " ", pid);
	kft_strbuf_add_escaped(sb, comm, strlen(comm));
	kft_strbuf_addc(sb, '\n');
}

/* Appends the machine, the last name of each pid, then the functions. */
void kft_kpt_add_symbols(struct kft_kpt_writer *w, struct kft_strbuf *sb)
{
	struct kft_task_table *t = &w->x->trace->tasks;
	const struct kft_syscalls *calls = kft_trace_syscalls(w->x->trace);

	if (calls)
		kft_strbuf_addf(sb, "machine %s\n", kft_syscalls_machine(calls));
	kft_strbuf_add(sb, w->names.buf, w->names.len);
	for (size_t i = 0; t->by_pid.slots && i <= t->by_pid.mask; i++) {
		uint64_t pid = t->by_pid.slots[i].key;

		if (pid != KFT_MAP_NO_KEY)
			add_name(pid, kft_task_comm(t, (uint32_t)pid), sb);
	}
	kft_vec_for_each(&t->names, n)
		add_name(n->pid, n->comm, sb);
	kft_strbuf_add(sb, w->functions.buf, w->functions.len);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* The table of kinds of intervals, and the names of their keys. */
#include "derive/kinds/kinds.h"

#include <inttypes.h>
#include <string.h>

#include "derive/kinds/syscall_form.h"
#include "derive/kinds/user_pairs.h"

/* clang-format off */
const struct kft_interval_kind *const kft_interval_kinds[] = {
	&kft_kind_cpu,
	&kft_kind_task,
	&kft_kind_migration,
	&kft_kind_irq,
	&kft_kind_irq_gap,
	&kft_kind_vector,
	&kft_kind_softirq,
	&kft_kind_softirq_raised,
	&kft_kind_tasklet,
	&kft_kind_hrtimer_late,
	&kft_kind_hrtimer,
	&kft_kind_timer,
	&kft_kind_syscall,
	&kft_kind_futex,
	&kft_kind_lock,
	&kft_kind_fault,
	&kft_kind_reclaim,
	&kft_kind_signal,
	&kft_kind_work_queued,
	&kft_kind_work,
	&kft_kind_block_queued,
	&kft_kind_block,
	&kft_kind_napi,
	&kft_kind_idle,
	&kft_kind_frequency,
	&kft_kind_function,
	&kft_kind_mark,
	&kft_kind_mark_gap,
	&kft_kind_initcall,
	&kft_kind_printk,
	NULL,
};
/* clang-format on */

const struct kft_interval_kind *kft_interval_kind_find(const char *name)
{
	for (size_t i = 0; kft_interval_kinds[i]; i++)
		if (strcmp(kft_interval_kinds[i]->name, name) == 0)
			return kft_interval_kinds[i];
	return NULL;
}

void kft_interval_key_text(struct kft_trace *t, const struct kft_interval_kind *kind,
			   uint64_t key, struct kft_strbuf *sb)
{
	size_t before = sb->len;

	if (key == KFT_INTERVAL_NO_KEY)
		kft_strbuf_addc(sb, '?');
	else if (kind->key_name)
		kind->key_name(t, key, sb);
	if (sb->len == before)
		kft_strbuf_addi(sb, (int64_t)key);
}

bool kft_interval_key_is_number(const struct kft_interval_kind *kind, uint64_t key)
{
	return key != KFT_INTERVAL_NO_KEY &&
	       !(kind == &kft_kind_syscall && kft_call_is_name(key));
}

/* Keys of a pair that a user named may be addresses: they are values of a field. */
bool kft_interval_kind_has_functions(const struct kft_interval_kind *kind)
{
	return kind->key_name == kft_key_function || kind->key_name == kft_key_of_user;
}

void kft_key_function(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb)
{
	const struct kft_symbol *s = kft_symbol_lookup(&t->symbols, key);

	if (s && key - s->addr < KFT_FUNCTION_BYTES_MAX)
		kft_strbuf_add(sb, s->name, s->name_len);
	else
		kft_strbuf_addf(sb, "0x%" PRIx64, key);
}

void kft_key_text(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb)
{
	kft_names_text(&t->names, key, sb);
}

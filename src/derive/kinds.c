// SPDX-License-Identifier: LGPL-2.1-or-later
/* The table of kinds of intervals, and how their keys are called. */
#include "derive/kinds.h"

#include <inttypes.h>
#include <string.h>

const struct kft_interval_kind *const kft_interval_kinds[] = {
	&kft_kind_irq, &kft_kind_softirq, &kft_kind_syscall, &kft_kind_task, NULL,
};

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

void kft_key_function(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb)
{
	const struct kft_symbol *s = kft_symbol_lookup(&t->symbols, key);

	if (s)
		kft_strbuf_add(sb, s->name, s->name_len);
	else
		kft_strbuf_addf(sb, "0x%" PRIx64, key);
}

void kft_key_text(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb)
{
	kft_names_text(&t->names, key, sb);
}

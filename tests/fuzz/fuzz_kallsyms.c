// SPDX-License-Identifier: GPL-2.0-only
/* The first byte says which text the rest is: symbols, modules, strings, names or thread groups. */
#include "fuzz.h"

#include "decode/cmdlines.h"
#include "decode/kallsyms.h"
#include "decode/module_symbols.h"
#include "decode/printfmt/printk.h"

static void symbols(const char *text, size_t size)
{
	struct kft_symbol_table t = {};
	size_t bad;

	if (kft_kallsyms_parse(text, size, &t, &bad) == 0) {
		for (size_t i = 0; i < t.syms.len; i++) {
			const struct kft_symbol *s = &t.syms.data[i];

			FUZZ_ASSERT(s->name >= text &&
				    s->name + s->name_len <= text + size);
			FUZZ_ASSERT(i == 0 || s[-1].addr < s->addr);
			FUZZ_ASSERT(kft_symbol_lookup(&t, s->addr) == s);
		}
		(void)kft_symbol_lookup(&t, 0);
		(void)kft_symbol_lookup(&t, UINT64_MAX);
	}
	kft_symbol_table_finish(&t);
}

/* The input is a kallsyms text up to the first '=', and then blocks of modules. */
static void modules(const char *text, size_t size)
{
	const char *mark = memchr(text, '=', size);
	size_t len = mark ? (size_t)(mark - text) : size;
	const struct kft_blob kallsyms = {text, len};
	const struct kft_blob blocks = {text + len, size - len};
	struct kft_strbuf proc = {};
	struct kft_strbuf list = {};
	struct kft_strbuf all = {};

	kft_strbuf_add(&proc, text, size);
	kft_modules_list(&proc, &list);
	(void)!kft_modules_join(&kallsyms, &blocks, &all);
	kft_strbuf_clear(&all);
	kft_modules_add_blocks(&list, &kallsyms, &all);
	kft_strbuf_finish(&proc);
	kft_strbuf_finish(&list);
	kft_strbuf_finish(&all);
}

static void strings(const char *text, size_t size)
{
	struct kft_arena arena = {};
	struct kft_map map = {};
	size_t bad;

	(void)!kft_printkfmt_parse(text, size, &arena, &map, &bad);
	kft_map_finish(&map);
	kft_arena_finish(&arena);
}

static void tasks(const char *text, size_t size)
{
	struct kft_task_table t = {};
	size_t bad;

	(void)!kft_cmdlines_parse(text, size, &t, &bad);
	(void)!kft_tgids_parse(text, size, &t, &bad);
	FUZZ_ASSERT(kft_task_comm(&t, 1));
	kft_task_table_finish(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data + 1;

	if (size == 0)
		return 0;
	if (data[0] == 'k')
		symbols(text, size - 1);
	else if (data[0] == 'm')
		modules(text, size - 1);
	else if (data[0] == 'p')
		strings(text, size - 1);
	else
		tasks(text, size - 1);
	return 0;
}

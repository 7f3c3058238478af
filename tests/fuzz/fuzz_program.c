// SPDX-License-Identifier: GPL-2.0-only
/* Programs up to the words of their probes: functions, and arguments by debugging information. */
#include "trace.h"

#include <stdio.h>

#include "decode/types/btf.h"
#include "decode/types/dwarf.h"

/* Each function is looked for in all debugging information. */
#define FUNCTIONS_MAX 16

static void fetch(const struct kft_elf_function *f,
		  const struct kft_dwarf_function *known)
{
	static const char *const expressions[] = {"s", "s->first", "s->next->text", "n",
						  "$arg1"};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_btf btf;

	if (kft_btf_open(known->types.buf, known->types.len, &btf) < 0)
		return;
	const struct kft_btf_fetch how = {.btf = &btf,
					  .function = f->name,
					  .sources = known->sources.data,
					  .long_size = sizeof(long)};

	for (size_t i = 0; i < ARRAY_SIZE(expressions); i++) {
		struct kft_err e = {};
		int r = kft_btf_fetch(&how, expressions[i], &sb, &e);

		FUZZ_ASSERT(r == 0 || *e.msg);
		fuzz_check_text(&sb);
		kft_strbuf_clear(&sb);
	}
	kft_btf_close(&btf);
}

static void find_arguments(const char *path, const struct kft_elf_functions *functions)
{
	struct kft_dwarf *dwarf;
	struct kft_err e = {};

	if (kft_dwarf_open(path, functions->machine, &dwarf, &e) < 0)
		return;
	for (size_t i = 0; i < KFT_MIN(functions->list.len, (size_t)FUNCTIONS_MAX); i++) {
		const struct kft_elf_function *f = &functions->list.data[i];
		struct kft_dwarf_function known;

		if (kft_dwarf_function(dwarf, f, &known, &e) < 0)
			continue;
		fetch(f, &known);
		kft_dwarf_function_finish(&known);
	}
	kft_dwarf_close(dwarf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kft_elf_functions functions;
	char path[32];

	if (kft_elf_functions(data, size, &functions) < 0)
		return 0;
	_cleanup_close_ int fd = fuzz_file_of(data, size);

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd >= 0)
		find_arguments(path, &functions);
	kft_elf_functions_finish(&functions);
	return 0;
}

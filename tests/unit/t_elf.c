// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "base/io.h"
#include "decode/types/elf.h"

#define FILE_MAX ((size_t)64 << 20)

/* A function of this program, and of others that are here, as readelf lists them. */
__attribute__((noinline)) int planted_function(int n);
int planted_function(int n)
{
	return n + 1;
}

static const struct kft_elf_function *find(const struct kft_elf_functions *f,
					   const char *name)
{
	kft_vec_for_each(&f->list, it)
		if (strcmp(it->name, name) == 0)
			return it;
	return NULL;
}

static void own_functions_are_found(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_elf_functions f;

	assert_int_equal(planted_function(1), 2);
	assert_int_equal(kft_read_at(AT_FDCWD, "/proc/self/exe", FILE_MAX, &sb), 0);
	assert_int_equal(kft_elf_functions(sb.buf, sb.len, &f), 0);
	const struct kft_elf_function *it = find(&f, "planted_function");
	assert_non_null(it);
	assert_null(find(&f, "assert_int_equal"));
	/* The bytes there are those of the function. */
	assert_memory_equal(sb.buf + it->offset, (const void *)planted_function,
			    it->size);
	assert_true(it->size > 0);
	for (size_t i = 1; i < f.list.len; i++)
		assert_true(f.list.data[i - 1].offset <= f.list.data[i].offset);
	kft_elf_functions_finish(&f);
}

/* Places in the function have its name, one before it and one behind it do not. */
static void code_is_named_by_its_symbol(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const struct kft_elf_function *it;
	struct kft_elf_functions f;

	assert_int_equal(kft_read_at(AT_FDCWD, "/proc/self/exe", FILE_MAX, &sb), 0);
	assert_int_equal(kft_elf_code_names(sb.buf, sb.len, sb.buf, sb.len, &f), 0);
	const struct kft_elf_function *planted = find(&f, "planted_function");
	assert_non_null(planted);
	it = kft_elf_function_at(&f, planted->offset + planted->size - 1);
	assert_ptr_equal(it, planted);
	it = kft_elf_function_at(&f, planted->offset + planted->size);
	assert_true(!it || strcmp(it->name, "planted_function") != 0);
	it = kft_elf_function_at(&f, planted->offset - 1);
	assert_true(!it || strcmp(it->name, "planted_function") != 0);
	/* The header is no code, whatever symbol of the linker stands there. */
	assert_null(kft_elf_function_at(&f, 0));
	assert_null(kft_elf_function_at(&f, UINT64_MAX));
	/* _init has no size; it does not reach into the sections behind its own. */
	it = find(&f, "_init");
	if (it)
		assert_null(kft_elf_function_at(&f, it->offset + it->room));
	kft_elf_functions_finish(&f);
}

static void build_ids_are_read_from_the_file_only(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	uint8_t id[KFT_BUILD_ID_MAX];
	uint8_t again[KFT_BUILD_ID_MAX];

	assert_int_equal(kft_read_at(AT_FDCWD, "/proc/self/exe", FILE_MAX, &sb), 0);
	assert_int_equal(kft_elf_build_id(sb.buf, sb.len, id), KFT_BUILD_ID_MAX);
	/* Without sections it is that of the segment of notes. */
	((Elf64_Ehdr *)(void *)sb.buf)->e_shnum = 0;
	((Elf64_Ehdr *)(void *)sb.buf)->e_shoff = 0;
	assert_int_equal(kft_elf_build_id(sb.buf, sb.len, again), KFT_BUILD_ID_MAX);
	assert_memory_equal(id, again, sizeof(id));
	for (size_t size = 0; size < 4096; size++) {
		_cleanup_free_ char *part = malloc(size + 1);

		memcpy(part, sb.buf, size);
		assert_in_range(kft_elf_build_id(part, size, again), 0, KFT_BUILD_ID_MAX);
	}
}

static void a_signal_that_waits_ends_it(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_elf_functions f;
	siginfo_t unused;
	sigset_t term;

	assert_int_equal(kft_read_at(AT_FDCWD, "/proc/self/exe", FILE_MAX, &sb), 0);
	(void)sigemptyset(&term);
	(void)sigaddset(&term, SIGTERM);
	assert_int_equal(sigprocmask(SIG_BLOCK, &term, NULL), 0);
	assert_int_equal(raise(SIGTERM), 0);
	assert_int_equal(kft_elf_functions(sb.buf, sb.len, &f), -EINTR);
	assert_int_equal(sigwaitinfo(&term, &unused), SIGTERM);
	assert_int_equal(kft_elf_functions(sb.buf, sb.len, &f), 0);
	kft_elf_functions_finish(&f);
}

static void what_is_broken_is_refused(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_elf_functions f;
	unsigned int refused = 0;

	assert_int_equal(kft_elf_functions("no ELF", 6, &f), -ENOEXEC);
	assert_int_equal(kft_read_at(AT_FDCWD, "/proc/self/exe", FILE_MAX, &sb), 0);
	for (size_t size = 0; size < sb.len; size += 1 + sb.len / 200) {
		int r = kft_elf_functions(sb.buf, size, &f);

		refused += r < 0;
		if (r == 0)
			kft_elf_functions_finish(&f);
	}
	assert_true(refused > 100);
	/* Each byte of the header in turn. */
	for (size_t i = 0; i < 64; i++) {
		char was = sb.buf[i];

		sb.buf[i] = (char)(was ^ 0xff);
		if (kft_elf_functions(sb.buf, sb.len, &f) == 0)
			kft_elf_functions_finish(&f);
		sb.buf[i] = was;
	}
}

/* 64 KB that claim 2^40 sections of no bytes: the answer comes at once. */
static void sizes_of_tables_are_those_of_the_file(void **state)
{
	static uint8_t data[65536];
	Elf64_Ehdr *header = (void *)data;
	Elf64_Shdr *first = (void *)(data + sizeof(*header));
	struct kft_elf_functions f;

	memcpy(data, ELFMAG, SELFMAG);
	data[EI_CLASS] = ELFCLASS64;
	data[EI_DATA] = KFT_HOST_BIG_ENDIAN ? ELFDATA2MSB : ELFDATA2LSB;
	header->e_type = ET_DYN;
	header->e_shoff = sizeof(*header);
	first->sh_size = UINT64_C(1) << 40;
	assert_int_equal(kft_elf_functions(data, sizeof(data), &f), 0);
	assert_int_equal(f.list.len, 0);
	kft_elf_functions_finish(&f);
	header->e_shentsize = sizeof(*first);
	assert_int_equal(kft_elf_functions(data, sizeof(data), &f), -EINVAL);
	first->sh_size = 2;
	assert_int_equal(kft_elf_functions(data, sizeof(data), &f), 0);
	kft_elf_functions_finish(&f);
	header->e_phnum = UINT16_MAX;
	assert_int_equal(kft_elf_functions(data, sizeof(data), &f), -EINVAL);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(own_functions_are_found),
	cmocka_unit_test(code_is_named_by_its_symbol),
	cmocka_unit_test(build_ids_are_read_from_the_file_only),
	cmocka_unit_test(a_signal_that_waits_ends_it),
	cmocka_unit_test(what_is_broken_is_refused),
	cmocka_unit_test(sizes_of_tables_are_those_of_the_file),
};

T_MAIN(tests)

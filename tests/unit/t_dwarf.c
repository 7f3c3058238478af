// SPDX-License-Identifier: GPL-2.0-only
/* The programs that NAMED_O0 and NAMED_O2 name are those of tests/live/named.c. */
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "base/io.h"
#include "decode/types/dwarf.h"

static struct kft_err e;

/* A program and one function of it. */
struct subject {
	struct kft_strbuf bytes;
	struct kft_elf_functions functions;
	struct kft_dwarf *dwarf;
};

static void open_subject(const char *variable, struct subject *ret)
{
	const char *path = getenv(variable);

	*ret = (struct subject){};
	assert_non_null(path);
	assert_int_equal(kft_read_at(AT_FDCWD, path, 1 << 24, &ret->bytes), 0);
	assert_int_equal(
		kft_elf_functions(ret->bytes.buf, ret->bytes.len, &ret->functions), 0);
	assert_int_equal(kft_dwarf_open(path, ret->functions.machine, &ret->dwarf, &e),
			 0);
}

static void close_subject(struct subject *s)
{
	kft_dwarf_close(s->dwarf);
	kft_elf_functions_finish(&s->functions);
	kft_strbuf_finish(&s->bytes);
}

static const struct kft_elf_function *find(const struct subject *s, const char *start)
{
	kft_vec_for_each(&s->functions.list, f)
		if (strncmp(f->name, start, strlen(start)) == 0)
			return f;
	fail_msg("no function %s", start);
	return NULL;
}

static int fetch(const struct subject *s, const char *function, const char *text,
		 struct kft_strbuf *ret)
{
	const struct kft_elf_function *f = find(s, function);
	struct kft_dwarf_function known;
	struct kft_btf btf;

	e = (struct kft_err){};
	assert_int_equal(kft_dwarf_function(s->dwarf, f, &known, &e), 0);
	assert_int_equal(kft_btf_open(known.types.buf, known.types.len, &btf), 0);
	const struct kft_btf_fetch how = {.btf = &btf,
					  .function = f->name,
					  .sources = known.sources.data,
					  .long_size = sizeof(long)};
	int r = kft_btf_fetch(&how, text, ret, &e);
	kft_btf_close(&btf);
	kft_dwarf_function_finish(&known);
	return r;
}

static void assert_fetched(const struct subject *s, const char *function,
			   const char *text, const char *want)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(fetch(s, function, text, &sb), 0);
	assert_string_equal(kft_strbuf_cstr(&sb), want);
}

static void assert_refused(const struct subject *s, const char *function,
			   const char *text, const char *why, const char *hint)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(fetch(s, function, text, &sb), -EINVAL);
	if (!strstr(e.msg, why) || !strstr(e.hint, hint))
		fail_msg("it says '%s', '%s'", e.msg, e.hint);
}

/* Both builds have these arguments in the same places: registers, and the caller's stack. */
static void members_and_numbers(void **state)
{
	static const char *const both[] = {"NAMED_O0", "NAMED_O2"};
	struct subject s;

#ifndef __x86_64__
	skip();
#endif
	for (size_t i = 0; i < ARRAY_SIZE(both); i++) {
		open_subject(both[i], &s);
		assert_fetched(&s, "take_shape", "s->name", "name=+0(+0(%di)):string");
		assert_fetched(&s, "take_shape", "s->centre.y", "y=+18(%di):s16");
		assert_fetched(&s, "take_shape", "s->next->low",
			       "low=+32(+24(%di)):b3@0/8");
		assert_fetched(&s, "take_shape", "s->high", "high=+32(%di):b5@3/8");
		assert_fetched(&s, "take_shape", "s->half", "half=+40(%di):s32");
		assert_fetched(&s, "take_shape", "s->text", "text=+48(%di):string");
		assert_fetched(&s, "take_shape", "n", "n=%si:s32");
		assert_fetched(&s, "take_shape", "c", "c=%dx:s32");
		assert_fetched(&s, "take_many", "a", "a=%di:s32");
		/* The second is in a register for floating point. */
		assert_fetched(&s, "take_many", "b", "b=%si:s16");
		assert_fetched(&s, "take_many", "d", "d=%cx:u64");
		assert_fetched(&s, "take_many", "g", "g=%r9:u32");
		assert_fetched(&s, "take_many", "h", "h=+8(%sp):s32");
		assert_fetched(&s, "take_many", "i", "i=+16(%sp):s64");
		assert_refused(&s, "take_shape", "s->nam", "has no member 'nam'",
			       "'name'");
		assert_refused(&s, "take_shape", "shape", "has no argument 'shape'",
			       "it has s, n, c");
		close_subject(&s);
	}
}

static void what_is_nowhere_says_why_and_what_is_somewhere(void **state)
{
	struct subject s;

	open_subject("NAMED_O2", &s);
	assert_refused(&s, "take_unused", "unused", "optimized", "these can: used");
	assert_refused(&s, "take_whole", "p.x", "a struct in a register",
		       "these can: after");
	assert_refused(&s, "take_many", "f", "'f'", "these can: a, b, c");
	close_subject(&s);
	open_subject("NAMED_O0", &s);
	assert_refused(&s, "take_whole", "p.x", "has not yet put it together", "");
	close_subject(&s);
}

static void a_program_without_it_is_told(void **state)
{
	struct kft_dwarf *d;

	assert_int_equal(kft_dwarf_open("/dev/null", 0, &d, &e), -ENOENT);
	assert_non_null(strstr(e.msg, "no debugging information"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(members_and_numbers),
	cmocka_unit_test(what_is_nowhere_says_why_and_what_is_somewhere),
	cmocka_unit_test(a_program_without_it_is_told),
};

T_MAIN(tests)

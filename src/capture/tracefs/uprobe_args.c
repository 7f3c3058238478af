// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the arguments of probes in programs as the kernel wants them. */
#include "capture/tracefs/uprobe_args.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"

#define NAME_MAX_BYTES 32
#define TYPE_MAX_BYTES 32
#define REGISTERS_MAX  8

/*
 * Registers of the first arguments, by the names that the kernel's probes know (the tables
 * regoffset_table of arch/X/kernel/ptrace.c), where functions take them by the system's ABI.
 */
static const struct {
	uint16_t machine;
	const char *registers[REGISTERS_MAX];
} machines[] = {
#ifdef __x86_64__
	{EM_X86_64, {"%di", "%si", "%dx", "%cx", "%r8", "%r9"}},
#endif
#ifdef __i386__
	{EM_386, {"$stack1", "$stack2", "$stack3", "$stack4", "$stack5", "$stack6"}},
#endif
#ifdef __aarch64__
	{EM_AARCH64, {"%x0", "%x1", "%x2", "%x3", "%x4", "%x5", "%x6", "%x7"}},
#endif
#ifdef __arm__
	{EM_ARM, {"%r0", "%r1", "%r2", "%r3"}},
#endif
#ifdef __s390x__
	{EM_S390, {"%r2", "%r3", "%r4", "%r5", "%r6"}},
#endif
#ifdef __riscv
	{EM_RISCV, {"%a0", "%a1", "%a2", "%a3", "%a4", "%a5", "%a6", "%a7"}},
#endif
#ifdef __powerpc64__
	{EM_PPC64,
	 {"%gpr3", "%gpr4", "%gpr5", "%gpr6", "%gpr7", "%gpr8", "%gpr9", "%gpr10"}},
#endif
	{EM_NONE, {NULL}},
};

/* NULL: none that is known. */
static const char *register_of(uint16_t machine, unsigned int number)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].machine == machine && number >= 1 &&
		    number <= REGISTERS_MAX)
			return machines[i].registers[number - 1];
	return NULL;
}

static int refuse(struct kft_err *e, const char *text)
{
	kft_err_set(e, -EINVAL, "not an argument of a program's function: '%.100s'",
		    text);
	kft_err_hint(e,
		     "write $arg1, $arg2 ..., NAME=$arg1, $arg1:string, or with %%return "
		     "$retval");
	return -EINVAL;
}

/* What fetches it: a register, or $retval. */
static int find_source(const char *word, bool at_return, uint16_t machine,
		       const char **ret, struct kft_err *e)
{
	unsigned int number;
	char rest;

	if (strcmp(word, "$retval") == 0 && at_return) {
		*ret = "$retval";
		return 0;
	}
	if (sscanf(word, "$arg%u%c", &number, &rest) != 1)
		return refuse(e, word);
	if (at_return)
		return kft_err_set(e, -EINVAL,
				   "'%.40s' is not known when the function returns: only "
				   "$retval is",
				   word);
	*ret = register_of(machine, number);
	if (*ret)
		return 0;
	return kft_err_set(e, -EINVAL,
			   "'%.40s' is in no register of this architecture that is known",
			   word);
}

int kft_uprobe_arg(const char *text, bool at_return, uint16_t machine,
		   struct kft_strbuf *sb, struct kft_err *e)
{
	char name[NAME_MAX_BYTES] = "";
	char word[NAME_MAX_BYTES] = "";
	char type[TYPE_MAX_BYTES] = "";
	const char *source;
	int end = -1;

	/* Either "NAME=WORD" or "WORD", then perhaps ":TYPE". */
	if (sscanf(text, "%31[A-Za-z0-9_]=%n", name, &end) != 1 || end < 0) {
		name[0] = '\0';
		end = 0;
	}
	int used = 0;
	int n = sscanf(text + end, "%31[$a-z0-9]%n:%31[a-z0-9@/]%n", word, &used, type,
		       &used);
	if (n < 1 || text[end + used])
		return refuse(e, text);
	int r = find_source(word, at_return, machine, &source, e);
	if (r < 0)
		return r;
	bool is_string = strcmp(type, "string") == 0 || strcmp(type, "ustring") == 0;
	kft_strbuf_addf(sb, " %s=%s%s%s:%s", *name ? name : word + 1,
			is_string ? "+0(" : "", source, is_string ? ")" : "",
			*type		    ? type
			: sizeof(long) == 8 ? "x64"
					    : "x32");
	return 0;
}

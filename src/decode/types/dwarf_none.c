// SPDX-License-Identifier: LGPL-2.1-or-later
/* Replaces dwarf.c in a build without libdw. */
#include "decode/types/dwarf.h"

#include <errno.h>

#include "base/err.h"

bool kft_dwarf_is_there(void)
{
	return false;
}

int kft_dwarf_open(const char *path, uint16_t machine, struct kft_dwarf **ret,
		   struct kft_err *e)
{
	kft_err_set(e, -EOPNOTSUPP,
		    "this kft was built without libdw: no arguments of '%s' by name",
		    path);
	kft_err_hint(e, "write $arg1, $arg2 ...");
	return -EOPNOTSUPP;
}

void kft_dwarf_close(struct kft_dwarf *d)
{
	(void)d;
}

int kft_dwarf_function(struct kft_dwarf *d, const struct kft_elf_function *f,
		       struct kft_dwarf_function *ret, struct kft_err *e)
{
	return kft_err_set(e, -EOPNOTSUPP, "no arguments of '%s' by name", f->name);
}

void kft_dwarf_function_finish(struct kft_dwarf_function *f)
{
	(void)f;
}

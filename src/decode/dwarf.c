// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the parameters of a program's functions in its debugging information. */
#include "decode/dwarf.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "decode/dwarf_types.h"
#include "decode/registers.h"

#define PARAMETERS_MAX 64

struct kft_dwarf {
	const struct kft_dw *dw;
	Dwfl_Callbacks callbacks;
	char *debuginfo_path; /* NULL: where these files usually are */
	Dwfl *dwfl;
	Dwarf *dwarf; /* of the program; the Dwfl's */
	uint16_t machine;
};

static int open_program(struct kft_dwarf *d, const char *path)
{
	Dwarf_Addr bias;

	d->callbacks = (Dwfl_Callbacks){
		.find_elf = d->dw->dwfl_build_id_find_elf,
		.find_debuginfo = d->dw->dwfl_standard_find_debuginfo,
		.section_address = d->dw->dwfl_offline_section_address,
		.debuginfo_path = &d->debuginfo_path,
	};
	d->dwfl = d->dw->dwfl_begin(&d->callbacks);
	if (!d->dwfl)
		return -ENOMEM;
	Dwfl_Module *m = d->dw->dwfl_report_offline(d->dwfl, path, path, -1);
	(void)d->dw->dwfl_report_end(d->dwfl, NULL, NULL);
	d->dwarf = m ? d->dw->dwfl_module_getdwarf(m, &bias) : NULL;
	return d->dwarf ? 0 : -ENOENT;
}

static int no_library(struct kft_err *e)
{
	kft_err_set(e, -EOPNOTSUPP, "arguments of programs by name need libdw");
	kft_err_hint(e, "install it (libdw1), or write $arg1, $arg2 ...");
	return -EOPNOTSUPP;
}

bool kft_dwarf_is_there(void)
{
	return kft_dw_load();
}

int kft_dwarf_open(const char *path, uint16_t machine, struct kft_dwarf **ret,
		   struct kft_err *e)
{
	const struct kft_dw *dw = kft_dw_load();

	if (!dw)
		return no_library(e);
	struct kft_dwarf *d = calloc(1, sizeof(*d));
	if (!d)
		return kft_err_set(e, -ENOMEM, "out of memory");
	d->dw = dw;
	d->machine = machine;
	int r = open_program(d, path);
	if (r == 0) {
		*ret = d;
		return 0;
	}
	kft_dwarf_close(d);
	kft_err_set(e, r, "'%s' has no debugging information to find arguments in", path);
	kft_err_hint(e, "compile it with -g, install its symbols (-dbgsym), or write "
			"$arg1, $arg2 ...");
	return r;
}

void kft_dwarf_close(struct kft_dwarf *d)
{
	if (!d)
		return;
	if (d->dwfl)
		d->dw->dwfl_end(d->dwfl);
	free(d);
}

/* The unit that has code at an address. Not by .debug_aranges, which not all compilers write. */
static bool find_unit(const struct kft_dwarf *d, uint64_t address, Dwarf_Die *ret)
{
	Dwarf_Off next = 0;
	size_t header_bytes;

	for (Dwarf_Off at = 0; d->dw->dwarf_nextcu(d->dwarf, at, &next, &header_bytes,
						   NULL, NULL, NULL) == 0;
	     at = next)
		if (d->dw->dwarf_offdie(d->dwarf, at + header_bytes, ret) &&
		    d->dw->dwarf_haspc(ret, address) > 0)
			return true;
	return false;
}

struct search {
	const struct kft_dw *dw;
	uint64_t address;
	Dwarf_Die *ret;
	bool found;
};

static int look_at(Dwarf_Die *die, void *arg)
{
	struct search *s = arg;
	Dwarf_Addr entry;

	if (s->dw->dwarf_entrypc(die, &entry) != 0 || entry != s->address)
		return DWARF_CB_OK;
	*s->ret = *die;
	s->found = true;
	return DWARF_CB_ABORT;
}

static bool find_function(const struct kft_dwarf *d, uint64_t address, Dwarf_Die *ret)
{
	struct search s = {.dw = d->dw, .address = address, .ret = ret};
	Dwarf_Die unit;

	if (find_unit(d, address, &unit))
		(void)d->dw->dwarf_getfuncs(&unit, look_at, &s, 0);
	return s.found;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the parameters of a program's functions in its debugging information. */
#include "decode/types/dwarf.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/interrupted.h"
#include "decode/types/dwarf_registers.h"
#include "decode/types/dwarf_types.h"
#include "decode/registers.h"

#define PARAMETERS_MAX 64

struct kft_dwarf {
	const struct kft_dw *dw;
	Dwfl_Callbacks callbacks;
	char *debuginfo_path; /* NULL: the default directories of such files */
	Dwfl *dwfl;
	Dwarf *dwarf; /* of the program; owned by the Dwfl */
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
		return kft_err_memory(e);
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

/*
 * Finds the compilation unit of an address. Without .debug_aranges, which
 * not all compilers write.
 */
static bool find_unit(const struct kft_dwarf *d, uint64_t address, Dwarf_Die *ret)
{
	Dwarf_Off next = 0;
	size_t header_bytes;

	for (Dwarf_Off at = 0; d->dw->dwarf_nextcu(d->dwarf, at, &next, &header_bytes,
						   NULL, NULL, NULL) == 0 &&
			       !kft_is_interrupted();
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

/* How the calling convention passes a value. */
enum passing {
	AS_NUMBER, /* in the next register for numbers and addresses, while any is left */
	AS_FLOAT, /* in a floating-point register */
	/*
	 * in several registers, or in memory: the locations of later
	 * arguments are not known
	 */
	AS_PIECES,
};

static enum passing passing_of(const struct kft_dwarf *d, Dwarf_Die *parameter)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding = 0;
	Dwarf_Word size = 0;
	Dwarf_Die type;

	if (!d->dw->dwarf_attr_integrate(parameter, DW_AT_type, &attr) ||
	    !d->dw->dwarf_formref_die(&attr, &type) ||
	    d->dw->dwarf_peel_type(&type, &type) != 0)
		return AS_PIECES;
	if (d->dw->dwarf_attr_integrate(&type, DW_AT_byte_size, &attr))
		(void)d->dw->dwarf_formudata(&attr, &size);
	switch (d->dw->dwarf_tag(&type)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return AS_NUMBER;
	case DW_TAG_enumeration_type:
	case DW_TAG_base_type:
		if (d->dw->dwarf_attr_integrate(&type, DW_AT_encoding, &attr))
			(void)d->dw->dwarf_formudata(&attr, &encoding);
		return size > sizeof(long)	  ? AS_PIECES
		       : encoding == DW_ATE_float ? AS_FLOAT
						  : AS_NUMBER;
	default:
		return AS_PIECES;
	}
}

static struct kft_btf_source nowhere(const char *why)
{
	return (struct kft_btf_source){.why_not = why};
}

static struct kft_btf_source in_register(const struct kft_dwarf *d, uint64_t number,
					 bool in_memory, int64_t offset)
{
	const char *name = number <= UINT8_MAX
				   ? kft_register_of_dwarf(d->machine, (unsigned)number)
				   : NULL;

	return name ? (struct kft_btf_source){.base = name,
					      .in_memory = in_memory,
					      .offset = offset}
		    : nowhere("it is in a register that the kernel's probes do not know");
}

static bool frame_is_cfa(const struct kft_dwarf *d, Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return d->dw->dwarf_attr_integrate(function, DW_AT_frame_base, &attr) &&
	       d->dw->dwarf_getlocation(&attr, &ops, &n) == 0 && n == 1 &&
	       ops[0].atom == DW_OP_call_frame_cfa;
}

/*
 * A location in the function's frame. Above the frame's base are the values that the
 * caller stored. Locations below it are copies that the function makes later: at the
 * entry, arguments are in the places of the system's ABI. number: the argument's position
 * among numbers and addresses; 0: not known.
 */
static struct kft_btf_source in_frame(const struct kft_dwarf *d, Dwarf_Die *function,
				      int64_t offset, unsigned int number)
{
	int frame_offset;
	const char *frame = kft_register_of_frame(d->machine, &frame_offset);
	const char *argument = kft_register_of_argument(d->machine, number);
	int64_t place;

	if (offset >= 0 && frame && !kft_add(offset, frame_offset, &place) &&
	    frame_is_cfa(d, function))
		return (struct kft_btf_source){
			.base = frame, .in_memory = true, .offset = place};
	return argument ? (struct kft_btf_source){.base = argument}
			: nowhere("the function has not yet put it together");
}

static struct kft_btf_source find_source(const struct kft_dwarf *d, Dwarf_Die *function,
					 uint64_t address, Dwarf_Die *parameter,
					 unsigned int number)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!d->dw->dwarf_attr(parameter, DW_AT_location, &attr))
		return nowhere(d->dw->dwarf_attr(parameter, DW_AT_const_value, &attr)
				       ? "it was optimized to a constant"
				       : "it was optimized out");
	if (d->dw->dwarf_getlocation_addr(&attr, address, &ops, &n, 1) <= 0 || n == 0)
		return nowhere("it was optimized out there");
	if (ops[n - 1].atom == DW_OP_stack_value)
		return nowhere("it was optimized out");
	if (n != 1)
		return nowhere("it is in several pieces");
	uint8_t atom = ops[0].atom;
	if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
		return in_register(d, atom - DW_OP_reg0, false, 0);
	if (atom == DW_OP_regx)
		return in_register(d, ops[0].number, false, 0);
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return in_register(d, atom - DW_OP_breg0, true, (int64_t)ops[0].number);
	if (atom == DW_OP_fbreg)
		return in_frame(d, function, (int64_t)ops[0].number, number);
	return nowhere("it is computed");
}

struct parameters {
	Dwarf_Die list[PARAMETERS_MAX];
	uint32_t n;
};

static void list_parameters(const struct kft_dwarf *d, Dwarf_Die *function,
			    struct parameters *ret)
{
	Dwarf_Die child;

	for (int r = d->dw->dwarf_child(function, &child);
	     r == 0 && ret->n < PARAMETERS_MAX;
	     r = d->dw->dwarf_siblingof(&child, &child))
		if (d->dw->dwarf_tag(&child) == DW_TAG_formal_parameter)
			ret->list[ret->n++] = child;
}

/*
 * Clones of functions that the compiler made for certain callers (x.isra.0) may use
 * another calling convention.
 */
static bool keeps_abi(const struct kft_elf_function *f)
{
	return !strchr(f->name, '.');
}

static int add_sources(const struct kft_dwarf *d, Dwarf_Die *function,
		       const struct kft_elf_function *f, struct parameters *p,
		       struct kft_dwarf_function *ret)
{
	bool is_known = keeps_abi(f);
	unsigned int used = 0;

	for (uint32_t i = 0; i < p->n; i++) {
		enum passing how = passing_of(d, &p->list[i]);
		bool is_number = how == AS_NUMBER && is_known;

		used += is_number;
		is_known &= how != AS_PIECES;
		struct kft_btf_source s = find_source(d, function, f->address,
						      &p->list[i], is_number ? used : 0);
		if (how == AS_PIECES && s.base && !s.in_memory)
			s = nowhere("it is a struct in a register");
		if (!kft_vec_push(&ret->sources, s))
			return -ENOMEM;
	}
	return 0;
}

int kft_dwarf_function(struct kft_dwarf *d, const struct kft_elf_function *f,
		       struct kft_dwarf_function *ret, struct kft_err *e)
{
	struct kft_dwarf_types types = {.dw = d->dw};
	struct kft_dwarf_function out = {};
	struct parameters p = {};
	Dwarf_Die function;

	if (!find_function(d, f->address, &function)) {
		if (kft_is_interrupted())
			return kft_err_sys(e, -EINTR,
					   "cannot read the debugging information");
		kft_err_set(e, -ENOENT,
			    "the debugging information does not have '%.200s'", f->name);
		kft_err_hint(e, "$arg1, $arg2 ... and $retval work without");
		return -ENOENT;
	}
	list_parameters(d, &function, &p);
	int r = add_sources(d, &function, f, &p, &out);
	if (r == 0)
		r = kft_dwarf_types_write(&types, f->name, &function, p.list, p.n,
					  &out.types);
	kft_dwarf_types_finish(&types);
	if (r < 0) {
		kft_dwarf_function_finish(&out);
		return kft_err_sys(e, r, "cannot read the types of '%.200s'", f->name);
	}
	*ret = out;
	return 0;
}

void kft_dwarf_function_finish(struct kft_dwarf_function *f)
{
	kft_strbuf_finish(&f->types);
	kft_vec_finish(&f->sources);
}

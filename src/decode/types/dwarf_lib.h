/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <dwarf.h>
#include <elfutils/libdwfl.h>

/*
 * The functions of elfutils' libdw that kft uses. It is loaded only for arguments by
 * name: otherwise every command would load five libraries without need.
 */
/* clang-format off */
#define KFT_DW_FUNCTIONS(X) \
	X(dwfl_begin) X(dwfl_end) X(dwfl_report_offline) X(dwfl_report_end) \
	X(dwfl_module_getdwarf) X(dwfl_build_id_find_elf) \
	X(dwfl_standard_find_debuginfo) X(dwfl_offline_section_address) \
	X(dwarf_nextcu) X(dwarf_offdie) X(dwarf_haspc) X(dwarf_getfuncs) \
	X(dwarf_entrypc) X(dwarf_child) X(dwarf_siblingof) X(dwarf_tag) \
	X(dwarf_diename) X(dwarf_attr) X(dwarf_attr_integrate) X(dwarf_formref_die) \
	X(dwarf_formudata) X(dwarf_getlocation) X(dwarf_getlocation_addr) \
	X(dwarf_peel_type)
/* clang-format on */

struct kft_dw {
#define KFT_DW_MEMBER(f) __typeof__(&(f)) f;
	KFT_DW_FUNCTIONS(KFT_DW_MEMBER)
#undef KFT_DW_MEMBER
};

/* NULL: the library is not installed. */
const struct kft_dw *kft_dw_load(void);

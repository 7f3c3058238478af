// SPDX-License-Identifier: LGPL-2.1-or-later
/* Loads elfutils' libdw when it is first needed. */
#include "decode/types/dwarf_lib.h"

#include <dlfcn.h>
#include <pthread.h>

static struct kft_dw dw;
static bool is_loaded;

static void load(void)
{
	void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return;
	is_loaded = true;
	/* POSIX guarantees that the pointer from dlsym() can be called as a function. */
#define KFT_DW_FIND(f)                        \
	*(void **)&dw.f = dlsym(library, #f); \
	is_loaded &= dw.f != NULL;
	KFT_DW_FUNCTIONS(KFT_DW_FIND)
#undef KFT_DW_FIND
}

const struct kft_dw *kft_dw_load(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)pthread_once(&once, load);
	return is_loaded ? &dw : NULL;
}

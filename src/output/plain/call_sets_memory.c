// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of constants in arguments of calls on memory: Linux 6.12,
 * include/uapi/asm-generic/mman{-common,}.h, linux/{mman,memfd,random}.h.
 */
#include "output/plain/call_sets.h"

/* clang-format off */
#define BIT(bits, text)		{bits, bits, #text}
#define ONE(among, number, text) {among, number, #text}
#define SET(set, is_number)                                                    \
	const struct kft_arg_type kft_arg_##set = {                            \
		.kind = KFT_ARG_SET, .is_int = is_number, .names = set##_names};

static const struct kft_arg_name prot_names[] = {
	ONE(0xffffffff, 0x0, PROT_NONE), BIT(0x1, PROT_READ), BIT(0x2, PROT_WRITE),
	BIT(0x4, PROT_EXEC), BIT(0x1000000, PROT_GROWSDOWN), {},
};
SET(prot, false)

static const struct kft_arg_name map_names[] = {
	ONE(0xf, 0x1, MAP_SHARED), ONE(0xf, 0x2, MAP_PRIVATE),
	ONE(0xf, 0x3, MAP_SHARED_VALIDATE), BIT(0x10, MAP_FIXED), BIT(0x20, MAP_ANONYMOUS),
	BIT(0x40, MAP_32BIT), BIT(0x100, MAP_GROWSDOWN), BIT(0x800, MAP_DENYWRITE),
	BIT(0x2000, MAP_LOCKED), BIT(0x4000, MAP_NORESERVE), BIT(0x8000, MAP_POPULATE),
	BIT(0x10000, MAP_NONBLOCK), BIT(0x20000, MAP_STACK), BIT(0x40000, MAP_HUGETLB),
	BIT(0x100000, MAP_FIXED_NOREPLACE), {},
};
SET(map, false)

static const struct kft_arg_name mremap_names[] = {
	BIT(0x1, MREMAP_MAYMOVE), BIT(0x2, MREMAP_FIXED), BIT(0x4, MREMAP_DONTUNMAP), {},
};
SET(mremap, false)

static const struct kft_arg_name advice_names[] = {
	ONE(0xffffffff, 0x0, MADV_NORMAL), ONE(0xffffffff, 0x1, MADV_RANDOM),
	ONE(0xffffffff, 0x2, MADV_SEQUENTIAL), ONE(0xffffffff, 0x3, MADV_WILLNEED),
	ONE(0xffffffff, 0x4, MADV_DONTNEED), ONE(0xffffffff, 0x8, MADV_FREE),
	ONE(0xffffffff, 0xe, MADV_HUGEPAGE), ONE(0xffffffff, 0xf, MADV_NOHUGEPAGE),
	ONE(0xffffffff, 0x14, MADV_COLD), ONE(0xffffffff, 0x15, MADV_PAGEOUT),
	ONE(0xffffffff, 0x16, MADV_POPULATE_READ), ONE(0xffffffff, 0x17, MADV_POPULATE_WRITE),
	ONE(0xffffffff, 0x66, MADV_GUARD_INSTALL), {},
};
SET(advice, true)

static const struct kft_arg_name memfd_names[] = {
	BIT(0x1, MFD_CLOEXEC), BIT(0x2, MFD_ALLOW_SEALING), BIT(0x4, MFD_HUGETLB),
	BIT(0x8, MFD_NOEXEC_SEAL), BIT(0x10, MFD_EXEC), {},
};
SET(memfd, false)

static const struct kft_arg_name random_names[] = {
	BIT(0x1, GRND_NONBLOCK), BIT(0x2, GRND_RANDOM), BIT(0x4, GRND_INSECURE), {},
};
SET(random, false)

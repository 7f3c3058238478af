// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of constants in arguments of calls on files: Linux 6.12,
 * include/uapi/asm-generic/fcntl.h, arch/arm{,64}/include/uapi/asm/fcntl.h (with
 * different flags), linux/{fcntl,fs,falloc,splice,fadvise}.h.
 */
#include "output/plain/call_sets.h"

/* clang-format off */
#define BIT(bits, text)		{bits, bits, #text}
#define ONE(among, number, text) {among, number, #text}
#define SET(set, is_number)                                                    \
	const struct kft_arg_type kft_arg_##set = {                            \
		.kind = KFT_ARG_SET, .is_int = is_number, .names = set##_names};

static const struct kft_arg_name open_names[] = {
	ONE(0x3, 0x0, O_RDONLY), ONE(0x3, 0x1, O_WRONLY), ONE(0x3, 0x2, O_RDWR),
	BIT(0x40, O_CREAT), BIT(0x80, O_EXCL), BIT(0x100, O_NOCTTY), BIT(0x200, O_TRUNC),
	BIT(0x400, O_APPEND), BIT(0x800, O_NONBLOCK), BIT(0x101000, O_SYNC),
	ONE(0x101000, 0x1000, O_DSYNC), BIT(0x2000, O_ASYNC), BIT(0x4000, O_DIRECT),
	BIT(0x8000, O_LARGEFILE), BIT(0x410000, O_TMPFILE),
	ONE(0x410000, 0x10000, O_DIRECTORY), BIT(0x20000, O_NOFOLLOW),
	BIT(0x40000, O_NOATIME), BIT(0x80000, O_CLOEXEC), BIT(0x200000, O_PATH), {},
};
SET(open, false)

static const struct kft_arg_name open_arm_names[] = {
	ONE(0x3, 0x0, O_RDONLY), ONE(0x3, 0x1, O_WRONLY), ONE(0x3, 0x2, O_RDWR),
	BIT(0x40, O_CREAT), BIT(0x80, O_EXCL), BIT(0x100, O_NOCTTY), BIT(0x200, O_TRUNC),
	BIT(0x400, O_APPEND), BIT(0x800, O_NONBLOCK), BIT(0x101000, O_SYNC),
	ONE(0x101000, 0x1000, O_DSYNC), BIT(0x404000, O_TMPFILE),
	ONE(0x404000, 0x4000, O_DIRECTORY), BIT(0x2000, O_ASYNC), BIT(0x8000, O_NOFOLLOW),
	BIT(0x10000, O_DIRECT), BIT(0x20000, O_LARGEFILE), BIT(0x40000, O_NOATIME),
	BIT(0x80000, O_CLOEXEC), BIT(0x200000, O_PATH), {},
};
SET(open_arm, false)

static const struct kft_arg_name fd_flags_names[] = {
	BIT(0x800, O_NONBLOCK), BIT(0x80000, O_CLOEXEC), BIT(0x4000, O_DIRECT), {},
};
SET(fd_flags, false)

static const struct kft_arg_name at_names[] = {
	ONE(0xffffffff, 0xffffff9c, AT_FDCWD), {},
};
SET(at, true)

static const struct kft_arg_name at_flags_names[] = {
	BIT(0x100, AT_SYMLINK_NOFOLLOW), BIT(0x200, AT_REMOVEDIR),
	BIT(0x400, AT_SYMLINK_FOLLOW), BIT(0x800, AT_NO_AUTOMOUNT),
	BIT(0x1000, AT_EMPTY_PATH), {},
};
SET(at_flags, false)

static const struct kft_arg_name access_names[] = {
	ONE(0xffffffff, 0x0, F_OK), BIT(0x4, R_OK), BIT(0x2, W_OK), BIT(0x1, X_OK), {},
};
SET(access, false)

static const struct kft_arg_name whence_names[] = {
	ONE(0xffffffff, 0x0, SEEK_SET), ONE(0xffffffff, 0x1, SEEK_CUR),
	ONE(0xffffffff, 0x2, SEEK_END), ONE(0xffffffff, 0x3, SEEK_DATA),
	ONE(0xffffffff, 0x4, SEEK_HOLE), {},
};
SET(whence, true)

static const struct kft_arg_name flock_names[] = {
	ONE(0xb, 0x1, LOCK_SH), ONE(0xb, 0x2, LOCK_EX), ONE(0xb, 0x8, LOCK_UN),
	BIT(0x4, LOCK_NB), {},
};
SET(flock, false)

static const struct kft_arg_name rename_names[] = {
	BIT(0x1, RENAME_NOREPLACE), BIT(0x2, RENAME_EXCHANGE), BIT(0x4, RENAME_WHITEOUT), {},
};
SET(rename, false)

static const struct kft_arg_name fallocate_names[] = {
	BIT(0x1, FALLOC_FL_KEEP_SIZE), BIT(0x2, FALLOC_FL_PUNCH_HOLE),
	BIT(0x8, FALLOC_FL_COLLAPSE_RANGE), BIT(0x10, FALLOC_FL_ZERO_RANGE),
	BIT(0x20, FALLOC_FL_INSERT_RANGE), {},
};
SET(fallocate, false)

static const struct kft_arg_name fcntl_names[] = {
	ONE(0xffffffff, 0x0, F_DUPFD), ONE(0xffffffff, 0x1, F_GETFD),
	ONE(0xffffffff, 0x2, F_SETFD), ONE(0xffffffff, 0x3, F_GETFL),
	ONE(0xffffffff, 0x4, F_SETFL), ONE(0xffffffff, 0x5, F_GETLK),
	ONE(0xffffffff, 0x6, F_SETLK), ONE(0xffffffff, 0x7, F_SETLKW),
	ONE(0xffffffff, 0x8, F_SETOWN), ONE(0xffffffff, 0x9, F_GETOWN),
	ONE(0xffffffff, 0xa, F_SETSIG), ONE(0xffffffff, 0x24, F_OFD_GETLK),
	ONE(0xffffffff, 0x25, F_OFD_SETLK), ONE(0xffffffff, 0x26, F_OFD_SETLKW),
	ONE(0xffffffff, 0x400, F_SETLEASE), ONE(0xffffffff, 0x406, F_DUPFD_CLOEXEC),
	ONE(0xffffffff, 0x407, F_SETPIPE_SZ), ONE(0xffffffff, 0x408, F_GETPIPE_SZ),
	ONE(0xffffffff, 0x409, F_ADD_SEALS), ONE(0xffffffff, 0x40a, F_GET_SEALS), {},
};
SET(fcntl, true)

static const struct kft_arg_name splice_names[] = {
	BIT(0x1, SPLICE_F_MOVE), BIT(0x2, SPLICE_F_NONBLOCK), BIT(0x4, SPLICE_F_MORE),
	BIT(0x8, SPLICE_F_GIFT), {},
};
SET(splice, false)

static const struct kft_arg_name fadvise_names[] = {
	ONE(0xffffffff, 0x0, POSIX_FADV_NORMAL), ONE(0xffffffff, 0x1, POSIX_FADV_RANDOM),
	ONE(0xffffffff, 0x2, POSIX_FADV_SEQUENTIAL),
	ONE(0xffffffff, 0x3, POSIX_FADV_WILLNEED), ONE(0xffffffff, 0x4, POSIX_FADV_DONTNEED),
	ONE(0xffffffff, 0x5, POSIX_FADV_NOREUSE), {},
};
SET(fadvise, true)

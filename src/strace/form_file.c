// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes files, directories and buffers of system calls. */
#include "strace/forms.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/limits.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "strace/members.h"

/* Entries of a directory that are counted in one call. */
#define PAGE_BYTES_MAX	  ((size_t)4096)
#define DIRENTS_BYTES_MAX ((size_t)256 << 10)

static const struct kft_member statfs[] = {
	{"f_type", KFT_MEMBER_ULONG_SET, &kft_arg_fs_magic},
	{"f_bsize", KFT_MEMBER_ULONG},
	{"f_blocks", KFT_MEMBER_ULONG},
	{"f_bfree", KFT_MEMBER_ULONG},
	{"f_bavail", KFT_MEMBER_ULONG},
	{"f_files", KFT_MEMBER_ULONG},
	{"f_ffree", KFT_MEMBER_ULONG},
	{}};
static const struct kft_member statfs_rest[] = {
	{"f_namelen", KFT_MEMBER_ULONG},
	{"f_frsize", KFT_MEMBER_ULONG},
	{"f_flags", KFT_MEMBER_ULONG_SET, &kft_arg_statfs_flags},
	{}};
/* Of 32-bit programs. */
static const struct kft_member statfs64[] = {
	{"f_type", KFT_MEMBER_SET, &kft_arg_fs_magic},
	{"f_bsize", KFT_MEMBER_UNSIGNED},
	{"f_blocks", KFT_MEMBER_U64},
	{"f_bfree", KFT_MEMBER_U64},
	{"f_bavail", KFT_MEMBER_U64},
	{"f_files", KFT_MEMBER_U64},
	{"f_ffree", KFT_MEMBER_U64},
	{}};
static const struct kft_member statfs64_rest[] = {
	{"f_namelen", KFT_MEMBER_UNSIGNED},
	{"f_frsize", KFT_MEMBER_UNSIGNED},
	{"f_flags", KFT_MEMBER_SET, &kft_arg_statfs_flags},
	{}};
static const struct kft_member statx_members[] = {
	{"stx_mask", KFT_MEMBER_SET, &kft_arg_statx_mask},
	{"stx_blksize", KFT_MEMBER_UNSIGNED, .verbose = true},
	{"stx_attributes", KFT_MEMBER_SET64, &kft_arg_statx_attributes},
	{"stx_nlink", KFT_MEMBER_UNSIGNED, .verbose = true},
	{"stx_uid", KFT_MEMBER_UNSIGNED, .verbose = true},
	{"stx_gid", KFT_MEMBER_UNSIGNED, .verbose = true},
	{"stx_mode", KFT_MEMBER_SHORT_MODE},
	{NULL, KFT_MEMBER_SHORT},
	{"stx_ino", KFT_MEMBER_U64, .verbose = true},
	{"stx_size", KFT_MEMBER_U64},
	{"stx_blocks", KFT_MEMBER_U64, .verbose = true},
	{"stx_attributes_mask", KFT_MEMBER_SET64, &kft_arg_statx_attributes,
	 .verbose = true},
	{"stx_atime", KFT_MEMBER_STATX_TIME, .verbose = true},
	{"stx_btime", KFT_MEMBER_STATX_TIME, .verbose = true},
	{"stx_ctime", KFT_MEMBER_STATX_TIME, .verbose = true},
	{"stx_mtime", KFT_MEMBER_STATX_TIME, .verbose = true},
	{"stx_rdev_major", KFT_MEMBER_UNSIGNED, .verbose = true},
	{"stx_rdev_minor", KFT_MEMBER_UNSIGNED, .verbose = true},
	{"stx_dev_major", KFT_MEMBER_UNSIGNED, .verbose = true},
	{"stx_dev_minor", KFT_MEMBER_UNSIGNED, .verbose = true},
	{"stx_mnt_id", KFT_MEMBER_U64_HEX, .verbose = true},
	{}};
static const struct kft_member file_lock[] = {
	{"l_type", KFT_MEMBER_SHORT_SET, &kft_arg_lock_type},
	{"l_whence", KFT_MEMBER_SHORT_SET, &kft_arg_whence},
	{"l_start", KFT_MEMBER_LONG},
	{"l_len", KFT_MEMBER_LONG},
	{NULL, KFT_MEMBER_INT},
	{}};
static const struct kft_member file_lock64[] = {
	{"l_type", KFT_MEMBER_SHORT_SET, &kft_arg_lock_type},
	{"l_whence", KFT_MEMBER_SHORT_SET, &kft_arg_whence},
	{"l_start", KFT_MEMBER_S64},
	{"l_len", KFT_MEMBER_S64},
	{NULL, KFT_MEMBER_INT},
	{}};
static const struct kft_member window[] = {{"ws_row", KFT_MEMBER_SHORT},
					   {"ws_col", KFT_MEMBER_SHORT},
					   {"ws_xpixel", KFT_MEMBER_SHORT},
					   {"ws_ypixel", KFT_MEMBER_SHORT},
					   {}};

void kft_form_path(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_string(t, v, true);
}

void kft_form_string_maybe(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_string(t, v, false);
}

void kft_form_buffer_in(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_bytes(t, v, kft_strace_arg(t, t->at + 1));
}

/* The call's result is the number of bytes that it wrote. */
void kft_form_buffer_out(struct kft_strace_text *t, uint64_t v)
{
	uint64_t len = (uint64_t)t->call->result;

	/* With a size of 0 the result is what would be written (getxattr). */
	if (!kft_strace_arg(t, t->at + 1) && len)
		kft_strace_address(t, v);
	else
		kft_strace_bytes(t, v, len);
}

/* Without room for the names the result is their size. */
void kft_form_list_out(struct kft_strace_text *t, uint64_t v)
{
	if (kft_strace_arg(t, t->at + 1))
		kft_strace_bytes(t, v, (uint64_t)t->call->result);
	else
		kft_strace_address(t, v);
}

/* One NUL at the end of the shown part of a value is left out, as most are strings. */
static void add_xattr(struct kft_strace_text *t, uint64_t address, uint64_t len)
{
	char data[KFT_STRACE_STRING_MAX];
	size_t shown = (size_t)KFT_MIN(len, (uint64_t)t->style->string_max);

	if (!address || len > XATTR_SIZE_MAX ||
	    (shown && !kft_strace_read(t, address, data, shown))) {
		kft_strace_address(t, address);
		return;
	}
	bool is_cut = len > shown;

	if (shown && !data[shown - 1]) {
		shown--;
		is_cut = is_cut && len > shown + 1;
	}
	kft_strace_quoted(t, data, shown, is_cut, t->style->hex);
}

void kft_form_value_in(struct kft_strace_text *t, uint64_t v)
{
	add_xattr(t, v, kft_strace_arg(t, t->at + 1));
}

void kft_form_value_out(struct kft_strace_text *t, uint64_t v)
{
	if (kft_strace_arg(t, t->at + 1))
		add_xattr(t, v, (uint64_t)t->call->result);
	else
		kft_strace_address(t, v);
}

void kft_form_string_out(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_string(t, v, true);
}

void kft_form_bytes_out_hex(struct kft_strace_text *t, uint64_t v)
{
	char data[KFT_STRACE_STRING_MAX];
	uint64_t len = (uint64_t)t->call->result;
	size_t shown = (size_t)KFT_MIN(len, (uint64_t)t->style->string_max);

	if (!v || (shown && !kft_strace_read(t, v, data, shown)))
		kft_strace_address(t, v);
	else
		kft_strace_quoted(t, data, shown, shown < len, KFT_STRACE_HEX_ALL);
}

static void add_byte(struct kft_strace_text *t, const void *element)
{
	kft_strbuf_addu(t->sb, *(const unsigned char *)element & 1, 1);
}

/* mincore: a byte for each page. */
void kft_form_bytes_out(struct kft_strace_text *t, uint64_t v)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t bytes = kft_strace_arg(t, 1);

	if (bytes && t->call->is_error)
		kft_strace_address(t, v);
	else
		kft_strace_array(t, v, bytes / page + (bytes % page != 0), 1, add_byte);
}

/* O_TMPFILE is looked at without the bit of O_DIRECTORY. */
static bool makes_file(uint64_t flags)
{
	return flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY));
}

void kft_form_creat_mode(struct kft_strace_text *t, uint64_t v)
{
	if (makes_file(kft_strace_arg(t, t->at - 1)))
		kft_strbuf_addf(t->sb, "%#03o", (unsigned int)(uint16_t)v);
	else
		t->ended = true;
}

void kft_form_mknod_mode(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_mode(t, (uint16_t)v);
}

/* Calls take 32 bits of the number of a device. */
void kft_form_dev(struct kft_strace_text *t, uint64_t v)
{
	uint32_t dev = (uint32_t)v;

	kft_strbuf_addf(t->sb, "makedev(%#x, %#x)", major(dev), minor(dev));
}

void kft_form_mknod_dev(struct kft_strace_text *t, uint64_t v)
{
	uint64_t mode = kft_strace_arg(t, t->at - 1);

	if (S_ISCHR(mode) || S_ISBLK(mode))
		kft_form_dev(t, v);
	else
		t->ended = true;
}

/* Bytes of a structure that this version does not know: nothing when all are 0. */
static void add_unknown_bytes(struct kft_strace_text *t, uint64_t address, size_t from,
			      size_t to)
{
	char data[PAGE_BYTES_MAX];
	size_t len = to - from;
	size_t shown = KFT_MIN(len, t->style->string_max);
	bool any = false;

	if (!kft_strace_read(t, address + from, data, len)) {
		kft_strbuf_adds(t->sb, ", ???");
		return;
	}
	for (size_t i = 0; i < len; i++)
		any |= data[i] != 0;
	if (!any)
		return;
	kft_strbuf_addf(t->sb, ", /* bytes %zu..%zu */ ", from, to - 1);
	kft_strace_quoted(t, data, shown, shown < len, KFT_STRACE_HEX_ALL);
}

void kft_form_open_how_in(struct kft_strace_text *t, uint64_t v)
{
	uint64_t size = kft_strace_arg(t, t->at + 1);
	struct {
		uint64_t flags, mode, resolve;
	} how;

	if (size < sizeof(how) || !kft_strace_read(t, v, &how, sizeof(how))) {
		kft_strace_address(t, v);
		return;
	}
	kft_strbuf_adds(t->sb, "{flags=");
	kft_arg_add_set(&kft_arg_open, how.flags, t->sb);
	if (makes_file(how.flags) || how.mode)
		kft_strbuf_addf(t->sb, ", mode=%#03llo", (unsigned long long)how.mode);
	kft_strbuf_adds(t->sb, ", resolve=");
	kft_arg_add_set(&kft_arg_resolve, how.resolve, t->sb);
	if (size > sizeof(how))
		add_unknown_bytes(t, v, sizeof(how),
				  (size_t)KFT_MIN(size, PAGE_BYTES_MAX));
	kft_strbuf_addc(t->sb, '}');
}

/* stat of any ABI */
struct file_facts {
	uint64_t dev, ino, rdev, nlink;
	uint32_t mode, uid, gid;
	int64_t size, block_bytes, blocks;
	int64_t times[6]; /* atime, its ns, mtime, ctime */
};

static void add_file_times(const struct kft_strace_text *t, const struct file_facts *f)
{
	for (unsigned int i = 0; i < 3; i++) {
		int64_t sec = f->times[2 * i];
		int64_t nsec = f->times[2 * i + 1];

		kft_strbuf_addf(t->sb, ", st_%ctime=%lld", "amc"[i], (long long)sec);
		kft_strace_date(t, sec, nsec);
		kft_strbuf_addf(t->sb, ", st_%ctime_nsec=%lld", "amc"[i],
				(long long)nsec);
	}
}

static void add_stat(struct kft_strace_text *t, const struct file_facts *f)
{
	bool is_device = S_ISCHR(f->mode) || S_ISBLK(f->mode);

	kft_strbuf_addc(t->sb, '{');
	if (t->style->verbose)
		kft_strbuf_addf(t->sb, "st_dev=makedev(%#x, %#x), st_ino=%llu, ",
				major(f->dev), minor(f->dev), (unsigned long long)f->ino);
	kft_strbuf_adds(t->sb, "st_mode=");
	kft_strace_mode(t, f->mode);
	if (t->style->verbose)
		kft_strbuf_addf(t->sb,
				", st_nlink=%llu, st_uid=%u, st_gid=%u, st_blksize=%lld, "
				"st_blocks=%lld",
				(unsigned long long)f->nlink, f->uid, f->gid,
				(long long)f->block_bytes, (long long)f->blocks);
	if (is_device)
		kft_strbuf_addf(t->sb, ", st_rdev=makedev(%#x, %#x)", major(f->rdev),
				minor(f->rdev));
	else
		kft_strbuf_addf(t->sb, ", st_size=%lld", (long long)f->size);
	if (t->style->verbose)
		add_file_times(t, f);
	kft_strbuf_adds(t->sb, t->style->verbose ? "}" : ", ...}");
}

void kft_form_stat_out(struct kft_strace_text *t, uint64_t v)
{
	struct stat s;

	/* On 64-bit machines the C library's structure is that of the kernel. */
	if (sizeof(long) != 8 || t->word != 8 || !kft_strace_read(t, v, &s, sizeof(s))) {
		kft_strace_address(t, v);
		return;
	}
	add_stat(t, &(struct file_facts){s.st_dev,
					 s.st_ino,
					 s.st_rdev,
					 s.st_nlink,
					 s.st_mode,
					 s.st_uid,
					 s.st_gid,
					 s.st_size,
					 s.st_blksize,
					 s.st_blocks,
					 {s.st_atim.tv_sec, s.st_atim.tv_nsec,
					  s.st_mtim.tv_sec, s.st_mtim.tv_nsec,
					  s.st_ctim.tv_sec, s.st_ctim.tv_nsec}});
}

/* arch/x86/include/uapi/asm/stat.h, for i386. */
struct stat64_i386 {
	uint64_t dev;
	uint32_t pad0, short_ino;
	uint32_t mode, nlink, uid, gid;
	uint64_t rdev;
	uint32_t pad1;
	int64_t size;
	uint32_t block_bytes;
	uint64_t blocks;
	uint32_t times[6];
	uint64_t ino;
} __attribute__((packed));

void kft_form_stat64_out(struct kft_strace_text *t, uint64_t v)
{
	struct stat64_i386 s;
	struct file_facts f;

	if (!kft_strace_read(t, v, &s, sizeof(s))) {
		kft_strace_address(t, v);
		return;
	}
	f = (struct file_facts){s.dev, s.ino, s.rdev, s.nlink,	     s.mode,
				s.uid, s.gid, s.size, s.block_bytes, (int64_t)s.blocks};
	for (unsigned int i = 0; i < ARRAY_SIZE(f.times); i++)
		f.times[i] = s.times[i];
	add_stat(t, &f);
}

static const struct kft_member mount_attr[] = {
	{"attr_set", KFT_MEMBER_SET64, &kft_arg_mount_attr},
	{"attr_clr", KFT_MEMBER_SET64, &kft_arg_mount_attr},
	{"propagation", KFT_MEMBER_SET64, &kft_arg_mount},
	{"userns_fd", KFT_MEMBER_U64},
	{}};

void kft_form_mount_attr_in(struct kft_strace_text *t, uint64_t v)
{
	if (kft_strace_arg(t, t->at + 1) < kft_members_size(t, mount_attr))
		kft_strace_address(t, v);
	else
		kft_members_at(t, mount_attr, v);
}

void kft_form_statx_out(struct kft_strace_text *t, uint64_t v)
{
	struct kft_member members[ARRAY_SIZE(statx_members)];
	uint32_t mask;

	memcpy(members, statx_members, sizeof(members));
	/* Some file systems have no time of birth. */
	for (struct kft_member *m = members; m->kind; m++)
		if (m->name && strcmp(m->name, "stx_btime") == 0 &&
		    kft_strace_read(t, v, &mask, sizeof(mask)) && !(mask & STATX_BTIME))
			m->name = NULL;
	kft_members_at(t, members, v);
}

/* The id of the file system stands between the members of the two lists. */
static void add_statfs(struct kft_strace_text *t, const struct kft_member *head,
		       const struct kft_member *rest, uint64_t address)
{
	char data[KFT_MEMBERS_BYTES_MAX];
	size_t first = kft_members_size(t, head);
	uint32_t id[2];

	if (!kft_strace_read(t, address, data,
			     first + sizeof(id) + kft_members_size(t, rest))) {
		kft_strace_address(t, address);
		return;
	}
	kft_members_add(t, head, data);
	t->sb->len--;
	memcpy(id, data + first, sizeof(id));
	kft_strbuf_adds(t->sb, ", f_fsid={val=[");
	kft_strace_hex(t, id[0]);
	kft_strbuf_adds(t->sb, ", ");
	kft_strace_hex(t, id[1]);
	kft_strbuf_adds(t->sb, "]}, ");
	size_t brace = t->sb->len;

	kft_members_add(t, rest, data + first + sizeof(id));
	if (!kft_strbuf_ok(t->sb))
		return;
	memmove(t->sb->buf + brace, t->sb->buf + brace + 1, t->sb->len - brace - 1);
	t->sb->len--;
}

void kft_form_statfs_out(struct kft_strace_text *t, uint64_t v)
{
	add_statfs(t, statfs, statfs_rest, v);
}

void kft_form_statfs64_out(struct kft_strace_text *t, uint64_t v)
{
	add_statfs(t, statfs64, statfs64_rest, v);
}

/* Names are shown with -v only; else their number. */
static void add_dirents(struct kft_strace_text *t, uint64_t address, size_t length_at)
{
	uint64_t len = (uint64_t)t->call->result;
	_cleanup_free_ char *data = NULL;
	uint64_t n = 0;

	if (len > DIRENTS_BYTES_MAX || !(data = malloc(len + 1)) ||
	    (len && !kft_strace_read(t, address, data, (size_t)len))) {
		kft_strace_address(t, address);
		return;
	}
	for (size_t at = 0; at + length_at + 2 <= len; n++) {
		uint16_t record;

		memcpy(&record, data + at + length_at, sizeof(record));
		if (record < length_at + 2)
			break;
		at += record;
	}
	kft_strace_address(t, address);
	kft_strbuf_addf(t->sb, " /* %llu entries */", (unsigned long long)n);
}

void kft_form_dirents_out(struct kft_strace_text *t, uint64_t v)
{
	add_dirents(t, v, 16);
}

void kft_form_dirents_old_out(struct kft_strace_text *t, uint64_t v)
{
	add_dirents(t, v, 2 * (size_t)t->word);
}

void kft_form_offset_inout(struct kft_strace_text *t, uint64_t v)
{
	int64_t offset;

	if (!kft_strace_read(t, v, &offset, sizeof(offset)))
		kft_strace_address(t, v);
	else
		kft_strbuf_addf(t->sb, "[%lld]", (long long)offset);
}

/* An offset that the call moves on. */
static void add_moved(struct kft_strace_text *t, uint64_t v, size_t size)
{
	uint64_t before = 0;
	uint64_t after = 0;

	if (!v || kft_traced_read_entry(t->call, v, &before, size) != size) {
		kft_strace_address(t, v);
		return;
	}
	kft_strbuf_addf(t->sb, "[%llu", (unsigned long long)before);
	if (!t->call->is_error && t->call->result && kft_strace_read(t, v, &after, size))
		kft_strbuf_addf(t->sb, "] => [%llu", (unsigned long long)after);
	kft_strbuf_addc(t->sb, ']');
}

void kft_form_offset_moved(struct kft_strace_text *t, uint64_t v)
{
	add_moved(t, v, t->word);
}

void kft_form_offset64_moved(struct kft_strace_text *t, uint64_t v)
{
	add_moved(t, v, sizeof(uint64_t));
}

/* The last member, with its padding a long, is the owner. */
static void add_lock(struct kft_strace_text *t, const struct kft_member *members,
		     uint64_t v, bool has_pid)
{
	char data[64];
	size_t size = kft_members_size(t, members);
	int32_t pid;

	if (t->call->is_error && has_pid) {
		kft_strace_address(t, v);
		return;
	}
	if (!kft_strace_read(t, v, data, size)) {
		kft_strace_address(t, v);
		return;
	}
	kft_members_add(t, members, data);
	if (has_pid) {
		memcpy(&pid, data + size - t->word, sizeof(pid));
		t->sb->len--;
		kft_strbuf_addf(t->sb, ", l_pid=%d}", pid);
	}
}

void kft_form_fcntl_arg(struct kft_strace_text *t, uint64_t v)
{
	uint64_t cmd = (uint32_t)kft_strace_arg(t, t->at - 1);

	switch (cmd) {
	case F_GETFD:
	case F_GETFL:
	case F_GETOWN:
	case F_GETSIG:
	case F_GETLEASE:
	case F_GETPIPE_SZ:
	case F_GET_SEALS:
		t->ended = true;
		break;
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
	case F_SETPIPE_SZ:
		kft_strbuf_addi(t->sb, (int32_t)v);
		break;
	case F_SETFD:
		kft_strace_set(t, &kft_arg_fd_cloexec, v);
		break;
	case F_SETFL:
		kft_strace_set(t, &kft_arg_open, v);
		break;
	case F_SETSIG:
		kft_strace_signal(t, (uint32_t)v);
		break;
	case F_SETOWN:
		kft_strbuf_addi(t->sb, (int32_t)v);
		break;
	case KFT_F_GETLK ... KFT_F_SETLKW:
		add_lock(t, file_lock, v, cmd == KFT_F_GETLK);
		break;
	case KFT_F_GETLK64 ... KFT_F_SETLKW64:
	case KFT_F_OFD_GETLK ... KFT_F_OFD_SETLKW:
		add_lock(t, file_lock64, v,
			 cmd == KFT_F_GETLK64 || cmd == KFT_F_OFD_GETLK);
		break;
	default:
		kft_strace_hex(t, v);
	}
}

/* A number that is in no table: its parts, include/uapi/asm-generic/ioctl.h. */
static void add_ioctl_parts(struct kft_strace_text *t, uint32_t v)
{
	static const char *const directions[] = {"_IOC_NONE", "_IOC_WRITE", "_IOC_READ",
						 "_IOC_READ|_IOC_WRITE"};

	kft_strbuf_addf(t->sb, "_IOC(%s, %#x, %#x, %#x)", directions[v >> 30],
			v >> 8 & 0xff, v & 0xff, v >> 16 & 0x3fff);
}

void kft_form_ioctl_cmd(struct kft_strace_text *t, uint64_t v)
{
	const char *name = kft_strace_name(&kft_arg_ioctls, (uint32_t)v);

	if (name)
		kft_strbuf_adds(t->sb, name);
	else
		add_ioctl_parts(t, (uint32_t)v);
}

static void add_ioctl_int(struct kft_strace_text *t, uint64_t v)
{
	int32_t number;

	if (!kft_strace_read(t, v, &number, sizeof(number)))
		kft_strace_address(t, v);
	else
		kft_strbuf_addf(t->sb, "[%d]", number);
}

void kft_form_ioctl_arg(struct kft_strace_text *t, uint64_t v)
{
	switch ((uint32_t)kft_strace_arg(t, t->at - 1)) {
	case FIOCLEX:
	case FIONCLEX:
	case TIOCNOTTY:
	case TIOCEXCL:
	case TIOCNXCL:
		t->ended = true;
		break;
	case FIONBIO:
	case FIOASYNC:
	case TIOCSPGRP:
	case TIOCSPTLCK:
		add_ioctl_int(t, v);
		break;
	case TIOCSWINSZ:
		kft_members_at(t, window, v);
		break;
	case FIONREAD:
	case TIOCOUTQ:
	case TIOCGPGRP:
	case TIOCGSID:
	case TIOCGPTN:
		if (!t->call->is_error)
			add_ioctl_int(t, v);
		else
			kft_strace_address(t, v);
		break;
	case TIOCGWINSZ:
		if (!t->call->is_error)
			kft_members_at(t, window, v);
		else
			kft_strace_address(t, v);
		break;
	case TCGETS:
		if (!t->call->is_error)
			kft_form_termios(t, v);
		else
			kft_strace_address(t, v);
		break;
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
		kft_form_termios(t, v);
		break;
	case TCXONC:
		kft_strace_set(t, &kft_arg_tcflow, v);
		break;
	case TCFLSH:
		kft_strace_set(t, &kft_arg_tcflush, v);
		break;
	case TIOCSCTTY:
	case TCSBRK:
		kft_strbuf_addi(t->sb, (int32_t)v);
		break;
	default:
		kft_strace_hex(t, v);
	}
}

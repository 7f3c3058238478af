// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes and removes the files that make coming boots traced ones. */
#include "session/boot/install.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/map.h"
#include "base/scan.h"
#include "base/vec.h"

#define MANIFEST_MAX_BYTES 65536
#define FILE_MAX_BYTES	   65536
#define HEADER		   "# Written by '%s --install'; '%s --remove' takes it away.\n"
#define UNIT		   "etc/systemd/system/kft-boot.service"
#define UNIT_LINK	   "etc/systemd/system/multi-user.target.wants/kft-boot.service"
#define SCRIPT		   "etc/init.d/kft-boot"
/* Suffix of a file until it is complete: programs that read its directory ignore it. */
#define NEW_SUFFIX ".kft-new"

const struct kft_boot_files kft_boot_files_run = {
	.command = "kft boot",
	.manifest = KFT_BOOT_MANIFEST,
	.grub = KFT_BOOT_GRUB,
	.has_hook = true,
};

const struct kft_boot_files kft_boot_files_persist = {
	.command = "kft flight persist",
	.manifest = KFT_BOOT_STATE "/persist.installed",
	.grub = KFT_BOOT_GRUB_PERSIST,
};

struct writer {
	struct kft_host *host;
	const struct kft_boot_files *files;
	struct kft_strbuf *said;
	struct kft_err *e;
};

/* Makes the directory `name` in dirfd; path is its path from the root. */
typedef int make_fn(void *arg, int dirfd, const char *name, const char *path);

/*
 * Replaces the directory *fd by `name` in it, which is made if it is missing and make is
 * set.
 */
static int enter(int *fd, const char *name, const char *path, make_fn *make, void *arg)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int next = openat(*fd, name, flags);
	int r = next < 0 ? -errno : 0;

	if (r == -ENOENT && make) {
		r = make(arg, *fd, name, path);
		next = r == 0 ? openat(*fd, name, flags) : -1;
		if (r == 0 && next < 0)
			r = -errno;
	}
	kft_closep(fd);
	*fd = next;
	return r;
}

/*
 * Opens the directory of path. ret_name gets its last component, borrowed from path.
 * Missing directories are made if make is set.
 */
static int open_parent(struct kft_host *host, const char *path, make_fn *make, void *arg,
		       int *ret_fd, const char **ret_name)
{
	int fd = openat(host->root_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r = fd < 0 ? -errno : 0;
	char so_far[PATH_MAX] = "";
	size_t len = 0;

	for (const char *slash; r == 0 && (slash = strchr(path, '/')); path = slash + 1) {
		size_t n = (size_t)(slash - path);
		char *name = so_far + len;

		if (n == 0 || n > NAME_MAX || len + n + 2 > sizeof(so_far)) {
			r = -EINVAL;
			break;
		}
		memcpy(name, path, n);
		name[n] = '\0';
		r = strcmp(name, "..") == 0 ? -EINVAL
					    : enter(&fd, name, so_far, make, arg);
		len += n;
		so_far[len++] = '/';
	}
	if (r < 0) {
		kft_closep(&fd);
		return r;
	}
	*ret_fd = fd;
	*ret_name = path;
	return 0;
}

static bool exists(const struct kft_host *host, const char *path)
{
	return faccessat(host->root_fd, path, F_OK, 0) == 0;
}

/*
 * Appends a whole line or nothing: a part of a line, on a full disk, would spoil the
 * manifest.
 */
static int append(int fd, const char *line, size_t len)
{
	struct stat st;
	int r = fstat(fd, &st) < 0 ? -errno : kft_write_all(fd, line, len);

	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (r < 0)
		(void)!ftruncate(fd, st.st_size);
	return r;
}

/*
 * Appends an entry to the manifest and syncs it to disk. The entry's file is made after
 * that.
 */
static int note(const struct writer *w, const char *kind, uint64_t hash, const char *path)
{
	_cleanup_close_ int fd = -1;
	char line[PATH_MAX + 64];
	const char *name;
	int dir = -1;
	int n = snprintf(line, sizeof(line), "%s %016llx %s\n", kind,
			 (unsigned long long)hash, path);

	if (n >= (int)sizeof(line))
		return -ENAMETOOLONG;
	int r = open_parent(w->host, w->files->manifest, NULL, NULL, &dir, &name);
	if (r < 0)
		return r;
	fd = kft_make_file_at(dir, name, O_WRONLY | O_APPEND);
	r = fd < 0 ? fd : append(fd, line, n);
	kft_closep(&dir);
	return r;
}

static int make_noted(void *arg, int dirfd, const char *name, const char *path)
{
	const struct writer *w = arg;
	int r = note(w, "dir", 0, path);

	return r < 0 ? r : kft_make_dir_at(dirfd, name, 0755);
}

/* Makes a directory of the manifest itself, without an entry. */
static int make_plain(void *arg, int dirfd, const char *name, const char *path)
{
	return kft_make_dir_at(dirfd, name, 0755);
}

static int fail(const struct writer *w, int code, const char *path)
{
	if (code == -EEXIST) {
		(void)kft_err_set(w->e, code, "'/%s' is there and kft did not write it",
				  path);
		kft_err_hint(w->e, "move it away, or remove it if it is not needed");
		return code;
	}
	if (code == -ELOOP || code == -ENOTDIR)
		return kft_err_set(w->e, code,
				   "cannot write '/%s': a symbolic link or a file is in "
				   "the way",
				   path);
	kft_err_sys(w->e, code, "cannot write '/%s'", path);
	kft_host_hint(w->host, code, w->e);
	return code;
}

static bool is_there(int dir, const char *name)
{
	return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static int create(int dir, const char *name, mode_t mode, const struct kft_strbuf *text)
{
	_cleanup_close_ int fd = openat(
		dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int r = fd < 0 ? -errno : kft_write_all(fd, text->buf, text->len);

	/* Other users must be able to read it, with any umask. */
	if (r == 0 && (fchmod(fd, mode) < 0 || fsync(fd) < 0))
		r = -errno;
	return r;
}

/* musl has no name for this system call before 1.2.5. */
static int rename_new(int dir, const char *from, const char *to)
{
	return (int)syscall(SYS_renameat2, dir, from, dir, to, RENAME_NOREPLACE);
}

/*
 * Creates a file that appears complete or not at all: update-grub would read half a line
 * of parameters as an unterminated quote.
 */
static int create_whole(int dir, const char *name, const char *new_name, mode_t mode,
			const struct kft_strbuf *text)
{
	int r = create(dir, new_name, mode, text);

	if (r == 0 && rename_new(dir, new_name, name) < 0)
		r = -errno;
	/* Some file systems do not support RENAME_NOREPLACE. */
	if (r == -EINVAL && !is_there(dir, name))
		r = renameat(dir, new_name, dir, name) < 0 ? -errno : 0;
	if (r < 0)
		(void)unlinkat(dir, new_name, 0);
	else
		(void)fsync(dir);
	return r;
}

static int write_file(const struct writer *w, const char *path, mode_t mode,
		      struct kft_strbuf *text)
{
	char new_name[NAME_MAX + 1];
	const char *name;
	int dir = -1;

	if (!kft_strbuf_ok(text))
		return fail(w, -ENOMEM, path);
	int r = open_parent(w->host, path, make_noted, (void *)w, &dir, &name);
	if (r < 0)
		return fail(w, r, path);
	if (snprintf(new_name, sizeof(new_name), "%s" NEW_SUFFIX, name) >=
	    (int)sizeof(new_name))
		r = -ENAMETOOLONG;
	else if (is_there(dir, name) || is_there(dir, new_name))
		r = -EEXIST;
	if (r == 0)
		r = note(w, "file", kft_hash_bytes(text->buf, text->len), path);
	if (r == 0)
		r = create_whole(dir, name, new_name, mode, text);
	kft_closep(&dir);
	if (r < 0)
		return fail(w, r, path);
	kft_strbuf_addf(w->said, "wrote /%s\n", path);
	return 0;
}

static int write_link(const struct writer *w, const char *path, const char *target)
{
	const char *name;
	int dir = -1;
	int r = open_parent(w->host, path, make_noted, (void *)w, &dir, &name);

	if (r < 0)
		return fail(w, r, path);
	if (is_there(dir, name))
		r = -EEXIST;
	if (r == 0)
		r = note(w, "link", kft_hash_bytes(target, strlen(target)), path);
	if (r == 0 && symlinkat(target, dir, name) < 0)
		r = -errno;
	kft_closep(&dir);
	if (r < 0)
		return fail(w, r, path);
	kft_strbuf_addf(w->said, "wrote /%s\n", path);
	return 0;
}

/*
 * A shell reads the drop-in, and then GRUB reads its value, where ';' ends a command. No
 * other byte of the parameters is special to either. Recovery entries do not use
 * GRUB_CMDLINE_LINUX_DEFAULT: they boot without tracing.
 */
static void add_grub(const struct writer *w, const char *params, struct kft_strbuf *sb)
{
	const char *command = w->files->command;

	kft_strbuf_addf(sb,
			HEADER "GRUB_CMDLINE_LINUX_DEFAULT=\""
			       "$GRUB_CMDLINE_LINUX_DEFAULT ",
			command, command);
	for (const char *p = params; *p; p++) {
		if (*p == ';')
			kft_strbuf_addc(sb, '\\');
		kft_strbuf_addc(sb, *p);
	}
	kft_strbuf_adds(sb, "\"\n");
}

static int write_params(const struct writer *w, const struct kft_boot_install_opts *o)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	if (o->file) {
		kft_strbuf_addf(&text, "%s\n", o->params);
		return write_file(w, o->file + strspn(o->file, "/"), 0644, &text);
	}
	if (!exists(w->host, "etc/default/grub") &&
	    !exists(w->host, "etc/default/grub.d")) {
		(void)kft_err_set(w->e, -ENOENT,
				  "no GRUB that takes its defaults from /etc/default is "
				  "installed");
		kft_err_hint(w->e,
			     "--parameters FILE writes them for another bootloader");
		return -ENOENT;
	}
	add_grub(w, o->params, &text);
	return write_file(w, w->files->grub, 0644, &text);
}

/*
 * Quotes a program's path by "Quoting" and "Specifiers" of systemd.unit(5), which do not
 * expand '$' there.
 */
static void add_for_systemd(const char *path, struct kft_strbuf *sb)
{
	kft_strbuf_addc(sb, '"');
	for (const char *p = path; *p; p++) {
		if ((unsigned char)*p < ' ')
			kft_strbuf_addf(sb, "\\x%02x", (unsigned int)*p);
		else
			kft_strbuf_addf(sb, "%s%c",
					*p == '"' || *p == '\\' ? "\\"
					: *p == '%'		? "%"
								: "",
					*p);
	}
	kft_strbuf_addc(sb, '"');
}

static void add_for_shell(const char *path, struct kft_strbuf *sb)
{
	kft_strbuf_addc(sb, '\'');
	for (const char *p = path; *p; p++) {
		if (*p == '\'')
			kft_strbuf_adds(sb, "'\\'");
		kft_strbuf_addc(sb, *p);
	}
	kft_strbuf_addc(sb, '\'');
}

static int write_unit(const struct writer *w, const char *kft)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf program = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	add_for_systemd(kft, &program);
	kft_strbuf_addf(&text,
			HEADER "[Unit]\n"
			       "Description=Save the trace of this boot\n"
			       "Documentation=man:kft-boot(1)\n"
			       "ConditionKernelCommandLine=kft.boot\n"
			       "After=multi-user.target\n"
			       "\n"
			       "[Service]\n"
			       "Type=oneshot\n"
			       "StateDirectory=kft\n"
			       "ExecStart=%s save --boot -o " KFT_BOOT_TRACE "\n"
			       "\n"
			       "[Install]\n"
			       "WantedBy=multi-user.target\n",
			w->files->command, w->files->command, kft_strbuf_cstr(&program));
	text.failed |= !kft_strbuf_ok(&program);
	int r = write_file(w, UNIT, 0644, &text);
	return r < 0 ? r : write_link(w, UNIT_LINK, "../kft-boot.service");
}

static int write_script(const struct writer *w, const char *kft)
{
	static const char *const links[] = {
		"etc/rc2.d/S99kft-boot", "etc/rc3.d/S99kft-boot", "etc/rc4.d/S99kft-boot",
		"etc/rc5.d/S99kft-boot"};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf program = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	add_for_shell(kft, &program);
	kft_strbuf_addf(&text,
			"#!/bin/sh\n"
			"### BEGIN INIT INFO\n"
			"# Provides:          kft-boot\n"
			"# Required-Start:    $all\n"
			"# Required-Stop:\n"
			"# Default-Start:     2 3 4 5\n"
			"# Default-Stop:\n"
			"# Short-Description: Save the trace of this boot\n"
			"### END INIT INFO\n" HEADER "[ \"$1\" = start ] || exit 0\n"
			"grep -Eq '(^| )kft\\.boot=' /proc/cmdline || exit 0\n"
			"exec %s save --boot -o " KFT_BOOT_TRACE "\n",
			w->files->command, w->files->command, kft_strbuf_cstr(&program));
	text.failed |= !kft_strbuf_ok(&program);
	int r = write_file(w, SCRIPT, 0755, &text);
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(links); i++)
		r = write_link(w, links[i], "../init.d/kft-boot");
	return r;
}

static int write_hook(const struct writer *w, const char *kft)
{
	if (exists(w->host, "usr/lib/systemd/system") ||
	    exists(w->host, "lib/systemd/system"))
		return write_unit(w, kft);
	if (exists(w->host, "etc/init.d"))
		return write_script(w, kft);
	kft_strbuf_adds(w->said, "found neither systemd nor /etc/init.d: call 'kft save "
				 "--boot -o FILE' when the system is up\n");
	return 0;
}

static int make_state(const struct writer *w)
{
	const char *name;
	int dir = -1;
	const char *manifest = w->files->manifest;
	int r = open_parent(w->host, manifest, make_plain, NULL, &dir, &name);

	if (r < 0)
		return fail(w, r, manifest);
	kft_closep(&dir);
	return 0;
}

static void remove_manifest(const struct writer *w)
{
	(void)unlinkat(w->host->root_fd, w->files->manifest, 0);
	/* The directory stays if the trace is in it. */
	(void)unlinkat(w->host->root_fd, KFT_BOOT_STATE, AT_REMOVEDIR);
}

int kft_boot_install(struct kft_host *host, const struct kft_boot_install_opts *o,
		     struct kft_strbuf *said, struct kft_err *e)
{
	const struct writer w = {host, o->files, said, e};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf unsaid = {};
	struct kft_err earlier = {};
	int r = kft_boot_remove(host, o->files, &unsaid, &earlier);

	if (r < 0 && r != -ENOENT) {
		if (e)
			*e = earlier;
		return r;
	}
	r = make_state(&w);
	if (r == 0)
		r = write_params(&w, o);
	if (r == 0 && o->files->has_hook)
		r = write_hook(&w, o->kft);
	if (r < 0) {
		kft_strbuf_clear(said);
		if (kft_boot_remove(host, o->files, &unsaid, NULL) == -ENOENT)
			remove_manifest(&w);
	}
	return r;
}

/* One line of the manifest. */
struct entry {
	const char *kind;
	uint64_t hash;
	const char *path;
};

static bool parse_entry(char *line, struct entry *ret)
{
	uint64_t hash;
	char *kind_end = strchr(line, ' ');
	char *path = kind_end ? strchr(kind_end + 1, ' ') : NULL;

	const char *number = kind_end ? kind_end + 1 : NULL;

	if (!path || !kft_scan_hex(&number, &hash))
		return false;
	*kind_end = '\0';
	*ret = (struct entry){line, hash, path + 1};
	return path[1] && path[1] != '/';
}

static int hash_file(int dir, const char *name, uint64_t *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_close_ int fd = openat(dir, name,
					O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int r = fd < 0 ? -errno : kft_read_fd(fd, FILE_MAX_BYTES, &sb);

	if (r == 0)
		*ret = kft_hash_bytes(sb.buf, sb.len);
	return r;
}

/*
 * Hashes the file of an entry, and removes its incomplete version. kft 0.1 could leave an
 * empty file: it counts as unchanged.
 */
static int hash_noted_file(int dir, const struct entry *en, const char *name,
			   uint64_t *ret)
{
	char new_name[NAME_MAX + 1];

	if (snprintf(new_name, sizeof(new_name), "%s" NEW_SUFFIX, name) <
	    (int)sizeof(new_name))
		(void)unlinkat(dir, new_name, 0);
	int r = hash_file(dir, name, ret);
	if (r == 0 && *ret == kft_hash_bytes("", 0))
		*ret = en->hash;
	return r;
}

static int hash_link(int dir, const char *name, uint64_t *ret)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(dir, name, target, sizeof(target));

	if (n < 0)
		return -errno;
	*ret = kft_hash_bytes(target, n);
	return 0;
}

/*
 * Removes the file of an entry. Returns 0 also when it is gone already, or is a directory
 * with other files.
 */
static int remove_entry(struct kft_host *host, const struct entry *en, bool *ret_removed)
{
	bool is_dir = strcmp(en->kind, "dir") == 0;
	const char *name;
	uint64_t hash = 0;
	int dir = -1;
	int r = open_parent(host, en->path, NULL, NULL, &dir, &name);

	if (r == 0 && !is_dir)
		r = strcmp(en->kind, "link") == 0 ? hash_link(dir, name, &hash)
						  : hash_noted_file(dir, en, name, &hash);
	if (r == 0 && hash != en->hash)
		r = -EEXIST;
	if (r == 0 && unlinkat(dir, name, is_dir ? AT_REMOVEDIR : 0) < 0)
		r = -errno;
	*ret_removed = r == 0;
	kft_closep(&dir);
	if (is_dir && (r == -ENOTEMPTY || r == -EEXIST))
		return 0;
	return r == -ENOENT ? 0 : r;
}

static int read_manifest(const struct writer *w, struct kft_strbuf *sb)
{
	_cleanup_close_ int fd = -1;
	const char *name;
	int dir = -1;
	int r = open_parent(w->host, w->files->manifest, NULL, NULL, &dir, &name);

	if (r < 0)
		return r;
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	r = fd < 0 ? -errno : kft_read_fd(fd, MANIFEST_MAX_BYTES, sb);
	kft_closep(&dir);
	(void)kft_strbuf_cstr(sb);
	return r == 0 && !kft_strbuf_ok(sb) ? -ENOMEM : r;
}

/* Removes the file of a line of the manifest, and reports it in said. */
static int remove_line(const struct writer *w, char *line, struct kft_err *e)
{
	struct kft_strbuf *said = w->said;
	struct entry en;
	bool removed;

	if (!parse_entry(line, &en))
		return kft_err_set(e, -EINVAL, "'/%s' is damaged", w->files->manifest);
	int r = remove_entry(w->host, &en, &removed);
	if (removed)
		kft_strbuf_addf(said, "removed /%s\n", en.path);
	if (r == -EEXIST || r == -ELOOP || r == -EISDIR || r == -EINVAL) {
		kft_strbuf_addf(said, "left /%s alone: it was changed since\n", en.path);
		(void)kft_err_set(e, -EEXIST, "'/%s' is not as kft wrote it", en.path);
		kft_err_hint(e, "check its purpose and remove it by hand");
		return -EEXIST;
	}
	if (r < 0) {
		kft_err_sys(e, r, "cannot remove '/%s'", en.path);
		kft_host_hint(w->host, r, e);
	}
	return r;
}

int kft_boot_remove(struct kft_host *host, const struct kft_boot_files *files,
		    struct kft_strbuf *said, struct kft_err *e)
{
	const struct writer w = {host, files, said, e};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	KFT_VEC(char *) lines = {};
	char *save = NULL;
	int first = 0;
	int r = read_manifest(&w, &text);

	if (r == -ENOENT)
		return kft_err_set(e, r, "'%s --install' has left nothing here",
				   files->command);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read '/%s'", files->manifest);
	/* A line without its newline was not complete, so its file was not made. */
	while (text.len && text.buf[text.len - 1] != '\n')
		text.buf[--text.len] = '\0';
	for (char *line = strtok_r(text.buf, "\n", &save); line && r == 0;
	     line = strtok_r(NULL, "\n", &save))
		r = kft_vec_push(&lines, line) ? 0 : -ENOMEM;
	for (size_t i = lines.len; r == 0 && i-- > 0;) {
		int n = remove_line(&w, lines.data[i], first ? NULL : e);

		first = first ? first : n;
	}
	kft_vec_finish(&lines);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read '/%s'", files->manifest);
	if (first == 0)
		remove_manifest(&w);
	return first;
}

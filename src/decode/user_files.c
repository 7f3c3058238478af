// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the functions of programs and libraries that a trace names. */
#include "decode/user_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io.h"

/* A file's bytes; its names are copied from them, as the file may change. */
struct bytes {
	uint8_t *data; /* owned */
	size_t size;
};

static void bytes_finish(struct bytes *b)
{
	free(b->data);
}

void kft_user_files_finish(struct kft_user_files *fs)
{
	kft_vec_for_each(&fs->list, f)
		kft_elf_functions_finish(&f->functions);
	kft_vec_finish(&fs->list);
	kft_intern_finish(&fs->keys);
	kft_arena_finish(&fs->names);
}

int kft_user_files_add(struct kft_user_files *fs, const char *path,
		       const struct kft_user_file_id *id, uint32_t *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf key = {};

	kft_strbuf_add(&key, id, sizeof(*id));
	kft_strbuf_adds(&key, path);
	if (!kft_strbuf_ok(&key))
		return -ENOMEM;
	int r = kft_intern(&fs->keys, key.buf, key.len, ret);
	if (r < 0 || *ret < fs->list.len)
		return r;
	const struct kft_user_file f = {
		.id = *id,
		.path = kft_intern_text(&fs->keys, *ret) + sizeof(*id),
	};
	if (*ret >= KFT_USER_FILES_MAX)
		return -E2BIG;
	return kft_vec_push(&fs->list, f) ? 0 : -ENOMEM;
}

/*
 * Opens a path of the trace, perhaps as root: opening a FIFO or a device could wait or do
 * something, so that the path is opened for reading only when it leads to a regular file.
 */
static int open_regular(const char *path, struct stat *st)
{
	_cleanup_close_ int place = open(path, O_PATH | O_CLOEXEC);
	char again[sizeof("/proc/self/fd/") + 3 * sizeof(int)];

	if (place < 0 || fstat(place, st) < 0)
		return -errno;
	if (!S_ISREG(st->st_mode) || st->st_size <= 0)
		return -EINVAL;
	(void)snprintf(again, sizeof(again), "/proc/self/fd/%d", place);
	int fd = open(again, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int read_bytes(int fd, uint64_t size, struct bytes *ret)
{
	const uint64_t start = 0;

	if (size > KFT_USER_FILE_BYTES_MAX)
		return -EFBIG;
	ret->data = malloc(size);
	if (!ret->data)
		return -ENOMEM;
	ssize_t n = kft_read_full(fd, ret->data, size, &start);
	ret->size = KFT_MAX(n, (ssize_t)0);
	return n < 0 ? (int)n : 0;
}

static bool has_build_id(const struct kft_user_file_id *id, const struct bytes *b)
{
	uint8_t found[KFT_BUILD_ID_MAX];
	size_t len = kft_elf_build_id(b->data, b->size, found);

	return len && len == id->build_id_len && memcmp(found, id->build_id, len) == 0;
}

/* Reads a file if it is the recorded one. */
static int read_same(const char *path, const struct kft_user_file_id *id,
		     struct bytes *ret)
{
	struct stat st;
	_cleanup_close_ int fd = open_regular(path, &st);

	if (fd < 0)
		return fd;
	if (!id->build_id_len &&
	    (!id->inode || id->inode != st.st_ino || id->device != st.st_dev))
		return -ESTALE;
	int r = read_bytes(fd, st.st_size, ret);
	return r < 0 || !id->build_id_len || has_build_id(id, ret) ? r : -ESTALE;
}

/* Distributions strip their programs, and put the symbols into a file named by build-id. */
static int read_debug(const struct bytes *program, struct bytes *ret)
{
	char path[sizeof("/usr/lib/debug/.build-id//.debug") + 2 * KFT_BUILD_ID_MAX];
	struct kft_user_file_id id = {};
	size_t n;

	id.build_id_len = kft_elf_build_id(program->data, program->size, id.build_id);
	if (!id.build_id_len)
		return -ENOENT;
	n = (size_t)snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%02x/",
			     id.build_id[0]);
	for (size_t i = 1; i < id.build_id_len; i++)
		n += (size_t)snprintf(path + n, sizeof(path) - n, "%02x", id.build_id[i]);
	(void)snprintf(path + n, sizeof(path) - n, ".debug");
	return read_same(path, &id, ret);
}

/* A name may end in the symbol's version, "name@VERSION", which says nothing of the code. */
static int copy_names(struct kft_user_files *fs, struct kft_elf_functions *f)
{
	kft_vec_for_each(&f->list, it) {
		it->name = kft_arena_strndup(&fs->names, it->name,
					     strcspn(it->name, "@"));
		if (!it->name)
			return -ENOMEM;
	}
	return 0;
}

/* Without its functions a file's addresses are shown as offsets. */
static void read_file(struct kft_user_files *fs, struct kft_user_file *f)
{
	_cleanup_(bytes_finish) struct bytes program = {};
	_cleanup_(bytes_finish) struct bytes debug = {};

	f->is_read = true;
	if (f->path[0] != '/' || read_same(f->path, &f->id, &program) < 0)
		return;
	int r = read_debug(&program, &debug);
	if (r == 0)
		r = kft_elf_code_names(debug.data, debug.size, program.data, program.size,
				       &f->functions);
	if (r < 0)
		r = kft_elf_code_names(program.data, program.size, program.data,
				       program.size, &f->functions);
	if (r == 0 && copy_names(fs, &f->functions) < 0) {
		kft_elf_functions_finish(&f->functions);
		f->functions = (struct kft_elf_functions){};
	}
}

struct kft_user_symbol kft_user_files_find(struct kft_user_files *fs, uint32_t file,
					   uint64_t offset)
{
	struct kft_user_file *f = &fs->list.data[file];

	if (!f->is_read)
		read_file(fs, f);
	const struct kft_elf_function *it = kft_elf_function_at(&f->functions, offset);
	return (struct kft_user_symbol){
		.file = f->path,
		.name = it ? it->name : NULL,
		.offset = it ? offset - it->offset : offset,
	};
}

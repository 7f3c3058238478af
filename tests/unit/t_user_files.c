// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "decode/user_files.h"

#define FILE_MAX ((size_t)64 << 20)

/* The function to find, at a place in this program's file. */
__attribute__((noinline)) int planted_function(int n);
int planted_function(int n)
{
	return n + 1;
}

struct self {
	struct kft_user_file_id build; /* by build-id */
	struct kft_user_file_id inode;
	uint64_t offset;
};

static struct self look_at_self(void)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_elf_functions f;
	struct self self = {};
	struct stat st;

	assert_int_equal(kft_read_at(AT_FDCWD, "/proc/self/exe", FILE_MAX, &sb), 0);
	self.build.build_id_len = kft_elf_build_id(sb.buf, sb.len, self.build.build_id);
	assert_int_equal(self.build.build_id_len, KFT_BUILD_ID_MAX);
	assert_int_equal(kft_elf_functions(sb.buf, sb.len, &f), 0);
	kft_vec_for_each(&f.list, it)
		if (strcmp(it->name, "planted_function") == 0)
			self.offset = it->offset;
	assert_true(self.offset > 0);
	kft_elf_functions_finish(&f);
	assert_int_equal(stat("/proc/self/exe", &st), 0);
	self.inode.device = st.st_dev;
	self.inode.inode = st.st_ino;
	return self;
}

static struct kft_user_symbol find(struct kft_user_files *fs, const char *path,
				   const struct kft_user_file_id *id, uint64_t offset)
{
	uint32_t file;

	assert_int_equal(kft_user_files_add(fs, path, id, &file), 0);
	return kft_user_files_find(fs, file, offset);
}

static const char *own_path(void)
{
	static char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	assert_true(n > 0);
	path[n] = '\0';
	return path;
}

static void the_recorded_file_names_its_functions(void **state)
{
	_cleanup_(kft_user_files_finish) struct kft_user_files fs = {};
	const struct self self = look_at_self();
	struct kft_user_symbol s;

	assert_int_equal(planted_function(1), 2);
	s = find(&fs, own_path(), &self.build, self.offset + 1);
	assert_string_equal(s.name, "planted_function");
	assert_string_equal(s.file, own_path());
	assert_int_equal(s.offset, 1);
	s = find(&fs, own_path(), &self.inode, self.offset);
	assert_string_equal(s.name, "planted_function");
	assert_int_equal(s.offset, 0);
	/* The ELF header has no function. */
	s = find(&fs, own_path(), &self.build, 4);
	assert_null(s.name);
	assert_int_equal(s.offset, 4);
}

static void another_file_of_this_path_is_not_asked(void **state)
{
	_cleanup_(kft_user_files_finish) struct kft_user_files fs = {};
	const struct self self = look_at_self();
	struct kft_user_file_id other = self.build;
	struct kft_user_file_id older = self.inode;
	const struct kft_user_file_id unknown = {};

	other.build_id[3] ^= 1;
	older.inode++;
	assert_null(find(&fs, own_path(), &other, self.offset).name);
	assert_null(find(&fs, own_path(), &older, self.offset).name);
	assert_null(find(&fs, own_path(), &unknown, self.offset).name);
	/* The same path by its right id is another file. */
	assert_non_null(find(&fs, own_path(), &self.build, self.offset).name);
}

/* Opening a FIFO would wait for a writer, and opening a device could do anything. */
static void only_regular_files_are_opened(void **state)
{
	_cleanup_(kft_user_files_finish) struct kft_user_files fs = {};
	const struct self self = look_at_self();
	char dir[] = "/tmp/kft-user-files-XXXXXX";
	char fifo[64];

	assert_non_null(mkdtemp(dir));
	(void)snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_null(find(&fs, fifo, &self.build, 0).name);
	assert_null(find(&fs, dir, &self.build, 0).name);
	assert_null(find(&fs, "/dev/zero", &self.build, 0).name);
	assert_null(find(&fs, "/proc/self/mem", &self.build, 0).name);
	assert_null(find(&fs, "", &self.build, 0).name);
	assert_null(find(&fs, "self/relative", &self.build, 0).name);
	assert_null(find(&fs, "[vdso]", &self.build, 0).name);
	assert_int_equal(unlink(fifo), 0);
	assert_int_equal(rmdir(dir), 0);
}

static void names_are_escaped_and_have_their_file(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_user_symbol s = {.file = "/usr/lib/libc.so.6", .name = "read"};

	s.offset = 0x1a;
	kft_user_symbol_add(&s, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "read+0x1a (/usr/lib/libc.so.6)");
	kft_strbuf_clear(&sb);
	kft_user_symbol_add_short(&s, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "libc.so.6:read");
	s.name = NULL;
	kft_strbuf_clear(&sb);
	kft_user_symbol_add(&s, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "/usr/lib/libc.so.6+0x1a");
	s.file = "/tmp/\x1b[2J\n";
	kft_strbuf_clear(&sb);
	kft_user_symbol_add_short(&s, &sb);
	assert_null(strchr(kft_strbuf_cstr(&sb), '\x1b'));
	assert_null(strchr(kft_strbuf_cstr(&sb), '\n'));
	s.file = "//anon";
	kft_strbuf_clear(&sb);
	kft_user_symbol_add_short(&s, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "anon+0x1a");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_recorded_file_names_its_functions),
	cmocka_unit_test(another_file_of_this_path_is_not_asked),
	cmocka_unit_test(only_regular_files_are_opened),
	cmocka_unit_test(names_are_escaped_and_have_their_file),
};

T_MAIN(tests)

// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/io.h"
#include "decode/types/btf_fetch.h"

#define INFO(kind, vlen) ((uint32_t)(kind) << 24 | (vlen))
#define FLAG		 (UINT32_C(1) << 31)

/* Names by offset: each is at its place in this. */
#define STRINGS                                                                    \
	"\0int\0char\0u64\0inode\0file\0read\0count\0f_inode\0i_ino\0flag\0name\0" \
	"path\0text\0list"
enum {
	S_INT = 1,
	S_CHAR = 5,
	S_U64 = 10,
	S_INODE = 14,
	S_FILE = 20,
	S_READ = 25,
	S_COUNT = 30,
	S_F_INODE = 36,
	S_I_INO = 44,
	S_FLAG = 50,
	S_NAME = 55,
	S_PATH = 60,
	S_TEXT = 65,
	S_LIST = 70,
};

static const struct {
	uint16_t magic;
	uint8_t version;
	uint8_t flags;
	uint32_t hdr_len, type_off, type_len, str_off, str_len;
	uint32_t types[72];
	char strings[sizeof(STRINGS)];
} __attribute__((packed)) blob = {
	.magic = 0xeb9f,
	.version = 1,
	.hdr_len = 24,
	.type_len = sizeof(blob.types),
	.str_off = sizeof(blob.types),
	.str_len = sizeof(STRINGS),
	.types =
		{
			S_INT, INFO(1, 0), 4, 1 << 24 | 32, /* 1: int */
			S_CHAR, INFO(1, 0), 1, 8, /* 2: char */
			S_U64, INFO(1, 0), 8, 64, /* 3: u64 */
			/* 4: struct inode { u64 i_ino; int flag : 3; char name[8]; } */
			S_INODE, FLAG | INFO(4, 3), 24, S_I_INO, 3, 64, S_FLAG, 1,
			3 << 24 | 130, S_NAME, 5, 160, /* */
			0, INFO(3, 0), 0, 2, 1, 8, /* 5: char[8] */
			0, INFO(10, 0), 4, /* 6: const struct inode */
			0, INFO(2, 0), 6, /* 7: pointer to 6 */
			/* 8: struct file { union { pointer f_inode; }; char *path; } */
			S_FILE, INFO(4, 3), 40, 0, 9, 128, S_PATH, 10, 192, S_LIST, 4,
			256, 0, INFO(5, 1), 8, S_F_INODE, 7, 0, /* 9: the union */
			0, INFO(2, 0), 2, /* 10: char * */
			0, INFO(2, 0), 8, /* 11: struct file * */
			/* 12: int (struct file *file, u64 count, char *text) */
			0, INFO(13, 3), 1, S_FILE, 11, S_COUNT, 3, S_TEXT, 10, /* */
			S_READ, INFO(12, 0), 12, /* 13: read() */
		},
	.strings = STRINGS,
};

static struct kft_btf btf;
static struct kft_err e;

static int setup(void **state)
{
	return kft_btf_open(&blob, sizeof(blob), &btf);
}

static int teardown(void **state)
{
	kft_btf_close(&btf);
	return 0;
}

static void assert_fetch(bool at_return, const char *expression, const char *text)
{
	const struct kft_btf_fetch f = {&btf, "read", at_return, 8};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	e = (struct kft_err){};
	assert_int_equal(kft_btf_fetch(&f, expression, &sb, &e), 0);
	assert_string_equal(kft_strbuf_cstr(&sb), text);
}

static void assert_refused(const char *expression, const char *msg, const char *hint)
{
	const struct kft_btf_fetch f = {&btf, "read", false, 8};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	e = (struct kft_err){};
	assert_int_equal(kft_btf_fetch(&f, expression, &sb, &e), -EINVAL);
	assert_non_null(strstr(e.msg, msg));
	if (hint)
		assert_non_null(strstr(e.hint, hint));
}

static void names_become_what_the_kernel_fetches(void **state)
{
	assert_fetch(false, "count", "count=$arg2:u64");
	assert_fetch(false, "file", "file=$arg1:x64");
	assert_fetch(false, "text", "text=+0($arg3):string");
	assert_fetch(false, "file->f_inode->i_ino", "i_ino=+8(+16($arg1)):u64");
	assert_fetch(false, "file->f_inode", "f_inode=+16($arg1):x64");
	assert_fetch(false, "file->path", "path=+0(+24($arg1)):string");
	assert_fetch(false, "file->f_inode->name", "name=+20(+16($arg1)):string");
	assert_fetch(false, "file->f_inode->flag", "flag=+16(+16($arg1)):b3@2/8");
	assert_fetch(false, "file->list.i_ino", "i_ino=+40($arg1):u64");
	assert_fetch(false, "$arg1->f_inode->i_ino", "i_ino=+8(+16($arg1)):u64");
	assert_fetch(true, "$retval", "retval=$retval:s32");
}

static void names_and_types_can_be_given(void **state)
{
	assert_fetch(false, "n=$arg2", "n=$arg2:u64");
	assert_fetch(false, "$arg2:s16", "arg2=$arg2:s16");
	assert_fetch(false, "n=count:x8", "n=$arg2:x8");
	assert_fetch(false, "where=$arg1:string", "where=+0($arg1):string");
	assert_fetch(false, "ino=file->f_inode->i_ino:x64", "ino=+8(+16($arg1)):x64");
	assert_fetch(true, "r=$retval:s64", "r=$retval:s64");
	assert_refused("=count", "not an argument: '=count'", NULL);
	assert_refused("n=count:", "not an argument: 'n=count:'", NULL);
	assert_refused("a b=count", "not an argument", NULL);
	assert_refused("n=count:u8 $comm", "not an argument", NULL);
}

static void what_there_is_instead_is_said(void **state)
{
	assert_refused("size", "'read' has no argument 'size'",
		       "it has file, count, text");
	assert_refused("file->f_inod", "struct file has no member 'f_inod'", "'f_inode'");
	assert_refused("file->f_inode->i_no", "struct inode has no member", "'i_ino'");
	assert_refused("file->list", "struct inode cannot be recorded whole",
		       "i_ino, flag, name");
	assert_refused("count->x", "'->x' needs a pointer", NULL);
	assert_refused("file.f_inode", "'.f_inode' needs a struct", NULL);
	assert_refused("$retval", "not known when the function is entered", NULL);
	assert_refused("", "not an argument: ''", NULL);
	assert_refused("file->", "not an argument", NULL);
	assert_refused("file f_inode", "not an argument", NULL);
	assert_refused("%di", "not an argument: '%di'", "$arg1");
	const struct kft_btf_fetch at_return = {&btf, "read", true, 8};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	assert_int_equal(kft_btf_fetch(&at_return, "count", &sb, &e), -EINVAL);
}

static void without_types_numbers_are_left(void **state)
{
	const struct kft_btf_fetch f = {NULL, "read", false, 4};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_int_equal(kft_btf_fetch(&f, "count", &sb, &e), -ENOENT);
	kft_strbuf_clear(&sb);
	assert_int_equal(kft_btf_fetch(&f, "$arg2", &sb, &e), 0);
	assert_string_equal(kft_strbuf_cstr(&sb), "arg2=$arg2:x32");
}

/* This kernel's own types, where it has them: offsets differ, the shape does not. */
static void of_this_kernel(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf file = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_btf own;

	if (kft_read_at(AT_FDCWD, "/sys/kernel/btf/vmlinux", 64 << 20, &file) < 0)
		skip();
	assert_int_equal(kft_btf_open(file.buf, file.len, &own), 0);
	const struct kft_btf_fetch f = {&own, "vfs_read", false, sizeof(long)};
	assert_int_equal(kft_btf_fetch(&f, "file->f_inode->i_ino", &sb, &e), 0);
	unsigned int inner;
	unsigned int outer;
	assert_int_equal(
		sscanf(kft_strbuf_cstr(&sb), "i_ino=+%u(+%u($arg1)):u", &outer, &inner),
		2);
	kft_btf_close(&own);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	T(names_become_what_the_kernel_fetches),
	T(names_and_types_can_be_given),
	T(what_there_is_instead_is_said),
	T(without_types_numbers_are_left),
	T(of_this_kernel),
};

T_MAIN(tests)

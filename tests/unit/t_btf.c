// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "decode/types/btf.h"

#define INFO(kind, vlen) ((uint32_t)(kind) << 24 | (vlen))

/* "" at 0, "int" at 1, "vfs_fallocate" at 5. */
#define STRINGS "\0int\0vfs_fallocate"

struct blob {
	uint16_t magic;
	uint8_t version;
	uint8_t flags;
	uint32_t hdr_len, type_off, type_len, str_off, str_len;
	uint32_t types[14];
	char strings[sizeof(STRINGS)];
} __attribute__((packed));

/* An int (id 1), a prototype with two parameters (2), a function (3). */
static const struct blob good = {
	.magic = 0xeb9f,
	.version = 1,
	.hdr_len = 24,
	.type_len = sizeof(good.types),
	.str_off = sizeof(good.types),
	.str_len = sizeof(STRINGS),
	.types = {1, INFO(1, 0), 4, 0x20, /* */
		  0, INFO(13, 2), 1, 0, 1, 0, 1, /* parameters: name, type */
		  5, INFO(12, 0), 2},
	.strings = STRINGS,
};

static void types_are_found_by_kind_and_name(void **state)
{
	struct blob b = good;
	uint32_t id = 0;

	assert_int_equal(kft_btf_find(&b, sizeof(b), KFT_BTF_FUNC, "vfs_fallocate", &id),
			 0);
	assert_int_equal(id, 3);
	assert_int_equal(
		kft_btf_find(&b, sizeof(b), KFT_BTF_TYPEDEF, "vfs_fallocate", &id),
		-ENOENT);
	assert_int_equal(kft_btf_find(&b, sizeof(b), KFT_BTF_FUNC, "vfs", &id), -ENOENT);
	assert_int_equal(id, 3);
	assert_int_equal(kft_btf_count(&b, sizeof(b), &id), 0);
	assert_int_equal(id, 3);
}

static void swap_words(void *p, size_t n)
{
	for (uint32_t *w = p; n; w++, n--)
		*w = __builtin_bswap32(*w);
}

static void the_other_byte_order_is_read(void **state)
{
	struct blob b = good;
	uint32_t id = 0;

	b.magic = __builtin_bswap16(b.magic);
	swap_words((char *)&b + offsetof(struct blob, hdr_len), 5);
	swap_words((char *)&b + offsetof(struct blob, types), 14);
	assert_int_equal(kft_btf_find(&b, sizeof(b), KFT_BTF_FUNC, "vfs_fallocate", &id),
			 0);
	assert_int_equal(id, 3);
}

/* Each length in an allocation of its own, so that a read past it is seen by ASan. */
static void every_truncation_is_refused(void **state)
{
	struct blob b = good;
	uint32_t n;

	for (size_t len = 0; len < sizeof(b); len++) {
		char *copy = malloc(len ? len : 1);

		assert_non_null(copy);
		memcpy(copy, &b, len);
		assert_int_equal(kft_btf_count(copy, len, &n), -EINVAL);
		free(copy);
	}
}

static void lies_in_the_header_are_refused(void **state)
{
	uint32_t n;

	for (size_t i = 0; i < 5; i++) {
		struct blob b = good;
		uint32_t v = 0xfffffff0;

		memcpy((char *)&b + offsetof(struct blob, hdr_len) + i * 4, &v, 4);
		assert_int_equal(kft_btf_count(&b, sizeof(b), &n), -EINVAL);
	}
	struct blob b = good;

	b.magic = 0x1234;
	assert_int_equal(kft_btf_count(&b, sizeof(b), &n), -EINVAL);
}

static void kinds_of_the_future_end_the_walk(void **state)
{
	struct blob b = good;
	uint32_t id;

	b.types[5] = INFO(25, 0);
	assert_int_equal(kft_btf_find(&b, sizeof(b), KFT_BTF_FUNC, "vfs_fallocate", &id),
			 -EOPNOTSUPP);
	b.types[5] = INFO(0, 0);
	assert_int_equal(kft_btf_count(&b, sizeof(b), &id), -EINVAL);
}

static void members_past_the_end_are_refused(void **state)
{
	struct blob b = good;
	uint32_t n;

	b.types[5] = INFO(4, 0xffff);
	assert_int_equal(kft_btf_count(&b, sizeof(b), &n), -EINVAL);
	/* A name outside the strings is no match and no fault. */
	b = good;
	b.types[11] = 0xffffff;
	assert_int_equal(kft_btf_find(&b, sizeof(b), KFT_BTF_FUNC, "vfs_fallocate", &n),
			 -ENOENT);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(types_are_found_by_kind_and_name),
	cmocka_unit_test(the_other_byte_order_is_read),
	cmocka_unit_test(every_truncation_is_refused),
	cmocka_unit_test(lies_in_the_header_are_refused),
	cmocka_unit_test(kinds_of_the_future_end_the_walk),
	cmocka_unit_test(members_past_the_end_are_refused),
};

T_MAIN(tests)

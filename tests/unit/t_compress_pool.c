// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <stdio.h>

#include "file/tracedat/compress_pool.h"

#if HAVE_ZSTD
#include <zstd.h>

#define CHUNK  512
#define CHUNKS 1000

/* Unpacks the oldest chunk and checks that it is the i-th that was fed. */
static bool take(struct kft_compress_pool *p, uint32_t i)
{
	const void *packed;
	size_t packed_len;
	size_t plain_len;
	uint32_t plain[CHUNK / 4];
	int r = kft_compress_pool_take(p, &packed, &packed_len, &plain_len);

	assert_true(r >= 0);
	if (r == 0)
		return false;
	size_t n = ZSTD_decompress(plain, sizeof(plain), packed, packed_len);
	assert_int_equal(n, plain_len);
	assert_int_equal(n, CHUNK - i % 3 * 4);
	for (size_t k = 0; k < n / 4; k++)
		assert_int_equal(plain[k], i * 31 + k % 7);
	return true;
}

static void chunks_come_out_in_order(void **state)
{
	struct kft_compress_pool *p;
	uint32_t taken = 0;

	assert_int_equal(kft_compress_pool_create(0, 4, CHUNK, &p), 0);
	for (uint32_t i = 0; i < CHUNKS; i++) {
		uint32_t *room = kft_compress_pool_room(p);

		while (!room) {
			assert_true(take(p, taken++));
			room = kft_compress_pool_room(p);
		}
		for (size_t k = 0; k < CHUNK / 4; k++)
			room[k] = i * 31 + k % 7;
		kft_compress_pool_feed(p, CHUNK - i % 3 * 4);
	}
	while (take(p, taken))
		taken++;
	assert_int_equal(taken, CHUNKS);
	p = kft_compress_pool_destroy(p);
	assert_null(p);
}

static void giving_up_half_way_is_fine(void **state)
{
	struct kft_compress_pool *p;

	assert_int_equal(kft_compress_pool_create(1, 2, CHUNK, &p), 0);
	memset(kft_compress_pool_room(p), 0, CHUNK);
	kft_compress_pool_feed(p, CHUNK);
	(void)kft_compress_pool_destroy(p);
}

static void a_block_at_once(void **state)
{
	static const char text[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
	_cleanup_free_ void *packed = NULL;
	char plain[sizeof(text)];
	size_t len;

	assert_int_equal(kft_compress_block(0, text, sizeof(text), &packed, &len), 0);
	assert_true(len < sizeof(text));
	assert_int_equal(ZSTD_decompress(plain, sizeof(plain), packed, len),
			 sizeof(text));
	assert_memory_equal(plain, text, sizeof(text));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(chunks_come_out_in_order),
	cmocka_unit_test(giving_up_half_way_is_fine),
	cmocka_unit_test(a_block_at_once),
};

T_MAIN(tests)

#else

int main(void)
{
	(void)fprintf(stderr, "built without zstd\n");
	return 77;
}

#endif

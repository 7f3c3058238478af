// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "export/byte_streams.h"

#define STRANDS 5

/* The position in a strand; byte_of() gives the byte that is expected there. */
struct expected {
	uint32_t strand;
	size_t at;
};

static char byte_of(uint32_t strand, size_t at)
{
	return (char)(strand * 31 + at % 251);
}

static int take(void *arg, const char *data, size_t len)
{
	struct expected *e = arg;

	for (size_t i = 0; i < len; i++)
		assert_int_equal(data[i], byte_of(e->strand, e->at++));
	return 0;
}

/* Pieces of all lengths: shorter than a block, of one, and of several. */
static void what_grew_side_by_side_is_read_one_after_the_other(void **state)
{
	_cleanup_(kft_byte_streams_finish) struct kft_byte_streams s = {.fd = -1};
	size_t lens[STRANDS] = {};
	char piece[3 * KFT_BYTE_STREAM_BLOCK];

	for (size_t round = 0; round < 400; round++) {
		uint32_t strand = round % (STRANDS - 1);
		size_t len = round % 50 == 9 ? sizeof(piece)
			     : round % 7     ? round
					     : KFT_BYTE_STREAM_BLOCK;

		for (size_t i = 0; i < len; i++)
			piece[i] = byte_of(strand, lens[strand] + i);
		assert_int_equal(kft_byte_streams_add(&s, strand, piece, len), 0);
		lens[strand] += len;
	}
	for (uint32_t i = 0; i < STRANDS; i++) {
		struct expected e = {.strand = i};

		assert_int_equal(kft_byte_streams_read(&s, i, take, &e), 0);
		assert_int_equal(e.at, lens[i]);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_grew_side_by_side_is_read_one_after_the_other),
};

T_MAIN(tests)

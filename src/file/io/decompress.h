/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>
#include <pthread.h>

#include "base/vec.h"
#include "file/io/input.h"

/* Compression of a version 7 file's sections and CPU data. */
enum kft_dat_codec {
	KFT_DAT_CODEC_NONE,
	KFT_DAT_CODEC_ZSTD,
	KFT_DAT_CODEC_ZLIB,
};

/*
 * Finds the codec by the name in the file's header. -ENOTSUP with a hint when it is
 * unknown or not in this build.
 */
int kft_dat_codec_find(const char *name, enum kft_dat_codec *ret,
		       struct kft_err *e) __must_check;

/* State of one decompression: a context and a buffer for compressed bytes. */
struct kft_dat_scratch {
	void *ctx; /* owned: ZSTD_DCtx, or NULL */
	uint8_t *in; /* owned */
	size_t in_cap;
};

/*
 * The idle scratches. A context takes 150 KB, so streams share them: there are as many as
 * threads that decompressed at the same time. Thread safe.
 */
struct kft_dat_decompressor {
	enum kft_dat_codec codec;
	pthread_mutex_t lock; /* protects idle */
	KFT_VEC(struct kft_dat_scratch *) idle; /* owned */
};

void kft_dat_decompressor_init(struct kft_dat_decompressor *d, enum kft_dat_codec codec);
void kft_dat_decompressor_finish(struct kft_dat_decompressor *d);

/* Gets a scratch with in_len bytes of room in `in`; NULL when out of memory. */
struct kft_dat_scratch *kft_dat_scratch_get(struct kft_dat_decompressor *d,
					    size_t in_len);
void kft_dat_scratch_put(struct kft_dat_decompressor *d, struct kft_dat_scratch *s);

/*
 * A chunk of CPU data: offset of its compressed bytes, compressed and uncompressed size.
 */
struct kft_dat_chunk {
	const struct kft_dat_input *in; /* borrowed */
	uint64_t at;
	uint32_t packed;
	uint32_t size;
};

/*
 * Reads and decompresses a chunk into c->size bytes. -EBADMSG, -ENODATA, -ENOMEM or an
 * error of reading; *ret_why is a static text then.
 */
int kft_dat_unpack(struct kft_dat_decompressor *d, const struct kft_dat_chunk *c,
		   void *out, const char **ret_why) __must_check;

/*
 * Decompresses in_len bytes of s->in into exactly out_len bytes.
 * -EBADMSG when that fails.
 */
int kft_dat_decompress(const struct kft_dat_decompressor *d, struct kft_dat_scratch *s,
		       size_t in_len, void *out, size_t out_len) __must_check;

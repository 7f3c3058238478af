// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decompresses sections and chunks of trace.dat files. */
#include "file/io/decompress.h"

#include <errno.h>
#include <string.h>
#if HAVE_ZSTD
#include <zstd.h>
#endif
#if HAVE_ZLIB
#include <zlib.h>
#endif

#include "base/err.h"
#include "base/strbuf.h"

static const struct codec {
	const char *name;
	enum kft_dat_codec codec;
	bool built_in;
	const char *package; /* package with the library */
} codecs[] = {
	{"none", KFT_DAT_CODEC_NONE, true, NULL},
	{"zstd", KFT_DAT_CODEC_ZSTD, HAVE_ZSTD, "libzstd-dev"},
	{"zlib", KFT_DAT_CODEC_ZLIB, HAVE_ZLIB, "zlib1g-dev"},
};

int kft_dat_codec_find(const char *name, enum kft_dat_codec *ret, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf shown = {};

	for (size_t i = 0; i < ARRAY_SIZE(codecs); i++) {
		const struct codec *c = &codecs[i];

		if (strcmp(c->name, name) != 0)
			continue;
		if (c->built_in) {
			*ret = c->codec;
			return 0;
		}
		int r = kft_err_set(e, -ENOTSUP,
				    "it is compressed with %s, which this kft was built "
				    "without",
				    name);
		kft_err_hint(e, "install %s and build kft again", c->package);
		return r;
	}
	kft_strbuf_add_escaped(&shown, name, strnlen(name, 40));
	return kft_err_set(e, -ENOTSUP, "unknown compression '%s'",
			   kft_strbuf_cstr(&shown));
}

void kft_dat_decompressor_init(struct kft_dat_decompressor *d, enum kft_dat_codec codec)
{
	*d = (struct kft_dat_decompressor){.codec = codec,
					   .lock = PTHREAD_MUTEX_INITIALIZER};
}

static void scratch_destroy(struct kft_dat_scratch *s)
{
#if HAVE_ZSTD
	ZSTD_freeDCtx(s->ctx);
#endif
	free(s->in);
	free(s);
}

void kft_dat_decompressor_finish(struct kft_dat_decompressor *d)
{
	kft_vec_for_each(&d->idle, s)
		scratch_destroy(*s);
	kft_vec_finish(&d->idle);
}

static struct kft_dat_scratch *scratch_create(const struct kft_dat_decompressor *d)
{
	struct kft_dat_scratch *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
#if HAVE_ZSTD
	if (d->codec == KFT_DAT_CODEC_ZSTD) {
		s->ctx = ZSTD_createDCtx();
		if (!s->ctx) {
			scratch_destroy(s);
			return NULL;
		}
	}
#endif
	return s;
}

struct kft_dat_scratch *kft_dat_scratch_get(struct kft_dat_decompressor *d, size_t in_len)
{
	struct kft_dat_scratch *s = NULL;

	pthread_mutex_lock(&d->lock);
	if (d->idle.len)
		s = d->idle.data[--d->idle.len];
	pthread_mutex_unlock(&d->lock);
	if (!s)
		s = scratch_create(d);
	if (!s || s->in_cap >= in_len)
		return s;
	uint8_t *in = realloc(s->in, in_len);
	if (!in) {
		scratch_destroy(s);
		return NULL;
	}
	s->in = in;
	s->in_cap = in_len;
	return s;
}

void kft_dat_scratch_put(struct kft_dat_decompressor *d, struct kft_dat_scratch *s)
{
	pthread_mutex_lock(&d->lock);
	bool kept = kft_vec_push(&d->idle, s);
	pthread_mutex_unlock(&d->lock);
	if (!kept)
		scratch_destroy(s);
}

int kft_dat_decompress(const struct kft_dat_decompressor *d, struct kft_dat_scratch *s,
		       size_t in_len, void *out, size_t out_len)
{
	switch (d->codec) {
#if HAVE_ZSTD
	case KFT_DAT_CODEC_ZSTD: {
		size_t n = ZSTD_decompressDCtx(s->ctx, out, out_len, s->in, in_len);

		return !ZSTD_isError(n) && n == out_len ? 0 : -EBADMSG;
	}
#endif
#if HAVE_ZLIB
	case KFT_DAT_CODEC_ZLIB: {
		uLongf n = out_len;

		return uncompress(out, &n, s->in, in_len) == Z_OK && n == out_len
			       ? 0
			       : -EBADMSG;
	}
#endif
	default:
		return -EBADMSG;
	}
}

int kft_dat_unpack(struct kft_dat_decompressor *d, const struct kft_dat_chunk *c,
		   void *out, const char **ret_why)
{
	struct kft_dat_scratch *s = kft_dat_scratch_get(d, c->packed);

	if (!s) {
		*ret_why = "out of memory for a chunk";
		return -ENOMEM;
	}
	int r = kft_dat_input_read(c->in, c->at, s->in, c->packed);
	*ret_why = "a chunk cannot be read";
	if (r == 0) {
		r = kft_dat_decompress(d, s, c->packed, out, c->size);
		*ret_why = "a chunk cannot be decompressed";
	}
	kft_dat_scratch_put(d, s);
	return r;
}

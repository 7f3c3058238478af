// SPDX-License-Identifier: LGPL-2.1-or-later
/* Functions on the state that the files of trace.dat's reader share. */
#include "file/tracedat/read/state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"

int kft_dat_damage(struct kft_dat_reader *d, int code, const char *what, uint64_t offset,
		   const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (d->trace->damage.code)
		return code;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return kft_err_set(&d->trace->damage, code, "'%s': %s at byte %" PRIu64 ": %s",
			   d->path, what, offset, text);
}

void kft_dat_use_clock(struct kft_clock *clock, const char *text, size_t len)
{
	struct kft_clock named;

	if (kft_clock_parse(text, len, &named) == 0)
		*clock = named;
}

int kft_dat_damage_at(struct kft_dat_reader *d, const struct kft_dat_extent *x,
		      const struct kft_cursor *c, const char *problem)
{
	if (x->compressed)
		return kft_dat_damage(d, -EBADMSG, x->what, x->offset,
				      "%s (at byte %zu of it, uncompressed)", problem,
				      c->pos);
	return kft_dat_damage(d, -EBADMSG, x->what, x->offset + c->pos, "%s", problem);
}

/* A file can refer to the same bytes many times, so the sum is limited, too. */
static uint8_t *alloc_meta(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			   uint64_t len, int *ret_error)
{
	if (len > KFT_TRACEDAT_MAX_SECTION_BYTES - d->meta_bytes) {
		*ret_error = kft_dat_damage(d, -EFBIG, x->what, x->offset,
					    "%" PRIu64
					    " bytes are more than kft takes (%u in all)",
					    len, KFT_TRACEDAT_MAX_SECTION_BYTES);
		return NULL;
	}
	uint8_t *p = kft_arena_alloc(&d->trace->meta.arena, len + 1);
	if (!p) {
		*ret_error = kft_dat_damage(d, -ENOMEM, x->what, x->offset,
					    "out of memory for %" PRIu64 " bytes", len);
		return NULL;
	}
	d->meta_bytes += len;
	return p;
}

static int load_plain(struct kft_dat_reader *d, const struct kft_dat_extent *x,
		      struct kft_cursor *ret)
{
	uint64_t there = x->offset < d->in.size ? d->in.size - x->offset : 0;
	uint64_t len = KFT_MIN(x->len, there);
	int r = 0;

	if (len < x->len)
		(void)kft_dat_damage(d, -ENODATA, x->what, d->in.size,
				     "the file ends before its end at %" PRIu64,
				     x->offset + x->len);
	uint8_t *p = alloc_meta(d, x, len, &r);
	if (!p)
		return r;
	r = kft_dat_input_read(&d->in, x->offset, p, len);
	if (r < 0)
		return kft_dat_damage(d, r, x->what, x->offset, "cannot be read");
	*ret = kft_cursor_init(p, len, d->in.swap);
	return 0;
}

/* COMPRESSION FORMAT OF THE FILE SECTIONS: u32 packed bytes, u32 plain bytes, data */
static int load_compressed(struct kft_dat_reader *d, const struct kft_dat_extent *x,
			   struct kft_cursor *ret)
{
	uint8_t head[8];
	int r = kft_dat_input_read(&d->in, x->offset, head, sizeof(head));

	if (r < 0)
		return kft_dat_damage(d, r, x->what, x->offset, "the file ends in it");
	uint32_t packed = kft_load_u32(head, d->in.swap);
	uint32_t plain = kft_load_u32(head + 4, d->in.swap);
	uint64_t at = x->offset + sizeof(head);
	if (packed > d->in.size - at)
		return kft_dat_damage(d, -ENODATA, x->what, d->in.size,
				      "the file ends in its %u compressed bytes", packed);
	uint8_t *p = alloc_meta(d, x, plain, &r);
	if (!p)
		return r;
	struct kft_dat_scratch *s = kft_dat_scratch_get(&d->dec, packed);
	if (!s)
		return kft_dat_damage(d, -ENOMEM, x->what, x->offset, "out of memory");
	r = kft_dat_input_read(&d->in, at, s->in, packed);
	if (r == 0)
		r = kft_dat_decompress(&d->dec, s, packed, p, plain);
	kft_dat_scratch_put(&d->dec, s);
	if (r < 0)
		return kft_dat_damage(d, r, x->what, at, "cannot be decompressed");
	*ret = kft_cursor_init(p, plain, d->in.swap);
	return 0;
}

int kft_dat_load(struct kft_dat_reader *d, const struct kft_dat_extent *x,
		 struct kft_cursor *ret)
{
	*ret = kft_cursor_init("", 0, d->in.swap);
	if (!x->len)
		return 0;
	return x->compressed ? load_compressed(d, x, ret) : load_plain(d, x, ret);
}

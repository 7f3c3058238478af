// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads ranges of a file. */
#include "file/io/input.h"

#include <errno.h>

#include "base/io.h"

int kft_dat_input_read_some(const struct kft_dat_input *in, uint64_t offset, void *buf,
			    size_t len, size_t *ret_len)
{
	if (offset >= in->size)
		len = 0;
	else if (len > in->size - offset)
		len = in->size - offset;
	ssize_t n = kft_read_full(in->fd, buf, len, &offset);
	if (n < 0)
		return n;
	*ret_len = n;
	return 0;
}

int kft_dat_input_read(const struct kft_dat_input *in, uint64_t offset, void *buf,
		       size_t len)
{
	size_t n = 0;
	int r = kft_dat_input_read_some(in, offset, buf, len, &n);

	if (r < 0)
		return r;
	return n == len ? 0 : -ENODATA;
}

int kft_dat_walk_init(struct kft_dat_walk *w, const struct kft_dat_input *in,
		      uint64_t pos)
{
	uint8_t *window = malloc(KFT_DAT_WALK_BYTES);

	if (!window)
		return -ENOMEM;
	*w = (struct kft_dat_walk){.in = in, .pos = pos, .window = window};
	return 0;
}

void kft_dat_walk_finish(struct kft_dat_walk *w)
{
	free(w->window);
	w->window = NULL;
}

/* The window's bytes from pos on; moves the window when it has fewer than n of them. */
static size_t look(struct kft_dat_walk *w, size_t n, const uint8_t **ret)
{
	uint64_t into = w->pos - w->window_pos;

	if (w->pos < w->window_pos || into > w->window_len || w->window_len - into < n) {
		w->window_pos = w->pos;
		w->window_len = 0;
		into = 0;
		w->failed = kft_dat_input_read_some(w->in, w->pos, w->window,
						    KFT_DAT_WALK_BYTES, &w->window_len);
		if (w->failed < 0)
			w->window_len = 0;
	}
	*ret = w->window + into;
	return w->window_len - into;
}

bool kft_dat_walk_bytes(struct kft_dat_walk *w, size_t n, const uint8_t **ret)
{
	if (n > KFT_DAT_WALK_BYTES || look(w, n, ret) < n)
		return false;
	w->pos += n;
	return true;
}

bool kft_dat_walk_skip(struct kft_dat_walk *w, uint64_t n)
{
	if (w->pos > w->in->size || n > w->in->size - w->pos)
		return false;
	w->pos += n;
	return true;
}

bool kft_dat_walk_u32(struct kft_dat_walk *w, uint32_t *ret)
{
	const uint8_t *p;

	if (!kft_dat_walk_bytes(w, sizeof(*ret), &p))
		return false;
	*ret = kft_load_u32(p, w->in->swap);
	return true;
}

bool kft_dat_walk_u64(struct kft_dat_walk *w, uint64_t *ret)
{
	const uint8_t *p;

	if (!kft_dat_walk_bytes(w, sizeof(*ret), &p))
		return false;
	*ret = kft_load_u64(p, w->in->swap);
	return true;
}

bool kft_dat_walk_str(struct kft_dat_walk *w, size_t max, const char **ret)
{
	const uint8_t *p;
	size_t n = look(w, max, &p);
	const uint8_t *nul = memchr(p, '\0', KFT_MIN(n, max));

	if (!nul)
		return false;
	w->pos += nul - p + 1;
	*ret = (const char *)p;
	return true;
}

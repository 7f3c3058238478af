// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps the memory of a task that belongs to one of its system calls. */
#include "model/traced_call.h"

void kft_traced_call_begin(struct kft_traced_call *c)
{
	c->pieces.len = 0;
	kft_strbuf_clear(&c->bytes);
	c->at_exit = false;
	c->is_error = false;
	c->result = 0;
	c->cpu_ns = 0;
	c->resumes = -1;
}

void kft_traced_call_finish(struct kft_traced_call *c)
{
	kft_vec_finish(&c->pieces);
	kft_strbuf_finish(&c->bytes);
}

/* The piece of this moment that begins where the bytes do and has, or tried to have, them all. */
static const struct kft_traced_piece *find(const struct kft_traced_call *c,
					   uint64_t address, size_t len)
{
	kft_vec_for_each(&c->pieces, p)
		if (p->at_exit == c->at_exit && p->address <= address &&
		    address - p->address < p->wanted &&
		    len <= p->wanted - (address - p->address))
			return p;
	return NULL;
}

static size_t copy(const struct kft_traced_call *c, const struct kft_traced_piece *p,
		   uint64_t address, void *data, size_t len)
{
	size_t skipped = address - p->address;

	if (skipped >= p->len)
		return 0;
	len = KFT_MIN(len, p->len - skipped);
	memcpy(data, c->bytes.buf + p->at + skipped, len);
	return len;
}

size_t kft_traced_read(struct kft_traced_call *c, uint64_t address, void *data,
		       size_t len)
{
	const struct kft_traced_piece *p = len ? find(c, address, len) : NULL;

	if (p)
		return copy(c, p, address, data, len);
	if (!len || !c->source || c->bytes.len + len > KFT_TRACED_BYTES_MAX)
		return 0;
	ssize_t n = c->source->read(c->source->arg, c->tid, address, data, len);
	size_t got = n < 0 ? 0 : (size_t)n;

	/* Without memory for the copy the text of this call is still complete. */
	if (kft_vec_push(&c->pieces,
			 ((struct kft_traced_piece){address, got, len, c->bytes.len,
						    c->at_exit})))
		kft_strbuf_add(&c->bytes, data, got);
	if (!kft_strbuf_ok(&c->bytes) && c->pieces.len)
		c->pieces.len--;
	return got;
}

size_t kft_traced_read_entry(struct kft_traced_call *c, uint64_t address, void *data,
			     size_t len)
{
	kft_vec_for_each(&c->pieces, p)
		if (!p->at_exit && p->address == address && p->wanted >= len)
			return copy(c, p, address, data, len);
	return 0;
}

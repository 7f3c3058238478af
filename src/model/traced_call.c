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

/* Only so many of the last pieces are searched, as a call may have very many; others are read again. */
#define RECENT 16

/* The smallest page of any machine. */
#define PAGE ((uint64_t)4096)

/* Whether a piece has, or tried to have, all of the bytes. */
static bool covers(const struct kft_traced_piece *p, uint64_t address, size_t len)
{
	return p->address <= address && address - p->address < p->wanted &&
	       len <= p->wanted - (address - p->address);
}

static const struct kft_traced_piece *find(const struct kft_traced_call *c,
					   uint64_t address, size_t len)
{
	size_t n = c->pieces.len;
	size_t oldest = c->source && n > RECENT ? n - RECENT : 0;

	while (n-- > oldest)
		if (c->pieces.data[n].at_exit == c->at_exit &&
		    covers(&c->pieces.data[n], address, len))
			return &c->pieces.data[n];
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

/* Reads a new piece, up to the end of its last page: the bytes behind are often asked for next. */
static const struct kft_traced_piece *read_piece(struct kft_traced_call *c,
						 uint64_t address, size_t len)
{
	uint64_t end = address + len;
	size_t wanted = len + (size_t)((PAGE - end % PAGE) % PAGE);
	struct kft_traced_piece piece = {address, 0, wanted, c->bytes.len, c->at_exit};

	if (!c->source || c->bytes.len + wanted > KFT_TRACED_BYTES_MAX)
		return NULL;
	kft_strbuf_fill(&c->bytes, 0, wanted);
	if (!kft_strbuf_ok(&c->bytes))
		return NULL;
	ssize_t n = c->source->read(c->source->arg, c->tid, address,
				    c->bytes.buf + piece.at, wanted);

	piece.len = n < 0 ? 0 : (size_t)n;
	c->bytes.len = piece.at + piece.len;
	if (!kft_vec_push(&c->pieces, piece))
		return NULL;
	return &c->pieces.data[c->pieces.len - 1];
}

size_t kft_traced_read(struct kft_traced_call *c, uint64_t address, void *data,
		       size_t len)
{
	const struct kft_traced_piece *p = len ? find(c, address, len) : NULL;

	if (len && !p)
		p = read_piece(c, address, len);
	return p ? copy(c, p, address, data, len) : 0;
}

size_t kft_traced_read_entry(struct kft_traced_call *c, uint64_t address, void *data,
			     size_t len)
{
	kft_vec_for_each(&c->pieces, p)
		if (!p->at_exit && covers(p, address, len))
			return copy(c, p, address, data, len);
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Runs the program that makes a record from a CTF event's bytes. */
#include "file/ctf/program.h"

/* Takes bytes at w's position; NULL when fewer are left. */
static inline const uint8_t *take(struct kft_ctf_walk *w, uint64_t bytes)
{
	const uint8_t *p = kft_ctf_bits_here(&w->bits);

	if (unlikely(bytes > (w->bits.end - w->bits.pos) / 8))
		return NULL;
	w->bits.pos += bytes * 8;
	return p;
}

static inline void store(uint8_t *dst, uint64_t v, uint32_t bytes)
{
	uint16_t v16 = v;
	uint32_t v32 = v;

	switch (bytes) {
	case 1:
		*dst = v;
		break;
	case 2:
		memcpy(dst, &v16, sizeof(v16));
		break;
	case 4:
		memcpy(dst, &v32, sizeof(v32));
		break;
	default:
		memcpy(dst, &v, sizeof(v));
	}
}

/* A record that is being made. */
struct record {
	uint8_t *data;
	uint32_t end; /* bytes used so far */
};

/* Appends len bytes as a data_loc; those beyond the record's limit are cut off. */
static void put_loc(struct record *r, uint32_t dst, const void *data, size_t len,
		    bool nul)
{
	/* A data_loc has 16 bits each for offset and length. */
	size_t room = KFT_CTF_RECORD_MAX - 1 - r->end;

	if (nul && room)
		room--;
	else if (nul)
		nul = false;
	len = KFT_MIN(len, room);
	store(r->data + dst, (uint32_t)(len + nul) << 16 | r->end, 4);
	if (len)
		memcpy(r->data + r->end, data, len);
	r->end += len;
	if (nul)
		r->data[r->end++] = '\0';
}

static bool run_string(const struct kft_ctf_op *op, struct kft_ctf_walk *w,
		       struct record *r)
{
	const uint8_t *p = kft_ctf_bits_here(&w->bits);
	size_t left = (w->bits.end - w->bits.pos) / 8;
	const uint8_t *nul = left ? memchr(p, '\0', left) : NULL;

	if (!nul)
		return false;
	size_t len = nul - p;
	w->bits.pos += (uint64_t)(len + 1) * 8;
	if (op->code == KFT_CTF_OP_STRING) {
		put_loc(r, op->dst, p, len, true);
		return true;
	}
	len = KFT_MIN(len, (size_t)op->len - 1);
	memcpy(r->data + op->dst, p, len);
	memset(r->data + op->dst + len, 0, op->len - len);
	return true;
}

/* Swaps the bytes of elements in place. */
static void swap_elements(uint8_t *p, size_t len, uint32_t bits)
{
	for (size_t i = 0; i + bits / 8 <= len; i += bits / 8)
		store(p + i, kft_ctf_load(p + i, bits, true), bits / 8);
}

static bool run_elements(const struct kft_ctf_op *op, struct kft_ctf_walk *w,
			 struct record *r)
{
	uint64_t bytes;

	if (kft_mul(w->slots[op->slot], (uint64_t)op->bits / 8, &bytes))
		return false;
	const uint8_t *p = take(w, bytes);
	if (!p)
		return false;
	uint32_t start = r->end;
	put_loc(r, op->dst, p, bytes, op->len);
	if (op->swap)
		swap_elements(r->data + start, r->end - start, op->bits);
	return true;
}

static bool run_array(const struct kft_ctf_op *op, struct kft_ctf_walk *w,
		      struct record *r)
{
	const uint8_t *p = take(w, op->len);

	if (!p)
		return false;
	memcpy(r->data + op->dst, p, op->len);
	if (op->swap)
		swap_elements(r->data + op->dst, op->len, op->bits);
	return true;
}

static bool run_text(const struct kft_ctf_op *op, struct kft_ctf_walk *w,
		     struct record *r)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	w->text = &text;
	bool ok = kft_ctf_walk(w, op->node);
	w->text = NULL;
	if (ok)
		put_loc(r, op->dst, text.buf, text.len, true);
	return ok;
}

static bool run_bits(const struct kft_ctf_op *op, struct kft_ctf_walk *w,
		     struct record *r)
{
	uint64_t v;

	if (!kft_ctf_bits_int(&w->bits, op->node->type, &v))
		return false;
	if (op->slot != KFT_CTF_NO_SLOT)
		w->slots[op->slot] = v;
	store(r->data + op->dst, v, op->dst_bytes);
	return true;
}

static inline bool run_int(const struct kft_ctf_op *op, struct kft_ctf_walk *w,
			   struct record *r)
{
	const uint8_t *p = take(w, op->bits / 8);

	if (unlikely(!p))
		return false;
	uint64_t v = kft_ctf_extend(kft_ctf_load(p, op->bits, op->swap), op->bits,
				    op->is_signed);
	if (op->slot != KFT_CTF_NO_SLOT)
		w->slots[op->slot] = v;
	store(r->data + op->dst, v, op->dst_bytes);
	return true;
}

/* Like memcpy(), which is slow for the short lengths of event fields. */
static inline void copy(uint8_t *dst, const uint8_t *src, uint32_t len)
{
	struct part {
		uint8_t bytes[16];
	} part;
	uint64_t two[2];

	if (len < 8) {
		while (len-- > 0)
			dst[len] = src[len];
		return;
	}
	if (len < 16) {
		/* Two words from both ends, which overlap in the middle. */
		memcpy(&two[0], src, 8);
		memcpy(&two[1], src + len - 8, 8);
		memcpy(dst, &two[0], 8);
		memcpy(dst + len - 8, &two[1], 8);
		return;
	}
	for (uint32_t i = 0; i + 16 < len; i += 16) {
		memcpy(&part, src + i, 16);
		memcpy(dst + i, &part, 16);
	}
	memcpy(&part, src + len - 16, 16);
	memcpy(dst + len - 16, &part, 16);
}

static inline bool run_copy(const struct kft_ctf_op *op, struct kft_ctf_walk *w,
			    struct record *r)
{
	const uint8_t *p = take(w, op->len);

	if (unlikely(!p))
		return false;
	if (op->len == 4)
		memcpy(r->data + op->dst, p, 4);
	else
		copy(r->data + op->dst, p, op->len);
	return true;
}

static bool run_other(const struct kft_ctf_op *op, struct kft_ctf_walk *w,
		      struct record *r)
{
	uint32_t v;

	switch (op->code) {
	case KFT_CTF_OP_BITS:
		return run_bits(op, w, r);
	case KFT_CTF_OP_COMM:
	case KFT_CTF_OP_STRING:
		return run_string(op, w, r);
	case KFT_CTF_OP_ELEMENTS:
		return run_elements(op, w, r);
	case KFT_CTF_OP_ARRAY:
		return run_array(op, w, r);
	case KFT_CTF_OP_TEXT:
		return run_text(op, w, r);
	case KFT_CTF_OP_WALK:
		return kft_ctf_walk(w, op->node);
	case KFT_CTF_OP_SKIP:
		return take(w, op->len) != NULL;
	case KFT_CTF_OP_ADD:
		memcpy(&v, r->data + op->dst, sizeof(v));
		store(r->data + op->dst, v + op->len, sizeof(v));
		return true;
	default:
		return true;
	}
}

bool kft_ctf_program_run(const struct kft_ctf_program *p, struct kft_ctf_walk *w,
			 uint8_t *rec, uint32_t *ret_bytes)
{
	struct record r = {.data = rec, .end = p->fixed_bytes};

	w->steps = KFT_CTF_STEPS_MAX;
	/* Few words, so a loop is faster than a call of memset(). */
	uint32_t clear = p->has_holes ? p->fixed_bytes : 0;
	for (uint32_t at = KFT_CTF_COMMON_BYTES; at < clear; at += 8)
		store(rec + at, 0, 8);
	for (uint32_t i = 0; i < p->n_ops; i++) {
		const struct kft_ctf_op *op = &p->ops[i];
		bool ok;

		if (op->align > 1 && !kft_ctf_bits_align(&w->bits, op->align))
			return false;
		if (likely(op->code == KFT_CTF_OP_COPY))
			ok = run_copy(op, w, &r);
		else if (op->code == KFT_CTF_OP_INT)
			ok = run_int(op, w, &r);
		else
			ok = run_other(op, w, &r);
		if (unlikely(!ok))
			return false;
	}
	*ret_bytes = r.end;
	return true;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Steps through the bytes of any CTF type. */
#include "file/ctf/walk.h"

#include <stdio.h>

static void add_label(struct kft_ctf_walk *w, const struct kft_ctf_type *t, uint64_t v)
{
	for (uint32_t i = 0; i < t->n_labels; i++) {
		if (kft_ctf_label_has(t, &t->labels[i], v)) {
			kft_strbuf_adds(w->text, t->labels[i].name);
			return;
		}
	}
	kft_strbuf_addi(w->text, (int64_t)v);
}

static void add_int(struct kft_ctf_walk *w, const struct kft_ctf_type *t, uint64_t v)
{
	if (t->kind == KFT_CTF_ENUM) {
		add_label(w, t, v);
	} else if (t->base == 16) {
		kft_strbuf_adds(w->text, "0x");
		kft_strbuf_addx(w->text,
				t->size < 64 ? v & ((UINT64_C(1) << t->size) - 1) : v, 1);
	} else if (t->is_signed) {
		kft_strbuf_addi(w->text, (int64_t)v);
	} else {
		kft_strbuf_addu(w->text, v, 1);
	}
}

static bool walk_int(struct kft_ctf_walk *w, const struct kft_ctf_node *n)
{
	const struct kft_ctf_type *t = n->type;
	uint32_t size = t->size;
	uint64_t v;

	if (!kft_ctf_bits_align(&w->bits, t->align))
		return false;
	uint64_t start = w->bits.pos;
	if (!kft_ctf_bits_int(&w->bits, t, &v))
		return false;
	/* LEB128 has seven bits of the value per byte. */
	if (t->is_leb128)
		size = (w->bits.pos - start) / 8 * 7;
	if (n->slot != KFT_CTF_NO_SLOT)
		w->slots[n->slot] = v;
	if (t->clock != KFT_CTF_NO_CLOCK)
		w->time = kft_ctf_time(w->time, v, size);
	if (w->text)
		add_int(w, t, v);
	return true;
}

static bool walk_float(struct kft_ctf_walk *w, const struct kft_ctf_type *t)
{
	char digits[32];
	double d;
	float f;
	uint64_t v;

	if (!kft_ctf_bits_align(&w->bits, t->align) ||
	    !kft_ctf_bits_read(&w->bits, t->size, t->big_endian, &v))
		return false;
	if (!w->text)
		return true;
	if (t->size == 32) {
		uint32_t word = v;

		memcpy(&f, &word, sizeof(f));
		d = f;
	} else {
		memcpy(&d, &v, sizeof(d));
	}
	(void)snprintf(digits, sizeof(digits), "%g", d);
	kft_strbuf_adds(w->text, digits);
	return true;
}

static bool walk_string(struct kft_ctf_walk *w, const struct kft_ctf_type *t)
{
	if (!kft_ctf_bits_align(&w->bits, t->align))
		return false;
	const uint8_t *p = kft_ctf_bits_here(&w->bits);
	size_t left = (w->bits.end - w->bits.pos) / 8;
	const uint8_t *nul = left ? memchr(p, '\0', left) : NULL;
	if (!nul)
		return false;
	if (w->text)
		kft_strbuf_add(w->text, p, nul - p);
	return kft_ctf_bits_skip(&w->bits, (uint64_t)(nul - p + 1) * 8);
}

static void open(struct kft_ctf_walk *w, char c)
{
	if (w->text)
		kft_strbuf_addc(w->text, c);
}

static bool walk_struct(struct kft_ctf_walk *w, const struct kft_ctf_node *n)
{
	if (!kft_ctf_bits_align(&w->bits, n->type->align))
		return false;
	open(w, '{');
	for (uint32_t i = 0; i < n->n_children; i++) {
		if (w->text) {
			kft_strbuf_adds(w->text, i ? ", " : "");
			kft_strbuf_adds(w->text, n->children[i].name);
			kft_strbuf_addc(w->text, '=');
		}
		if (!kft_ctf_walk(w, &n->children[i]))
			return false;
	}
	open(w, '}');
	return true;
}

static const struct kft_ctf_node *choose(const struct kft_ctf_node *n, uint64_t tag)
{
	const struct kft_ctf_type as = {.is_signed = n->ref_signed};

	for (uint32_t i = 0; i < n->n_choices; i++) {
		const struct kft_ctf_choice *c = &n->choices[i];
		const struct kft_ctf_label range = {.lo = c->lo, .hi = c->hi};

		if (kft_ctf_label_has(&as, &range, tag))
			return &n->children[c->member];
	}
	return NULL;
}

static bool walk_elements(struct kft_ctf_walk *w, const struct kft_ctf_node *n,
			  uint64_t count)
{
	const struct kft_ctf_node *elem = &n->children[0];

	if (!kft_ctf_bits_align(&w->bits, n->type->align))
		return false;
	if (kft_ctf_is_text_elem(elem->type) && w->bits.pos % 8 == 0) {
		const char *p = (const char *)kft_ctf_bits_here(&w->bits);

		if (count > (w->bits.end - w->bits.pos) / 8)
			return false;
		if (w->text)
			kft_strbuf_add(w->text, p, strnlen(p, count));
		return kft_ctf_bits_skip(&w->bits, count * 8);
	}
	open(w, '[');
	for (uint64_t i = 0; i < count; i++) {
		if (w->text && i)
			kft_strbuf_adds(w->text, ", ");
		if (!kft_ctf_walk(w, elem))
			return false;
	}
	open(w, ']');
	return true;
}

bool kft_ctf_walk(struct kft_ctf_walk *w, const struct kft_ctf_node *n)
{
	const struct kft_ctf_node *chosen;

	if (!w->steps)
		return false;
	w->steps--;
	switch (n->type->kind) {
	case KFT_CTF_INT:
	case KFT_CTF_ENUM:
		return walk_int(w, n);
	case KFT_CTF_FLOAT:
		return walk_float(w, n->type);
	case KFT_CTF_STRING:
		return walk_string(w, n->type);
	case KFT_CTF_STRUCT:
		return walk_struct(w, n);
	case KFT_CTF_VARIANT:
		chosen = choose(n, w->slots[n->ref]);
		return chosen ? kft_ctf_walk(w, chosen) : n->type->is_optional;
	case KFT_CTF_ARRAY:
		return walk_elements(w, n, n->type->length);
	default:
		return walk_elements(w, n, w->slots[n->ref]);
	}
}

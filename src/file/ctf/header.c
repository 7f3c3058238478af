// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the event headers of CTF. */
#include "file/ctf/header.h"

#include <string.h>

static bool is_uint(const struct kft_ctf_node *n, uint32_t bits, bool big)
{
	return kft_ctf_is_int(n->type) && !n->type->is_leb128 && !n->type->is_signed &&
	       n->type->size == bits && n->type->big_endian == big;
}

static bool is_time(const struct kft_ctf_node *n, uint32_t bits, bool big)
{
	return n->type->kind == KFT_CTF_INT && is_uint(n, bits, big) &&
	       n->slot == KFT_CTF_NO_SLOT && n->type->clock != KFT_CTF_NO_CLOCK;
}

static bool is_id(const struct kft_ctf_node *n, uint32_t bits, bool big)
{
	return is_uint(n, bits, big) && n->slot == KFT_CTF_EVENT_ID &&
	       n->type->clock == KFT_CTF_NO_CLOCK;
}

static bool is_struct(const struct kft_ctf_node *n, uint32_t children)
{
	return n->type->kind == KFT_CTF_STRUCT && n->n_children == children;
}

/* Whether ids below last select the variant's first member, and last the second one. */
static bool is_chosen(const struct kft_ctf_node *v, uint64_t last)
{
	return v->ref == KFT_CTF_EVENT_ID && v->n_choices == 2 &&
	       v->choices[0].member == 0 && v->choices[0].lo == 0 &&
	       v->choices[0].hi == last - 1 && v->choices[1].member == 1 &&
	       v->choices[1].lo == last && v->choices[1].hi == last;
}

/* LTTng's event_header_compact and event_header_large, with any alignments. */
static bool is_lttng(const struct kft_ctf_node *root, uint32_t id_bits,
		     uint32_t time_bits, struct kft_ctf_header *h)
{
	if (!is_struct(root, 2) || root->children[1].type->kind != KFT_CTF_VARIANT)
		return false;
	const struct kft_ctf_node *id = &root->children[0];
	const struct kft_ctf_node *v = &root->children[1];
	bool big = id->type->big_endian;
	if (!is_id(id, id_bits, big) || v->n_children != 2 ||
	    !is_chosen(v, (UINT64_C(1) << id_bits) - 1))
		return false;
	const struct kft_ctf_node *brief = &v->children[0];
	const struct kft_ctf_node *ext = &v->children[1];
	if (!is_struct(brief, 1) || !is_time(&brief->children[0], time_bits, big) ||
	    !is_struct(ext, 2) || !is_id(&ext->children[0], 32, big) ||
	    !is_time(&ext->children[1], 64, big))
		return false;
	h->big_endian = big;
	h->align_ext = ext->type->align;
	h->align_id = ext->children[0].type->align;
	h->align_time = ext->children[1].type->align;
	h->align_short_time = brief->type->align;
	return true;
}

/* The long form ends at a byte boundary when its parts do. */
static bool ends_at_byte(const struct kft_ctf_header *h)
{
	return h->align_id >= 8 && h->align >= 8;
}

/* Consecutive integers of whole bytes, all in one byte order. */
static bool is_fixed(const struct kft_ctf_node *root, struct kft_ctf_header *h)
{
	uint32_t at = 0;

	if (!root->n_children || root->type->align < 8)
		return false;
	for (uint32_t i = 0; i < root->n_children; i++) {
		const struct kft_ctf_node *n = &root->children[i];
		const struct kft_ctf_type *t = n->type;

		if (!kft_ctf_is_bytes(t) || t->is_signed ||
		    t->big_endian != root->children[0].type->big_endian)
			return false;
		/*
		 * Offsets are relative to the struct's start, which
		 * has the largest alignment.
		 */
		at = (at + t->align - 1) & ~(t->align - 1);
		if (n->slot == KFT_CTF_EVENT_ID) {
			h->id_at = at / 8;
			h->id_bits = t->size;
		} else if (n->slot != KFT_CTF_NO_SLOT) {
			return false;
		}
		if (t->clock != KFT_CTF_NO_CLOCK) {
			h->time_at = at / 8;
			h->time_bits = t->size;
		}
		at += t->size;
	}
	h->bytes = at / 8;
	h->big_endian = root->children[0].type->big_endian;
	return true;
}

struct kft_ctf_header kft_ctf_header_plan(const struct kft_ctf_node *root)
{
	struct kft_ctf_header h = {.root = root, .align = 1, .end_align = 8};

	if (!root)
		return h;
	h.align = root->type->align;
	struct kft_ctf_header compact = h;
	struct kft_ctf_header large = h;
	struct kft_ctf_header fixed = h;
	if (is_lttng(root, 5, 27, &compact) && compact.align_short_time == 1 &&
	    ends_at_byte(&compact)) {
		h = compact;
		h.kind = KFT_CTF_HEADER_COMPACT;
	} else if (is_lttng(root, 16, 32, &large) && ends_at_byte(&large) &&
		   large.align_short_time >= 8) {
		h = large;
		h.kind = KFT_CTF_HEADER_LARGE;
	} else if (is_fixed(root, &fixed)) {
		h = fixed;
		h.kind = KFT_CTF_HEADER_FIXED;
	} else {
		h.kind = KFT_CTF_HEADER_WALK;
		h.end_align = 1;
	}
	h.swap = h.big_endian != KFT_HOST_BIG_ENDIAN;
	return h;
}

bool kft_ctf_header_read_long(const struct kft_ctf_header *h, struct kft_ctf_walk *w,
			      uint64_t *ret_id)
{
	uint64_t time;

	if (!kft_ctf_bits_align(&w->bits, h->align_ext) ||
	    !kft_ctf_bits_align(&w->bits, h->align_id) ||
	    !kft_ctf_bits_read(&w->bits, 32, h->big_endian, ret_id) ||
	    !kft_ctf_bits_align(&w->bits, h->align_time) ||
	    !kft_ctf_bits_read(&w->bits, 64, h->big_endian, &time))
		return false;
	w->time = time;
	return true;
}

bool kft_ctf_header_read_other(const struct kft_ctf_header *h, struct kft_ctf_walk *w,
			       uint64_t *ret_id)
{
	*ret_id = 0;
	if (h->kind == KFT_CTF_HEADER_NONE)
		return true;
	w->steps = KFT_CTF_STEPS_MAX;
	w->slots[KFT_CTF_EVENT_ID] = 0;
	if (!kft_ctf_walk(w, h->root))
		return false;
	*ret_id = w->slots[KFT_CTF_EVENT_ID];
	return true;
}

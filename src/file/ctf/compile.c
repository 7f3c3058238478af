// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compiles CTF types into programs that make records. */
#include "file/ctf/compile.h"

#include <errno.h>

/*
 * The compiler's knowledge of the position at which the next operation will run: it is
 * off bits after a multiple of known. With that most alignments cost nothing at run time.
 */
struct compiler {
	const kft_ctf_leaves *leaves;
	KFT_VEC(struct kft_ctf_op) ops;
	uint32_t known; /* a power of two */
	uint32_t off; /* less than known */
	uint64_t bits; /* bits of the payload so far, from its first alignment */
	bool varies; /* the payload's length is not fixed */
	uint32_t written; /* bytes of records that operations write */
	bool failed;
};

static struct kft_ctf_op *add(struct compiler *c, enum kft_ctf_op_code code)
{
	struct kft_ctf_op op = {.code = code, .align = 1, .slot = KFT_CTF_NO_SLOT};

	if (!kft_vec_push(&c->ops, op)) {
		c->failed = true;
		return NULL;
	}
	return &c->ops.data[c->ops.len - 1];
}

static void advance(struct compiler *c, uint64_t bits)
{
	c->off = (c->off + bits) & (c->known - 1);
	c->bits += bits;
}

/* The next item has a variable number of whole bytes. */
static void vary(struct compiler *c)
{
	c->known = c->known >= 8 && c->off % 8 == 0 ? 8 : 1;
	c->off = 0;
	c->varies = true;
}

static bool at_byte(const struct compiler *c)
{
	return c->known >= 8 && c->off % 8 == 0;
}

/*
 * Aligns the position. Returns the padding in bits if it is known and a whole number of
 * bytes; otherwise 0, and an operation aligns at run time.
 */
static uint32_t align(struct compiler *c, uint32_t to)
{
	uint32_t pad = (0 - c->off) & (to - 1);
	bool is_known = to <= c->known;

	if (is_known && (!pad || (at_byte(c) && pad % 8 == 0))) {
		advance(c, pad);
		return pad;
	}
	/* The first alignment is not part of the payload's length, see payload_align. */
	if (c->ops.len)
		c->varies = true;
	struct kft_ctf_op *op = add(c, KFT_CTF_OP_ALIGN);
	if (op)
		op->align = to;
	if (is_known) {
		advance(c, pad);
	} else {
		c->known = to;
		c->off = 0;
	}
	return 0;
}

static void add_skip(struct compiler *c, uint32_t pad)
{
	struct kft_ctf_op *op = pad ? add(c, KFT_CTF_OP_SKIP) : NULL;

	if (op)
		op->len = pad / 8;
}

/* An operation writes n bytes at dst; those of the common fields do not count. */
static void count_written(struct compiler *c, uint32_t dst, uint32_t n)
{
	if (dst >= KFT_CTF_COMMON_BYTES)
		c->written += n;
}

/*
 * Copies len bytes to dst; merges with the copy before when source and
 * destination have the same gap.
 */
static void add_copy(struct compiler *c, uint32_t pad, uint32_t dst, uint32_t len)
{
	struct kft_ctf_op *last = c->ops.len ? &c->ops.data[c->ops.len - 1] : NULL;
	struct kft_ctf_op *op;

	count_written(c, dst, len);
	if (last && last->code == KFT_CTF_OP_COPY &&
	    last->dst + last->len + pad / 8 == dst) {
		last->len += pad / 8 + len;
		count_written(c, dst, pad / 8);
		return;
	}
	add_skip(c, pad);
	op = add(c, KFT_CTF_OP_COPY);
	if (!op)
		return;
	op->dst = dst;
	op->len = len;
}

static void add_walk(struct compiler *c, const struct kft_ctf_leaf *l,
		     enum kft_ctf_op_code code)
{
	struct kft_ctf_op *op = add(c, code);

	if (!op)
		return;
	op->node = l->node;
	op->dst = l->dst;
	count_written(c, l->is_placed ? l->dst : 0, 4);
	/* The item may end at any bit. */
	c->known = 1;
	c->off = 0;
	c->varies = true;
}

static bool is_swapped(const struct kft_ctf_type *t)
{
	return t->big_endian != KFT_HOST_BIG_ENDIAN && t->size > 8;
}

static void add_addition(struct compiler *c, const struct kft_ctf_leaf *l)
{
	struct kft_ctf_op *op = l->add ? add(c, KFT_CTF_OP_ADD) : NULL;

	if (!op)
		return;
	op->dst = l->dst;
	op->len = l->add;
}

static void add_int(struct compiler *c, const struct kft_ctf_leaf *l)
{
	const struct kft_ctf_type *t = l->node->type;
	bool whole = kft_ctf_is_bytes(t);
	uint32_t pad = align(c, t->align);
	struct kft_ctf_op *op;

	if (whole && at_byte(c) && !is_swapped(t) && t->size == l->size * 8 &&
	    l->node->slot == KFT_CTF_NO_SLOT) {
		add_copy(c, pad, l->dst, l->size);
		advance(c, t->size);
		return;
	}
	add_skip(c, pad);
	op = add(c, whole && at_byte(c) ? KFT_CTF_OP_INT : KFT_CTF_OP_BITS);
	if (!op)
		return;
	*op = (struct kft_ctf_op){
		.code = op->code,
		.align = 1,
		.bits = t->size,
		.dst_bytes = l->size,
		.swap = is_swapped(t),
		.is_signed = t->is_signed,
		.slot = l->node->slot,
		.dst = l->dst,
		.node = l->node,
	};
	count_written(c, l->dst, l->size);
	if (t->is_leb128)
		vary(c);
	else
		advance(c, t->size);
}

static void add_array(struct compiler *c, const struct kft_ctf_leaf *l)
{
	const struct kft_ctf_type *elem = l->node->type->elem;
	uint32_t len = l->elem_bytes * l->count;
	uint32_t pad = align(c, l->node->type->align);

	if (!at_byte(c) || l->size != len) {
		add_skip(c, pad);
		add_walk(c, l, l->is_placed ? KFT_CTF_OP_TEXT : KFT_CTF_OP_WALK);
		return;
	}
	if (!is_swapped(elem)) {
		add_copy(c, pad, l->dst, len);
	} else {
		add_skip(c, pad);
		struct kft_ctf_op *op = add(c, KFT_CTF_OP_ARRAY);
		if (!op)
			return;
		op->dst = l->dst;
		op->len = len;
		op->bits = elem->size;
		op->swap = true;
		count_written(c, l->dst, len);
	}
	advance(c, (uint64_t)len * 8);
}

static void add_string(struct compiler *c, const struct kft_ctf_leaf *l)
{
	add_skip(c, align(c, l->node->type->align));
	struct kft_ctf_op *op = add(c, l->as_comm ? KFT_CTF_OP_COMM : KFT_CTF_OP_STRING);

	if (!op)
		return;
	op->dst = l->dst;
	op->len = l->size;
	count_written(c, l->dst, l->size);
	vary(c);
}

static void add_elements(struct compiler *c, const struct kft_ctf_leaf *l)
{
	const struct kft_ctf_type *elem = l->node->type->elem;
	struct kft_ctf_op *op;

	add_skip(c, align(c, l->node->type->align));
	if (!at_byte(c)) {
		add_walk(c, l, KFT_CTF_OP_TEXT);
		return;
	}
	op = add(c, KFT_CTF_OP_ELEMENTS);
	if (!op)
		return;
	op->dst = l->dst;
	op->bits = elem->size;
	op->swap = is_swapped(elem);
	op->slot = l->node->ref;
	op->len = l->is_text; /* 1: a NUL is appended */
	count_written(c, l->dst, 4);
	vary(c);
}

static void add_leaf(struct compiler *c, const struct kft_ctf_leaf *l)
{
	bool is_scalar = l->kind == KFT_CTF_LEAF_INT;

	if (!l->is_placed)
		add_walk(c, l, KFT_CTF_OP_WALK);
	else if (is_scalar)
		add_int(c, l);
	else if (l->kind == KFT_CTF_LEAF_ARRAY || l->kind == KFT_CTF_LEAF_CHARS)
		add_array(c, l);
	else if (l->kind == KFT_CTF_LEAF_STRING)
		add_string(c, l);
	else if (l->kind == KFT_CTF_LEAF_ELEMENTS)
		add_elements(c, l);
	else
		add_walk(c, l, KFT_CTF_OP_TEXT);
}

/* Skips an integer that the record does not have. False when it needs the slow path. */
static bool skip_int(struct compiler *c, const struct kft_ctf_leaf *l)
{
	const struct kft_ctf_type *t = l->node->type;
	struct kft_ctf_op *last;

	if (l->is_placed || l->kind != KFT_CTF_LEAF_INT || !kft_ctf_is_bytes(t) ||
	    l->node->slot != KFT_CTF_NO_SLOT || t->align > c->known)
		return false;
	uint32_t pad = align(c, t->align);
	if (!at_byte(c) || pad % 8) {
		add_skip(c, pad);
		return false;
	}
	last = c->ops.len ? &c->ops.data[c->ops.len - 1] : NULL;
	if (!last || last->code != KFT_CTF_OP_SKIP)
		last = add(c, KFT_CTF_OP_SKIP);
	if (last)
		last->len += pad / 8 + t->size / 8;
	advance(c, t->size);
	return true;
}

static const struct kft_ctf_leaf *leaf_of(const struct compiler *c,
					  const struct kft_ctf_node *n)
{
	kft_vec_for_each(c->leaves, l)
		if (l->node == n)
			return l;
	return NULL;
}

static void compile_struct(struct compiler *c, const struct kft_ctf_node *n)
{
	add_skip(c, align(c, n->type->align));
	for (uint32_t i = 0; i < n->n_children && !c->failed; i++) {
		const struct kft_ctf_node *child = &n->children[i];

		if (child->type->kind == KFT_CTF_STRUCT) {
			compile_struct(c, child);
			continue;
		}
		const struct kft_ctf_leaf *l = leaf_of(c, child);
		if (l && !skip_int(c, l))
			add_leaf(c, l);
	}
}

static bool is_static(const struct kft_ctf_op *op)
{
	return op->code == KFT_CTF_OP_COPY || op->code == KFT_CTF_OP_INT ||
	       op->code == KFT_CTF_OP_ARRAY || op->code == KFT_CTF_OP_SKIP ||
	       op->code == KFT_CTF_OP_ADD;
}

/*
 * Sets payload_*: events with a fixed length can be skipped without running the program,
 * provided that no operation fills a slot.
 */
static void set_payload(const struct compiler *c, struct kft_ctf_program *p)
{
	bool fixed = !c->varies && !c->failed;

	for (size_t i = 0; i < c->ops.len && fixed; i++)
		fixed = is_static(&c->ops.data[i]) ||
			(i == 0 && c->ops.data[i].code == KFT_CTF_OP_ALIGN);
	p->payload_align = 1;
	if (fixed && c->ops.len && c->ops.data[0].code == KFT_CTF_OP_ALIGN)
		p->payload_align = c->ops.data[0].align;
	p->payload_bits = fixed ? c->bits : 0;
}

int kft_ctf_compile(const struct kft_ctf_scopes *scopes, const kft_ctf_leaves *leaves,
		    uint32_t fixed_bytes, uint32_t payload_align, struct kft_arena *arena,
		    struct kft_ctf_program *ret)
{
	struct compiler c = {.leaves = leaves, .known = payload_align};
	struct kft_ctf_op *copy;

	for (size_t s = KFT_CTF_STREAM_EVENT_CONTEXT; s < KFT_CTF_N_SCOPES; s++)
		if (scopes->roots[s])
			compile_struct(&c, scopes->roots[s]);
	/* Additions come last, so that they do not separate copies that can be merged. */
	kft_vec_for_each(leaves, l)
		add_addition(&c, l);
	copy = kft_arena_calloc(arena, c.ops.len + 1, sizeof(*copy));
	if (copy && c.ops.len)
		memcpy(copy, c.ops.data, c.ops.len * sizeof(*copy));
	*ret = (struct kft_ctf_program){
		.ops = copy,
		.n_ops = c.ops.len,
		.fixed_bytes = fixed_bytes,
		.has_holes = c.written < fixed_bytes - KFT_CTF_COMMON_BYTES,
	};
	set_payload(&c, ret);
	bool failed = c.failed || !copy;
	kft_vec_finish(&c.ops);
	return failed ? -ENOMEM : 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Looks up types in BTF. */
#include "decode/types/btf.h"

#include <errno.h>
#include <string.h>

#include "base/cursor.h"

#define BTF_MAGIC	    0xeb9f
#define BTF_HDR_MIN	    24
#define BTF_N_KINDS	    20
#define BTF_INFO_KIND	    0x1f
#define BTF_INFO_VLEN	    0xffff
#define BTF_KIND_SHIFT	    24
#define BTF_INFO_FLAG_SHIFT 31

/*
 * Sizes of the data that follows the 12 bytes common to all types: `fixed`
 * bytes, and `each` per member.
 */
static const struct {
	uint8_t fixed;
	uint8_t each;
} tails[BTF_N_KINDS] = {
	[1] = {4, 0}, /* INT */
	[3] = {12, 0}, /* ARRAY */
	[4] = {0, 12}, /* STRUCT */
	[5] = {0, 12}, /* UNION */
	[6] = {0, 8}, /* ENUM */
	[13] = {0, 8}, /* FUNC_PROTO */
	[14] = {4, 0}, /* VAR */
	[15] = {0, 12}, /* DATASEC */
	[17] = {4, 0}, /* DECL_TAG */
	[19] = {0, 12}, /* ENUM64 */
};

struct btf {
	struct kft_cursor types;
	struct kft_cursor strings;
};

struct btf_type {
	uint32_t name; /* offset into the strings */
	uint32_t kind;
};

/*
 * The header ("Header" in btf.rst): magic, version, flags, hdr_len,
 * then offsets from its end.
 */
static int open_btf(const void *data, size_t size, struct btf *ret)
{
	struct kft_cursor c = kft_cursor_init(data, size, false);
	uint16_t magic;
	uint32_t hdr_len;
	uint32_t type_off;
	uint32_t type_len;
	uint32_t str_off;
	uint32_t str_len;

	if (!kft_cursor_u16(&c, &magic))
		return -EINVAL;
	c.swap = magic == __builtin_bswap16(BTF_MAGIC);
	if ((magic != BTF_MAGIC && !c.swap) || !kft_cursor_skip(&c, 2) ||
	    !kft_cursor_u32(&c, &hdr_len) || !kft_cursor_u32(&c, &type_off) ||
	    !kft_cursor_u32(&c, &type_len) || !kft_cursor_u32(&c, &str_off) ||
	    !kft_cursor_u32(&c, &str_len) || hdr_len < BTF_HDR_MIN)
		return -EINVAL;
	struct kft_cursor body = kft_cursor_init(data, size, c.swap);
	struct kft_cursor strings;

	if (!kft_cursor_skip(&body, hdr_len))
		return -EINVAL;
	strings = body;
	if (!kft_cursor_skip(&body, type_off) ||
	    !kft_cursor_sub(&body, type_len, &ret->types) ||
	    !kft_cursor_skip(&strings, str_off) ||
	    !kft_cursor_sub(&strings, str_len, &ret->strings))
		return -EINVAL;
	return 0;
}

/* Reads the next type: 1, 0 at the end, or -errno. */
static int next_type(struct btf *btf, struct btf_type *ret)
{
	struct kft_cursor *c = &btf->types;
	uint32_t info;

	if (!kft_cursor_left(c))
		return 0;
	if (!kft_cursor_u32(c, &ret->name) || !kft_cursor_u32(c, &info) ||
	    !kft_cursor_skip(c, 4))
		return -EINVAL;
	ret->kind = info >> BTF_KIND_SHIFT & BTF_INFO_KIND;
	if (!ret->kind)
		return -EINVAL;
	if (ret->kind >= BTF_N_KINDS)
		return -EOPNOTSUPP;
	size_t tail = tails[ret->kind].fixed +
		      (size_t)tails[ret->kind].each * (info & BTF_INFO_VLEN);

	return kft_cursor_skip(c, tail) ? 1 : -EINVAL;
}

static bool has_name(const struct btf *btf, const struct btf_type *type, const char *name)
{
	struct kft_cursor c = btf->strings;
	const char *s;

	return kft_cursor_skip(&c, type->name) && kft_cursor_str(&c, &s) &&
	       !strcmp(s, name);
}

int kft_btf_find(const void *data, size_t size, enum kft_btf_kind kind, const char *name,
		 uint32_t *ret_id)
{
	struct btf btf;
	struct btf_type type;
	int r = open_btf(data, size, &btf);

	if (r < 0)
		return r;
	/* Id 0 is void and has no record. */
	for (uint32_t id = 1; (r = next_type(&btf, &type)) > 0; id++) {
		if (type.kind == (uint32_t)kind && has_name(&btf, &type, name)) {
			*ret_id = id;
			return 0;
		}
	}
	return r < 0 ? r : -ENOENT;
}

int kft_btf_count(const void *data, size_t size, uint32_t *ret)
{
	struct btf btf;
	struct btf_type type;
	uint32_t n = 0;
	int r = open_btf(data, size, &btf);

	if (r < 0)
		return r;
	while ((r = next_type(&btf, &type)) > 0)
		n++;
	if (r < 0)
		return r;
	*ret = n;
	return 0;
}

int kft_btf_open(const void *data, size_t size, struct kft_btf *ret)
{
	struct kft_btf out = {};
	struct btf btf;
	struct btf_type type;
	int r = open_btf(data, size, &btf);

	if (r < 0)
		return r;
	out.types = btf.types;
	out.strings = btf.strings;
	for (;;) {
		uint32_t start = (uint32_t)btf.types.pos;

		r = next_type(&btf, &type);
		if (r > 0 && !kft_vec_push(&out.starts, start))
			r = -ENOMEM;
		if (r <= 0)
			break;
	}
	if (r < 0)
		kft_btf_close(&out);
	else
		*ret = out;
	return r;
}

void kft_btf_close(struct kft_btf *btf)
{
	kft_vec_finish(&btf->starts);
}

const char *kft_btf_string(const struct kft_btf *btf, uint32_t offset)
{
	struct kft_cursor c = btf->strings;
	const char *s;

	return kft_cursor_skip(&c, offset) && kft_cursor_str(&c, &s) ? s : "";
}

bool kft_btf_type(const struct kft_btf *btf, uint32_t id, struct kft_btf_type *ret)
{
	struct kft_cursor c = btf->types;
	uint32_t name;
	uint32_t info;
	uint32_t size;

	if (!id || id > btf->starts.len)
		return false;
	c.pos = btf->starts.data[id - 1];
	if (!kft_cursor_u32(&c, &name) || !kft_cursor_u32(&c, &info) ||
	    !kft_cursor_u32(&c, &size))
		return false;
	*ret = (struct kft_btf_type){
		.name = kft_btf_string(btf, name),
		.kind = info >> BTF_KIND_SHIFT & BTF_INFO_KIND,
		.count = info & BTF_INFO_VLEN,
		.size = size,
		.flag = info >> BTF_INFO_FLAG_SHIFT,
		.start = (uint32_t)c.pos,
	};
	return true;
}

bool kft_btf_word(const struct kft_btf *btf, const struct kft_btf_type *type,
		  uint32_t index, uint32_t *ret)
{
	struct kft_cursor c = btf->types;

	c.pos = type->start;
	return kft_cursor_skip(&c, (size_t)index * 4) && kft_cursor_u32(&c, ret);
}

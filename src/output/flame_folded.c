// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes stacks as lines: frames from the outermost inward, separated by
 * semicolons, and a weight.
 */
#include "output/flame.h"

/* Replaces the separators of the format in a name. */
static void add_name(struct kft_strbuf *sb, const char *name)
{
	size_t start = sb->len;

	kft_strbuf_add_escaped(sb, name, strlen(name));
	for (size_t i = start; i < sb->len; i++)
		if (sb->buf[i] == ';' || sb->buf[i] == ' ')
			sb->buf[i] = sb->buf[i] == ';' ? ':' : '_';
}

static void add_path(const struct kft_stacks *s, uint32_t at, struct kft_strbuf *sb)
{
	uint32_t path[KFT_FLAME_DEPTH_MAX];
	size_t n = 0;

	for (; at != KFT_STACKS_NONE && n < ARRAY_SIZE(path);
	     at = s->frames.data[at].parent)
		path[n++] = at;
	while (n--) {
		add_name(sb, kft_intern_text(&s->names, s->frames.data[path[n]].name));
		if (n)
			kft_strbuf_addc(sb, ';');
	}
}

void kft_flame_folded(const struct kft_stacks *s, struct kft_strbuf *sb)
{
	for (uint32_t i = 0; i < s->frames.len; i++) {
		if (!s->frames.data[i].weight)
			continue;
		add_path(s, i, sb);
		kft_strbuf_addc(sb, ' ');
		kft_strbuf_addu(sb, s->frames.data[i].weight, 1);
		kft_strbuf_addc(sb, '\n');
	}
}

// SPDX-License-Identifier: GPL-2.0-only
#include "corpus.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/io.h"
#include "decode/format.h"

#if HAVE_ZSTD
#include <zstd.h>
#endif

#define FILE_MAX  (8 * 1024 * 1024)
#define PLAIN_MAX (64 * 1024 * 1024)

static int fail(const char *path, const char *why)
{
	fprintf(stderr, "%s: %s\n", path, why);
	return 1;
}

/* The whole text, in the arena. */
static char *decompress(struct corpus *c, const struct kft_strbuf *file, size_t *ret_len)
{
#if HAVE_ZSTD
	unsigned long long size = ZSTD_getFrameContentSize(file->buf, file->len);

	if (size > PLAIN_MAX)
		return NULL;
	char *text = kft_arena_alloc(&c->arena, size + 1);
	if (!text || ZSTD_decompress(text, size, file->buf, file->len) != size)
		return NULL;
	*ret_len = size;
	return text;
#else
	return NULL;
#endif
}

/* "ID: 0" becomes the text's own id. */
static bool add_text(struct corpus *c, const char *head, const char *body, size_t len,
		     uint16_t *ids)
{
	static const char zero[] = "\nID: 0\n";
	const char *id = memmem(body, len, zero, strlen(zero));
	struct corpus_text t = {.long_size = strncmp(head, "32 ", 3) == 0 ? 4 : 8};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (!id)
		return false;
	t.id = ++ids[t.long_size == 8];
	t.system = kft_arena_strndup(&c->arena, head + 3, strcspn(head + 3, "\n"));
	kft_strbuf_add(&sb, body, id - body);
	kft_strbuf_addf(&sb, "\nID: %u\n", t.id);
	id += strlen(zero);
	kft_strbuf_add(&sb, id, body + len - id);
	t.text = kft_arena_strndup(&c->arena, kft_strbuf_cstr(&sb), sb.len);
	t.len = sb.len;
	return t.system && t.text && kft_vec_push(&c->texts, t);
}

static bool split(struct corpus *c, const char *text, size_t len)
{
	static const char mark[] = "=== ";
	const char *end = text + len;
	uint16_t ids[2] = {};

	while (text < end) {
		const char *head = text + strlen(mark);
		const char *body = memchr(head, '\n', end - head);
		const char *next = body ? memmem(body, end - body, "\n=== ", 5) : NULL;

		if (!body || memcmp(text, mark, strlen(mark)) != 0)
			return false;
		next = next ? next + 1 : end;
		if (!add_text(c, head, body + 1, next - body - 1, ids))
			return false;
		text = next;
	}
	return true;
}

int corpus_load(struct corpus *c, const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf file = {};
	size_t len;

	if (!HAVE_ZSTD) {
		fprintf(stderr, "built without zstd\n");
		return 77;
	}
	int r = kft_read_at(AT_FDCWD, path, FILE_MAX, &file);
	if (r < 0)
		return fail(path, strerror(-r));
	char *text = decompress(c, &file, &len);
	if (!text || !split(c, text, len))
		return fail(path, "not a corpus");
	return 0;
}

void corpus_finish(struct corpus *c)
{
	kft_vec_finish(&c->texts);
	kft_arena_finish(&c->arena);
}

struct kft_trace *corpus_trace(const struct corpus *c, uint32_t long_size)
{
	struct kft_trace *t;

	if (kft_trace_create(&t) < 0)
		exit(1);
	t->classes.parse = kft_format_parse;
	t->classes.long_size = long_size;
	t->meta.long_size = long_size;
	kft_vec_for_each(&c->texts, x) {
		if (x->long_size == long_size &&
		    kft_class_table_add(&t->classes, x->system, x->text, x->len) < 0)
			exit(1);
	}
	return t;
}

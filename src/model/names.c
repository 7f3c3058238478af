// SPDX-License-Identifier: LGPL-2.1-or-later
/* Assigns numbers to the names that are keys of intervals. */
#include "model/names.h"

void kft_names_init(struct kft_names *n)
{
	(void)pthread_mutex_init(&n->lock, NULL);
}

void kft_names_finish(struct kft_names *n)
{
	kft_intern_finish(&n->texts);
	kft_map_finish(&n->given);
	(void)pthread_mutex_destroy(&n->lock);
}

static uint64_t number_of(struct kft_names *n, const char *text, size_t len)
{
	uint32_t number;

	return kft_intern(&n->texts, text, len, &number) < 0 ? 0 : UINT64_C(1) + number;
}

uint64_t kft_names_number(struct kft_names *n, const char *text, size_t len)
{
	(void)pthread_mutex_lock(&n->lock);
	uint64_t number = number_of(n, text, len);

	(void)pthread_mutex_unlock(&n->lock);
	return number;
}

static void add_text(const struct kft_names *n, uint64_t number, struct kft_strbuf *sb)
{
	if (!number || number > n->texts.strings.len)
		kft_strbuf_addc(sb, '?');
	else
		kft_strbuf_add(sb, n->texts.strings.data[number - 1].text,
			       n->texts.strings.data[number - 1].len);
}

void kft_names_text(struct kft_names *n, uint64_t number, struct kft_strbuf *sb)
{
	(void)pthread_mutex_lock(&n->lock);
	add_text(n, number, sb);
	(void)pthread_mutex_unlock(&n->lock);
}

/*
 * The hash is used as the key without comparing space and key: a collision is less
 * likely than a memory error.
 */
static uint64_t place_of(const void *space, uint64_t key)
{
	uint64_t both[] = {(uintptr_t)space, key};
	uint64_t hash = kft_hash_bytes(both, sizeof(both));

	return hash == KFT_MAP_NO_KEY ? 0 : hash;
}

void kft_names_give(struct kft_names *n, const void *space, uint64_t key,
		    const char *text, size_t len)
{
	(void)pthread_mutex_lock(&n->lock);
	uint64_t *slot = kft_map_put(&n->given, place_of(space, key));

	if (slot && !*slot)
		*slot = number_of(n, text, len);
	(void)pthread_mutex_unlock(&n->lock);
}

bool kft_names_given(struct kft_names *n, const void *space, uint64_t key,
		     struct kft_strbuf *sb)
{
	(void)pthread_mutex_lock(&n->lock);
	const uint64_t *slot = kft_map_get(&n->given, place_of(space, key));
	bool found = slot && *slot;

	if (found)
		add_text(n, *slot, sb);
	(void)pthread_mutex_unlock(&n->lock);
	return found;
}

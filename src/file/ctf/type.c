// SPDX-License-Identifier: LGPL-2.1-or-later
/* Types that CTF metadata declares, and the integers with a role among them. */
#include "file/ctf/type.h"

#include <string.h>

void kft_ctf_meta_finish(struct kft_ctf_meta *m)
{
	kft_vec_finish(&m->env);
	kft_vec_finish(&m->clocks);
	kft_vec_finish(&m->streams);
	kft_vec_finish(&m->events);
	kft_arena_finish(&m->arena);
}

const char *kft_ctf_env_get(const struct kft_ctf_meta *m, const char *key)
{
	kft_vec_for_each(&m->env, e)
		if (strcmp(e->key, key) == 0)
			return e->text;
	return NULL;
}

static const struct {
	enum kft_ctf_scope scope;
	enum kft_ctf_role role;
	const char *name; /* field name in CTF 1.8 */
	/* Role name in CTF 2; NULL: the field name is used there, too. */
	const char *word;
} roles[] = {
	{KFT_CTF_PACKET_HEADER, KFT_CTF_MAGIC, "magic", "packet-magic-number"},
	{KFT_CTF_PACKET_HEADER, KFT_CTF_STREAM_ID, "stream_id", "data-stream-class-id"},
	{KFT_CTF_PACKET_CONTEXT, KFT_CTF_PACKET_SIZE, "packet_size",
	 "packet-total-length"},
	{KFT_CTF_PACKET_CONTEXT, KFT_CTF_CONTENT_SIZE, "content_size",
	 "packet-content-length"},
	{KFT_CTF_PACKET_CONTEXT, KFT_CTF_TIME_BEGIN, "timestamp_begin",
	 "default-clock-timestamp"},
	{KFT_CTF_PACKET_CONTEXT, KFT_CTF_TIME_END, "timestamp_end",
	 "packet-end-default-clock-timestamp"},
	{KFT_CTF_PACKET_CONTEXT, KFT_CTF_DISCARDED, "events_discarded",
	 "discarded-event-record-counter-snapshot"},
	{KFT_CTF_PACKET_CONTEXT, KFT_CTF_SEQ_NUM, "packet_seq_num",
	 "packet-sequence-number"},
	{KFT_CTF_PACKET_CONTEXT, KFT_CTF_CPU_ID, "cpu_id", NULL},
	/*
	 * An id inside a variant is the long form of the one outside; the later one wins.
	 */
	{KFT_CTF_EVENT_HEADER, KFT_CTF_EVENT_ID, "id", "event-record-class-id"},
};

bool kft_ctf_role_find(const struct kft_ctf_meta *m, enum kft_ctf_scope scope,
		       const char *name, const struct kft_ctf_type *t,
		       enum kft_ctf_role *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(roles); i++) {
		bool by_word = m->is_ctf2 && roles[i].word;

		if (roles[i].scope == scope && (by_word ? t->roles >> roles[i].role & 1
							: !strcmp(roles[i].name, name))) {
			*ret = roles[i].role;
			return true;
		}
	}
	return false;
}

uint32_t kft_ctf_role_bits(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(roles); i++)
		if (roles[i].word && strcmp(roles[i].word, name) == 0)
			return UINT32_C(1) << roles[i].role;
	return 0;
}

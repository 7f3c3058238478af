// SPDX-License-Identifier: LGPL-2.1-or-later
/* Owns the types that CTF metadata declares. */
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

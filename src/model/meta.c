// SPDX-License-Identifier: LGPL-2.1-or-later
/* Owns the metadata of a trace. */
#include "model/meta.h"

#include <errno.h>

void kft_meta_finish(struct kft_meta *m)
{
	kft_vec_finish(&m->formats);
	kft_vec_finish(&m->stats);
	kft_vec_finish(&m->lost);
	kft_vec_finish(&m->kept_options);
	kft_arena_finish(&m->arena);
	*m = (struct kft_meta){};
}

int kft_meta_set_blob(struct kft_meta *m, struct kft_blob *blob, const char *data,
		      size_t len)
{
	const char *copy = kft_arena_strndup(&m->arena, data, len);

	if (!copy)
		return -ENOMEM;
	*blob = (struct kft_blob){.data = copy, .len = len};
	return 0;
}

uint64_t kft_cpu_stat_lost(const struct kft_cpu_stat *s, bool keeps_newest)
{
	return (keeps_newest ? 0 : s->overrun) + s->dropped_events + s->commit_overrun +
	       s->unread;
}

uint64_t kft_meta_lost(const struct kft_meta *m, bool keeps_newest)
{
	uint64_t n = 0;

	kft_vec_for_each(&m->stats, s)
		n += kft_cpu_stat_lost(s, keeps_newest);
	return n;
}

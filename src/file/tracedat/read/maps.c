// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps the files that tasks had mapped. */
#include "file/tracedat/read/maps.h"

void kft_dat_maps_finish(struct kft_dat_maps *m)
{
	if (!m->path)
		return;
	if (HAVE_USER_SYMBOLS) {
		kft_address_spaces_finish(&m->spaces);
		kft_user_files_finish(&m->files);
	}
	(void)pthread_mutex_destroy(&m->lock);
}

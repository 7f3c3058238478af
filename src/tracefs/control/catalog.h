/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_CATALOG_H
#define KFT_TRACEFS_CATALOG_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "capture/host.h"

/*
 * Names of kft's own synthetic events begin with this. Lists and patterns of events pass over
 * them: a synthetic event that another session enables cannot be removed.
 */
#define KFT_HIST_PREFIX "kft_"

/* What a kernel can trace and with what, as tracefs lists it. */
enum kft_catalog_kind {
	KFT_CATALOG_EVENTS, /* name "system:event" */
	KFT_CATALOG_FUNCTIONS, /* detail: the module, NULL for the kernel itself */
	KFT_CATALOG_TRACERS,
	KFT_CATALOG_CLOCKS,
};

struct kft_catalog_entry {
	const char *name; /* borrowed from the catalog, as is detail */
	const char *detail; /* NULL when there is nothing more to say */
	bool current; /* of clocks and tracers: what the top-level buffer uses now */
};

struct kft_catalog {
	struct kft_strbuf text; /* what the names point into */
	KFT_VEC(struct kft_catalog_entry) entries; /* in the kernel's order */
};

/*
 * All entries, or those whose name matches the glob: of events the whole name, the system
 * or the event. -ENOENT when this kernel has no such list, -EPERM or -EACCES with a hint.
 */
int kft_catalog_read(struct kft_host *host, enum kft_catalog_kind kind, const char *glob,
		     struct kft_catalog *ret, struct kft_err *e) __must_check;

void kft_catalog_finish(struct kft_catalog *c);

#endif

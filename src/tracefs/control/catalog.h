/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "base/vec.h"
#include "capture/host.h"

/*
 * Names of kft's own synthetic events begin with this. Lists and patterns of events pass over
 * them: a synthetic event that another session enables cannot be removed.
 */
#define KFT_HIST_PREFIX "kft_"

/* The lists of traceable things, tracers and clocks that tracefs offers. */
enum kft_catalog_kind {
	KFT_CATALOG_EVENTS, /* name "system:event" */
	KFT_CATALOG_FUNCTIONS, /* detail: the module, NULL for the kernel itself */
	KFT_CATALOG_TRACERS,
	KFT_CATALOG_CLOCKS,
};

struct kft_catalog_entry {
	const char *name; /* borrowed from the catalog, as is detail */
	const char *detail; /* NULL: no detail */
	bool current; /* for clocks and tracers: the top-level buffer uses it now */
};

struct kft_catalog {
	struct kft_strbuf text; /* the names point into it */
	KFT_VEC(struct kft_catalog_entry) entries; /* in the kernel's order */
};

/*
 * Lists all entries, or only those that match the glob. For events the glob may match the
 * whole name, the system or the event. -ENOENT when this kernel has no such list, -EPERM
 * or -EACCES with a hint.
 */
int kft_catalog_read(struct kft_host *host, enum kft_catalog_kind kind, const char *glob,
		     struct kft_catalog *ret, struct kft_err *e) __must_check;

void kft_catalog_finish(struct kft_catalog *c);

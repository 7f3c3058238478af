// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds out which events, kprobes and functions a kernel has. */
#include "sets/kernel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/glob.h"
#include "base/io.h"
#include "tracefs/control/mount.h"
#include "sets/sets.h"

int kft_set_kernel_index(struct kft_set_kernel *k)
{
	for (size_t i = 0; i < k->functions.entries.len; i++) {
		const char *name = k->functions.entries.data[i].name;
		uint64_t *count = kft_map_put(&k->by_name,
					      kft_hash_bytes(name, strlen(name)));

		if (!count)
			return -ENOMEM;
		++*count;
	}
	return 0;
}

static bool has_tracer(struct kft_host *host, const char *name)
{
	struct kft_catalog tracers = {};
	bool found = false;

	if (kft_catalog_read(host, KFT_CATALOG_TRACERS, name, &tracers, NULL) == 0)
		found = tracers.entries.len > 0;
	kft_catalog_finish(&tracers);
	return found;
}

int kft_set_kernel_read(struct kft_host *host, struct kft_set_kernel *ret,
			struct kft_err *e)
{
	struct kft_set_kernel k = {};
	int tracefs;
	int r = kft_catalog_read(host, KFT_CATALOG_EVENTS, NULL, &k.events, e);

	if (r == 0)
		r = kft_tracefs_open(host, &tracefs, e);
	if (r == 0) {
		bool listed = kft_catalog_read(host, KFT_CATALOG_FUNCTIONS, NULL,
					       &k.functions, NULL) == 0;

		k.has_functions = listed && has_tracer(host, "function_graph");
		k.has_kprobes = kft_find_at(tracefs, "kprobe_events") == 0;
		r = kft_set_kernel_index(&k);
	}
	if (r < 0)
		kft_set_kernel_finish(&k);
	else
		*ret = k;
	return r;
}

void kft_set_kernel_finish(struct kft_set_kernel *k)
{
	kft_catalog_finish(&k->events);
	kft_catalog_finish(&k->functions);
	kft_map_finish(&k->by_name);
}

bool kft_set_kernel_has_event(const struct kft_set_kernel *k, const char *text)
{
	char pattern[KFT_SETS_WORD_MAX_BYTES + 3];
	size_t len = strcspn(text, "/");

	(void)snprintf(pattern, sizeof(pattern), "%.*s%s", (int)len, text,
		       memchr(text, ':', len) ? "" : ":*");
	kft_vec_for_each(&k->events.entries, event)
		if (kft_glob(pattern, event->name))
			return true;
	return false;
}

/* Copies the name of a kprobe's function. */
static void name_of(const char *text, char ret[KFT_SETS_WORD_MAX_BYTES + 1])
{
	(void)snprintf(ret, KFT_SETS_WORD_MAX_BYTES + 1, "%.*s",
		       (int)strcspn(text, "%(/"), text);
}

static uint64_t count(const struct kft_set_kernel *k, const char *name)
{
	const uint64_t *found = kft_map_get(&k->by_name,
					    kft_hash_bytes(name, strlen(name)));

	return found ? *found : 0;
}

bool kft_set_kernel_has_function(const struct kft_set_kernel *k, const char *text)
{
	char name[KFT_SETS_WORD_MAX_BYTES + 1];

	name_of(text, name);
	if (!k->functions.entries.len)
		return true;
	if (!strpbrk(name, "*?["))
		return count(k, name) > 0;
	kft_vec_for_each(&k->functions.entries, function)
		if (kft_glob(name, function->name))
			return true;
	return false;
}

bool kft_set_kernel_can_probe(const struct kft_set_kernel *k, const char *text)
{
	char name[KFT_SETS_WORD_MAX_BYTES + 1];

	name_of(text, name);
	return k->has_kprobes && (!k->functions.entries.len || count(k, name) == 1);
}

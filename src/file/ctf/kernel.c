// SPDX-License-Identifier: LGPL-2.1-or-later
/* Maps names of LTTng's and perf's events to the kernel's. */
#include "file/ctf/kernel.h"

#include <stdio.h>
#include <string.h>

static void set(char *to, const char *from, size_t len)
{
	len = KFT_MIN(len, (size_t)KFT_CTF_NAME_MAX - 1);
	memcpy(to, from, len);
	to[len] = '\0';
}

void kft_ctf_kernel_name(const char *ctf_name, struct kft_ctf_kernel_name *ret)
{
	const char *colon = strchr(ctf_name, ':');

	if (colon && colon > ctf_name && colon[1]) {
		set(ret->system, ctf_name, colon - ctf_name);
		set(ret->name, colon + 1, strlen(colon + 1));
		return;
	}
	for (size_t i = 0; i < kft_ctf_n_lttng_rules; i++) {
		const char *instead = kft_ctf_lttng_rules[i].instead
					      ? kft_ctf_lttng_rules[i].instead
					      : "";
		const char *rest = ctf_name + kft_ctf_lttng_rules[i].strip;
		size_t n = strlen(instead);

		if (strncmp(ctf_name, kft_ctf_lttng_rules[i].prefix,
			    strlen(kft_ctf_lttng_rules[i].prefix)) != 0)
			continue;
		set(ret->system, kft_ctf_lttng_rules[i].system,
		    strlen(kft_ctf_lttng_rules[i].system));
		set(ret->name, instead, n);
		set(ret->name + n, rest,
		    KFT_MIN(strlen(rest), (size_t)KFT_CTF_NAME_MAX - 1 - n));
		return;
	}
	set(ret->system, "ctf", 3);
	set(ret->name, ctf_name, strlen(ctf_name));
}

/* Applies one rule backwards; -1: it cannot produce such a name. */
static int undo_rule(size_t i, const char *name, struct kft_ctf_lttng_name *ret)
{
	const char *instead = kft_ctf_lttng_rules[i].instead
				      ? kft_ctf_lttng_rules[i].instead
				      : "";
	const char *kept = kft_ctf_lttng_rules[i].prefix + kft_ctf_lttng_rules[i].strip;
	size_t n = strlen(instead);

	if (strncmp(name, instead, n) != 0 || strncmp(name + n, kept, strlen(kept)) != 0)
		return -1;
	int len = snprintf(ret->name, sizeof(ret->name), "%s%s",
			   kft_ctf_lttng_rules[i].prefix, name + n + strlen(kept));
	return len < KFT_CTF_NAME_MAX ? 0 : -1;
}

bool kft_ctf_lttng_name(const char *system, const char *name,
			struct kft_ctf_lttng_name *ret)
{
	struct kft_ctf_kernel_name back;

	for (size_t i = 0; i < kft_ctf_n_lttng_rules; i++) {
		if (strcmp(kft_ctf_lttng_rules[i].system, system) != 0 ||
		    undo_rule(i, name, ret) < 0)
			continue;
		/*
		 * The new name is valid only if an earlier rule does not
		 * map it to another event.
		 */
		kft_ctf_kernel_name(ret->name, &back);
		if (strcmp(back.system, system) == 0 && strcmp(back.name, name) == 0)
			return true;
	}
	return false;
}

const struct kft_ctf_kernel_event *
kft_ctf_kernel_event(const struct kft_ctf_kernel_name *name,
		     const struct kft_ctf_kernel_event *after)
{
	const struct kft_ctf_kernel_event *ev = after ? after + 1 : kft_ctf_kernel_events;

	for (; ev->name; ev++)
		if (strcmp(ev->system, name->system) == 0 &&
		    strcmp(ev->name, name->name) == 0)
			return ev;
	return NULL;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names for the keys of live statistics. */
#include "live/names.h"

#include <errno.h>
#include <stdio.h>

#include "base/dir.h"
#include "base/io.h"
#include "base/scan.h"
#include "capture/origin.h"
#include "decode/format.h"
#include "decode/trace_lazy.h"
#include "derive/kinds/kinds.h"
#include "live/event.h"

/* A directory for each interrupt, since Linux 4.9. */
#define IRQS_DIR      "sys/kernel/irq"
#define ACTIONS_BYTES 4096

/* An interrupt that several drivers share has all their names, with commas between them. */
static void name_irq(int dir_fd, const char *number, struct kft_trace *t)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	char path[512];
	uint64_t irq;

	if (!kft_scan_u64(&(const char *){number}, &irq) ||
	    (size_t)snprintf(path, sizeof(path), "%s/actions", number) >= sizeof(path) ||
	    kft_read_at(dir_fd, path, ACTIONS_BYTES, &text) < 0)
		return;
	while (text.len && text.buf[text.len - 1] == '\n')
		text.len--;
	if (text.len)
		kft_names_give(&t->names, &kft_kind_irq, irq, text.buf, text.len);
}

static void name_irqs(const struct kft_host *host, struct kft_trace *t)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(host->root_fd, IRQS_DIR);
	const char *number;

	while (dir && (number = kft_dir_next(dir)))
		name_irq(dirfd(dir), number, t);
}

/* Formats of the kinds' events, by which options choose some of these. */
static int add_formats(struct kft_host *host, const struct kft_interval_kind *kind,
		       struct kft_trace *t)
{
	int r = 0;

	for (const struct kft_kind_event *of = kind->events; !r && of->name; of++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
		const char *system = of->system;
		const char *copy;

		if (kft_live_format_read(host, of->name, &t->arena, &system, &text) < 0)
			continue;
		copy = kft_arena_strndup(&t->arena, text.buf, text.len);
		r = copy ? kft_class_table_add(&t->classes, system, copy, text.len)
			 : -ENOMEM;
	}
	return r;
}

int kft_live_names(struct kft_host *host, const struct kft_interval_kind *const *kinds,
		   size_t n, struct kft_trace **ret)
{
	struct kft_trace *t;
	int r = kft_trace_create(&t);
	bool has_functions = false;

	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		has_functions |= kft_interval_kind_has_functions(kinds[i]);
	r = kft_origin_add(&t->meta);
	t->classes.parse = kft_format_parse;
	t->classes.long_size = sizeof(long);
	for (size_t i = 0; !r && i < n; i++)
		r = add_formats(host, kinds[i], t);
	if (!r && has_functions)
		r = kft_origin_add_symbols(host, NULL, &t->meta);
	if (r < 0) {
		kft_trace_destroy(t);
		return r;
	}
	if (has_functions)
		(void)kft_trace_symbols(t);
	name_irqs(host, t);
	/* The names of tasks come from the rows. */
	t->have_tasks = true;
	*ret = t;
	return 0;
}

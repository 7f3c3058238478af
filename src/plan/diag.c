// SPDX-License-Identifier: LGPL-2.1-or-later
/* Collects the mistakes in a configuration. */
#include "plan/diag.h"

#include <errno.h>

#include "base/err.h"

void kft_diags_finish(struct kft_diags *d)
{
	kft_arena_finish(&d->arena);
	kft_vec_finish(&d->list);
}

static const char *format(struct kft_diags *d, const char *fmt, va_list ap)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf raw = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf safe = {};

	kft_strbuf_vaddf(&raw, fmt, ap);
	kft_strbuf_add_escaped(&safe, raw.buf ? raw.buf : "", raw.len);
	if (!kft_strbuf_ok(&raw) || !kft_strbuf_ok(&safe))
		return NULL;
	return kft_arena_strndup(&d->arena, kft_strbuf_cstr(&safe), safe.len);
}

void kft_diag_add(struct kft_diags *d, struct kft_pos pos, const char *fmt, ...)
{
	if (d->list.len == KFT_DIAGS_MAX) {
		d->dropped_count++;
		return;
	}
	va_list ap;

	va_start(ap, fmt);
	struct kft_diag diag = {.pos = pos, .msg = format(d, fmt, ap)};
	va_end(ap);
	if (!diag.msg || !kft_vec_push(&d->list, diag))
		d->dropped_count++;
}

void kft_diag_hint(struct kft_diags *d, const char *fmt, ...)
{
	/* The message of this hint was dropped, so the hint is dropped too. */
	if (!d->list.len || d->dropped_count)
		return;
	va_list ap;

	va_start(ap, fmt);
	d->list.data[d->list.len - 1].hint = format(d, fmt, ap);
	va_end(ap);
}

static void add_place(struct kft_strbuf *sb, const char *path, struct kft_pos pos)
{
	kft_strbuf_add_escaped(sb, path, strlen(path));
	if (pos.line)
		kft_strbuf_addf(sb, ":%u:%u", pos.line, pos.col);
	kft_strbuf_adds(sb, ": ");
}

void kft_diags_text(const struct kft_diags *d, const char *path, struct kft_strbuf *sb)
{
	kft_vec_for_each(&d->list, diag) {
		add_place(sb, path, diag->pos);
		kft_strbuf_addf(sb, "%s\n", diag->msg);
		if (diag->hint)
			kft_strbuf_addf(sb, "  %s\n", diag->hint);
	}
	if (d->dropped_count) {
		add_place(sb, path, (struct kft_pos){});
		kft_strbuf_addf(sb, "%zu more\n", d->dropped_count);
	}
}

int kft_diags_err(const struct kft_diags *d, const char *path, struct kft_err *e)
{
	if (!kft_diags_any(d))
		return 0;
	if (!d->list.len)
		return kft_err_sys(e, -ENOMEM, "%s", path);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const struct kft_diag *first = d->list.data;
	size_t more = d->list.len - 1 + d->dropped_count;

	add_place(&sb, path, first->pos);
	kft_strbuf_adds(&sb, first->msg);
	if (more)
		kft_strbuf_addf(&sb, " (and %zu more)", more);
	(void)kft_err_set(e, -EINVAL, "%s", kft_strbuf_cstr(&sb));
	if (first->hint)
		kft_err_hint(e, "%s", first->hint);
	return -EINVAL;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* The table of export formats. */
#include "export/export.h"

#include <string.h>

#include <errno.h>

#include "base/err.h"
#include "base/io.h"
#include "decode/trace_lazy.h"
#include "derive/engine/ahead.h"
#include "export/export_impl.h"
#include "model/merge.h"

/* One per line, to avoid conflicts between branches. */
/* clang-format off */
#define FORMATS(X)                                                                       \
	X(tracedat, "trace.dat")                                                         \
	X(csv, "csv")                                                                    \
	X(json, "json")                                                                  \
	X(chrome, "chrome")                                                              \
	X(perfetto, "perfetto")                                                          \
	X(sqlite, "sqlite")                                                              \
	X(ctf, "ctf")                                                                    \
	X(kpt, "kpt")                                                                    \
	X(framesoc, "framesoc")                                                          \
	X(firefox, "firefox")                                                            \
	X(folded, "folded")                                                              \
	X(pprof, "pprof")
/* clang-format on */

#define ADD_FORMAT(id, name) &kft_export_##id,
#define ADD_NAME(id, name)   name,

const struct kft_export_format *const kft_export_formats[] = {FORMATS(ADD_FORMAT) NULL};
const char *const kft_export_names[] = {FORMATS(ADD_NAME) NULL};

int kft_export_failed(struct kft_export *x, int code)
{
	if (x->e && x->e->code)
		return x->e->code;
	return kft_err_sys(x->e, code, "cannot write '%s'", x->path);
}

int kft_export_flush(struct kft_export *x)
{
	int r = kft_strbuf_ok(&x->sb) ? kft_write_all(x->fd, x->sb.buf, x->sb.len)
				      : -ENOMEM;

	kft_strbuf_clear(&x->sb);
	return r < 0 ? kft_export_failed(x, r) : 0;
}

int kft_export_each(struct kft_export *x, kft_export_event_fn *event, void *arg)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	int r = kft_merge_create(x->trace, x->scope, &m);

	while (r >= 0 && (r = kft_merge_next(m, &ev)) > 0) {
		r = event(arg, ev);
		x->events++;
	}
	return r < 0 ? kft_export_failed(x, r) : 0;
}

int kft_export_engine(struct kft_export *x, const struct kft_interval_kind *const *kinds,
		      size_t n, const struct kft_interval_sink *sink,
		      struct kft_engine **ret)
{
	(void)kft_trace_symbols(x->trace);
	int r = kft_engine_create(x->trace, kinds, n, sink, ret);

	if (!r)
		kft_engine_span_of(*ret, x->trace, x->scope);
	return r;
}

int kft_export_intervals(struct kft_export *x, kft_interval_fn *take, void *arg)
{
	const struct kft_interval_sink sink = {take, arg};

	(void)kft_trace_symbols(x->trace);
	int r = kft_engine_run(x->trace, x->scope, x->kinds, x->n_kinds, &sink);

	return r < 0 ? kft_export_failed(x, r) : 0;
}

void kft_export_interval_name(const struct kft_export *x, const struct kft_interval *i,
			      struct kft_strbuf *sb)
{
	kft_strbuf_clear(sb);
	if (i->key == KFT_INTERVAL_NO_KEY)
		kft_strbuf_addc(sb, '?');
	else
		kft_interval_key_text(x->trace, i->kind, i->key, sb);
}

/* Cuts the first word off the text. */
static struct kft_blob take_word(struct kft_blob *text)
{
	const char *blank = text->len ? memchr(text->data, ' ', text->len) : NULL;
	struct kft_blob word = *text;

	if (blank)
		word.len = blank - text->data;
	text->data += word.len + (blank != NULL);
	text->len -= word.len + (blank != NULL);
	return word;
}

/* Splits "Linux host release version machine"; only the version contains blanks. */
struct kft_export_uname kft_export_uname(const struct kft_export *x)
{
	const struct kft_blob *uname = &x->trace->meta.uname;
	struct kft_blob rest = {uname->len ? uname->data : "",
				uname->len ? strnlen(uname->data, uname->len) : 0};
	struct kft_export_uname u = {};

	u.sysname = take_word(&rest);
	u.host = take_word(&rest);
	u.release = take_word(&rest);
	const char *last = rest.len ? memrchr(rest.data, ' ', rest.len) : NULL;
	u.machine = rest;
	if (last) {
		u.version = (struct kft_blob){rest.data, last - rest.data};
		u.machine = (struct kft_blob){last + 1, rest.len - u.version.len - 1};
	}
	return u;
}

int kft_export_run(const struct kft_export_format *format, struct kft_export *x)
{
	(void)kft_trace_tasks(x->trace);
	int r = format->write(x);

	if (r >= 0 && x->sb.len)
		r = kft_export_flush(x);
	kft_strbuf_finish(&x->sb);
	return r;
}

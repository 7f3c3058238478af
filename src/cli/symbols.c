// SPDX-License-Identifier: GPL-2.0-only
/* Loads a symbol map for verbs that need one. */
#include "cli/symbols.h"

#include <errno.h>
#include <fcntl.h>

#include "base/err.h"
#include "base/io.h"
#include "file/registry.h"

#define KALLSYMS "/proc/kallsyms"
/* The maps of the largest kernels with modules have about 20 MB. */
#define MAP_MAX_BYTES ((size_t)256 << 20)

static int from_trace(const char *path, struct cli_symbols *s, struct kft_err *e)
{
	const struct kft_blob *blob = kft_trace_kallsyms(s->trace);

	if (!blob->len)
		return kft_err_set(e, -ENOENT, "trace '%s' has no symbols", path);
	s->text = blob->data;
	s->len = blob->len;
	return 0;
}

static int from_text(const char *path, struct cli_symbols *s, struct kft_err *e)
{
	int r = kft_read_at(AT_FDCWD, path, MAP_MAX_BYTES, &s->file);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read the symbols of '%s'", path);
	s->text = kft_strbuf_cstr(&s->file);
	s->len = s->file.len;
	return 0;
}

int cli_symbols_load(const char *path, struct cli_symbols *ret, struct kft_err *e)
{
	struct cli_symbols s = {};
	int r;

	if (path && kft_file_open(path, &s.trace, NULL) == 0)
		r = from_trace(path, &s, e);
	else
		r = from_text(path ? path : KALLSYMS, &s, e);
	if (r < 0) {
		cli_symbols_finish(&s);
		return r;
	}
	*ret = s;
	return 0;
}

void cli_symbols_finish(struct cli_symbols *s)
{
	kft_strbuf_finish(&s->file);
	s->trace = kft_trace_destroy(s->trace);
}

int cli_symbols_hidden(const char *path, struct kft_err *e)
{
	(void)kft_err_set(e, -EPERM, "'%s' has no addresses", path ? path : KALLSYMS);
	if (!path)
		kft_err_hint(e, "run kft as root, with kernel.kptr_restrict below 2; or "
				"give a System.map");
	return -EPERM;
}

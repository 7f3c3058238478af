// SPDX-License-Identifier: GPL-2.0-only
/* Writes standard output in large blocks. */
#include "cli/out.h"

#include <errno.h>

#include "base/io.h"

void cli_out_start(struct cli_out *out)
{
	if (out->start)
		TAKE(out->start)(out);
}

int cli_out_flush(struct cli_out *out)
{
	if (!out->error && !kft_strbuf_ok(&out->sb))
		out->error = -ENOMEM;
	if (out->sb.len)
		cli_out_start(out);
	if (!out->error && out->sb.len)
		out->error = kft_write_all(out->fd, out->sb.buf, out->sb.len);
	kft_strbuf_clear(&out->sb);
	return out->error;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Writes standard output in large blocks. */
#include "cli/out.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/io.h"
#include "cli/progress.h"

size_t cli_terminal_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (!isatty(fd))
		return 0;
	if (columns && atoi(columns) > 0)
		return atoi(columns);
	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void cli_out_start(struct cli_out *out)
{
	if (isatty(out->fd))
		cli_progress_give_way();
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

// SPDX-License-Identifier: GPL-2.0-only
/* Writes the lines of `kft trace`. */
#include "cli/trace_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"

/* A file is written in blocks of this size, and when nothing happens for a moment. */
#define BLOCK ((size_t)64 * 1024)

/* Files of tasks that are open at a time: fewer than any limit of descriptors. */
#define FILES_MAX 256

/* In the table: the file has lines already and is closed. */
#define CLOSED UINT64_MAX

static int open_file(const char *path, int how)
{
	struct stat st;
	int fd = open(path, O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC | how, 0600);

	if (fd < 0)
		return -errno;
	/* /dev/null and pipes keep the mode that they have. */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		(void)fchmod(fd, 0600);
	return fd;
}

int cli_trace_output_open(struct cli_trace_output *o, struct kft_err *e)
{
	o->fd = STDERR_FILENO;
	if (!o->path || o->apart)
		return 0;
	o->fd = open_file(o->path, O_TRUNC);
	return o->fd < 0 ? kft_err_sys(e, o->fd, "cannot write '%s'", o->path) : 0;
}

static void close_files(struct cli_trace_output *o)
{
	for (size_t i = 0; o->fds.slots && i <= o->fds.mask; i++) {
		struct kft_map_slot *s = &o->fds.slots[i];

		if (s->key == KFT_MAP_NO_KEY || !s->value || s->value == CLOSED)
			continue;
		(void)close((int)s->value - 1);
		s->value = CLOSED;
	}
	o->n_open = 0;
}

/* The file of a task. When there are too many, all are closed; lines that come later are appended. */
static int task_file(struct cli_trace_output *o, pid_t tid)
{
	_cleanup_free_ char *path = NULL;
	uint64_t *slot = kft_map_put(&o->fds, (uint64_t)tid);

	if (!slot)
		return -ENOMEM;
	if (*slot && *slot != CLOSED)
		return (int)*slot - 1;
	if (o->n_open == FILES_MAX)
		close_files(o);
	if (asprintf(&path, "%s.%d", o->path, tid) < 0)
		return -ENOMEM;
	int fd = open_file(path, *slot == CLOSED ? O_APPEND : O_TRUNC);

	if (fd >= 0) {
		*slot = (uint64_t)fd + 1;
		o->n_open++;
	}
	return fd;
}

static void write_text(struct cli_trace_output *o, pid_t tid, struct kft_strbuf *text)
{
	int fd = o->path && o->apart ? task_file(o, tid) : o->fd;

	if (!o->error && !kft_strbuf_ok(text))
		o->error = -ENOMEM;
	if (!o->error)
		o->error = fd < 0 ? fd : kft_write_all(fd, text->buf, text->len);
	kft_strbuf_clear(text);
}

void cli_trace_output_write(void *output, pid_t tid, struct kft_strbuf *text)
{
	struct cli_trace_output *o = output;

	/* tid 0: nothing happens at the moment. */
	if (o->path && !o->apart && tid && text->len < BLOCK)
		return;
	write_text(o, tid, text);
}

void cli_trace_output_flush(struct cli_trace_output *o, struct kft_strbuf *text)
{
	write_text(o, 0, text);
}

void cli_trace_output_finish(struct cli_trace_output *o)
{
	close_files(o);
	kft_map_finish(&o->fds);
	if (o->fd >= 0 && o->fd != STDERR_FILENO)
		(void)close(o->fd);
}

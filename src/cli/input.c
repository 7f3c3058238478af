// SPDX-License-Identifier: GPL-2.0-only
/* Opens the trace of a verb's operands. */
#include "cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "analysis/calls/too_deep.h"
#include "base/err.h"
#include "base/io.h"
#include "base/spool.h"
#include "file/tracedat/stream/read.h"
#include "model/join.h"

const char *cli_input_path(int argc, char **argv)
{
	return argc ? argv[0] : CLI_TRACE_DEFAULT;
}

static bool is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

bool cli_input_is(const char *operand)
{
	return is_stdin(operand) || access(operand, F_OK) == 0;
}

const char *cli_input_name(const char *path)
{
	return is_stdin(path) ? "standard input" : path;
}

bool cli_input_is_stream(const char *path)
{
	struct stat st;

	return is_stdin(path) ||
	       (stat(path, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)));
}

/* Reads the head, or less if the input is shorter. */
static int read_head(struct cli_stream *s)
{
	const uint64_t start = 0;
	ssize_t n = kft_read_full(s->fd, s->head, sizeof(s->head),
				  s->is_file ? &start : NULL);

	if (n < 0)
		return n;
	s->head_len = n;
	return 0;
}

int cli_stream_open(const char *path, struct cli_stream *ret, struct kft_err *e)
{
	struct cli_stream s = {.name = cli_input_name(path)};
	struct stat st;

	s.fd = is_stdin(path) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
			      : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (s.fd < 0 || fstat(s.fd, &st) < 0) {
		int r = kft_err_sys(e, -errno, "cannot open '%s'", s.name);

		cli_stream_finish(&s);
		return r;
	}
	s.is_file = S_ISREG(st.st_mode) && lseek(s.fd, 0, SEEK_CUR) == 0;
	int r = isatty(s.fd)
			? kft_err_set(e, -EINVAL, "'%s' is a terminal, no trace", s.name)
			: read_head(&s);
	if (r < 0) {
		if (!isatty(s.fd))
			(void)kft_err_sys(e, r, "cannot read '%s'", s.name);
		cli_stream_finish(&s);
		return r;
	}
	*ret = s;
	return 0;
}

void cli_stream_finish(struct cli_stream *s)
{
	kft_closep(&s->fd);
	s->fd = -1;
}

/* Opens a recording that kft streams. */
static int open_recording(struct cli_stream *s, struct kft_trace **ret, struct kft_err *e)
{
	int r = kft_stream_open(s->fd, s->head, s->head_len, s->name, ret, e);

	return r < 0 ? kft_err_wrap(e, r, "cannot read '%s'", s->name) : 0;
}

int cli_stream_trace(struct cli_stream *s, struct kft_trace **ret, struct kft_err *e)
{
	int fd = -1;

	/* Rejects unknown input before it is copied to a temporary file. */
	if (s->head_len && !kft_file_is_trace(s->head, s->head_len))
		return kft_err_set(e, -EINVAL, "unknown trace format: '%s'", s->name);
	if (s->is_file)
		return kft_file_open_fd(TAKE_FD(s->fd), s->name, ret, e);
	if (HAVE_FOREIGN && kft_stream_match(s->head, s->head_len))
		return open_recording(s, ret, e);
	int r = kft_spool_input(s->fd, s->head, s->head_len, &fd, e);
	if (r < 0)
		return kft_err_wrap(e, r, "cannot read '%s'", s->name);
	return kft_file_open_fd(fd, s->name, ret, e);
}

static int open_file(const char *path, struct kft_trace **ret, struct kft_err *e)
{
	int r = kft_file_open(path, ret, e);

	if (r == -ENOENT && strcmp(path, CLI_TRACE_DEFAULT) == 0)
		kft_err_hint(
			e,
			"name the file of a trace; 'kft record' writes " CLI_TRACE_DEFAULT);
	return r;
}

int cli_input_open(const char *path, struct kft_trace **ret, struct kft_err *e)
{
	_cleanup_(cli_stream_finish) struct cli_stream s = {.fd = -1};

	if (!cli_input_is_stream(path))
		return open_file(path, ret, e);
	int r = cli_stream_open(path, &s, e);
	return r < 0 ? r : cli_stream_trace(&s, ret, e);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

int cli_input_join(char **paths, size_t n, struct kft_trace **ret, struct kft_err *e)
{
	_cleanup_free_ struct kft_trace **traces = calloc(n, sizeof(*traces));
	_cleanup_free_ const char **names = calloc(n, sizeof(*names));
	int r = traces && names ? 0 : kft_err_sys(e, -ENOMEM, "cannot open the traces");
	size_t open = 0;

	while (r == 0 && open < n) {
		names[open] = base_name(paths[open]);
		r = cli_input_open(paths[open], &traces[open], e);
		open += r == 0;
	}
	if (r == 0)
		r = kft_trace_join(traces, names, n, ret, e);
	for (size_t i = 0; r < 0 && i < open; i++)
		(void)kft_trace_destroy(traces[i]);
	return r;
}

bool cli_input_damage(struct kft_trace *t, struct kft_err *ret)
{
	const struct kft_err *first = t->damage.code ? &t->damage : NULL;
	uint64_t places = t->damage.code != 0;

	kft_vec_for_each(&t->buffers, b) {
		kft_vec_for_each(&b->streams, s) {
			places += (*s)->damage_count;
			if (!first && (*s)->damage_count)
				first = &(*s)->damage;
		}
	}
	if (!first)
		return false;
	*ret = *first;
	if (places > 1)
		kft_err_hint(ret,
			     "%" PRIu64 " more places are damaged; the readable part was "
			     "shown",
			     places - 1);
	return true;
}

void cli_input_note_too_deep(const char *path, uint64_t n)
{
	if (n)
		cli_print_note("'%s': %" PRIu64
			       " calls were deeper than the kernel's return stack and "
			       "are missing; 'kft report --flat' shows where",
			       cli_input_name(path), n);
}

int cli_input_finish(struct cli *c, const char *path, struct kft_trace *t)
{
	path = cli_input_name(path);
	kft_vec_for_each(&t->notes, n) {
		if (n->offset)
			cli_print_note("'%s' at byte %" PRIu64 ": %s", path, n->offset,
				       n->text);
		else
			cli_print_note("'%s': %s", path, n->text);
	}
	if (t->unfinished)
		cli_print_note("'%s': the recording was not finished; the events that "
			       "reached the disk are shown",
			       path);
	return cli_input_damage(t, &c->err) ? CLI_DAMAGED : CLI_OK;
}

int cli_input_finish_part(struct cli *c, const char *path, struct kft_trace *t,
			  const struct kft_scope *scope)
{
	uint64_t n;

	/* Read errors were reported with the answer already. */
	if (!t->more && kft_too_deep_count(t, scope, NULL, &n) == 0)
		cli_input_note_too_deep(path, n);
	return cli_input_finish(c, path, t);
}

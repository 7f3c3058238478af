// SPDX-License-Identifier: LGPL-2.1-or-later
/* Takes snapshots of detached recordings that overwrite their oldest events. */
#include "session/flight.h"

#include <kft/snapshot.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>

#include "base/dir.h"
#include "base/err.h"
#include "base/io.h"
#include "base/local_time.h"
#include "decode/task_names.h"

/* A file of the recording's parts while it replaces another. */
#define NEW_FILE "new"
#define MARK_MAX 256
/* The names of tasks in the recording's parts, and the size from which they are cut. */
#define NAMES_FILE	"names"
#define NAMES_CUT_BYTES (1U << 20)
/* At most so many bytes of a cause are part of a file's name. */
#define CAUSE_MAX 48

static int check(const struct kft_detached *d, struct kft_err *e)
{
	const struct kft_session_state *rec = &d->run.rec;
	const char *name = d->run.dir.name;

	if (!rec->options.is_recording || !rec->options.overwrite) {
		(void)kft_err_set(e, -EINVAL, "session '%s' does not keep the newest",
				  name);
		kft_err_hint(e, "'kft flight start' and 'kft record --detach "
				"--overwrite' make sessions that do");
		return -EINVAL;
	}
	if (rec->state == KFT_STATE_RECORDING || rec->state == KFT_STATE_PAUSED)
		return 0;
	(void)kft_err_set(e, -EINVAL, "session '%s' is %s", name,
			  kft_state_name(rec->state));
	if (kft_state_is_complete(rec->state))
		kft_err_hint(e, "'kft save -n %s' writes its events", name);
	return -EINVAL;
}

/* Copies the header of the page at that place, and notes in it that older ones are gone. */
static int copy_header(const struct kft_ring_layout *layout, int from, off_t at, int to)
{
	uint8_t header[64];

	if (layout->data_offset > sizeof(header))
		return -EBADMSG;
	int r = kft_pread_all(from, header, layout->data_offset, (uint64_t)at);
	if (r < 0)
		return r;
	kft_ring_page_note_missed(layout, header);
	return kft_pwrite_all(to, header, layout->data_offset, 0);
}

static int copy_from(int from, off_t at, int to)
{
	ssize_t n;

	while ((n = sendfile(to, from, &at, 1 << 30)) > 0)
		;
	return n < 0 ? -errno : 0;
}

/*
 * Cuts a file to the size of the buffer that its pages are from. A rename replaces it, so a
 * killed process leaves it whole.
 */
static int keep_end(int dir_fd, const char *file, const struct kft_part_shape *shape)
{
	_cleanup_close_ int from = openat(dir_fd, file,
					  O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (from < 0 || fstat(from, &st) < 0)
		return -errno;
	if ((uint64_t)st.st_size <= shape->buffer_bytes)
		return 0;
	_cleanup_close_ int to = kft_make_file_at(dir_fd, NEW_FILE, O_WRONLY | O_TRUNC);
	off_t at = st.st_size - (off_t)shape->buffer_bytes;
	int r = to < 0 ? to : copy_from(from, at, to);
	if (r == 0)
		r = copy_header(&shape->layout, from, at, to);
	if (r == 0 && renameat(dir_fd, NEW_FILE, dir_fd, file) < 0)
		r = -errno;
	return r;
}

/* Returns the part with the buffer of this file: "NAME.cpu0" is of NAME, "cpu0" of the lead. */
static const struct kft_part *part_of(const struct kft_run *run, const char *file)
{
	for (size_t i = 0; i + 1 < run->n_parts; i++) {
		const char *name = run->parts[i]->ops->name;
		size_t len = strlen(name);

		if (strncmp(file, name, len) == 0 && file[len] == '.')
			return run->parts[i];
	}
	return kft_run_lead(run);
}

/*
 * Cuts the files of pages to the size of the kernel's buffers. *ret_first is the time of the
 * oldest page that is left: a page begins with its time.
 */
static int cut_pages(const struct kft_run *run, DIR *dir, uint64_t *ret_first)
{
	const char *file;
	int r = 0;

	*ret_first = UINT64_MAX;
	while (r == 0 && (file = kft_dir_next(dir))) {
		const struct kft_part *p = part_of(run, file);
		struct kft_part_shape shape;
		uint64_t ts;

		if (!strstr(file, "cpu"))
			continue;
		r = kft_part_ops(p)->shape(p, &shape);
		if (r == 0)
			r = keep_end(dirfd(dir), file, &shape);
		_cleanup_close_ int fd = openat(dirfd(dir), file,
						O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0 && kft_pread_all(fd, &ts, sizeof(ts), 0) == 0)
			*ret_first = KFT_MIN(*ret_first, ts);
	}
	return r;
}

/* Removes the names of tasks that were replaced before the oldest record. */
static int cut_names(int dir_fd, uint64_t since_ns)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf all = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf left = {};
	int r = kft_read_at(dir_fd, NAMES_FILE, KFT_TASK_NAMES_MAX_BYTES, &all);

	if (r < 0 || all.len < NAMES_CUT_BYTES)
		return r == -ENOENT ? 0 : r;
	r = kft_task_names_since(all.buf, all.len, since_ns, &left);
	_cleanup_close_ int fd = kft_make_file_at(dir_fd, NEW_FILE, O_WRONLY | O_TRUNC);
	if (r == 0)
		r = fd < 0 ? fd : kft_write_all(fd, left.buf, left.len);
	if (r == 0 && renameat(dir_fd, NEW_FILE, dir_fd, NAMES_FILE) < 0)
		r = -errno;
	return r;
}

/* Cuts the files of the session's directory to the size of the kernel's buffers. */
static int forget_oldest(const struct kft_run *run, struct kft_err *e)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(run->dir.fd,
						     KFT_DETACHED_RAW ".parts");
	uint64_t first;
	int r = dir ? cut_pages(run, dir, &first) : -errno;

	if (r == 0 && HAVE_SESSION_NAMES)
		r = cut_names(dirfd(dir), first);
	return r < 0 ? kft_err_sys(e, r, "cannot make room in /run/kft/%s", run->dir.name)
		     : 0;
}

void kft_flight_mark(const struct kft_detached *d, const char *what, const char *text)
{
	char mark[MARK_MAX];
	int n = snprintf(mark, sizeof(mark), "%s%s", what, text ? text : "");

	struct kft_part *lead = kft_run_lead(&d->run);
	(void)!kft_part_ops(lead)->mark(lead, mark, KFT_MIN((size_t)n, sizeof(mark) - 1));
}

/* "irq:24 > 5ms" is "-irq-24-5ms". */
static void add_cause(const char *cause, struct kft_strbuf *sb)
{
	size_t end = sb->len + CAUSE_MAX;

	for (const char *p = cause; *p && sb->len < end; p++) {
		size_t len = strspn(p, "abcdefghijklmnopqrstuvwxyz"
				       "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

		len = KFT_MIN(len, end - sb->len);
		if (!len)
			continue;
		kft_strbuf_addc(sb, '-');
		kft_strbuf_add(sb, p, len);
		p += len - 1;
	}
}

/* "20261123-080509" */
static void add_now(struct kft_strbuf *sb)
{
	char now[KFT_LOCAL_TIME_BYTES];

	(void)kft_local_time_text(time(NULL), now);
	for (const char *p = now; *p; p++)
		if (*p != '-' && *p != ':')
			kft_strbuf_addc(sb, *p == ' ' ? '-' : *p);
}

int kft_flight_file(const char *dir, const char *session, const char *cause, char *ret,
		    size_t size)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf base = {};

	kft_strbuf_addf(&base, "%s/%s-", dir, session);
	add_now(&base);
	if (cause)
		add_cause(cause, &base);
	const char *path = kft_strbuf_cstr(&base);
	int n = snprintf(ret, size, "%s.dat", path);
	for (int i = 2; n < (int)size && access(ret, F_OK) == 0; i++)
		n = snprintf(ret, size, "%s-%d.dat", path, i);
	return n < (int)size && kft_strbuf_ok(&base) ? 0 : -ENAMETOOLONG;
}

int kft_flight_prepare(struct kft_detached *d, struct kft_err *e)
{
	int r = check(d, e);

	if (r == 0)
		r = kft_detached_drain(d->notify, &d->run, &d->plan, e);
	return r == 0 ? forget_oldest(&d->run, e) : r;
}

int kft_detached_snapshot(struct kft_detached *d, const char *output, const char *why,
			  struct kft_tracedat_recovered *ret, struct kft_err *e)
{
	const struct kft_tracedat_opts opts = {
		.compress = kft_tracedat_default_compress(7), .overwrites = true};
	char path[KFT_DETACHED_PATH_MAX];
	int r = check(d, e);

	if (r < 0)
		return r;
	/* Events after these markers need not be in the snapshot. */
	kft_run_repeat_marks(&d->run);
	kft_flight_mark(d, "kft: snapshot ", why);
	r = kft_flight_prepare(d, e);
	kft_detached_raw_path(&d->run, path);
	if (r == 0)
		r = kft_tracedat_recover(path, output, &opts, ret, e);
	if (r == 0)
		kft_run_warn(&d->run, d->notify);
	return r;
}

KFT_EXPORT int kft_snapshot(const char *session, const char *output, const char *why,
			    struct kft_err *e)
{
	const char *name = session ? session : KFT_FLIGHT_NAME;
	struct kft_tracedat_recovered unused;
	char file[PATH_MAX];
	struct kft_detached d;
	int r = kft_detached_open(name, NULL, &d, e);

	if (r < 0)
		return r;
	r = kft_detached_refresh(&d, e);
	if (r == 0 && !output) {
		kft_flight_make_dir(KFT_FLIGHT_DIR);
		r = kft_flight_file(KFT_FLIGHT_DIR, name, NULL, file, sizeof(file));
		output = file;
	}
	if (r == 0)
		r = kft_detached_snapshot(&d, output, why, &unused, e);
	kft_detached_close(&d);
	return r;
}

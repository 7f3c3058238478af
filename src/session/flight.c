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

#include "base/err.h"
#include "base/io.h"
#include "base/local_time.h"
#include "decode/ring.h"
#include "session/run/budget.h"
#include "session/run/modules.h"
#include "session/run/names.h"
#include "session/run/switched.h"
#include "tracefs/control/cpus.h"
#include "tracefs/control/control_file.h"
#include "file/tracedat/parts.h"

#define NEW_FILE	 "newest"
#define MARK_MAX	 256
#define HEADER_MAX_BYTES 4096 /* of events/header_page; kernels write 300 */
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

/* Gets the size of a CPU's buffer in bytes, rounded up to whole pages of the buffer. */
static int find_limit(const struct kft_run *run, uint64_t *ret)
{
	uint64_t page_kb = 0;
	uint64_t buffer_kb;
	int r = kft_control_file_read_u64(run->place.fd, "buffer_size_kb", &buffer_kb);

	if (r < 0)
		return r;
	if (kft_control_file_read_u64(run->place.fd, "buffer_subbuf_size_kb", &page_kb) <
		    0 ||
	    !page_kb)
		page_kb = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
	*ret = (buffer_kb + page_kb - 1) / page_kb * page_kb * 1024;
	return 0;
}

/* Copies the header of the page at that place, and notes in it that older ones are gone. */
static int copy_header(int tracefs_fd, int from, off_t at, int to)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	struct kft_ring_layout layout;
	uint8_t header[64];
	int r = kft_read_at(tracefs_fd, "events/header_page", HEADER_MAX_BYTES, &text);

	if (r == 0)
		r = kft_ring_layout_parse(kft_strbuf_cstr(&text), text.len,
					  KFT_HOST_BIG_ENDIAN, &layout);
	if (r == 0 && layout.data_offset > sizeof(header))
		r = -EBADMSG;
	if (r == 0)
		r = kft_pread_all(from, header, layout.data_offset, (uint64_t)at);
	if (r < 0)
		return r;
	kft_ring_page_note_missed(&layout, header);
	return kft_pwrite_all(to, header, layout.data_offset, 0);
}

static int copy_from(int from, off_t at, int to)
{
	ssize_t n;

	while ((n = sendfile(to, from, &at, 1 << 30)) > 0)
		;
	return n < 0 ? -errno : 0;
}

/*
 * Cuts a file to its last bytes. A rename replaces it, so a killed process leaves it
 * whole.
 */
static int keep_end(const struct kft_run *run, const char *file, uint64_t bytes)
{
	int dir_fd = run->dir.fd;
	_cleanup_close_ int from = openat(dir_fd, file, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (from < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(from, &st) < 0)
		return -errno;
	if ((uint64_t)st.st_size <= bytes)
		return 0;
	_cleanup_close_ int to = kft_make_file_at(dir_fd, NEW_FILE, O_WRONLY | O_TRUNC);
	off_t at = st.st_size - (off_t)bytes;
	int r = to < 0 ? to : copy_from(from, at, to);
	if (r == 0)
		r = copy_header(run->host->tracefs_fd, from, at, to);
	if (r == 0 && renameat(dir_fd, NEW_FILE, dir_fd, file) < 0)
		r = -errno;
	return r;
}

/* Cuts the files of the session's directory to the size of the kernel's buffers. */
static int forget_oldest(const struct kft_run *run, struct kft_err *e)
{
	struct kft_cpus cpus = {};
	uint64_t limit = 0;
	int r = kft_cpus_list(run->place.fd, &cpus);

	if (r == 0)
		r = find_limit(run, &limit);
	for (size_t i = 0; r == 0 && i < cpus.len * KFT_PARTS_BUFFERS; i++) {
		char name[KFT_PARTS_NAME_MAX];
		char file[64];

		kft_parts_cpu_name(i % KFT_PARTS_BUFFERS,
				   cpus.data[i / KFT_PARTS_BUFFERS], name);
		(void)snprintf(file, sizeof(file), KFT_DETACHED_RAW ".parts/%s", name);
		r = keep_end(run, file, limit);
	}
	kft_vec_finish(&cpus);
	if (r == 0)
		r = kft_run_names_forget(run, KFT_DETACHED_RAW ".parts");
	return r < 0 ? kft_err_sys(e, r, "cannot make room in /run/kft/%s", run->dir.name)
		     : 0;
}

void kft_flight_mark(const struct kft_detached *d, const char *what, const char *text)
{
	char mark[MARK_MAX];
	int n = snprintf(mark, sizeof(mark), "%s%s", what, text ? text : "");

	(void)!kft_write_at(d->run.place.fd, "trace_marker", 0, mark,
			    KFT_MIN((size_t)n, sizeof(mark) - 1));
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
	kft_budget_mark(&d->run);
	kft_switched_mark(&d->run);
	kft_flight_mark(d, "kft: snapshot ", why);
	r = kft_flight_prepare(d, e);
	kft_detached_raw_path(&d->run, path);
	if (r == 0)
		r = kft_tracedat_recover(path, output, &opts, ret, e);
	if (r == 0)
		kft_run_modules_warn(&d->run, d->notify);
	return r;
}

void kft_flight_make_dir(const char *dir)
{
	char part[PATH_MAX];

	for (size_t len = 1; len <= strlen(dir) && len < sizeof(part); len++) {
		if (dir[len] && dir[len] != '/')
			continue;
		memcpy(part, dir, len);
		part[len] = '\0';
		(void)mkdir(part, 0755);
	}
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

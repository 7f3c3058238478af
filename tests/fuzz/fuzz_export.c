// SPDX-License-Identifier: GPL-2.0-only
/* trace.dat files in the format of every other program: kft export. */
#include "trace.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/dir.h"
#include "derive/kinds/kinds.h"
#include "export/export.h"
#include "file/tracedat/read/read.h"

/* The directory for exports that need a name; made once, emptied after each use. */
static char folder[] = "/dev/shm/kft-fuzz-XXXXXX";

static void remove_folder(void)
{
	(void)rmdir(folder);
}

static void make_folder(void)
{
	static bool is_made;

	if (is_made)
		return;
	FUZZ_ASSERT(mkdtemp(folder));
	(void)atexit(remove_folder);
	is_made = true;
}

static void empty_directory(int fd)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(fd, ".");
	const char *name;

	while (dir && (name = kft_dir_next(dir)))
		(void)unlinkat(fd, name, 0);
}

static void write_format(const struct kft_export_format *format, struct kft_export x)
{
	struct kft_err e = {};

	x.e = &e;
	x.path = "fuzz";
	int r = kft_export_run(format, &x);

	/* An export of damaged data may succeed; a failure must have a message. */
	FUZZ_ASSERT(r >= 0 || (e.code < 0 && *e.msg));
}

/* A library writes there by name. */
static void write_named(const struct kft_export_format *format, struct kft_trace *t,
			const struct kft_scope *scope)
{
	char path[sizeof(folder) + 8];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/named", folder);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	write_format(format,
		     (struct kft_export){
			     .trace = t, .scope = scope, .made_at = path, .fd = fd});
	(void)close(fd);
	(void)unlink(path);
}

static void write_directory(const struct kft_export_format *format, struct kft_trace *t,
			    const struct kft_scope *scope)
{
	_cleanup_close_ int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	write_format(format, (struct kft_export){.trace = t, .scope = scope, .fd = fd});
	empty_directory(fd);
}

static void write_bytes(const struct kft_export_format *format, struct kft_trace *t,
			const struct kft_scope *scope, bool intervals)
{
	_cleanup_close_ int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct kft_export x = {.trace = t, .scope = scope, .fd = fd};

	if (intervals) {
		x.kinds = kft_interval_kinds;
		while (kft_interval_kinds[x.n_kinds])
			x.n_kinds++;
	}
	write_format(format, x);
}

static void write_as(const struct kft_export_format *format, struct kft_trace *t)
{
	static const struct kft_scope all = {};

	if (format->shape == KFT_EXPORT_NAMED)
		write_named(format, t, &all);
	else if (format->shape == KFT_EXPORT_DIRECTORY)
		write_directory(format, t, &all);
	else
		write_bytes(format, t, &all, false);
	if (format->has_intervals)
		write_bytes(format, t, &all, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err e = {};
	int fd = fuzz_file_of(data, size);

	make_folder();
	if (fd < 0 || kft_tracedat_open(fd, "/nowhere/fuzz", &t, &e) < 0)
		return 0;
	for (size_t i = 0; kft_export_formats[i]; i++)
		write_as(kft_export_formats[i], t);
	return 0;
}

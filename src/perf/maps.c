// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the maps of processes. */
#include "perf/maps.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/dir.h"
#include "base/io.h"
#include "base/scan.h"
#include "base/units.h"

/* A process may have 65530 maps, each with a long path. */
#define MAPS_MAX_BYTES (64U << 20)

/* Parses "ADDR-END PERM OFFSET DEV INODE   FILE". False: the map has no code. */
static bool parse_line(const char *line, struct kft_perf_mmap_event *ret,
		       const char **ret_file)
{
	uint64_t end;
	uint64_t major;
	uint64_t minor;
	const char *word;
	size_t len;

	if (!kft_scan_hex(&line, &ret->addr) || !kft_scan_text(&line, "-") ||
	    !kft_scan_hex(&line, &end) || end < ret->addr ||
	    !kft_scan_word(&line, &word, &len) || len < 3 || word[2] != 'x' ||
	    !kft_scan_hex(&line, &ret->pgoff) || !kft_scan_hex(&line, &major) ||
	    !kft_scan_text(&line, ":") || !kft_scan_hex(&line, &minor) ||
	    !kft_scan_u64(&line, &ret->inode))
		return false;
	ret->major = (uint32_t)major;
	ret->minor = (uint32_t)minor;
	ret->len = end - ret->addr;
	*ret_file = line + strspn(line, " ");
	/* The kernel's records call a map without a file so. */
	if (!**ret_file)
		*ret_file = "//anon";
	return true;
}

/* No line of maps begins with '='. */
#define PROCESS_MARK '='

int kft_perf_maps_write(struct kft_strbuf *maps, uint64_t ts, struct kft_perf_writer *w)
{
	char *text = maps->len ? maps->buf : NULL;
	uint64_t pid = 0;
	int r = 0;

	for (char *line = strsep(&text, "\n"); line && r == 0;
	     line = strsep(&text, "\n")) {
		struct kft_perf_mmap_event map = {};
		const char *file;

		if (*line == PROCESS_MARK)
			(void)!kft_parse_u64(line + 1, &pid);
		else if (parse_line(line, &map, &file)) {
			map.tgid = (int32_t)pid;
			r = kft_perf_writer_add_map(w, ts, (int32_t)pid, &map, file);
		}
	}
	return r;
}

/* Ignores a process that ends or may not be read. */
static void read_process(const struct kft_host *host, uint32_t pid,
			 struct kft_strbuf *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	char path[64];

	(void)snprintf(path, sizeof(path), "proc/%u/maps", pid);
	if (kft_read_at(host->root_fd, path, MAPS_MAX_BYTES, &text) < 0 || !text.len)
		return;
	kft_strbuf_addf(ret, "%c%u\n", PROCESS_MARK, pid);
	kft_strbuf_add(ret, text.buf, text.len);
}

int kft_perf_maps_read(const struct kft_host *host, const struct kft_plan *plan,
		       struct kft_strbuf *ret)
{
	_cleanup_closedir_ DIR *dir = kft_opendir_at(host->root_fd, "proc");
	const char *name;

	for (size_t i = 0; i < plan->n_pids; i++)
		read_process(host, (uint32_t)plan->pids[i], ret);
	while (!plan->n_pids && dir && (name = kft_dir_next(dir))) {
		uint64_t pid;

		if (kft_parse_u64(name, &pid) == 0 && pid <= INT32_MAX)
			read_process(host, (uint32_t)pid, ret);
	}
	return kft_strbuf_ok(ret) ? 0 : -ENOMEM;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* A function of this program on which probes are tried. */
#include "doctor/target.h"

#include <errno.h>
#include <string.h>

#include "base/io.h"
#include "base/scan.h"

#define MAPS_MAX (4 << 20)

#ifdef __arm__
/* The kernel's uprobes support only ARM code, but Debian's armhf is built as Thumb. */
__attribute__((target("arm")))
#endif
#ifdef __clang__
__attribute__((noinline)) /* clang makes no clones */
#else
__attribute__((noinline, noclone))
#endif
int kft_doctor_kick_target(struct kft_doctor_env *env)
{
	return 0;
}

/* Parses a line of maps: "start-end perms offset dev inode   path". */
static bool place_in_line(const char *line, uint64_t addr, struct kft_doctor_place *ret)
{
	uint64_t start, end, offset;

	if (!kft_scan_hex(&line, &start) || !kft_scan_text(&line, "-") ||
	    !kft_scan_hex(&line, &end) || !kft_scan_word(&line, NULL, NULL) ||
	    !kft_scan_hex(&line, &offset) || !kft_scan_word(&line, NULL, NULL) ||
	    !kft_scan_word(&line, NULL, NULL) || !kft_scan_text(&line, " "))
		return false;
	if (*line != '/' || addr < start || addr >= end ||
	    strlen(line) >= sizeof(ret->path))
		return false;
	strcpy(ret->path, line);
	ret->offset = addr - start + offset;
	return true;
}

int kft_doctor_find_target(int root_fd, struct kft_doctor_place *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf maps = {};
	uint64_t addr = (uintptr_t)kft_doctor_kick_target;
	int r = kft_read_at(root_fd, "proc/self/maps", MAPS_MAX, &maps);
	char *save;

	if (r < 0)
		return r;
	(void)kft_strbuf_cstr(&maps);
	if (!kft_strbuf_ok(&maps))
		return -ENOMEM;
	for (char *line = strtok_r(maps.buf, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (place_in_line(line, addr, ret))
			return 0;
	return -ENOENT;
}

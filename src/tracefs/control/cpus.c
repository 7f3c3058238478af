// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists an instance's CPUs. */
#include "tracefs/control/cpus.h"

#include <errno.h>
#include <string.h>

#include "base/dir.h"
#include "base/io.h"
#include "base/units.h"

#define ONLINE_FILE	 "sys/devices/system/cpu/online"
#define ONLINE_MAX_BYTES (64U << 10)

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int add(struct kft_cpus *cpus, const char *name)
{
	uint64_t cpu;

	if (strncmp(name, "cpu", 3) != 0 || kft_parse_u64(name + 3, &cpu) < 0 ||
	    cpu >= KFT_CPUS_MAX)
		return 0;
	return kft_vec_push(cpus, cpu) ? 0 : -ENOMEM;
}

int kft_cpus_list(int instance_fd, struct kft_cpus *ret)
{
	struct kft_cpus cpus = {};
	_cleanup_closedir_ DIR *dir = kft_opendir_at(instance_fd, "per_cpu");
	const char *name;
	int r = 0;

	if (!dir)
		return -errno;
	while (r == 0 && (name = kft_dir_next(dir)))
		r = add(&cpus, name);
	if (r == 0 && !cpus.len)
		r = -ENOENT;
	if (r < 0) {
		kft_vec_finish(&cpus);
		return r;
	}
	qsort(cpus.data, cpus.len, sizeof(*cpus.data), compare);
	*ret = cpus;
	return 0;
}

/* Returns the number of CPUs in a range, "0-3" or "7"; 0 for other text. */
static uint32_t count_range(char *range)
{
	char *dash = strchr(range, '-');
	uint64_t first;
	uint64_t last;

	if (dash)
		*dash = '\0';
	if (kft_parse_u64(range, &first) < 0 || first >= KFT_CPUS_MAX)
		return 0;
	if (!dash)
		return 1;
	if (kft_parse_u64(dash + 1, &last) < 0 || last >= KFT_CPUS_MAX || last < first)
		return 0;
	return last - first + 1;
}

uint32_t kft_cpus_online(const struct kft_host *host)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	uint32_t n = 0;

	if (kft_read_at(host->root_fd, ONLINE_FILE, ONLINE_MAX_BYTES, &sb) < 0)
		return 1;
	kft_strbuf_addc(&sb, '\0');
	if (!kft_strbuf_ok(&sb))
		return 1;
	char *save = NULL;
	for (char *range = strtok_r(sb.buf, ",\n", &save); range;
	     range = strtok_r(NULL, ",\n", &save))
		n += count_range(range);
	return n ? n : 1;
}

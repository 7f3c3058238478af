// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replays inputs through a fuzz target that is built without libFuzzer: each argument is
 * a file, or a directory whose files are taken. How the corpora become regression tests.
 * With --cut as first argument each input is also replayed as it would be if it ended
 * earlier: after any byte of its first CUT_BYTES_MAX, and in steps behind them.
 */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io.h"

#define INPUT_BYTES_MAX (16u << 20)
#define CUT_BYTES_MAX	4096
#define CUT_STEP	997 /* a prime: it falls on all kinds of places */

static size_t replayed;
static bool cut;

/* The copy is exactly as large as the input, so that a sanitizer sees reads beyond. */
static int replay(const char *bytes, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	if (!copy)
		return 1;
	if (len)
		memcpy(copy, bytes, len);
	(void)LLVMFuzzerTestOneInput(copy, len);
	free(copy);
	replayed++;
	return 0;
}

static int replay_file(int dirfd, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = kft_read_at(dirfd, name, INPUT_BYTES_MAX, &sb);

	if (r < 0) {
		fprintf(stderr, "cannot read '%s': %s\n", name, strerror(-r));
		return 1;
	}
	for (size_t len = 0; cut && len < sb.len;
	     len += len < CUT_BYTES_MAX ? 1 : CUT_STEP)
		if (replay(sb.buf, len))
			return 1;
	return replay(sb.buf, sb.len);
}

static int replay_dir(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *de;
	int failed = 0;

	if (!dir) {
		perror(path);
		return 1;
	}
	while ((de = readdir(dir)))
		if (de->d_name[0] != '.')
			failed |= replay_file(dirfd(dir), de->d_name);
	(void)closedir(dir);
	return failed;
}

/* Thousands of short inputs: making threads for each would take ten times as long. */
static void use_one_cpu(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET((size_t)sched_getcpu(), &cpus);
	(void)!sched_setaffinity(0, sizeof(cpus), &cpus);
}

int main(int argc, char **argv)
{
	int failed = 0;

	cut = argc > 1 && strcmp(argv[1], "--cut") == 0;
	if (cut)
		use_one_cpu();
	for (int i = cut ? 2 : 1; i < argc; i++) {
		struct stat st;

		if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode))
			failed |= replay_dir(argv[i]);
		else
			failed |= replay_file(AT_FDCWD, argv[i]);
	}
	if (!replayed)
		fprintf(stderr, "no inputs\n");
	return failed || !replayed;
}

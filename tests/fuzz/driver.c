// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replays inputs through a fuzz target that is built without libFuzzer: each argument is
 * a file, or a directory whose files are taken. How the corpora become regression tests.
 */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io.h"

#define INPUT_BYTES_MAX (16u << 20)

static size_t replayed;

static int replay_file(int dirfd, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = kft_read_at(dirfd, name, INPUT_BYTES_MAX, &sb);

	if (r < 0) {
		fprintf(stderr, "cannot read '%s': %s\n", name, strerror(-r));
		return 1;
	}
	/* Exactly as large as the input, so that a sanitizer sees reads beyond. */
	uint8_t *copy = malloc(sb.len ? sb.len : 1);
	if (!copy)
		return 1;
	if (sb.len)
		memcpy(copy, sb.buf, sb.len);
	(void)LLVMFuzzerTestOneInput(copy, sb.len);
	free(copy);
	replayed++;
	return 0;
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

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++) {
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

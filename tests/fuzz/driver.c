// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a fuzz target that is built without libFuzzer:
 *	fuzz_X FILE|DIR...		each file as it is
 *	fuzz_X --cut FILE|DIR...	also as it would be if it ended earlier: after any byte of
 *					its first CUT_BYTES_MAX, and in steps behind them
 *	fuzz_X --runs N [--from FIRST] FILE|DIR...
 *					also N inputs that are derived from all of them, the same
 *					ones each time; one that ends the target is left as
 *					fuzz_X-input-NUMBER; KFT_FUZZ_PART=P in the
 *					environment: the first N/P of them
 */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io.h"
#include "mutate.h"

#define INPUT_BYTES_MAX (16u << 20)
#define CUT_BYTES_MAX	4096
#define CUT_STEP	997 /* a prime: it falls on all kinds of places */

static struct {
	bool cut;
	uint64_t runs;
	uint64_t from;
} arg;

/* For the handler of signals. */
static struct {
	const void *bytes;
	size_t len;
	char file[128];
} current;

/* Handles the signals of abort(), FUZZ_ASSERT() and a test's timeout: saves the input. */
static void keep_input(int sig)
{
	int fd = current.file[0] ? open(current.file, O_WRONLY | O_CREAT | O_TRUNC, 0600)
				 : -1;

	if (fd >= 0 && kft_write_all(fd, current.bytes, current.len) == 0) {
		(void)!kft_write_all(STDERR_FILENO, current.file, strlen(current.file));
		(void)!kft_write_all(STDERR_FILENO, "\n", 1);
	}
	(void)signal(sig, SIG_DFL);
	(void)raise(sig);
}

static void heed_signals(void)
{
	static const int signals[] = {SIGABRT, SIGILL, SIGTRAP, SIGTERM};

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		(void)signal(signals[i], keep_input);
}

/* The copy is exactly as large as the input, so that a sanitizer sees reads beyond. */
static int replay(const char *bytes, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	if (!copy)
		return -ENOMEM;
	if (len)
		memcpy(copy, bytes, len);
	(void)LLVMFuzzerTestOneInput(copy, len);
	free(copy);
	return 0;
}

static int read_file(int dirfd, const char *name, struct fuzz_corpus *corpus)
{
	struct kft_strbuf sb = {};
	int r = kft_read_at(dirfd, name, INPUT_BYTES_MAX, &sb);

	if (r == 0 && !kft_vec_push(&corpus->files, sb))
		r = -ENOMEM;
	if (r < 0)
		fprintf(stderr, "cannot read '%s': %s\n", name, strerror(-r));
	return r;
}

/* Reads files in the order of their names, so that derived inputs are reproducible. */
static int read_dir(const char *path, struct fuzz_corpus *corpus)
{
	struct dirent **list;
	int n = scandir(path, &list, NULL, alphasort);
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r = n < 0 || dir < 0 ? -errno : 0;

	for (int i = 0; i < n; i++) {
		if (r == 0 && list[i]->d_name[0] != '.')
			r = read_file(dir, list[i]->d_name, corpus);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	if (dir >= 0)
		(void)close(dir);
	return r;
}

static int replay_file(const struct kft_strbuf *file)
{
	int r = 0;

	for (size_t len = 0; arg.cut && len < file->len && r == 0;
	     len += len < CUT_BYTES_MAX ? 1 : CUT_STEP)
		r = replay(file->buf, len);
	return r == 0 ? replay(file->buf, file->len) : r;
}

static int replay_derived(const struct fuzz_corpus *corpus)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf input = {};
	int r = 0;

	heed_signals();
	for (uint64_t i = arg.from; i < arg.from + arg.runs && r == 0; i++) {
		fuzz_mutate(corpus, i, &input);
		current.bytes = input.buf;
		current.len = input.len;
		(void)snprintf(current.file, sizeof(current.file), "%s-input-%llu",
			       program_invocation_short_name, (unsigned long long)i);
		r = kft_strbuf_ok(&input) ? replay(input.buf, input.len) : -ENOMEM;
	}
	return r;
}

/* Thousands of short inputs: making threads for each would take ten times as long. */
static void use_one_cpu(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET((size_t)sched_getcpu(), &cpus);
	(void)!sched_setaffinity(0, sizeof(cpus), &cpus);
}

/* The index of the first operand. */
static int parse(int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "--cut") == 0)
			arg.cut = true;
		else if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc)
			arg.runs = strtoull(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--from") == 0 && i + 1 < argc)
			arg.from = strtoull(argv[++i], NULL, 10);
		else
			return argc;
	}
	return i;
}

int main(int argc, char **argv)
{
	struct fuzz_corpus corpus = {};
	int r = 0;

	for (int i = parse(argc, argv); i < argc && r == 0; i++) {
		struct stat st;

		r = stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode)
			    ? read_dir(argv[i], &corpus)
			    : read_file(AT_FDCWD, argv[i], &corpus);
	}
	if (r == 0 && !corpus.files.len) {
		fprintf(stderr, "no inputs\n");
		r = -ENOENT;
	}
	const char *part = getenv("KFT_FUZZ_PART");

	if (part && atoi(part) > 1)
		arg.runs = arg.runs / (uint64_t)atoi(part) + 1;
	if (arg.cut || arg.runs)
		use_one_cpu();
	for (size_t i = 0; i < corpus.files.len && r == 0; i++)
		r = replay_file(&corpus.files.data[i]);
	if (r == 0)
		r = replay_derived(&corpus);
	kft_vec_for_each(&corpus.files, file)
		kft_strbuf_finish(file);
	kft_vec_finish(&corpus.files);
	return r < 0;
}

// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/io.h"
#include "capture/caps.h"

#define DAC_OVERRIDE 2 /* CAP_DAC_OVERRIDE's bit is 1 */

struct result {
	int r;
	unsigned long long effective;
	unsigned long long permitted;
	bool no_new_privs;
};

static unsigned long long status_hex(const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (kft_read_at(AT_FDCWD, "/proc/thread-self/status", 1 << 16, &sb) < 0)
		return ~0ULL;
	const char *p = strstr(kft_strbuf_cstr(&sb), name);
	return p ? strtoull(p + strlen(name), NULL, 16) : ~0ULL;
}

/* Runs in a child, because dropped capabilities do not come back. */
static struct result drop(uint32_t keep, const int *dirfds, size_t n)
{
	struct result res = {.r = -1};
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	pid_t pid = fork();
	if (pid == 0) {
		res.r = kft_caps_drop(keep, dirfds, n, NULL);
		res.effective = status_hex("CapEff:\t");
		res.permitted = status_hex("CapPrm:\t");
		res.no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
		(void)!write(fds[1], &res, sizeof(res));
		_exit(0);
	}
	assert_int_equal(read(fds[0], &res, sizeof(res)), sizeof(res));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	(void)close(fds[0]);
	(void)close(fds[1]);
	return res;
}

static void all_go_when_none_is_needed(void **state)
{
	struct result res = drop(0, NULL, 0);

	assert_int_equal(res.r, 0);
	assert_int_equal(res.effective, 0);
	assert_int_equal(res.permitted, 0);
	assert_true(res.no_new_privs);
}

static void an_own_directory_needs_none(void **state)
{
	char path[] = "/tmp/kft-caps.XXXXXX";

	assert_non_null(mkdtemp(path));
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct result res = drop(0, &fd, 1);
	assert_int_equal(res.r, 0);
	assert_int_equal(res.permitted, 0);
	(void)close(fd);
	(void)rmdir(path);
}

static void another_ones_directory_needs_one(void **state)
{
	char path[] = "/tmp/kft-caps.XXXXXX";
	unsigned long long had = status_hex("CapPrm:\t");

	assert_non_null(mkdtemp(path));
	assert_int_equal(chmod(path, 0500), 0);
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct result res = drop(0, &fd, 1);
	assert_int_equal(res.r, 0);
	assert_int_equal(res.permitted, had & DAC_OVERRIDE);
	assert_int_equal(res.effective, had & DAC_OVERRIDE);
	(void)close(fd);
	(void)rmdir(path);
}

static void what_is_needed_is_kept(void **state)
{
	uint32_t chown = 1; /* CAP_CHOWN's bit is 0 */
	unsigned long long had = status_hex("CapPrm:\t");
	struct result res = drop(chown, NULL, 0);

	assert_int_equal(res.r, 0);
	assert_int_equal(res.permitted, had & chown);
	assert_int_equal(res.effective, had & chown);
}

static void one_can_be_asked_for(void **state)
{
	unsigned long long have = status_hex("CapEff:\t");

	for (unsigned int cap = 0; cap < 64; cap++)
		assert_int_equal(kft_caps_have(cap), have >> cap & 1);
	assert_false(kft_caps_have(64));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(all_go_when_none_is_needed),
	cmocka_unit_test(an_own_directory_needs_none),
	cmocka_unit_test(another_ones_directory_needs_one),
	cmocka_unit_test(what_is_needed_is_kept),
	cmocka_unit_test(one_can_be_asked_for),
};

T_MAIN(tests)

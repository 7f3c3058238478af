// SPDX-License-Identifier: GPL-2.0-only
#include "live.h"

#include <fcntl.h>

#include "base/io.h"
#include "tracefs/control/instance.h"
#include "tracefs/control/mount.h"

static size_t count_mounts(void)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	size_t n = 0;

	assert_int_equal(kft_read_at(AT_FDCWD, "/proc/self/mounts", 16 << 20, &sb), 0);
	for (const char *p = kft_strbuf_cstr(&sb); *p; p++)
		n += *p == '\n';
	return n;
}

/* A tracefs that is mounted nowhere can be used like any other. */
static void assert_usable(int (*mount_own)(void))
{
	size_t before = count_mounts();
	int fd = mount_own();
	struct kft_host *host;
	struct kft_instance i;

	assert_true(fd >= 0);
	assert_int_equal(count_mounts(), before);
	assert_int_equal(kft_host_open(NULL, &host, NULL), 0);
	host->tracefs_fd = fd;
	assert_int_equal(kft_instance_create(host, NULL, &i, NULL), 0);
	/* It is the one that all others see, too. */
	assert_true(live_instance_exists(kft_instance_session(i.name)));
	assert_int_equal(kft_instance_remove(&i, NULL), 0);
	kft_host_close(host);
}

static void without_a_mount_point(void **state)
{
	assert_usable(kft_tracefs_mount_detached);
}

static void by_way_of_a_child(void **state)
{
	live_need_private_mounts();
	assert_usable(kft_tracefs_mount_in_child);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(without_a_mount_point),
	cmocka_unit_test(by_way_of_a_child),
};

LIVE_MAIN(tests)

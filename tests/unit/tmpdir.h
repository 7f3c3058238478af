/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_TMPDIR_H
#define KFT_TESTS_TMPDIR_H

#include "base/macro.h"

/*
 * A directory of its own for each test, in memory where there is a /dev/shm (tests sync a
 * lot), as *state. Everything asserts with cmocka.
 */
struct tmpdir {
	char root[64];
	char path[128]; /* what tmpdir_path() made last */
};

int tmpdir_setup(void **state);
int tmpdir_teardown(void **state);

/* "ROOT/name", borrowed until the next call. */
const char *tmpdir_path(struct tmpdir *d, const char *name);

void tmpdir_write(struct tmpdir *d, const char *name, const void *data, size_t len);
bool tmpdir_exists(struct tmpdir *d, const char *name);

/* The content, to be freed. */
uint8_t *tmpdir_read(struct tmpdir *d, const char *name, size_t *ret_len);

/* Names in the directory, "." and ".." not counted. */
size_t tmpdir_count(struct tmpdir *d);

#endif

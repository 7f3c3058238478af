/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_FAKE_H
#define KFT_TESTS_FAKE_H

#include "base/macro.h"
#include "capture/host.h"

/*
 * A directory of plain files that stands in for a kernel. Paths are relative to its root;
 * everything asserts with cmocka. A read returns the text of the last write.
 */
struct fake {
	char root[64];
	struct kft_host *host;
};

/* cmocka setup and teardown: *state is a struct fake with an empty root. */
int fake_setup(void **state);
int fake_teardown(void **state);

/* Parent directories are made as needed. */
void fake_write(const struct fake *f, const char *path, const char *text);
void fake_mkdir(const struct fake *f, const char *path);
void fake_link(const struct fake *f, const char *path, const char *target);
void fake_remove(const struct fake *f, const char *path);

/* Borrowed until the next call; NULL when there is no such file. */
const char *fake_read(const struct fake *f, const char *path);
bool fake_exists(const struct fake *f, const char *path);

/*
 * Adds a tracefs that works as far as files can: making an instance fills it with control
 * files, removing it empties it. FAKE_TRACEFS is where it is.
 */
#define FAKE_TRACEFS "sys/kernel/tracing"
int fake_tracefs_setup(void **state);

/* These change the files that each new instance gets by default. */
void fake_template_write(const struct fake *f, const char *path, const char *text);
void fake_template_link(const struct fake *f, const char *path, const char *target);
void fake_template_remove(const struct fake *f, const char *path);

/* The number of directories under instances/. */
size_t fake_instances(const struct fake *f);

#endif

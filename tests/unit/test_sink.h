/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_TEST_SINK_H
#define KFT_TESTS_TEST_SINK_H

#include "base/vec.h"
#include "model/sink.h"

#define TEST_SINK_CPUS 64

/* Where the sink is to fail. */
enum test_sink_step {
	TEST_SINK_NEVER,
	TEST_SINK_BEGIN,
	TEST_SINK_CPU_FD,
	TEST_SINK_WRITE, /* the CPU's file is /dev/full */
	TEST_SINK_LOST,
	TEST_SINK_TASKS,
	TEST_SINK_END,
};

/*
 * A sink that keeps what it gets: pages in files without names, the rest in memory.
 * `struct test_sink s; test_sink_init(&s);`
 */
struct test_sink {
	struct kft_sink base;
	enum test_sink_step fail_at;
	const char *dir; /* where the files are made; NULL: /tmp */
	int fds[TEST_SINK_CPUS]; /* -1: was not asked for */
	unsigned int begun;
	unsigned int ended;
	unsigned int tasks;
	uint64_t lost; /* sum of all ranges' counts; under lock */
	KFT_VEC(struct kft_lost_range) ranges; /* under lock */
	/* Of meta at the end. */
	uint64_t overrun;
	uint64_t dropped;
	uint64_t commit_overrun;
	uint64_t unread;
	uint64_t meta_lost; /* sum of meta.lost */
	size_t n_stats;
	struct kft_clock clock;
	uint32_t page_size;
	uint32_t cpu_count;
	size_t n_formats;
	char *header_page;
	char *cmdlines; /* NUL terminated copies */
	char *tgids;
	char *command;
	char *kallsyms;
};

void test_sink_init(struct test_sink *s);
void test_sink_finish(struct test_sink *s);

/* Bytes in all files. */
uint64_t test_sink_bytes(const struct test_sink *s);

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_SAMPLE_H
#define KFT_TESTS_SAMPLE_H

#include "model/meta.h"

/*
 * A small trace for the tests of files: metadata of a machine with two CPUs, and pages with
 * "kft_test:beat" events. Their only field, `n`, counts up; they are 1000 ns apart.
 */
#define SAMPLE_PAGE_BYTES     4096u
#define SAMPLE_EVENT_BYTES    16u /* a record in the page, its header included */
#define SAMPLE_PAGE_HEADER    16u
#define SAMPLE_EVENTS_IN_PAGE 255u /* (4096 - 16) / 16 */
#define SAMPLE_EVENT_ID	      500u

/* Fills in a zeroed meta; finish it with kft_meta_finish(). */
void sample_meta(struct kft_meta *m);

/* Fills a page with events; the first one has n == first and occurs at `first` microseconds. */
void sample_page(uint8_t page[SAMPLE_PAGE_BYTES], uint32_t first, uint32_t n_events);

/* count pages as an anonymous file, n counting up from first; aborts on failure. */
int sample_pages_fd(uint32_t first, uint32_t count);

/* An empty anonymous file, its path for other programs in /proc; aborts on failure. */
int sample_file(void);

/* The whole content of a file, to be freed, and its length; aborts on failure. */
uint8_t *sample_content(int fd, size_t *ret_len);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_MAPPED_H
#define KFT_BASE_MAPPED_H

#include "base/macro.h"

/*
 * A file that is mapped to be read. When it becomes shorter meanwhile, touching what is
 * gone raises SIGBUS. A program whose handler calls kft_mapped_fault() goes on with zeros
 * there, and the reader sees by kft_mapped_end() that they are none of the file's bytes.
 */
struct kft_mapped;

/* size is not 0. -ENOMEM, or what mmap() fails with. fd may be closed afterwards. */
int kft_mapped_create(int fd, size_t size, struct kft_mapped **ret) __must_check;
struct kft_mapped *kft_mapped_destroy(struct kft_mapped *m);

const uint8_t *kft_mapped_data(const struct kft_mapped *m);

/* Bytes that were there whenever they were read; all of them when m is NULL. */
uint64_t kft_mapped_end(const struct kft_mapped *m);

/*
 * In a handler of SIGBUS: true when the address is of a file that is mapped, and may be
 * read now. Safe in a signal handler.
 */
bool kft_mapped_fault(const void *addr);

#endif

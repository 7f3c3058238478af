/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * A file mapped for reading. If another process truncates it, access to the
 * missing part raises SIGBUS. When the program's handler calls kft_mapped_fault(),
 * reading continues with zeros there; kft_mapped_end() then shows the reader that
 * they are not bytes of the file.
 */
struct kft_mapped;

/*
 * size must not be 0. -ENOMEM, or the error of mmap(). The caller
 * may close fd afterwards.
 */
int kft_mapped_create(int fd, size_t size, struct kft_mapped **ret) __must_check;
struct kft_mapped *kft_mapped_destroy(struct kft_mapped *m);

const uint8_t *kft_mapped_data(const struct kft_mapped *m);

/*
 * The offset up to which all bytes were the file's; UINT64_MAX: the
 * whole mapping, also for NULL.
 */
uint64_t kft_mapped_end(const struct kft_mapped *m);

/*
 * For a handler of SIGBUS: true when the address belongs to a mapped file and can be
 * read now. Async-signal-safe.
 */
bool kft_mapped_fault(const void *addr);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#define KFT_MIN(a, b)                              \
	({                                         \
		typeof(a) _min_a = (a);            \
		typeof(b) _min_b = (b);            \
		_min_a < _min_b ? _min_a : _min_b; \
	})
#define KFT_MAX(a, b)                              \
	({                                         \
		typeof(a) _max_a = (a);            \
		typeof(b) _max_b = (b);            \
		_max_a > _max_b ? _max_a : _max_b; \
	})

#define __must_check	   __attribute__((warn_unused_result))
#define __printf_fmt(f, a) __attribute__((format(printf, f, a)))
#define likely(x)	   __builtin_expect(!!(x), 1)
#define unlikely(x)	   __builtin_expect(!!(x), 0)

/*
 * A public symbol of libkft; everything else is hidden in the shared library.
 */
#define KFT_EXPORT __attribute__((visibility("default")))

/*
 * True when the sum or product overflows: `if (kft_add(a, b, &sum)) return -EOVERFLOW`.
 */
#define kft_add(a, b, ret) __builtin_add_overflow(a, b, ret)
#define kft_mul(a, b, ret) __builtin_mul_overflow(a, b, ret)

/*
 * Ownership by scope: `_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};` The
 * function receives the address of the variable. TAKE() hands the value to a new owner.
 */
#define _cleanup_(fn) __attribute__((cleanup(fn)))

#define TAKE(ptr)                           \
	({                                  \
		typeof(ptr) _taken = (ptr); \
		(ptr) = NULL;               \
		_taken;                     \
	})

/* Frees a pointer at the end of the scope. */
static inline void kft_freep(void *p)
{
	free(*(void **)p);
}
#define _cleanup_free_ _cleanup_(kft_freep)

/* Closes a file descriptor at the end of the scope; errno is preserved. */
void kft_closep(int *fd);
#define _cleanup_close_ _cleanup_(kft_closep)

#define TAKE_FD(fd)             \
	({                      \
		int _fd = (fd); \
		(fd) = -1;      \
		_fd;            \
	})

/*
 * Defines NAMEp() for _cleanup_(): it takes the address of the pointer
 * and destroys the object.
 */
#define KFT_DEFINE_CLEANUP(type, destroy)        \
	static inline void destroy##p(type *obj) \
	{                                        \
		if (*obj)                        \
			(void)destroy(*obj);     \
	}

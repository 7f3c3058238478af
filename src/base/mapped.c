// SPDX-License-Identifier: LGPL-2.1-or-later
/* Maps files, and survives that another process truncates them. */
#include "base/mapped.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct kft_mapped {
	_Atomic(uint8_t *) data; /* NULL: the entry is unused */
	_Atomic(size_t) size;
	_Atomic(uint64_t) end;
	struct kft_mapped *next; /* set before the entry is published */
};

/*
 * All entries, used or not: a signal handler walks the list while other threads map and
 * unmap. Entries are therefore reused and never freed.
 */
static _Atomic(struct kft_mapped *) all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct kft_mapped *get_entry(void)
{
	for (struct kft_mapped *m = atomic_load(&all); m; m = m->next)
		if (!atomic_load(&m->data))
			return m;
	struct kft_mapped *m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->next = atomic_load(&all);
	atomic_store(&all, m);
	return m;
}

int kft_mapped_create(int fd, size_t size, struct kft_mapped **ret)
{
	void *data = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (data == MAP_FAILED)
		return -errno;
	(void)madvise(data, size, MADV_SEQUENTIAL);
	(void)pthread_mutex_lock(&lock);
	struct kft_mapped *m = get_entry();
	if (m) {
		atomic_store(&m->size, size);
		atomic_store(&m->end, UINT64_MAX);
		/* This store publishes the entry to the signal handler. */
		atomic_store(&m->data, data);
	}
	(void)pthread_mutex_unlock(&lock);
	if (!m) {
		(void)munmap(data, size);
		return -ENOMEM;
	}
	*ret = m;
	return 0;
}

struct kft_mapped *kft_mapped_destroy(struct kft_mapped *m)
{
	if (!m)
		return NULL;
	(void)munmap(atomic_load(&m->data), atomic_load(&m->size));
	(void)pthread_mutex_lock(&lock);
	atomic_store(&m->data, NULL);
	(void)pthread_mutex_unlock(&lock);
	return NULL;
}

const uint8_t *kft_mapped_data(const struct kft_mapped *m)
{
	return atomic_load(&m->data);
}

uint64_t kft_mapped_end(const struct kft_mapped *m)
{
	return m ? atomic_load(&m->end) : UINT64_MAX;
}

/* Maps zeros from the page of data + at to the end of the mapping. */
static bool put_zeros(struct kft_mapped *m, uint8_t *data, size_t at)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t start = at / page * page;
	uint64_t end = atomic_load(&m->end);
	void *p = mmap(data + start, atomic_load(&m->size) - start, PROT_READ,
		       MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	while (start < end && !atomic_compare_exchange_weak(&m->end, &end, start))
		;
	return true;
}

bool kft_mapped_fault(const void *addr)
{
	const uint8_t *at = addr;
	int saved = errno;
	bool found = false;

	for (struct kft_mapped *m = atomic_load(&all); m && !found; m = m->next) {
		uint8_t *data = atomic_load(&m->data);

		if (data && at >= data && (size_t)(at - data) < atomic_load(&m->size))
			found = put_zeros(m, data, at - data);
	}
	errno = saved;
	return found;
}

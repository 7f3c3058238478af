// SPDX-License-Identifier: LGPL-2.1-or-later
/* Gives a writer the pages in a recording's parts. */
#include "file/tracedat/read/part_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "file/tracedat/read/page_mend.h"
#include "file/tracedat/parts.h"

void kft_part_pages_finish(struct kft_part_pages *pp)
{
	kft_vec_for_each(&pp->sources, s)
		(void)close(s->fd);
	kft_vec_finish(&pp->sources);
	kft_arena_finish(&pp->tails);
}

static struct kft_ring_layout layout_of(const struct kft_meta *m)
{
	struct kft_ring_layout l;

	if (kft_ring_layout_parse(m->header_page.data, m->header_page.len, m->big_endian,
				  &l) < 0)
		l = kft_ring_layout_default(m->big_endian, m->long_size);
	return l;
}

/* Repairs the last page of a part, which has only its first have bytes. */
static int mend_tail(struct kft_part_pages *pp, const struct kft_meta *meta,
		     struct kft_page_source *s, size_t have)
{
	const struct kft_ring_layout l = layout_of(meta);
	uint8_t *page = kft_arena_alloc(&pp->tails, meta->page_size);

	if (!page)
		return -ENOMEM;
	int r = kft_pread_all(s->fd, page, have, s->bytes);
	if (r < 0)
		return r;
	if (!kft_page_mend(&l, page, have, meta->page_size))
		return 0;
	s->tail = page;
	s->tail_bytes = meta->page_size;
	return 0;
}

/* 1 and the source, 0 when the CPU has no pages. */
static int load_cpu(struct kft_part_pages *pp, int parts_fd, const char *buffer,
		    const struct kft_meta *meta, uint32_t cpu,
		    struct kft_page_source *ret)
{
	char name[KFT_PARTS_NAME_MAX];
	struct stat st;

	kft_parts_cpu_name(buffer, cpu, name);
	_cleanup_close_ int fd = openat(parts_fd, name,
					O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	const uint64_t torn = st.st_size % meta->page_size;
	struct kft_page_source s = {.cpu = cpu, .fd = fd, .bytes = st.st_size - torn};
	int r = torn ? mend_tail(pp, meta, &s, torn) : 0;
	if (r < 0 || s.bytes + s.tail_bytes == 0)
		return r;
	(void)TAKE_FD(fd);
	*ret = s;
	return 1;
}

int kft_part_pages_load(struct kft_part_pages *pp, int parts_fd, const char *buffer,
			const struct kft_meta *meta, struct kft_err *e)
{
	for (uint32_t cpu = 0; cpu < meta->cpu_count; cpu++) {
		struct kft_page_source s;
		int r = load_cpu(pp, parts_fd, buffer, meta, cpu, &s);

		if (r > 0 && !kft_vec_push(&pp->sources, s)) {
			(void)close(s.fd);
			r = -ENOMEM;
		}
		if (r < 0)
			return kft_err_sys(e, r, "cannot read the pages of CPU %u", cpu);
	}
	return 0;
}

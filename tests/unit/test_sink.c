// SPDX-License-Identifier: GPL-2.0-only
#include "test_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct test_sink *of(struct kft_sink *s)
{
	return container_of(s, struct test_sink, base);
}

static int fails(struct test_sink *t, enum test_sink_step step, struct kft_err *e)
{
	return t->fail_at == step ? kft_err_set(e, -EDOM, "the sink failed") : 0;
}

static int begin(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e)
{
	of(s)->begun++;
	return fails(of(s), TEST_SINK_BEGIN, e);
}

static int cpu_fd(struct kft_sink *s, uint32_t cpu, int *ret_fd, struct kft_err *e)
{
	struct test_sink *t = of(s);
	int r = fails(t, TEST_SINK_CPU_FD, e);

	if (r < 0)
		return r;
	if (cpu >= TEST_SINK_CPUS)
		return kft_err_set(e, -ERANGE, "too many CPUs for the test");
	if (t->fds[cpu] < 0)
		t->fds[cpu] = t->fail_at == TEST_SINK_WRITE
				      ? open("/dev/full", O_WRONLY | O_CLOEXEC)
				      : open(t->dir ? t->dir : "/tmp",
					     O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (t->fds[cpu] < 0)
		return kft_err_sys(e, -errno, "cannot make a file");
	*ret_fd = t->fds[cpu];
	return 0;
}

static int lost(struct kft_sink *s, const struct kft_lost_range *range)
{
	struct test_sink *t = of(s);

	(void)pthread_mutex_lock(&lock);
	t->lost += range->count;
	bool ok = kft_vec_push(&t->ranges, *range);
	(void)pthread_mutex_unlock(&lock);
	if (t->fail_at == TEST_SINK_LOST)
		return -EDOM;
	return ok ? 0 : -ENOMEM;
}

static int tasks(struct kft_sink *s, const struct kft_blob *cmdlines,
		 const struct kft_blob *tgids)
{
	of(s)->tasks++;
	return of(s)->fail_at == TEST_SINK_TASKS ? -EDOM : 0;
}

static char *copy(const struct kft_blob *b)
{
	return b->data ? strndup(b->data, b->len) : NULL;
}

static int end(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e)
{
	struct test_sink *t = of(s);

	t->ended++;
	t->n_stats = meta->stats.len;
	for (size_t i = 0; i < meta->stats.len; i++) {
		const struct kft_cpu_stat *stat = &meta->stats.data[i];

		t->overrun += stat->overrun;
		t->dropped += stat->dropped_events;
		t->commit_overrun += stat->commit_overrun;
		t->unread += stat->unread;
	}
	for (size_t i = 0; i < meta->lost.len; i++)
		t->meta_lost += meta->lost.data[i].count;
	t->clock = meta->clock;
	t->page_size = meta->page_size;
	t->cpu_count = meta->cpu_count;
	t->n_formats = meta->formats.len;
	t->header_page = copy(&meta->header_page);
	t->cmdlines = copy(&meta->cmdlines);
	t->tgids = copy(&meta->tgids);
	t->command = copy(&meta->command);
	t->kallsyms = copy(&meta->kallsyms);
	return fails(t, TEST_SINK_END, e);
}

static void destroy(struct kft_sink *s)
{
	test_sink_finish(of(s));
}

static const struct kft_sink_ops ops = {
	.begin = begin,
	.cpu_fd = cpu_fd,
	.lost = lost,
	.tasks = tasks,
	.end = end,
	.destroy = destroy,
};

void test_sink_init(struct test_sink *s)
{
	*s = (struct test_sink){.base = {.ops = &ops}};
	for (size_t i = 0; i < TEST_SINK_CPUS; i++)
		s->fds[i] = -1;
}

void test_sink_finish(struct test_sink *s)
{
	for (size_t i = 0; i < TEST_SINK_CPUS; i++)
		kft_closep(&s->fds[i]);
	kft_vec_finish(&s->ranges);
	free(s->header_page);
	free(s->cmdlines);
	free(s->tgids);
	free(s->command);
	free(s->kallsyms);
	test_sink_init(s);
}

uint64_t test_sink_bytes(const struct test_sink *s)
{
	uint64_t total = 0;
	struct stat st;

	for (size_t i = 0; i < TEST_SINK_CPUS; i++)
		if (s->fds[i] >= 0 && fstat(s->fds[i], &st) == 0)
			total += st.st_size;
	return total;
}

// SPDX-License-Identifier: GPL-2.0-only
/* cut_trace FILE: prints the verdicts of several runs over a trace, a line for each run. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/cut/cut.h"
#include "decode/trace_lazy.h"
#include "file/registry.h"
#include "model/span.h"

#define CPUS_MAX 64

/* Pages go to memory; only their checksum is printed. */
struct memory {
	struct kft_sink sink;
	int fds[CPUS_MAX]; /* -1: the CPU has no page */
	size_t n_lost;
	uint64_t lost;
};

static int begin(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e)
{
	return 0;
}

static int cpu_fd(struct kft_sink *s, uint32_t cpu, int *ret_fd, struct kft_err *e)
{
	struct memory *m = container_of(s, struct memory, sink);

	if (cpu >= CPUS_MAX)
		return -1;
	m->fds[cpu] = memfd_create("cpu", MFD_CLOEXEC);
	*ret_fd = m->fds[cpu];
	return 0;
}

static int end(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e)
{
	struct memory *m = container_of(s, struct memory, sink);

	m->n_lost = meta->lost.len;
	kft_vec_for_each(&meta->lost, range)
		m->lost += range->count + range->since + range->cpu;
	return 0;
}

static const struct kft_sink_ops ops = {.begin = begin, .cpu_fd = cpu_fd, .end = end};

/* FNV-1a */
static uint64_t checksum(int fd, size_t *bytes)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);
	uint8_t buf[65536];
	ssize_t n;

	(void)lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		*bytes += (size_t)n;
		for (ssize_t i = 0; i < n; i++)
			sum = (sum ^ buf[i]) * UINT64_C(0x100000001b3);
	}
	return sum;
}

static void print_pages(struct memory *m)
{
	size_t bytes = 0;
	uint64_t sum = 0;

	for (size_t cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (m->fds[cpu] < 0)
			continue;
		sum = sum * 31 + checksum(m->fds[cpu], &bytes);
		(void)close(m->fds[cpu]);
	}
	(void)printf(" %zu bytes %016" PRIx64, bytes, sum);
	if (m->n_lost)
		(void)printf(" lost %zu %" PRIu64, m->n_lost, m->lost);
}

static int cut(const char *path, const char *name, const struct kft_plan *plan,
	       enum kft_run_cause stopped, const struct kft_cut_window *window)
{
	static const char letters[KFT_VERDICT_COUNT + 1] = "CLEom.eslintbh";
	const struct kft_cut_opts opts = {.plan = plan,
					  .started = KFT_CAUSE_TRIGGER,
					  .stopped = stopped,
					  .probe_group = "none",
					  .window = window};
	struct memory m = {.sink = {.ops = &ops}};
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_cut cut;

	memset(m.fds, 0xff, sizeof(m.fds));
	if (kft_file_open(path, &t, NULL) < 0)
		return 1;
	(void)kft_trace_symbols(t);
	(void)kft_trace_tasks(t);
	if (kft_cut_decide(t, &opts, &cut, NULL) < 0 ||
	    kft_cut_write(t, &cut, &m.sink, NULL) < 0)
		return 1;
	(void)printf("%s:", name);
	for (size_t i = 0; i < KFT_VERDICT_COUNT; i++)
		if (cut.counts[i])
			(void)printf(" %" PRIu64 "%c", cut.counts[i], letters[i]);
	(void)printf(" taken %" PRIu64 " deep %" PRIu64, cut.taken, cut.too_deep);
	kft_vec_for_each(&cut.windows, w)
		(void)printf(" [%" PRIu64 " %d, %" PRIu64 " %d]", w->start_ns, w->started,
			     w->stop_ns, w->stopped);
	print_pages(&m);
	(void)printf("\n");
	kft_cut_finish(&cut);
	return 0;
}

/* Runs over the middle of the trace, and over all of it. */
static int cut_by(const char *path, const char *name, const struct kft_plan *plan,
		  uint64_t first, uint64_t last)
{
	const struct kft_cut_window middle = {.start_ns = first + (last - first) / 4,
					      .stop_ns = last - (last - first) / 4,
					      .started = KFT_CAUSE_TRIGGER,
					      .stopped = KFT_CAUSE_TRIGGER};
	char text[64];
	int failed = cut(path, name, plan, KFT_CAUSE_NONE, NULL);

	(void)snprintf(text, sizeof(text), "%s in the middle", name);
	return failed | cut(path, text, plan, KFT_CAUSE_NONE, &middle);
}

static int cut_all(const char *path, uint64_t first, uint64_t last)
{
	char sh[] = "sh";
	char any[] = "s*";
	char *comms[] = {sh, any};
	int32_t pids[] = {0};
	const struct {
		const char *name;
		struct kft_plan plan;
	} runs[] = {
		{"all", {}},
		{"long", {.functions = {.min_ns = 3000}}},
		{"short", {.functions = {.max_ns = 3000}}},
		{"tasks", {.functions = {.context = KFT_CONTEXT_TASK}}},
		{"interrupts", {.functions = {.context = KFT_CONTEXT_INTERRUPT}}},
		{"comms", {.functions = {.comms = comms, .n_comms = ARRAY_SIZE(comms)}}},
		{"idle", {.pids = pids, .n_pids = ARRAY_SIZE(pids)}},
		{"100 calls", {.functions = {.max_calls = 100}}},
		{"last 100 calls", {.overwrite = true, .functions = {.max_calls = 100}}},
		{"last 20 long calls",
		 {.overwrite = true, .functions = {.max_calls = 20, .min_ns = 3000}}},
		{"100 short calls",
		 {.overwrite = true, .functions = {.max_calls = 100, .max_ns = 3000}}},
		{"a time", {.stop = {.kind = KFT_TRIGGER_TIME, .time_ns = 1000000}}},
	};
	int failed = 0;

	for (size_t i = 0; i < ARRAY_SIZE(runs); i++)
		failed |= cut_by(path, runs[i].name, &runs[i].plan, first, last);
	return failed | cut(path, "full", &runs[0].plan, KFT_CAUSE_FULL, NULL);
}

int main(int argc, char **argv)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	uint64_t first = 0;
	uint64_t last = 0;

	if (argc != 2 || kft_file_open(argv[1], &t, NULL) < 0)
		return 2;
	if (!kft_span_first(t, &first) || !kft_span_last(t, &last))
		return 0;
	return cut_all(argv[1], first, last);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Runs the programs of live statistics. */
#include "live/live.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/cpuset.h"
#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "bpf/kernel.h"
#include "derive/kinds/kinds.h"
#include "live/live_impl.h"

#define CPUS_FILE  "sys/devices/system/cpu/possible"
#define CPUS_BYTES 65536

/* Rows of a kind: as many as fit into this memory of the kernel, between two limits. */
#define CELLS_BYTES (32U << 20)
#define ROWS_MIN    128U
#define ROWS_MAX    1024U

#define TASKS_MAX (1 << 16)

/* Needed without root; the last one for the formats of events in tracefs. */
#define CAPS "CAP_BPF, CAP_PERFMON and CAP_DAC_READ_SEARCH"

bool kft_live_has_kind(const struct kft_interval_kind *kind)
{
	const struct kft_kind_pairs *pairs = &kind->pairs;

	return pairs->n_ids || pairs->has_constant_id || pairs->by_cpu ||
	       pairs->by_task || kind == &kft_kind_task;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void finish_kind(struct kft_live_kind *k)
{
	if (k->open)
		munmap((void *)k->open, KFT_LIVE_OPEN_BYTES);
	close_fd(k->maps.open);
	close_fd(k->maps.cells);
	close_fd(k->maps.zero);
	close_fd(k->maps.tally);
}

struct kft_live *kft_live_destroy(struct kft_live *live)
{
	if (!live)
		return NULL;
	kft_vec_for_each(&live->attached, a) {
		close(a->link_fd);
		close(a->program_fd);
	}
	kft_vec_for_each(&live->kinds, k)
		finish_kind(k);
	kft_vec_for_each(&live->filters, f)
		kft_filter_destroy(*f);
	kft_vec_finish(&live->filters);
	kft_vec_finish(&live->attached);
	kft_vec_finish(&live->kinds);
	close_fd(live->gate_fd);
	close_fd(live->tasks_fd);
	kft_arena_finish(&live->arena);
	free(live);
	return NULL;
}

static int count_cpus(const struct kft_host *host, uint32_t *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	struct kft_cpuset set = {};
	int r = kft_read_at(host->root_fd, CPUS_FILE, CPUS_BYTES, &text);

	if (!r)
		r = kft_cpuset_parse(&set, kft_strbuf_cstr(&text));
	*ret = 0;
	for (uint32_t cpu = 0; !r && cpu < KFT_CPU_MAX; cpu++)
		*ret += kft_cpuset_has(&set, cpu);
	return r;
}

static int create_map(const char *name, uint32_t type, uint32_t key_size,
		      uint32_t value_size, uint32_t entries, uint32_t flags, int *ret)
{
	const struct kft_bpf_map map = {name, type, key_size, value_size, entries, flags};

	*ret = kft_bpf_map_create(&map);
	return *ret < 0 ? *ret : 0;
}

static uint32_t rows_of(const struct kft_live *live)
{
	uint32_t fit = CELLS_BYTES / (sizeof(struct kft_live_cell) * live->n_cpus);

	return KFT_MIN(ROWS_MAX, KFT_MAX(ROWS_MIN, fit));
}

static int create_kind_maps(const struct kft_live *live, struct kft_live_kind *k)
{
	struct kft_live_maps *m = &k->maps;
	const uint32_t index = sizeof(uint32_t);
	unsigned int by = kft_live_by(live, k->kind);
	int r = create_map("kft_open", BPF_MAP_TYPE_ARRAY, index,
			   sizeof(struct kft_live_open), 1 << KFT_LIVE_PLACE_BITS,
			   KFT_BPF_F_MMAPABLE, &m->open);

	if (!r)
		r = create_map("kft_cells", BPF_MAP_TYPE_PERCPU_HASH,
			       kft_live_key_bytes(by), sizeof(struct kft_live_cell),
			       rows_of(live), 0, &m->cells);
	if (!r)
		r = create_map("kft_zero", BPF_MAP_TYPE_ARRAY, index,
			       sizeof(struct kft_live_cell), 1, 0, &m->zero);
	if (!r)
		r = create_map("kft_tally", BPF_MAP_TYPE_PERCPU_ARRAY, index,
			       sizeof(struct kft_live_tally), 1, 0, &m->tally);
	if (r < 0)
		return r;
	void *open = mmap(NULL, KFT_LIVE_OPEN_BYTES, PROT_READ, MAP_SHARED, m->open, 0);

	if (open == MAP_FAILED)
		return -errno;
	k->open = open;
	return 0;
}

static int add_kind(struct kft_live *live, const struct kft_interval_kind *kind,
		    struct kft_err *e)
{
	const struct kft_live_kind empty = {
		.kind = kind,
		.where = {kind, live->opts.names},
		.maps = {live->gate_fd, live->tasks_fd, -1, -1, -1, -1},
	};

	if (!kft_live_has_kind(kind))
		return kft_err_set(e, -EOPNOTSUPP,
				   "the kernel cannot compute statistics of '%s': its "
				   "intervals are more than pairs of events",
				   kind->name);
	if (!kft_vec_push(&live->kinds, empty))
		return kft_err_memory(e);
	int r = create_kind_maps(live, &live->kinds.data[live->kinds.len - 1]);

	return r < 0 ? kft_err_sys(e, r, "cannot make the maps for '%s' in the kernel",
				   kind->name)
		     : 0;
}

static int fill(struct kft_live *live, const struct kft_live_opts *opts,
		struct kft_err *e)
{
	const uint32_t pid = sizeof(uint32_t);
	int r = count_cpus(live->host, &live->n_cpus);

	if (r < 0 || !live->n_cpus)
		return kft_err_sys(e, r ? r : -EIO, "cannot read '/%s'", CPUS_FILE);
	r = create_map("kft_gate", BPF_MAP_TYPE_ARRAY, pid, pid, 1, 0, &live->gate_fd);
	if (!r && opts->follows_tasks)
		r = create_map("kft_tasks", BPF_MAP_TYPE_HASH, pid, pid, TASKS_MAX, 0,
			       &live->tasks_fd);
	if (r < 0)
		return kft_err_sys(e, r, "the kernel makes no BPF map");
	for (size_t i = 0; !r && i < opts->n_kinds; i++)
		r = add_kind(live, opts->kinds[i], e);
	return r;
}

/* The verifier's reason is a hint already. */
static int hint_at_caps(const struct kft_live *live, int r, struct kft_err *e)
{
	if (e && !e->hint[0])
		kft_host_hint_caps(live->host, r, CAPS, e);
	return r;
}

int kft_live_create(struct kft_host *host, const struct kft_live_opts *opts,
		    struct kft_live **ret, struct kft_err *e)
{
	struct kft_live *live = calloc(1, sizeof(*live));

	if (!live)
		return kft_err_memory(e);
	*live = (struct kft_live){
		.host = host,
		.opts = *opts,
		.gate_fd = -1,
		.tasks_fd = -1,
	};
	int r = hint_at_caps(live, fill(live, opts, e), e);

	if (r < 0)
		kft_live_destroy(live);
	else
		*ret = live;
	return r;
}

int kft_live_follow_task(struct kft_live *live, uint32_t pid)
{
	return kft_bpf_map_update(live->tasks_fd, &pid, &pid);
}

static int set_gate(const struct kft_live *live, uint32_t is_open)
{
	const uint32_t first = 0;

	return kft_bpf_map_update(live->gate_fd, &first, &is_open);
}

static bool is_skipped(const struct kft_live *live, int err)
{
	return err == -ENOENT && live->opts.skips_absent;
}

static int attach_kinds(struct kft_live *live, struct kft_err *e)
{
	struct kft_err why = {};
	size_t n_attached = 0;
	int r = 0;

	for (size_t i = 0; i < live->kinds.len && (!r || is_skipped(live, r)); i++) {
		r = kft_live_attach(live, &live->kinds.data[i], &why);
		n_attached += !r;
	}
	if (!r || (n_attached && is_skipped(live, r)))
		return 0;
	if (e)
		*e = why;
	return r;
}

int kft_live_start(struct kft_live *live, struct kft_err *e)
{
	int r = attach_kinds(live, e);

	if (!r && live->tasks_fd >= 0)
		r = kft_live_attach_tasks(live, e);
	if (r < 0)
		return hint_at_caps(live, r, e);
	live->begin_ns = kft_now_ns();
	live->period = 1;
	r = set_gate(live, live->period);
	return r < 0 ? kft_err_sys(e, r, "cannot start the programs") : 0;
}

/*
 * Programs that have seen the former gate end meanwhile: they run under RCU, and membarrier(2)
 * waits for that. A kernel that cannot wait (nohz_full) finishes them in a few microseconds.
 */
static int end_period(struct kft_live *live, uint32_t next)
{
	int r = set_gate(live, next);

	live->first_ns = live->begin_ns;
	live->last_ns = live->begin_ns = kft_now_ns();
	(void)syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	return r;
}

int kft_live_turn(struct kft_live *live, struct kft_err *e)
{
	int r = end_period(live, ++live->period);

	return r < 0 ? kft_err_sys(e, r, "cannot begin another period") : 0;
}

int kft_live_stop(struct kft_live *live, struct kft_err *e)
{
	int r = end_period(live, 0);

	live->period++;
	return r < 0 ? kft_err_sys(e, r, "cannot stop the programs") : 0;
}

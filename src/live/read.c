// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the rows that the programs of live statistics have counted. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/kernel.h"
#include "live/live_impl.h"

/* The kind that kft_live_read() reads, and its destination. */
struct reading {
	const struct kft_live *live;
	const struct kft_live_kind *kind;
	struct kft_trace *trace;
	struct kft_interval_stats *stats;
	size_t first; /* index of the kind's first row */
	unsigned int by;
};

static struct kft_interval_row row_of(const struct reading *r,
				      const struct kft_live_key *key)
{
	bool by_comm = r->by & KFT_INTERVAL_BY_COMM;
	size_t len = strnlen(key->comm, sizeof(key->comm));

	return (struct kft_interval_row){
		.kind = r->kind->kind,
		.key = key->key,
		.cpu = r->by & KFT_INTERVAL_BY_CPU ? (int64_t)key->cpu : -1,
		.pid = r->by & KFT_INTERVAL_BY_TASK ? (int64_t)key->pid : -1,
		.comm = by_comm ? kft_names_number(&r->trace->names, key->comm, len) : 0,
	};
}

static struct kft_interval_stat *add_row(const struct reading *r,
					 const struct kft_live_key *key)
{
	const struct kft_interval_stat empty = {.row = row_of(r, key),
						.min_ns = UINT64_MAX};

	if (!kft_vec_push(&r->stats->list, empty))
		return NULL;
	return &r->stats->list.data[r->stats->list.len - 1];
}

static bool is_row(const struct kft_interval_row *a, const struct kft_interval_row *b)
{
	return a->key == b->key && a->cpu == b->cpu && a->pid == b->pid &&
	       a->comm == b->comm;
}

static struct kft_interval_stat *get_row(const struct reading *r,
					 const struct kft_live_key *key)
{
	const struct kft_interval_row row = row_of(r, key);

	for (size_t i = r->first; i < r->stats->list.len; i++)
		if (is_row(&r->stats->list.data[i].row, &row))
			return &r->stats->list.data[i];
	return add_row(r, key);
}

static int name_task(const struct reading *r, uint32_t pid, const char *comm)
{
	return pid && *comm
		       ? kft_task_set_comm(&r->trace->tasks, pid, comm, strnlen(comm, 16))
		       : 0;
}

static int add_cells(const struct reading *r, const struct kft_live_key *key,
		     const struct kft_live_cell *cells)
{
	struct kft_interval_stat *row = get_row(r, key);
	int err = row ? 0 : -ENOMEM;

	for (uint32_t cpu = 0; !err && cpu < r->live->n_cpus; cpu++) {
		err = kft_live_cell_join(&cells[cpu], row);
		if (!err)
			err = name_task(r, cells[cpu].max_pid, cells[cpu].max_comm);
	}
	return err;
}

/* Cells of an earlier period were late: a program was still running when that ended. */
static int take_cells(const struct reading *r, const struct kft_live_key *key,
		      struct kft_live_cell *cells)
{
	int map = r->kind->maps.cells;

	if (key->period >= r->live->period)
		return 0;
	int err = kft_bpf_map_lookup(map, key, cells);

	if (!err)
		err = add_cells(r, key, cells);
	return err ? err : kft_bpf_map_delete(map, key);
}

/* A map has no key after one that was deleted: the next one is found before. */
static int read_cells(const struct reading *r)
{
	_cleanup_free_ struct kft_live_cell *cells = calloc(r->live->n_cpus,
							    sizeof(*cells));
	struct kft_live_key key;
	struct kft_live_key next = {};
	int err = cells ? kft_bpf_map_next(r->kind->maps.cells, NULL, &next) : -ENOMEM;

	while (!err) {
		key = next;
		int end = kft_bpf_map_next(r->kind->maps.cells, &key, &next);

		err = take_cells(r, &key, cells);
		err = err ? err : end;
	}
	return err == -ENOENT ? 0 : err;
}

static struct kft_live_key key_of(const struct reading *r,
				  const struct kft_live_open *open)
{
	struct kft_live_key key = {};

	if (r->by & KFT_INTERVAL_BY_KEY)
		key.key = open->key;
	if (r->by & KFT_INTERVAL_BY_CPU)
		key.cpu = open->cpu;
	if (r->by & KFT_INTERVAL_BY_TASK)
		key.pid = open->pid;
	if (r->by & KFT_INTERVAL_BY_COMM)
		memcpy(key.comm, open->comm, sizeof(key.comm));
	return key;
}

static bool is_chosen(const struct reading *r, const struct kft_live_open *open,
		      uint64_t now_ns)
{
	const struct kft_interval i = {
		.kind = r->kind->kind,
		.key = open->key,
		.begin_ns = open->begin_ns,
		.end_ns = now_ns,
		.value = KFT_INTERVAL_NO_VALUE,
		.pid = (int32_t)open->pid,
		.cpu = open->cpu,
	};
	const struct kft_interval_where *where = r->live->opts.where;

	return !where || kft_interval_where_match(where, r->trace, &i);
}

/* Adds an interval that has not ended yet: it has no duration, as in a trace that ends here. */
static int add_open(const struct reading *r, const struct kft_live_open *open,
		    uint64_t now_ns)
{
	const struct kft_live_key key = key_of(r, open);

	if (name_task(r, open->pid, open->comm) < 0)
		return -ENOMEM;
	if (!is_chosen(r, open, now_ns))
		return 0;
	struct kft_interval_stat *row = get_row(r, &key);

	if (!row)
		return -ENOMEM;
	row->cut++;
	row->apart_ns += now_ns > open->begin_ns ? now_ns - open->begin_ns : 0;
	return 0;
}

static int read_open(const struct reading *r, uint64_t now_ns)
{
	int err = 0;

	for (size_t i = 0; !err && i < (size_t)1 << KFT_LIVE_PLACE_BITS; i++) {
		const struct kft_live_open open = r->kind->open[i];

		if (open.tag)
			err = add_open(r, &open, now_ns);
	}
	return err;
}

static int add_tally(const struct kft_live *live, const struct kft_live_kind *k,
		     struct kft_live_losses *losses)
{
	_cleanup_free_ struct kft_live_tally *tally = calloc(live->n_cpus,
							     sizeof(*tally));
	const uint32_t first = 0;
	int r = tally ? kft_bpf_map_lookup(k->maps.tally, &first, tally) : -ENOMEM;

	for (uint32_t cpu = 0; !r && cpu < live->n_cpus; cpu++) {
		losses->unbegun += tally[cpu].unbegun;
		losses->unended += tally[cpu].unended;
		losses->full += tally[cpu].full;
	}
	return r;
}

/* Gives the losses since they were given last; the kernel counts all since the start. */
static struct kft_live_losses take_losses(struct kft_live *live,
					  const struct kft_live_losses *all)
{
	const struct kft_live_losses was = live->read;

	live->read = *all;
	return (struct kft_live_losses){
		.unbegun = all->unbegun - was.unbegun,
		.unended = all->unended - was.unended,
		.full = all->full - was.full,
		.missed = all->missed - was.missed,
	};
}

int kft_live_read(struct kft_live *live, struct kft_interval_stats *ret,
		  struct kft_live_losses *losses)
{
	struct kft_live_losses all = {};
	int err = 0;

	ret->has_span = true;
	ret->first_ns = live->first_ns;
	ret->last_ns = live->last_ns;
	kft_vec_for_each(&live->kinds, k) {
		const struct reading r = {
			.live = live,
			.kind = k,
			.trace = live->opts.names,
			.stats = ret,
			.first = ret->list.len,
			.by = kft_live_by(live, k->kind),
		};

		err = err ? err : read_cells(&r);
		err = err ? err : read_open(&r, ret->last_ns);
		err = err ? err : add_tally(live, k, &all);
	}
	kft_vec_for_each(&live->attached, a)
		all.missed += kft_bpf_missed_runs(a->program_fd);
	*losses = take_losses(live, &all);
	kft_interval_stats_estimate(ret);
	return err;
}

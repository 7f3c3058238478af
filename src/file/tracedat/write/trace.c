// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes a part of any trace as a trace.dat. */
#include "file/tracedat/write/trace.h"

#include <errno.h>

#include "base/err.h"
#include "base/scan.h"
#include "decode/cmdlines.h"
#include "decode/trace_lazy.h"
#include "file/tracedat/format.h"
#include "file/tracedat/write/meta.h"
#include "model/page_build.h"

#define BATCH_EVENTS 256

/* Page size for traces of other formats: the largest record of perf.data fits. */
#define FOREIGN_PAGE_BYTES (128u << 10)

/*
 * The records of one CPU on their way into pages, which the writer requests one by one.
 */
struct pull {
	const struct kft_meta *meta; /* borrowed; that of the new file */
	struct kft_stream *stream; /* borrowed */
	const struct kft_scope *scope; /* borrowed */
	struct kft_page_builder builder;
	struct kft_event *batch; /* owned, while records are read */
	size_t len;
	size_t pos;
	uint64_t lost;
	uint64_t events;
	uint8_t *page; /* destination of the next page; NULL once it is filled */
	bool started;
	bool ended;
};

/* Metadata of the new file; borrowed from the trace except for the strings here. */
struct front {
	struct kft_meta meta;
	struct kft_strbuf header_page;
	struct kft_strbuf cmdlines;
	struct kft_strbuf tgids;
	char tsc2nsec[16]; /* TSC2NSEC: u32 multiplier, u32 shift, u64 offset */
};

struct pages {
	struct pull *pulls; /* owned; one for each source */
	size_t n_pulls;
	struct kft_page_source *sources; /* owned; sorted by buffer and CPU */
	KFT_VEC(struct kft_tracedat_buffer) buffers;
};

static int take_page(void *arg, const void *page, size_t size)
{
	struct pull *p = arg;

	memcpy(p->page, page, size);
	p->page = NULL;
	return 0;
}

static int start(struct pull *p)
{
	const struct kft_meta *m = p->meta;
	int r = kft_page_builder_init(&p->builder, m->page_size, m->big_endian,
				      m->long_size);

	p->started = true;
	p->builder.flush = take_page;
	p->builder.arg = p;
	p->batch = malloc(BATCH_EVENTS * sizeof(*p->batch));
	if (r < 0 || !p->batch)
		return -ENOMEM;
	p->ended = !kft_scope_start(p->scope, p->stream);
	return 0;
}

/* Frees the CPU's memory, so that only one CPU at a time needs some. */
static void stop(struct pull *p)
{
	free(p->batch);
	p->batch = NULL;
	kft_page_builder_finish(&p->builder);
	p->stream->wanted = NULL;
}

static const struct kft_event *next_event(struct pull *p)
{
	if (p->pos == p->len) {
		p->pos = 0;
		p->len = p->ended ? 0
				  : kft_scope_fill(p->scope, p->stream, p->batch,
						   BATCH_EVENTS, &p->lost);
	}
	p->ended = !p->len;
	return p->ended ? NULL : &p->batch[p->pos++];
}

/* Fills p->page: 1, or 0 when there are no more records. */
static int fill_page(struct pull *p)
{
	while (p->page && !p->ended) {
		const struct kft_event *ev = next_event(p);
		int r = ev ? kft_page_builder_add(&p->builder, ev->ts, ev->data, ev->size,
						  ev->lost_before)
			   : kft_page_builder_end(&p->builder);

		if (r < 0)
			return r;
		p->events += ev != NULL;
	}
	return !p->page;
}

static ssize_t read_pages(void *arg, void *buf, size_t len)
{
	struct pull *p = arg;
	const size_t page_size = p->meta->page_size;
	size_t done = 0;
	int r = p->started ? 0 : start(p);

	while (r >= 0 && !p->ended && len - done >= page_size) {
		p->page = (uint8_t *)buf + done;
		r = fill_page(p);
		if (r > 0)
			done += page_size;
	}
	if (p->ended && p->batch)
		stop(p);
	return r < 0 ? r : (ssize_t)done;
}

static void add_buffer(struct pages *pages, struct kft_meta *m,
		       const struct kft_buffer *b, const struct kft_scope *scope,
		       struct kft_tracedat_buffer *ret)
{
	*ret = (struct kft_tracedat_buffer){
		.name = b->name,
		.clock = b->clock.name,
		.page_size = m->page_size,
		.sources = pages->sources + pages->n_pulls,
	};
	kft_vec_for_each(&b->streams, s) {
		struct pull *p = &pages->pulls[pages->n_pulls];

		if (!kft_scope_has_cpu(scope, (*s)->cpu))
			continue;
		*p = (struct pull){.meta = m, .stream = *s, .scope = scope};
		pages->sources[pages->n_pulls++] = (struct kft_page_source){
			.cpu = (*s)->cpu, .fd = -1, .read = read_pages, .arg = p};
		ret->n_sources++;
	}
}

/* Adds the main buffer first; an empty one for a trace that has only others. */
static int add_buffers(struct pages *pages, struct kft_meta *m, struct kft_trace *t,
		       const struct kft_scope *scope)
{
	struct kft_tracedat_buffer all = {
		.name = "", .clock = m->clock.name, .page_size = m->page_size};
	bool have_main = false;

	if (!kft_vec_push(&pages->buffers, all))
		return -ENOMEM;
	kft_vec_for_each(&t->buffers, b) {
		bool is_main = !b->name[0] && !have_main;

		add_buffer(pages, m, b, scope, &all);
		have_main |= is_main;
		if (is_main)
			pages->buffers.data[0] = all;
		else if (!kft_vec_push(&pages->buffers, all))
			return -ENOMEM;
	}
	return 0;
}

static int pages_init(struct pages *pages, struct kft_meta *m, struct kft_trace *t,
		      const struct kft_scope *scope)
{
	size_t n = 1;

	kft_vec_for_each(&t->buffers, b)
		n += b->streams.len;
	pages->pulls = calloc(n, sizeof(*pages->pulls));
	pages->sources = calloc(n, sizeof(*pages->sources));
	return pages->pulls && pages->sources ? add_buffers(pages, m, t, scope) : -ENOMEM;
}

static void pages_finish(struct pages *pages)
{
	for (size_t i = 0; i < pages->n_pulls; i++)
		stop(&pages->pulls[i]);
	free(pages->pulls);
	free(pages->sources);
	kft_vec_finish(&pages->buffers);
}

static bool is_foreign(const struct kft_trace *t)
{
	return !t->meta.header_page.len || !t->buffers.len ||
	       !t->buffers.data[0].page_size;
}

/* One page size for all buffers, as version 6 requires it. */
static uint32_t page_size_of(const struct kft_trace *t)
{
	uint32_t size = KFT_TRACEDAT_MIN_PAGE_BYTES;

	kft_vec_for_each(&t->buffers, b)
		if (kft_page_size_is_valid(b->page_size))
			size = KFT_MAX(size, b->page_size);
	return is_foreign(t) ? FOREIGN_PAGE_BYTES : size;
}

/* Some files have more CPUs than they declare; those that kft writes are consistent. */
static uint32_t count_cpus(const struct kft_trace *t)
{
	uint32_t n = KFT_MAX(t->meta.cpu_count, 1u);

	kft_vec_for_each(&t->buffers, b)
		kft_vec_for_each(&b->streams, s)
			n = KFT_MAX(n, (*s)->cpu + 1);
	return n;
}

static const char header_event[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n"
				   "\n"
				   "\tpadding     : type == 29\n"
				   "\ttime_extend : type == 30\n"
				   "\ttime_stamp : type == 31\n"
				   "\tdata max type_len  == 28\n";

/* Describes the pages of kft_page_builder in the syntax of the kernel's header_page. */
static void describe_pages(struct kft_strbuf *sb, const struct kft_meta *m)
{
	const unsigned int size = m->long_size;

	kft_strbuf_addf(sb,
			"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			"\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
			"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
			"\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:1;\n",
			size, 8 + size, m->page_size - 8 - size);
}

/*
 * Whether the option changes times: these are final in the new file, so
 * such an option is dropped.
 */
static bool moves_times(const struct kft_persistent_option *o)
{
	return o->id == KFT_OPTION_DATE || o->id == KFT_OPTION_OFFSET ||
	       o->id == KFT_OPTION_TIME_SHIFT || o->id == KFT_OPTION_TSC2NSEC;
}

/* Whether the clock counts cycles that were converted to nanoseconds. */
static bool is_converted(const struct kft_trace *t)
{
	const struct kft_clock *c = &t->meta.clock;
	struct kft_clock named;

	return c->unit == KFT_CLOCK_NS &&
	       kft_clock_parse(c->name, strlen(c->name), &named) == 0 &&
	       named.unit != KFT_CLOCK_NS;
}

/*
 * Replaces TSC2NSEC by a factor of 1, so that readers take the
 * clock's cycles as nanoseconds.
 */
static int keep_options(struct front *f, const struct kft_trace *t)
{
	const uint32_t one = 1;
	const struct kft_persistent_option same = {
		.id = KFT_OPTION_TSC2NSEC, .data = {f->tsc2nsec, sizeof(f->tsc2nsec)}};
	struct kft_meta *m = &f->meta;
	uint32_t mult = kft_load_u32(&one, t->swap);

	memcpy(f->tsc2nsec, &mult, sizeof(mult));
	kft_vec_for_each(&t->meta.kept_options, o)
		if (!moves_times(o) && !kft_vec_push(&m->kept_options, *o))
			return -ENOMEM;
	if (is_converted(t) && !kft_vec_push(&m->kept_options, same))
		return -ENOMEM;
	return 0;
}

static int fill_formats(struct kft_meta *m, const struct kft_trace *t)
{
	kft_vec_for_each(&t->classes.texts, x)
		if (!kft_vec_push(&m->formats, ((struct kft_format_text){
						       x->system, {x->text, x->len}})))
			return -ENOMEM;
	return 0;
}

/* trace-cmd shows the times of an unknown clock as plain numbers. */
static bool is_kernel_clock(const char *name)
{
	static const char names[] =
		"local global counter uptime perf mono mono_raw boot tai x86-tsc ppc-tb";

	return kft_has_word(names, name);
}

/*
 * Writes tasks in the syntax of saved_cmdlines and saved_tgids, for a
 * trace without these files.
 */
static void list_tasks(struct front *f, const struct kft_trace *t)
{
	const struct kft_map *tasks = &t->tasks.by_pid;

	for (size_t i = 0; tasks->slots && i <= tasks->mask; i++) {
		if (tasks->slots[i].key == KFT_MAP_NO_KEY)
			continue;
		const struct kft_task *task =
			(const void *)(uintptr_t)tasks->slots[i].value;

		if (task->comm && !strpbrk(task->comm, "\n") &&
		    kft_cmdlines_can_say(task->comm))
			kft_strbuf_addf(&f->cmdlines, "%u %s\n", task->pid, task->comm);
		if (task->tgid)
			kft_strbuf_addf(&f->tgids, "%u %u\n", task->pid, task->tgid);
	}
	f->meta.cmdlines = (struct kft_blob){f->cmdlines.buf, f->cmdlines.len};
	f->meta.tgids = (struct kft_blob){f->tgids.buf, f->tgids.len};
}

/* meta.lost stays empty: its losses are marks on the events now. */
static int front_init(struct front *f, struct kft_trace *t)
{
	const struct kft_meta *from = &t->meta;
	struct kft_meta *m = &f->meta;

	(void)kft_trace_kallsyms(t);
	(void)kft_trace_tasks(t);
	*m = (struct kft_meta){
		.big_endian = from->big_endian,
		.long_size = from->long_size,
		.page_size = page_size_of(t),
		.cpu_count = count_cpus(t),
		.clock = from->clock,
		.header_event = {header_event, sizeof(header_event) - 1},
		.kallsyms = from->kallsyms,
		.printk_formats = from->printk_formats,
		.cmdlines = from->cmdlines,
		.tgids = from->tgids,
		.names = from->names,
		.trace_clock = from->trace_clock,
		.uname = from->uname,
		.version = from->version,
		.command = from->command,
		.kernel_line = from->kernel_line,
		.run = from->run,
		.devices = from->devices,
		.stats = {.data = from->stats.data, .len = from->stats.len},
		.trace_id = from->trace_id,
	};
	if (!is_kernel_clock(from->clock.name)) {
		m->clock = (struct kft_clock){.name = "local"};
		m->trace_clock = (struct kft_blob){};
	}
	if (is_foreign(t))
		list_tasks(f, t);
	describe_pages(&f->header_page, m);
	m->header_page = (struct kft_blob){f->header_page.buf, f->header_page.len};
	if (!kft_strbuf_ok(&f->header_page) || !kft_strbuf_ok(&f->cmdlines) ||
	    !kft_strbuf_ok(&f->tgids))
		return -ENOMEM;
	int r = keep_options(f, t);
	return r < 0 ? r : fill_formats(m, t);
}

static void front_finish(struct front *f)
{
	kft_strbuf_finish(&f->header_page);
	kft_strbuf_finish(&f->cmdlines);
	kft_strbuf_finish(&f->tgids);
	kft_vec_finish(&f->meta.formats);
	kft_vec_finish(&f->meta.kept_options);
}

static uint64_t sum_events(const struct pages *pages)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < pages->n_pulls; i++)
		sum += pages->pulls[i].events;
	return sum;
}

int kft_tracedat_write_trace(int fd, struct kft_trace *t, const struct kft_scope *scope,
			     const struct kft_tracedat_opts *opts, uint64_t *ret_events,
			     struct kft_err *e)
{
	_cleanup_(front_finish) struct front f = {};
	_cleanup_(pages_finish) struct pages pages = {};
	int r = front_init(&f, t);

	if (r == 0)
		r = pages_init(&pages, &f.meta, t, scope);
	if (r < 0)
		return kft_err_sys(e, r, "cannot write the trace");
	r = kft_tracedat_write(fd, &f.meta, pages.buffers.data, pages.buffers.len, opts,
			       e);
	if (r == 0)
		*ret_events = sum_events(&pages);
	return r;
}

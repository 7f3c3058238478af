// SPDX-License-Identifier: LGPL-2.1-or-later
/* Merges several traces into one. */
#include "model/join.h"

#include <errno.h>
#include <stdio.h>

#include "base/err.h"

#define IDS 65536

/* One of the traces that are joined. */
struct part {
	struct kft_trace *trace; /* owned by the join after success */
	const char *name; /* borrowed while the join is made */
	/* Owned: the joined trace's id for each id of the part; NULL: the same ids. */
	uint16_t *ids;
};

struct join {
	struct part *parts; /* owned */
	size_t n_parts;
	struct kft_map formats; /* hash of system and text without its id -> 1 + id */
};

/* A stream of a part, with events that have the joined trace's ids. */
struct joined_stream {
	struct kft_stream base;
	struct kft_stream *inner; /* borrowed from the part */
	const uint16_t *ids; /* borrowed from the part; NULL: the same ids */
	bool swap;
	uint8_t *bytes; /* owned: copies of records with another id */
	size_t cap;
};

static void join_destroy(struct join *j)
{
	for (size_t i = 0; j && i < j->n_parts; i++) {
		free(j->parts[i].ids);
		(void)kft_trace_destroy(j->parts[i].trace);
	}
	if (j) {
		kft_map_finish(&j->formats);
		free(j->parts);
	}
	free(j);
}

static void destroy_trace(struct kft_trace *t)
{
	join_destroy(t->reader);
}

static int change_ids(struct joined_stream *s, struct kft_event *evs, size_t n)
{
	size_t need = 0;

	for (size_t i = 0; i < n; i++)
		need += s->ids[evs[i].id] != evs[i].id ? evs[i].size : 0;
	if (need > s->cap) {
		free(s->bytes);
		s->bytes = malloc(need);
		s->cap = s->bytes ? need : 0;
		if (!s->bytes)
			return -ENOMEM;
	}
	uint8_t *to = s->bytes;
	for (size_t i = 0; i < n; i++) {
		uint16_t id = s->ids[evs[i].id];

		if (id == evs[i].id)
			continue;
		memcpy(to, evs[i].data, evs[i].size);
		evs[i].id = id;
		id = kft_load_u16(&id, s->swap);
		if (evs[i].size >= sizeof(id))
			memcpy(to, &id, sizeof(id)); /* common_type */
		evs[i].data = to;
		to += evs[i].size;
	}
	return (int)n;
}

static int fill(struct kft_stream *base, struct kft_event *evs, size_t max)
{
	struct joined_stream *s = container_of(base, struct joined_stream, base);

	s->inner->wanted = s->ids ? NULL : base->wanted;
	int n = s->inner->ops->fill(s->inner, evs, max);

	base->damage = s->inner->damage;
	base->damage_count = s->inner->damage_count;
	base->lost_after = s->inner->lost_after;
	for (int i = 0; i < n; i++)
		evs[i].buffer = base->buffer;
	return n > 0 && s->ids ? change_ids(s, evs, n) : n;
}

static int rewind_stream(struct kft_stream *base, uint64_t since)
{
	struct joined_stream *s = container_of(base, struct joined_stream, base);

	return s->inner->ops->rewind(s->inner, since);
}

static void destroy_stream(struct kft_stream *base)
{
	struct joined_stream *s = container_of(base, struct joined_stream, base);

	free(s->bytes);
	free(s);
}

static const struct kft_stream_ops stream_ops = {
	.fill = fill, .rewind = rewind_stream, .destroy = destroy_stream};

static bool same_text(const struct kft_blob *a, const struct kft_blob *b)
{
	return a->len == b->len && (!a->len || memcmp(a->data, b->data, a->len) == 0);
}

/* The last 8 digits of the kernel's start address in this boot; NULL: unknown. */
static const char *kernel_start(const struct kft_blob *symbols)
{
	static const char name[] = " T _stext\n";
	const char *at = symbols->len ? memmem(symbols->data, symbols->len, name,
					       sizeof(name) - 1)
				      : NULL;

	return at && at - symbols->data >= 8 ? at - 8 : NULL;
}

/* Addresses differ between boots if the kernel's start address does. */
static bool is_other_boot(struct kft_trace *a, struct kft_trace *b)
{
	const char *start = kernel_start(kft_trace_kallsyms(a));
	const char *other = kernel_start(kft_trace_kallsyms(b));

	return start && other && memcmp(start, other, 8) != 0;
}

static int check_fit(const struct part *a, const struct part *b, struct kft_err *e)
{
	const struct kft_meta *m = &a->trace->meta;
	const struct kft_meta *o = &b->trace->meta;

	if (strcmp(m->clock.name, o->clock.name) != 0 || m->clock.unit != o->clock.unit)
		return kft_err_set(e, -EINVAL,
				   "'%s' and '%s' have different clocks, '%s' and '%s'",
				   a->name, b->name, m->clock.name, o->clock.name);
	if (m->big_endian != o->big_endian || m->long_size != o->long_size ||
	    (m->uname.len && o->uname.len && !same_text(&m->uname, &o->uname)))
		return kft_err_set(e, -EINVAL, "'%s' and '%s' are of different kernels",
				   a->name, b->name);
	if (is_other_boot(a->trace, b->trace))
		return kft_err_set(e, -EINVAL, "'%s' and '%s' are of different boots",
				   a->name, b->name);
	return 0;
}

/* The position of the digits of a format's "ID: "; NULL: it has none. */
static const char *find_id(const char *text, size_t len, size_t *ret_digits)
{
	const char *id = memmem(text, len, "\nID: ", 5);
	size_t n = 0;

	if (!id)
		return NULL;
	id += 5;
	while (id + n < text + len && id[n] >= '0' && id[n] <= '9')
		n++;
	*ret_digits = n;
	return n ? id : NULL;
}

static uint64_t hash_format(const struct kft_class_text *x, const char *id, size_t digits)
{
	const char *rest = id + digits;
	uint64_t h = kft_hash_bytes(x->system, strlen(x->system));

	h = h * 31 + kft_hash_bytes(x->text, id - x->text);
	h = h * 31 + kft_hash_bytes(rest, x->len - (rest - x->text));
	return h == KFT_MAP_NO_KEY ? 0 : h;
}

/* The part's id if it is free, else another free one; 0: all are taken. */
static uint16_t choose_id(struct kft_trace *t, uint16_t had)
{
	uint32_t id = had;

	while (id && kft_map_get(&t->classes.by_id, id))
		id = (id + 1) % IDS;
	return id;
}

static int add_text(struct kft_trace *t, const struct kft_class_text *x, const char *id,
		    size_t digits, uint16_t number)
{
	size_t cap = x->len + 8;
	char *text = kft_arena_alloc(&t->arena, cap);

	if (!text)
		return -ENOMEM;
	int n = snprintf(text, cap, "%.*s%u%.*s", (int)(id - x->text), x->text, number,
			 (int)(x->len - (id + digits - x->text)), id + digits);
	return kft_class_table_add(&t->classes, x->system, text, n);
}

/* Finds or adds a part's format in the joined trace and sets its id there. */
static int add_format(struct kft_trace *t, struct join *j, struct part *p,
		      const struct kft_class_text *x)
{
	size_t digits;
	const char *id = find_id(x->text, x->len, &digits);
	uint64_t had = id ? strtoul(id, NULL, 10) : IDS;

	if (had >= IDS)
		return 0;
	uint64_t *slot = kft_map_put(&j->formats, hash_format(x, id, digits));
	if (!slot)
		return -ENOMEM;
	if (!*slot) {
		uint16_t number = choose_id(t, had);
		int r = number ? add_text(t, x, id, digits, number) : -EINVAL;

		if (r < 0)
			return r;
		*slot = number + 1;
	}
	if (p->ids)
		p->ids[had] = *slot - 1;
	return 0;
}

static int add_formats(struct kft_trace *t, struct join *j, struct part *p)
{
	bool same = true;

	p->ids = malloc(IDS * sizeof(*p->ids));
	if (!p->ids)
		return -ENOMEM;
	for (uint32_t i = 0; i < IDS; i++)
		p->ids[i] = i;
	kft_vec_for_each(&p->trace->classes.texts, x) {
		int r = add_format(t, j, p, x);

		if (r < 0)
			return r;
	}
	for (uint32_t i = 0; i < IDS && same; i++)
		same = p->ids[i] == i;
	if (same) {
		free(p->ids);
		p->ids = NULL;
	}
	return 0;
}

static bool is_taken(const struct kft_trace *t, const char *name)
{
	kft_vec_for_each(&t->buffers, b)
		if (strcmp(b->name, name) == 0)
			return true;
	return false;
}

static void name_buffer(const struct kft_trace *t, const struct part *p, bool is_first,
			const struct kft_buffer *from, struct kft_buffer *to)
{
	if (is_first) {
		memcpy(to->name, from->name, sizeof(to->name));
		return;
	}
	for (unsigned int n = 1; n == 1 || is_taken(t, to->name); n++) {
		char number[16] = "";

		if (n > 1)
			(void)snprintf(number, sizeof(number), "#%u", n);
		(void)snprintf(to->name, sizeof(to->name), "%.100s%s%s%.100s", p->name,
			       number, from->name[0] ? ":" : "", from->name);
	}
}

static int add_stream(struct kft_trace *t, const struct part *p, struct kft_stream *inner)
{
	struct joined_stream *s = calloc(1, sizeof(*s));
	struct kft_buffer *b = &t->buffers.data[t->buffers.len - 1];

	if (!s)
		return -ENOMEM;
	s->base = (struct kft_stream){
		.ops = &stream_ops, .cpu = inner->cpu, .buffer = t->buffers.len - 1};
	s->inner = inner;
	s->ids = p->ids;
	s->swap = t->swap;
	if (kft_vec_push(&b->streams, &s->base))
		return 0;
	free(s);
	return -ENOMEM;
}

static int add_buffers(struct kft_trace *t, const struct part *p, bool is_first)
{
	kft_vec_for_each(&p->trace->buffers, from) {
		struct kft_buffer b = {.clock = from->clock,
				       .page_size = from->page_size};

		name_buffer(t, p, is_first, from, &b);
		if (t->buffers.len >= UINT16_MAX || !kft_vec_push(&t->buffers, b))
			return -ENOMEM;
		kft_vec_for_each(&from->streams, s) {
			int r = add_stream(t, p, *s);

			if (r < 0)
				return r;
		}
	}
	return 0;
}

/* Appends texts of lines, or records, so that all parts' are concatenated. */
static int append(struct kft_trace *t, struct kft_blob *to, const struct kft_blob *more)
{
	char *both = more->len ? kft_arena_alloc(&t->arena, to->len + more->len) : NULL;

	if (!more->len)
		return 0;
	if (!both)
		return -ENOMEM;
	if (to->len)
		memcpy(both, to->data, to->len);
	memcpy(both + to->len, more->data, more->len);
	*to = (struct kft_blob){both, to->len + more->len};
	return 0;
}

static int add_tasks(struct kft_trace *t, struct kft_trace *from)
{
	const struct kft_map *tasks = &from->tasks.by_pid;
	int r = 0;

	if (from->load_tasks)
		from->load_tasks(from);
	from->load_tasks = NULL;
	for (size_t i = 0; !r && tasks->slots && i <= tasks->mask; i++) {
		if (tasks->slots[i].key == KFT_MAP_NO_KEY)
			continue;
		const struct kft_task *task =
			(const void *)(uintptr_t)tasks->slots[i].value;

		if (task->comm)
			r = kft_task_set_comm(&t->tasks, task->pid, task->comm,
					      strlen(task->comm));
		if (!r && task->tgid)
			r = kft_task_set_tgid(&t->tasks, task->pid, task->tgid);
	}
	if (!r)
		r = append(t, &t->meta.cmdlines, &from->meta.cmdlines);
	if (!r)
		r = append(t, &t->meta.tgids, &from->meta.tgids);
	return r < 0 ? r : append(t, &t->meta.names, &from->meta.names);
}

static void add_notes(struct kft_trace *t, const struct part *p)
{
	kft_vec_for_each(&p->trace->notes, n)
		kft_trace_note(t, n->offset, "%s: %s", p->name, n->text);
	if (!t->damage.code)
		t->damage = p->trace->damage;
	t->unfinished |= p->trace->unfinished;
}

/* Copies the facts that are the same in all parts from the first one. */
static void take_meta(struct kft_trace *t, struct kft_trace *from)
{
	t->swap = from->swap;
	t->classes.parse = from->classes.parse;
	t->classes.long_size = from->classes.long_size;
	t->meta.big_endian = from->meta.big_endian;
	t->meta.long_size = from->meta.long_size;
	t->meta.page_size = from->meta.page_size;
	t->meta.cpu_count = from->meta.cpu_count;
	t->meta.clock = from->meta.clock;
	t->meta.wall = from->meta.wall;
	t->meta.header_page = from->meta.header_page;
	t->meta.header_event = from->meta.header_event;
	t->meta.trace_clock = from->meta.trace_clock;
	t->meta.uname = from->meta.uname;
	t->meta.version = from->meta.version;
	t->meta.command = from->meta.command;
	t->meta.kernel_line = from->meta.kernel_line;
	t->meta.devices = from->meta.devices;
}

/*
 * Whether an earlier part has the same symbols. Recorders omit most
 * symbols if nothing needs them.
 */
static bool has_symbols(const struct join *j, const struct part *p)
{
	for (const struct part *q = j->parts; q < p; q++)
		if (same_text(&q->trace->meta.kallsyms, &p->trace->meta.kallsyms))
			return true;
	return false;
}

static int add_part(struct kft_trace *t, struct join *j, struct part *p, bool is_first)
{
	struct kft_meta *m = &t->meta;
	int r = add_formats(t, j, p);

	m->cpu_count = KFT_MAX(m->cpu_count, p->trace->meta.cpu_count);
	if (r == 0)
		r = add_buffers(t, p, is_first);
	if (r == 0)
		r = add_tasks(t, p->trace);
	if (r == 0 && !has_symbols(j, p))
		r = append(t, &m->kallsyms, &p->trace->meta.kallsyms);
	if (r == 0)
		r = append(t, &m->printk_formats, &p->trace->meta.printk_formats);
	add_notes(t, p);
	return r;
}

/* Returns the ownership of the parts to the caller. */
static void release(struct join *j)
{
	for (size_t i = 0; i < j->n_parts; i++)
		j->parts[i].trace = NULL;
}

int kft_trace_join(struct kft_trace *const *traces, const char *const *names, size_t n,
		   struct kft_trace **ret, struct kft_err *e)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct join *j = calloc(1, sizeof(*j));
	int r = j ? kft_trace_create(&t) : -ENOMEM;

	if (r < 0) {
		free(j);
		return kft_err_sys(e, r, "cannot join traces");
	}
	t->reader = j;
	t->destroy = destroy_trace;
	j->parts = calloc(n, sizeof(*j->parts));
	for (size_t i = 0; j->parts && i < n; i++)
		j->parts[j->n_parts++] = (struct part){.trace = traces[i],
						       .name = names[i]};
	r = j->parts ? 0 : -ENOMEM;
	for (size_t i = 1; r == 0 && i < n; i++)
		r = check_fit(&j->parts[0], &j->parts[i], e);
	if (r == 0)
		take_meta(t, traces[0]);
	for (size_t i = 0; r == 0 && i < n; i++)
		r = add_part(t, j, &j->parts[i], i == 0);
	if (r < 0) {
		release(j);
		return r == -EINVAL && e && e->code
			       ? r
			       : kft_err_sys(e, r, "cannot join traces");
	}
	*ret = TAKE(t);
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Collects task names from CTF events. */
#include "file/ctf/reader.h"

#include <string.h>

#include "base/bits.h"

/*
 * LTTng and perf write no table of task names: it is made from events with a name when it
 * is first needed. As in the kernel's own table the last name wins.
 */

#define BATCH_EVENTS 256
#define IDS	     65536

struct pair {
	const char *system; /* NULL: any */
	const char *pid;
	const char *comm;
	const char *tgid; /* NULL: the event has none */
};

static const struct pair pairs[] = {
	{"sched", "prev_pid", "prev_comm", NULL},
	{"sched", "next_pid", "next_comm", NULL},
	{"sched", "pid", "comm", NULL},
	{"sched", "parent_pid", "parent_comm", NULL},
	{"sched", "child_pid", "child_comm", NULL},
	{"lttng", "tid", "name", "pid"},
	{NULL, "common_pid", "procname", "pid"},
};

/* The fields of one pair of pid and name in one class. */
struct teller {
	const struct kft_field *pid;
	const struct kft_field *comm;
	const struct kft_field *tgid; /* NULL: the event has none */
	struct teller *next; /* of the same class */
};

struct name {
	uint64_t ts; /* of the event with the name */
	uint32_t tgid;
	uint32_t len;
	char comm[KFT_CTF_NAME_MAX];
};

struct collector {
	struct kft_trace *trace;
	struct kft_arena arena;
	struct teller **tellers; /* by id; owned */
	uint64_t *wanted; /* owned */
	struct kft_map names; /* pid -> struct name * */
	bool failed;
};

static const struct kft_field *int_field(const struct kft_class *c, const char *name)
{
	const struct kft_field *f = name ? kft_class_field(c, name) : NULL;

	return f && f->kind == KFT_FIELD_INT && f->place == KFT_FIELD_INLINE ? f : NULL;
}

static void add_teller(struct collector *k, const struct kft_class *c,
		       const struct pair *pair)
{
	struct teller t = {.pid = int_field(c, pair->pid),
			   .comm = kft_class_field(c, pair->comm),
			   .tgid = int_field(c, pair->tgid)};

	if (!t.pid || !t.comm || t.comm->kind != KFT_FIELD_STRING ||
	    (pair->system && strcmp(pair->system, c->system) != 0))
		return;
	struct teller *copy = kft_arena_alloc(&k->arena, sizeof(*copy));
	if (!copy) {
		k->failed = true;
		return;
	}
	*copy = t;
	copy->next = k->tellers[c->id];
	k->tellers[c->id] = copy;
	kft_bits_add(k->wanted, c->id);
}

/* Only format texts with such a field name are parsed. */
static bool may_tell(const struct kft_class_text *x)
{
	return memmem(x->text, x->len, "comm", 4) || memmem(x->text, x->len, "name", 4);
}

static void find_tellers(struct collector *k)
{
	kft_vec_for_each(&k->trace->classes.texts, x) {
		uint16_t id = x - k->trace->classes.texts.data + 1;
		const struct kft_class *c = may_tell(x) ? kft_trace_class(k->trace, id)
							: NULL;

		for (size_t i = 0; c && i < ARRAY_SIZE(pairs); i++)
			add_teller(k, c, &pairs[i]);
	}
}

static void tell(struct collector *k, uint64_t ts, uint32_t pid, uint32_t tgid,
		 const char *comm, size_t len)
{
	uint64_t *slot = kft_map_put(&k->names, pid);

	if (slot && !*slot)
		*slot = (uintptr_t)kft_arena_alloc(&k->arena, sizeof(struct name));
	struct name *n = slot ? (struct name *)(uintptr_t)*slot : NULL;
	if (!n) {
		k->failed = true;
		return;
	}
	if (tgid && !n->tgid)
		n->tgid = tgid;
	if (n->len && ts < n->ts)
		return;
	n->ts = ts;
	if (n->len == len && memcmp(n->comm, comm, len) == 0)
		return;
	n->len = KFT_MIN(len, sizeof(n->comm));
	memcpy(n->comm, comm, n->len);
}

static void take_event(struct collector *k, const struct kft_event *ev)
{
	for (const struct teller *t = k->tellers[ev->id]; t; t = t->next) {
		uint64_t tgid = 0;
		uint64_t pid;
		const char *comm;
		size_t len;

		if (!kft_event_int(ev, t->pid, false, &pid) ||
		    !kft_event_str(ev, t->comm, false, &comm, &len) || !len)
			continue;
		if (t->tgid && !kft_event_int(ev, t->tgid, false, &tgid))
			continue;
		/* pid 0 is one idle task per CPU, with a fixed name. */
		if ((int32_t)pid > 0)
			tell(k, ev->ts, pid, tgid, comm, len);
	}
}

static void read_lane(struct collector *k, const struct kft_ctf_reader *c,
		      const struct kft_ctf_lane *lane)
{
	struct kft_stream *s = kft_ctf_stream_create(c, lane, false);
	struct kft_event evs[BATCH_EVENTS];
	int n;

	if (!s) {
		k->failed = true;
		return;
	}
	s->wanted = k->wanted;
	while ((n = s->ops->fill(s, evs, BATCH_EVENTS)) > 0)
		for (int i = 0; i < n; i++)
			take_event(k, &evs[i]);
	s->ops->destroy(s);
}

static void add_comm(struct kft_strbuf *sb, const struct name *n)
{
	for (uint32_t i = 0; i < n->len; i++)
		kft_strbuf_addc(sb, n->comm[i] == '\n' ? '?' : n->comm[i]);
	kft_strbuf_addc(sb, '\n');
}

/* Writes the names in the syntax of saved_cmdlines and saved_tgids. */
static void write_texts(struct collector *k)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf comms = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tgids = {};
	struct kft_meta *m = &k->trace->meta;

	for (size_t i = 0; k->names.slots && i <= k->names.mask; i++) {
		const struct kft_map_slot *slot = &k->names.slots[i];
		const struct name *n = (const struct name *)(uintptr_t)slot->value;

		if (slot->key == KFT_MAP_NO_KEY || !n)
			continue;
		kft_strbuf_addf(&comms, "%u ", (uint32_t)slot->key);
		add_comm(&comms, n);
		if (n->tgid)
			kft_strbuf_addf(&tgids, "%u %u\n", (uint32_t)slot->key, n->tgid);
	}
	k->failed |= !kft_strbuf_ok(&comms) || !kft_strbuf_ok(&tgids);
	if (comms.len && kft_meta_set_blob(m, &m->cmdlines, comms.buf, comms.len) < 0)
		k->failed = true;
	if (tgids.len && kft_meta_set_blob(m, &m->tgids, tgids.buf, tgids.len) < 0)
		k->failed = true;
}

void kft_ctf_load_tasks(struct kft_trace *t)
{
	struct collector k = {.trace = t};

	k.tellers = calloc(IDS, sizeof(*k.tellers));
	k.wanted = calloc(IDS / 64, sizeof(*k.wanted));
	k.failed = !k.tellers || !k.wanted;
	if (!k.failed)
		find_tellers(&k);
	for (const struct kft_ctf_reader *c = t->reader; c && !k.failed; c = c->next)
		kft_vec_for_each(&c->lanes, lane)
			read_lane(&k, c, *lane);
	write_texts(&k);
	if (k.failed)
		kft_trace_note(t, 0, "out of memory, names of tasks are missing");
	kft_map_finish(&k.names);
	kft_arena_finish(&k.arena);
	free(k.tellers);
	free(k.wanted);
}

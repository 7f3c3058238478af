// SPDX-License-Identifier: LGPL-2.1-or-later
/* Scans a KPTrace file once for facts that one record needs from others. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "file/kpt/reader.h"
#include "model/syscall.h"

/* Limit for task names; a file with more is corrupt. */
#define NAMES_MAX (1 << 20)

struct scan {
	struct kft_kpt *k;
	struct kft_map left; /* pid -> 1 + number of the last switch from it */
	uint64_t switches;
	/* Number of records before the current one at which time went back. */
	uint64_t backwards;
	bool has_hex; /* an argument of a call begins with 0x */
	bool has_calls;
	int error;
};

static void add_name(struct scan *s, uint64_t ts, uint64_t pid, struct kft_kpt_word name)
{
	struct kft_task_table *t = &s->k->trace->tasks;
	struct kft_task_name n = {.ts = ts, .pid = (uint32_t)pid};

	if (!name.len || t->names.len >= NAMES_MAX)
		return;
	memcpy(n.comm, name.text, KFT_MIN(name.len, sizeof(n.comm) - 1));
	if (!kft_vec_push(&t->names, n))
		s->error = -ENOMEM;
}

static struct kft_kpt_word base_name(struct kft_kpt_word path)
{
	const char *slash = path.len ? memrchr(path.text, '/', path.len) : NULL;
	size_t skip = slash ? (size_t)(slash + 1 - path.text) : 0;

	return (struct kft_kpt_word){path.text + skip, path.len - skip};
}

static void look_at_call(struct scan *s, const struct kft_kpt_line *l)
{
	struct kft_kpt_word words[2] = {};
	uint64_t address;

	if (!kft_kpt_split(l->rest, words, 2) ||
	    !kft_kpt_number(words[0], true, &address) || address == KFT_MAP_NO_KEY)
		return;
	if (kft_kpt_meet_call(s->k, address) < 0)
		s->error = -ENOMEM;
	s->has_calls = true;
	s->has_hex |= memmem(l->rest.text, l->rest.len, " 0x", 3) != NULL;
}

/*
 * Takes task names from execve() and prctl(PR_SET_NAME), the only calls
 * with a name as an argument.
 */
static void look_for_name(struct scan *s, const struct kft_kpt_line *l)
{
	const struct kft_syscalls *calls = kft_trace_syscalls(s->k->trace);
	struct kft_kpt_word word = {};
	struct kft_kpt_args args;
	uint64_t address;

	if (!kft_kpt_split(l->rest, &word, 1) || !kft_kpt_number(word, true, &address))
		return;
	const char *end = l->rest.text + l->rest.len;
	const char *rest = word.text + word.len;
	const char *name = kft_syscall_name(calls, (int64_t)kft_kpt_call(s->k, address));

	kft_kpt_read_args(s->k, (struct kft_kpt_word){rest, end - rest}, &args);
	if (args.text_arg == 1)
		add_name(s, l->ts_ns, (uint32_t)l->pid, args.text);
	else if (args.text_arg == 0 && name && strcmp(name, "execve") == 0)
		add_name(s, l->ts_ns, (uint32_t)l->pid, base_name(args.text));
}

static void look_at_switch(struct scan *s, const struct kft_kpt_line *l)
{
	struct kft_kpt_word words[2];
	uint64_t prev;

	if (kft_kpt_split(l->rest, words, 2) == 2 &&
	    kft_kpt_number(words[0], false, &prev)) {
		uint64_t *slot = kft_map_put(&s->left, (uint32_t)prev);

		if (slot)
			*slot = s->switches + 1;
		else
			s->error = -ENOMEM;
	}
	if (s->switches / 64 >= s->k->slept.len &&
	    !kft_vec_push(&s->k->slept, UINT64_C(0)))
		s->error = -ENOMEM;
	s->switches++;
}

static void look_at_wake(struct scan *s, const struct kft_kpt_line *l)
{
	struct kft_kpt_word word;
	uint64_t pid;

	s->k->has_wakes = true;
	if (!kft_kpt_split(l->rest, &word, 1) || !kft_kpt_number(word, false, &pid))
		return;
	uint64_t *slot = kft_map_get(&s->left, (uint32_t)pid);

	if (slot && *slot)
		kft_bits_add(s->k->slept.data, *slot - 1);
	if (slot)
		*slot = 0;
}

static void end_part(struct kft_kpt *k, size_t end)
{
	if (k->parts.len)
		k->parts.data[k->parts.len - 1].end = end;
}

static void begin_part(struct scan *s, uint64_t cpu, size_t begin)
{
	const struct kft_kpt_part part = {.cpu = (uint32_t)cpu,
					  .begin = begin,
					  .end = begin,
					  .first_switch = s->switches};

	if (!kft_vec_push(&s->k->parts, part))
		s->error = -ENOMEM;
}

/*
 * Begins the next part if the record is the mark of one; kft writes
 * CPUs in ascending order.
 */
static void look_at_mark(struct scan *s, struct kft_kpt_cursor *c,
			 const struct kft_kpt_line *l)
{
	struct kft_kpt *k = s->k;
	size_t skip = strlen(KFT_KPT_CPU_MARK);
	uint64_t cpu;

	if (!kft_kpt_begins(l->rest, KFT_KPT_CPU_MARK) ||
	    !kft_kpt_number(
		    (struct kft_kpt_word){l->rest.text + skip, l->rest.len - skip}, false,
		    &cpu) ||
	    cpu >= KFT_KPT_CPUS_MAX)
		return;
	if (k->parts.len == 1 && k->parts.data[0].begin == c->start)
		k->parts.len = 0;
	else if (k->parts.len && cpu <= k->parts.data[k->parts.len - 1].cpu)
		return;
	end_part(k, c->start);
	begin_part(s, cpu, c->pos);
	c->ts_ns = 0;
	/*
	 * The clock starts again in each part, which must not count as time going back.
	 */
	c->backwards = s->backwards;
}

static void look_at(struct scan *s, struct kft_kpt_cursor *c,
		    const struct kft_kpt_line *l)
{
	const struct kft_kpt_record *r = kft_kpt_find(l->code.text, l->code.len);
	struct kft_kpt_word words[2] = {};
	uint64_t pid;

	switch (r->special) {
	case KFT_KPT_SWITCH:
		look_at_switch(s, l);
		break;
	case KFT_KPT_WAKE:
		look_at_wake(s, l);
		break;
	case KFT_KPT_CALL:
		look_at_call(s, l);
		look_for_name(s, l);
		break;
	case KFT_KPT_CALL_BACK:
		look_at_call(s, l);
		break;
	case KFT_KPT_MARK:
		look_at_mark(s, c, l);
		break;
	default:
		if (kft_kpt_is(l->code, "KD"))
			add_name(s, l->ts_ns, (uint32_t)l->pid, l->rest);
		if (kft_kpt_is(l->code, "Kc") && kft_kpt_split(l->rest, words, 2) == 2 &&
		    kft_kpt_number(words[0], false, &pid))
			add_name(s, l->ts_ns, pid, words[1]);
		break;
	}
}

int kft_kpt_scan(struct kft_kpt *k)
{
	struct kft_kpt_cursor c = {.text = k->text, .end = k->size};
	struct scan s = {.k = k};
	struct kft_kpt_line line;

	begin_part(&s, 0, 0);
	for (; !s.error && kft_kpt_next(&c, &line); s.backwards = c.backwards)
		look_at(&s, &c, &line);
	end_part(k, k->size);
	k->is_first_version = s.has_calls && !s.has_hex;
	kft_map_finish(&s.left);
	if (c.bad)
		(void)kft_err_set(&k->trace->damage, -EINVAL,
				  "byte %zu: the line is not a record of KPTrace, or is "
				  "cut (%" PRIu64 " of them)",
				  c.first_bad, c.bad);
	if (c.backwards)
		kft_trace_note(k->trace, 0,
			       "time goes back at %" PRIu64
			       " records: they have the time "
			       "of the one before",
			       c.backwards);
	return s.error ? s.error : kft_task_table_sort(&k->trace->tasks);
}

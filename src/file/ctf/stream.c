// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the events of one CPU from CTF packets. */
#include "file/ctf/follow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "model/scope.h"

/*
 * Records of a batch are made in one buffer that the next batch overwrites. A
 * batch ends when the longest record might not fit; pages of the buffer that are
 * not reached use no memory.
 */
#define BUFFER_BYTES (2 * KFT_CTF_RECORD_MAX)

#define NO_PID (-1)

/* Number of packets that are tried as the start of a part before giving up. */
#define CUT_TRIES_MAX 8

struct stream {
	struct kft_stream base;
	const struct kft_ctf_reader *c; /* borrowed */
	const struct kft_ctf_lane *lane; /* borrowed */
	const struct kft_ctf_channel *ch;
	const struct kft_ctf_file *file; /* of the current packet */
	uint8_t *records; /* owned: BUFFER_BYTES */
	uint8_t *scratch; /* owned: for records that are discarded; NULL until needed */
	struct kft_ctf_walk walk; /* its slots are owned */
	size_t from; /* range of packets of this stream: all, or those of a part */
	size_t to;
	size_t next; /* packet after the current one */
	bool in_packet;
	uint64_t offset; /* of the current packet, in bytes */
	/* Events lost before the next event. */
	uint64_t lost;
	int32_t pid; /* the running task */
	/* Owned; NULL: the channel has sched_switch itself, or no channel has it. */
	struct kft_ctf_follow *follow;
	bool pid_lost; /* unknown after damage: it is looked up again */
};

static struct stream *of(struct kft_stream *s)
{
	return container_of(s, struct stream, base);
}

__printf_fmt(2, 3) static void damage(struct stream *s, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	s->lost = KFT_LOST_UNKNOWN;
	s->in_packet = false;
	s->pid_lost = true;
	if (s->base.damage_count++)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	(void)kft_err_set(&s->base.damage, -EBADMSG,
			  "'%s': events of CPU %u at byte %" PRIu64 ": %s", s->file->path,
			  s->base.cpu, s->offset + s->walk.bits.pos / 8, text);
}

/*
 * Moves w to the first event of a packet; false when its headers cannot be read any more.
 */
static bool open_packet(const struct stream *s, size_t i, struct kft_ctf_walk *w,
			const struct kft_ctf_file **ret_file)
{
	const struct kft_ctf_packet *p = &s->lane->packets.data[i];
	const struct kft_ctf_file *f = &s->c->files.data[p->file];
	struct kft_ctf_packet_info info;
	const char *why;

	*ret_file = f;
	if (kft_ctf_packet_read(s->c, f, p->offset, w->slots, &info, &why) < 0)
		return false;
	w->bits = (struct kft_ctf_bits){
		.base = f->data + p->offset, .pos = info.first, .end = info.end};
	w->event = UINT64_MAX;
	if (info.has_begin)
		w->time = info.begin;
	return true;
}

static bool skip_payload(const struct kft_ctf_class *cls, struct kft_ctf_walk *w,
			 uint8_t *scratch)
{
	uint32_t unused;

	if (cls->program.payload_bits)
		return kft_ctf_bits_align(&w->bits, cls->program.payload_align) &&
		       kft_ctf_bits_skip(&w->bits, cls->program.payload_bits);
	return kft_ctf_program_run(&cls->program, w, scratch, &unused);
}

/* Reads the header of the event at w. Returns its class; NULL: damage. */
static inline const struct kft_ctf_class *next_class(const struct stream *s,
						     struct kft_ctf_walk *w)
{
	uint64_t id;

	/* An event without any bits would repeat forever. */
	if (unlikely(w->bits.pos == w->event))
		return NULL;
	w->event = w->bits.pos;
	if (unlikely(!kft_ctf_header_read(&s->ch->header, w, &id)))
		return NULL;
	w->slots[KFT_CTF_EVENT_ID] = id;
	return kft_ctf_class_get(s->ch, id);
}

static int32_t load_pid(const uint8_t *record, uint32_t at)
{
	return (int32_t)kft_load_u32(record + at, false);
}

/*
 * The running task at a packet's start: the one that its first sched_switch
 * switches out. With `last`, the running task at its end: the one that its last
 * sched_switch switches in.
 */
static bool pid_in_packet(struct stream *s, size_t i, bool last, int32_t *ret)
{
	uint64_t saved[KFT_CTF_SLOTS_MAX] = {};
	const struct kft_ctf_file *unused;
	struct kft_ctf_walk w = {.slots = saved};
	bool found = false;

	if (!open_packet(s, i, &w, &unused))
		return false;
	while (w.bits.pos < w.bits.end && (last || !found)) {
		const struct kft_ctf_class *cls = next_class(s, &w);
		uint32_t bytes;

		if (!cls)
			break;
		if (!cls->next_pid_at) {
			if (!skip_payload(cls, &w, s->scratch))
				break;
			continue;
		}
		if (!kft_ctf_program_run(&cls->program, &w, s->scratch, &bytes))
			break;
		*ret = load_pid(s->scratch, last ? cls->next_pid_at : cls->prev_pid_at);
		found = true;
	}
	return found;
}

/*
 * The running task at the start of a packet: from the first sched_switch after it, up to
 * lost events, or else from the last one before it, back to lost events. So the answer
 * does not depend on where reading began.
 */
static int32_t pid_at(struct stream *s, size_t i)
{
	const struct kft_ctf_packet *p = s->lane->packets.data;
	int32_t pid;

	for (size_t k = i; k < s->lane->packets.len && (k == i || !p[k].lost); k++)
		if (pid_in_packet(s, k, false, &pid))
			return pid;
	for (size_t k = i; k > 0 && !p[k].lost; k--)
		if (pid_in_packet(s, k - 1, true, &pid))
			return pid;
	return NO_PID;
}

static bool next_packet(struct stream *s)
{
	if (s->next == s->to)
		return false;
	size_t i = s->next++;
	const struct kft_ctf_packet *p = &s->lane->packets.data[i];

	s->offset = p->offset;
	s->lost = kft_lost_add(s->lost, p->lost);
	s->in_packet = open_packet(s, i, &s->walk, &s->file);
	if (!s->in_packet)
		damage(s, "its packet cannot be read any more");
	if (s->ch->pid_by_switch && (p->lost || i == 0 || s->pid_lost))
		s->pid = pid_at(s, i);
	s->pid_lost = false;
	return true;
}

/* Writes the common fields at the start of a record. */
static inline void put_common(uint8_t *record, uint16_t id, int32_t pid)
{
	/*
	 * common_flags and common_preempt_count, where the trace has them, are
	 * written later. This is one store, as a load of all four fields would stall
	 * on several smaller ones.
	 */
	uint64_t head = KFT_HOST_BIG_ENDIAN ? (uint64_t)id << 48 | (uint32_t)pid
					    : id | (uint64_t)(uint32_t)pid << 32;

	memcpy(record, &head, sizeof(head));
}

/* 1: an event is in *ev; 0: an event was skipped; -1: damage. */
static inline int next_event(struct stream *s, uint8_t *record, struct kft_event *ev)
{
	struct kft_ctf_walk *w = &s->walk;
	const struct kft_ctf_class *cls = next_class(s, w);
	uint32_t size;

	if (unlikely(!cls))
		return -1;
	if (unlikely(!kft_id_wanted(s->base.wanted, cls->id)) && !cls->next_pid_at)
		return skip_payload(cls, w, record) ? 0 : -1;
	ev->ts = kft_ctf_ns(s->ch, w->time);
	if (unlikely(s->follow != NULL) && !cls->has_pid)
		s->pid = kft_ctf_follow_pid(s->follow, ev->ts);
	put_common(record, cls->id, s->pid);
	if (unlikely(!kft_ctf_program_run(&cls->program, w, record, &size)))
		return -1;
	if (cls->next_pid_at) {
		s->pid = load_pid(record, cls->next_pid_at);
		if (!kft_id_wanted(s->base.wanted, cls->id))
			return 0;
	}
	ev->lost_before = s->lost;
	ev->data = record;
	ev->size = size;
	ev->cpu = s->base.cpu;
	ev->id = cls->id;
	ev->buffer = s->base.buffer;
	s->lost = 0;
	return 1;
}

/*
 * Bytes beyond the end of a file that was truncated read as zeros: events
 * made of them are invalid.
 */
static bool is_gone(const struct stream *s)
{
	return unlikely(kft_mapped_end(s->file->map) <
			s->offset + (s->walk.bits.end + 7) / 8);
}

/*
 * Reads up to max events of the current packet; their records go to
 * the buffer from *used on.
 */
static size_t read_packet(struct stream *s, struct kft_event *evs, size_t max,
			  size_t *used)
{
	size_t n = 0;

	while (n < max && *used <= BUFFER_BYTES - KFT_CTF_RECORD_MAX) {
		if (s->walk.bits.pos >= s->walk.bits.end) {
			s->in_packet = false;
			break;
		}
		int r = next_event(s, s->records + *used, &evs[n]);
		if (unlikely(r < 0)) {
			damage(s, "no event is there");
			break;
		}
		if (r == 0)
			continue;
		*used += (evs[n].size + 7) & ~UINT32_C(7);
		n++;
	}
	if (is_gone(s)) {
		damage(s, "the file became shorter");
		return 0;
	}
	return n;
}

static bool make_buffers(struct stream *s)
{
	if (!s->records)
		s->records = malloc(BUFFER_BYTES);
	if (!s->scratch)
		s->scratch = malloc(KFT_CTF_RECORD_MAX);
	return s->records && s->scratch;
}

static int stream_fill(struct kft_stream *base, struct kft_event *evs, size_t max)
{
	struct stream *s = of(base);
	size_t used = 0;
	size_t n = 0;

	if (!make_buffers(s))
		return -ENOMEM;
	while (n < max && used <= BUFFER_BYTES - KFT_CTF_RECORD_MAX) {
		if (!s->in_packet && !next_packet(s))
			break;
		if (s->in_packet)
			n += read_packet(s, evs + n, max - n, &used);
	}
	if (!n && s->to == s->lane->packets.len)
		base->lost_after = kft_lost_add(s->lost, s->lane->lost_after);
	return n;
}

/* The last packet that begins before since: earlier ones have only earlier events. */
static size_t find_packet(const struct stream *s, uint64_t since)
{
	const struct kft_ctf_packet *p = s->lane->packets.data;
	size_t lo = s->from;
	size_t hi = s->to;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (kft_ctf_ns(s->ch, p[mid].begin) < since)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static int stream_rewind(struct kft_stream *base, uint64_t since)
{
	struct stream *s = of(base);
	size_t i = since ? find_packet(s, since) : s->from;

	s->next = i;
	s->in_packet = false;
	s->lost = 0;
	s->pid_lost = false;
	s->walk.time = 0;
	s->pid = NO_PID;
	base->lost_after = 0;
	if (!make_buffers(s))
		return -ENOMEM;
	if (i && s->ch->pid_by_switch)
		s->pid = pid_at(s, i);
	if (!s->follow)
		return 0;
	uint64_t begin = i ? s->lane->packets.data[i].begin : 0;
	return kft_ctf_follow_rewind(s->follow, i ? kft_ctf_ns(s->ch, begin) : 0);
}

static void stream_destroy(struct kft_stream *base)
{
	struct stream *s = of(base);

	(void)kft_ctf_follow_destroy(s->follow);
	free(s->records);
	free(s->scratch);
	free(s->walk.slots);
	free(s);
}

static const struct kft_stream_ops part_ops = {
	.fill = stream_fill,
	.rewind = stream_rewind,
	.destroy = stream_destroy,
};

static struct stream *create(const struct kft_ctf_reader *c,
			     const struct kft_ctf_lane *lane, size_t from, size_t to,
			     bool pids)
{
	struct stream *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->ch = &c->channels.data[lane->channel];
	s->base = (struct kft_stream){
		.ops = &part_ops, .cpu = lane->cpu, .buffer = s->ch->buffer};
	s->c = c;
	s->lane = lane;
	s->from = from;
	s->to = to;
	s->next = from;
	s->pid = NO_PID;
	s->walk.slots = calloc(c->n_slots + 1, sizeof(*s->walk.slots));
	if (!s->walk.slots || (pids && kft_ctf_follow_create(c, lane, &s->follow) < 0)) {
		stream_destroy(&s->base);
		return NULL;
	}
	return s;
}

/*
 * A part may begin after a packet that has events and no damage: no loss or damage is
 * then left to report with the next packet's first event.
 */
static bool can_cut_behind(struct stream *s, size_t i)
{
	const struct kft_ctf_file *unused;
	bool any = false;

	if (!open_packet(s, i, &s->walk, &unused))
		return false;
	while (s->walk.bits.pos < s->walk.bits.end) {
		const struct kft_ctf_class *cls = next_class(s, &s->walk);

		if (!cls || !skip_payload(cls, &s->walk, s->scratch))
			return false;
		any = true;
	}
	return any;
}

/*
 * Makes a stream of packets [from, *to); *to is moved to the next
 * possible start of a part.
 */
static int add_part(struct stream *s, size_t from, size_t *to, struct kft_stream **ret)
{
	size_t all = s->lane->packets.len;

	for (unsigned int tries = 0; *to < all && !can_cut_behind(s, *to - 1); tries++)
		*to = tries == CUT_TRIES_MAX ? all : *to + 1;
	struct stream *part = create(s->c, s->lane, from, *to, s->follow != NULL);
	if (!part)
		return -ENOMEM;
	*ret = &part->base;
	return 0;
}

static int stream_split(struct kft_stream *base, uint64_t min_bytes,
			struct kft_stream **ret, size_t n)
{
	struct stream *s = of(base);
	size_t all = s->lane->packets.len;
	uint64_t most = s->lane->bytes / KFT_MAX(min_bytes, UINT64_C(1));
	size_t from = 0;
	size_t made = 0;

	most = KFT_MIN(most, (uint64_t)all);
	n = KFT_MIN((uint64_t)n, most);
	/* Without a time in each packet's header, times depend on all packets before. */
	if (n < 2 || !s->ch->scopes.has_role[KFT_CTF_TIME_BEGIN])
		return 0;
	if (!make_buffers(s))
		return -ENOMEM;
	for (size_t i = 1; i <= n && from < all; i++) {
		size_t to = i == n ? all : KFT_MAX(all / n * i, from + 1);

		if (add_part(s, from, &to, &ret[made]) < 0) {
			while (made > 0)
				stream_destroy(ret[--made]);
			return -ENOMEM;
		}
		made++;
		from = to;
	}
	return made;
}

static const struct kft_stream_ops ops = {
	.fill = stream_fill,
	.rewind = stream_rewind,
	.destroy = stream_destroy,
	.split = stream_split,
};

struct kft_stream *kft_ctf_stream_create(const struct kft_ctf_reader *c,
					 const struct kft_ctf_lane *lane, bool pids)
{
	struct stream *s = create(c, lane, 0, lane->packets.len, pids);

	if (!s)
		return NULL;
	s->base.ops = &ops;
	return &s->base;
}

int32_t kft_ctf_stream_pid(struct kft_stream *base)
{
	return of(base)->pid;
}

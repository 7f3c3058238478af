// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a large CTF trace of one that LTTng recorded, with kft's reader of CTF:
 *
 *	grow_ctf SEED OUT TIMES
 *
 * The packets of each CPU TIMES times one after the other, each time later by the multiple
 * of 2^32 ns above the seed's length: times of fewer bits in events' headers stay as they
 * are, those of 64 bits and those of packets are written anew.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/units.h"
#include "base/vec.h"
#include "file/ctf/read.h"
#include "file/ctf/reader.h"

/* A number of 64 bits in a packet. */
struct place {
	size_t at; /* byte */
	bool is_time; /* else the packet's number */
};

struct packet {
	uint8_t *bytes; /* owned */
	size_t size;
	KFT_VEC(struct place) places;
};

struct grow {
	const struct kft_ctf_reader *c;
	uint64_t slots[KFT_CTF_SLOTS_MAX];
	uint8_t record[KFT_CTF_RECORD_MAX];
	uint64_t first; /* times */
	uint64_t last;
};

static _Noreturn void fail(const char *what)
{
	(void)fprintf(stderr, "grow_ctf: %s\n", what);
	exit(1);
}

static uint64_t load(const struct grow *g, const uint8_t *p)
{
	return kft_load_u64(p, g->c->meta.big_endian != KFT_HOST_BIG_ENDIAN);
}

static void add(struct grow *g, struct packet *p, size_t at, uint64_t bits, bool is_time)
{
	if (bits % 8 || !kft_vec_push(&p->places, (struct place){at, is_time}))
		fail("times are not at whole bytes");
	if (!is_time)
		return;
	uint64_t time = load(g, p->bytes + at);
	g->first = KFT_MIN(g->first, time);
	g->last = KFT_MAX(g->last, time);
}

static void find_in_context(struct grow *g, struct packet *p, struct kft_ctf_walk *w,
			    const struct kft_ctf_scopes *s)
{
	const struct kft_ctf_node *context = s->roots[KFT_CTF_PACKET_CONTEXT];

	if (!kft_ctf_walk(w, s->roots[KFT_CTF_PACKET_HEADER]) ||
	    !kft_ctf_bits_align(&w->bits, context->type->align))
		fail("a packet has no context");
	for (uint32_t i = 0; i < context->n_children; i++) {
		const struct kft_ctf_node *n = &context->children[i];
		bool is_time = n->slot == KFT_CTF_TIME_BEGIN ||
			       n->slot == KFT_CTF_TIME_END;

		if (!kft_ctf_walk(w, n))
			fail("a packet has no context");
		if (n->type->size == 64 && (is_time || n->slot == KFT_CTF_SEQ_NUM))
			add(g, p, w->bits.pos / 8 - 8, w->bits.pos, is_time);
	}
}

/* Headers of events with whole times end in them. */
static void find_in_events(struct grow *g, struct packet *p, struct kft_ctf_walk *w,
			   const struct kft_ctf_channel *ch)
{
	uint32_t unused;

	while (w->bits.pos < w->bits.end) {
		uint64_t start = w->bits.pos;
		uint64_t id;

		if (!kft_ctf_header_read(&ch->header, w, &id))
			fail("an event has no header");
		if (w->bits.pos - start >= 96)
			add(g, p, w->bits.pos / 8 - 8, w->bits.pos, true);
		const struct kft_ctf_class *cls = kft_ctf_class_get(ch, id);
		if (!cls || !kft_ctf_program_run(&cls->program, w, g->record, &unused))
			fail("an event cannot be read");
	}
}

static struct packet read_packet(struct grow *g, const struct kft_ctf_lane *lane,
				 size_t i)
{
	const struct kft_ctf_channel *ch = &g->c->channels.data[lane->channel];
	const struct kft_ctf_file *f = &g->c->files.data[lane->packets.data[i].file];
	uint64_t offset = lane->packets.data[i].offset;
	struct kft_ctf_packet_info info;
	struct packet p = {};
	const char *why;

	if (kft_ctf_packet_read(g->c, f, offset, g->slots, &info, &why) < 0 ||
	    info.is_cut || !info.has_begin || ch->header.kind < KFT_CTF_HEADER_COMPACT)
		fail("only whole traces of LTTng can be grown");
	p.size = info.size;
	p.bytes = malloc(p.size);
	if (!p.bytes)
		fail("out of memory");
	memcpy(p.bytes, f->data + offset, p.size);
	struct kft_ctf_walk w = {.bits = {.base = p.bytes, .end = info.end},
				 .slots = g->slots,
				 .steps = KFT_CTF_STEPS_MAX};
	find_in_context(g, &p, &w, &ch->scopes);
	w.bits.pos = info.first;
	w.time = info.begin;
	find_in_events(g, &p, &w, ch);
	return p;
}

typedef KFT_VEC(struct packet) packets_vec;

static void shift(const struct grow *g, const struct packet *p, uint64_t time,
		  uint64_t seq)
{
	bool swap = g->c->meta.big_endian != KFT_HOST_BIG_ENDIAN;

	kft_vec_for_each(&p->places, place) {
		uint64_t v = load(g, p->bytes + place->at) + time;

		if (!place->is_time)
			v = seq;
		v = swap ? __builtin_bswap64(v) : v;
		memcpy(p->bytes + place->at, &v, sizeof(v));
	}
}

static void write_lane(const struct grow *g, const packets_vec *packets, const char *path,
		       uint64_t times)
{
	const uint64_t wrap = UINT64_C(1) << 32;
	uint64_t step = ((g->last - g->first) / wrap + 1) * wrap;
	FILE *f = fopen(path, "w");
	uint64_t seq = 0;

	if (!f)
		fail(strerror(errno));
	for (uint64_t n = 0; n < times; n++) {
		kft_vec_for_each(packets, p) {
			shift(g, p, n ? step : 0, seq++);
			if (fwrite(p->bytes, p->size, 1, f) != 1)
				fail(strerror(errno));
		}
	}
	if (fclose(f) != 0)
		fail(strerror(errno));
}

static void copy_metadata(const char *from, const char *to)
{
	char path[2][4096];
	FILE *in;
	FILE *out;
	int c;

	(void)snprintf(path[0], sizeof(path[0]), "%s/metadata", from);
	(void)snprintf(path[1], sizeof(path[1]), "%s/metadata", to);
	in = fopen(path[0], "r");
	out = fopen(path[1], "w");
	if (!in || !out)
		fail(strerror(errno));
	while ((c = getc(in)) != EOF)
		(void)putc(c, out);
	(void)fclose(in);
	if (fclose(out) != 0)
		fail(strerror(errno));
}

int main(int argc, char **argv)
{
	static struct grow g = {.first = UINT64_MAX};
	struct kft_trace *t = NULL;
	struct kft_err e = {};
	packets_vec *lanes;
	uint64_t times;

	if (argc != 4 || kft_parse_u64(argv[3], &times) < 0)
		fail("usage: grow_ctf SEED OUT TIMES");
	if (kft_ctf_open(argv[1], &t, &e) < 0)
		fail(e.msg);
	if (mkdir(argv[2], 0777) < 0 && errno != EEXIST)
		fail(strerror(errno));
	g.c = t->reader;
	lanes = calloc(g.c->lanes.len + 1, sizeof(*lanes));
	if (!lanes)
		fail("out of memory");
	for (size_t i = 0; i < g.c->lanes.len; i++)
		for (size_t k = 0; k < g.c->lanes.data[i]->packets.len; k++)
			if (!kft_vec_push(&lanes[i],
					  read_packet(&g, g.c->lanes.data[i], k)))
				fail("out of memory");
	copy_metadata(argv[1], argv[2]);
	for (size_t i = 0; i < g.c->lanes.len; i++) {
		char path[4096];

		(void)snprintf(path, sizeof(path), "%s/c%u_%u", argv[2],
			       g.c->lanes.data[i]->channel, g.c->lanes.data[i]->cpu);
		write_lane(&g, &lanes[i], path, times);
	}
	/* The process ends: packets need not be freed. */
	kft_trace_destroy(t);
	return 0;
}

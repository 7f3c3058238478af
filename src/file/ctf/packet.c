// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the packets of a CTF file and reads their headers. */
#include "file/ctf/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "model/scope.h"

#define MAGIC UINT32_C(0xc1fc1fc1)

/* Tracers begin packets at multiples of this. */
#define RESYNC_BYTES 8

void kft_ctf_damage(struct kft_ctf_reader *c, const struct kft_ctf_file *f,
		    uint64_t offset, const char *fmt, ...)
{
	struct kft_err *e = &c->trace->damage;
	char text[256];
	va_list ap;

	if (e->code)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	(void)kft_err_set(e, -EBADMSG, "'%s': packet at byte %" PRIu64 ": %s", f->path,
			  offset, text);
}

/* Walks the header's children one by one, to compare the UUID's bytes. */
static bool walk_header(const struct kft_ctf_reader *c, struct kft_ctf_walk *w,
			const struct kft_ctf_node *root, bool *ret_other_uuid,
			const char **why)
{
	if (!kft_ctf_bits_align(&w->bits, root->type->align))
		return false;
	for (uint32_t i = 0; i < root->n_children; i++) {
		const struct kft_ctf_node *n = &root->children[i];
		uint64_t start = w->bits.pos;

		if (!kft_ctf_walk(w, n))
			return false;
		if (n->slot == KFT_CTF_MAGIC && w->slots[KFT_CTF_MAGIC] != MAGIC) {
			*why = "it does not begin as one";
			return false;
		}
		bool is_uuid = (c->meta.is_ctf2 ? n->type->is_uuid
						: strcmp(n->name, "uuid") == 0) &&
			       start % 8 == 0 &&
			       w->bits.pos - start == sizeof(c->meta.uuid) * 8;
		if (is_uuid && c->meta.has_uuid &&
		    memcmp(w->bits.base + start / 8, c->meta.uuid, sizeof(c->meta.uuid)))
			*ret_other_uuid = true;
	}
	return true;
}

static bool find_channel(const struct kft_ctf_reader *c, uint64_t id, uint32_t *ret)
{
	for (uint32_t i = 0; i < c->channels.len; i++) {
		if (c->channels.data[i].id == id) {
			*ret = i;
			return true;
		}
	}
	return false;
}

/* Checks the packet's sizes, in bits, against each other and the file. */
static bool set_sizes(const struct kft_ctf_channel *ch, const struct kft_ctf_walk *w,
		      uint64_t left, struct kft_ctf_packet_info *ret)
{
	uint64_t size = left * 8;
	uint64_t content;

	if (ch->scopes.has_role[KFT_CTF_PACKET_SIZE])
		size = w->slots[KFT_CTF_PACKET_SIZE];
	/*
	 * 0 stands for the rest of the file: the tracer was stopped
	 * before it wrote the size.
	 */
	size = size ? size : left * 8;
	content = size;
	if (ch->scopes.has_role[KFT_CTF_CONTENT_SIZE] && w->slots[KFT_CTF_CONTENT_SIZE])
		content = w->slots[KFT_CTF_CONTENT_SIZE];
	if (size % 8 || content > size || content < w->bits.pos)
		return false;
	ret->is_cut = size / 8 > left;
	ret->size = KFT_MIN(size / 8, left);
	ret->end = KFT_MIN(content, left * 8);
	ret->first = w->bits.pos;
	return true;
}

static uint64_t role(const struct kft_ctf_channel *ch, const struct kft_ctf_walk *w,
		     enum kft_ctf_role r)
{
	return ch->scopes.has_role[r] ? w->slots[r] : 0;
}

int kft_ctf_packet_read(const struct kft_ctf_reader *c, const struct kft_ctf_file *f,
			uint64_t offset, uint64_t *slots, struct kft_ctf_packet_info *ret,
			const char **ret_why)
{
	uint64_t left = f->size - offset;
	struct kft_ctf_walk w = {
		.bits = {.base = f->data + offset, .end = left * 8},
		.slots = slots,
		.steps = KFT_CTF_STEPS_MAX,
	};
	const struct kft_ctf_scopes *any = &c->channels.data[0].scopes;
	const struct kft_ctf_node *header = any->roots[KFT_CTF_PACKET_HEADER];
	struct kft_ctf_packet_info info = {};

	*ret_why = "its header is cut short";
	if (header && !walk_header(c, &w, header, &info.other_uuid, ret_why))
		return -EBADMSG;
	if (any->has_role[KFT_CTF_STREAM_ID] &&
	    !find_channel(c, slots[KFT_CTF_STREAM_ID], &info.channel)) {
		*ret_why = "the metadata does not describe its stream";
		return -EBADMSG;
	}
	const struct kft_ctf_channel *ch = &c->channels.data[info.channel];
	const struct kft_ctf_node *context = ch->scopes.roots[KFT_CTF_PACKET_CONTEXT];
	if (context && !kft_ctf_walk(&w, context))
		return -EBADMSG;
	*ret_why = "its sizes contradict each other";
	if (!set_sizes(ch, &w, left, &info))
		return -EBADMSG;
	info.begin = role(ch, &w, KFT_CTF_TIME_BEGIN);
	info.has_begin = ch->scopes.has_role[KFT_CTF_TIME_BEGIN];
	info.discarded = role(ch, &w, KFT_CTF_DISCARDED);
	info.seq_num = role(ch, &w, KFT_CTF_SEQ_NUM);
	info.has_seq_num = ch->scopes.has_role[KFT_CTF_SEQ_NUM];
	uint64_t cpu = role(ch, &w, KFT_CTF_CPU_ID);
	info.has_cpu = ch->scopes.has_role[KFT_CTF_CPU_ID] && cpu < KFT_CTF_CPUS_MAX;
	info.cpu = info.has_cpu ? cpu : 0;
	*ret = info;
	return 0;
}

static struct kft_ctf_lane *add_lane(struct kft_ctf_reader *c,
				     const struct kft_ctf_packet_info *info, uint32_t cpu)
{
	struct kft_ctf_lane *l = calloc(1, sizeof(*l));

	if (!l || !kft_vec_push(&c->lanes, l)) {
		free(l);
		return NULL;
	}
	l->channel = info->channel;
	l->cpu = cpu;
	l->has_seq_num = info->has_seq_num;
	return l;
}

/* Adds the packet to the lane of its CPU, or of its file when packets have no CPU. */
static int add_packet(struct kft_ctf_reader *c, uint32_t file, uint64_t offset,
		      const struct kft_ctf_packet_info *info)
{
	uint32_t cpu = info->has_cpu ? info->cpu : file;
	uint64_t *slot = kft_map_put(&c->lane_of, (uint64_t)info->channel << 32 | cpu);
	struct kft_ctf_packet p = {
		.offset = offset,
		.begin = info->begin,
		.lost = info->discarded,
		.file = file,
		.seq_num = info->seq_num,
	};

	if (!slot)
		return -ENOMEM;
	if (!*slot && c->lanes.len == KFT_CTF_LANES_MAX) {
		kft_ctf_damage(c, &c->files.data[file], offset, "too many streams");
		return 0;
	}
	if (!*slot)
		*slot = (uintptr_t)add_lane(c, info, cpu);
	struct kft_ctf_lane *l = (struct kft_ctf_lane *)(uintptr_t)*slot;
	if (!l || l->packets.len == KFT_CTF_PACKETS_MAX || !kft_vec_push(&l->packets, p))
		return -ENOMEM;
	l->bytes += info->size;
	return 0;
}

/* The next offset with the magic number; the file's end when there is none. */
static uint64_t resync(const struct kft_ctf_reader *c, const struct kft_ctf_file *f,
		       uint64_t offset)
{
	const struct kft_ctf_scopes *s = &c->channels.data[0].scopes;
	bool swap = c->meta.big_endian != KFT_HOST_BIG_ENDIAN;

	if (!s->has_role[KFT_CTF_MAGIC])
		return f->size;
	while (f->size - offset > 2 * RESYNC_BYTES) {
		offset = (offset + RESYNC_BYTES) & ~(uint64_t)(RESYNC_BYTES - 1);
		if (kft_load_u32(f->data + offset, swap) == MAGIC)
			return offset;
	}
	return f->size;
}

/* The file "chan0_3_1", of CPU 3, belongs to the channel "chan0". */
static void name_channel(struct kft_ctf_reader *c, const struct kft_ctf_file *f,
			 uint32_t channel)
{
	struct kft_ctf_channel *ch = &c->channels.data[channel];
	const char *slash = strrchr(f->path, '/');
	const char *name = slash ? slash + 1 : f->path;
	size_t len = strlen(name);

	if (ch->name)
		return;
	for (size_t i = len; i-- > 1;) {
		if (name[i] == '_')
			len = i;
		else if (name[i] < '0' || name[i] > '9')
			break;
	}
	ch->name = kft_arena_strndup(&c->trace->arena, name,
				     KFT_MIN(len, (size_t)KFT_BUFFER_NAME_MAX - 1));
}

/*
 * A file with another UUID at its start is accepted with a note: it was copied here, or
 * its own metadata is lost. A later packet with a UUID unlike that of the file's first
 * one is rejected as a false match of resync().
 */
static bool is_of_this(struct kft_ctf_reader *c, const struct kft_ctf_file *f,
		       uint64_t offset, const struct kft_ctf_packet_info *info,
		       bool *file_is_other)
{
	if (offset == 0 && info->other_uuid) {
		*file_is_other = true;
		kft_trace_note(c->trace, 0,
			       "'%s': its UUID is not that of the metadata, it is read "
			       "all the same",
			       f->path);
	}
	return info->other_uuid == *file_is_other;
}

static int index_file(struct kft_ctf_reader *c, uint32_t file, uint64_t *slots)
{
	const struct kft_ctf_file *f = &c->files.data[file];
	bool file_is_other = false;
	uint64_t offset = 0;

	while (offset < f->size) {
		struct kft_ctf_packet_info info;
		const char *why;
		int r = kft_ctf_packet_read(c, f, offset, slots, &info, &why);

		if (r == 0 && !is_of_this(c, f, offset, &info, &file_is_other)) {
			why = "it is of another trace";
			r = -EBADMSG;
		}
		if (r < 0) {
			kft_ctf_damage(c, f, offset, "%s", why);
			offset = resync(c, f, offset);
			continue;
		}
		if (info.is_cut)
			kft_ctf_damage(c, f, offset, "the file ends in it");
		r = add_packet(c, file, offset, &info);
		if (r < 0)
			return r;
		name_channel(c, f, info.channel);
		offset += info.size;
	}
	return 0;
}

static int by_time(const void *pa, const void *pb)
{
	const struct kft_ctf_packet *a = pa;
	const struct kft_ctf_packet *b = pb;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/*
 * Turns counters into losses. A tracer writes the counter when it closes a packet: its
 * increase since the packet before is the number lost after the last event of this one.
 */
static void count_lost(struct kft_ctf_lane *l)
{
	struct kft_ctf_packet *p = l->packets.data;
	uint64_t pending = 0;
	/* A chunk of a longer recording begins with the losses before it. */
	bool is_first = !l->has_seq_num || p[0].seq_num == 0;
	uint64_t counter = is_first ? 0 : p[0].lost;

	for (size_t i = 0; i < l->packets.len; i++) {
		uint64_t now = p[i].lost;
		bool gap = l->has_seq_num && i && p[i].seq_num != p[i - 1].seq_num + 1;

		p[i].lost = gap ? KFT_LOST_UNKNOWN : pending;
		pending = now < counter ? KFT_LOST_UNKNOWN : now - counter;
		counter = now;
	}
	l->lost_after = pending;
}

int kft_ctf_index(struct kft_ctf_reader *c)
{
	_cleanup_free_ uint64_t *slots = calloc(c->n_slots + 1, sizeof(*slots));
	int r = slots ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < c->files.len && r == 0; i++)
		r = index_file(c, i, slots);
	kft_vec_for_each(&c->lanes, l) {
		if ((*l)->packets.len)
			qsort((*l)->packets.data, (*l)->packets.len,
			      sizeof(*(*l)->packets.data), by_time);
		count_lost(*l);
	}
	return r;
}

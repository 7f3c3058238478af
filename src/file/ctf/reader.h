/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_READER_H
#define KFT_FILE_CTF_READER_H

#include "base/mapped.h"
#include "file/ctf/class.h"
#include "file/ctf/header.h"
#include "model/trace.h"

/*
 * An open CTF trace. Made once when it is opened and read only afterwards, so that streams
 * in several threads share it.
 */

#define KFT_CTF_FILES_MAX   65536u
#define KFT_CTF_PACKETS_MAX (1u << 24) /* of a CPU */
#define KFT_CTF_CPUS_MAX    8192u
#define KFT_CTF_LANES_MAX   16384u
#define KFT_CTF_FORMATS_MAX (256u << 20) /* bytes of all format texts */
/* Of a directory of traces. LTTng's archives/TIME/ust/uid/1000/64-bit is six deep. */
#define KFT_CTF_TRACES_MAX  4096u
#define KFT_CTF_DEPTH_MAX   6u
#define KFT_CTF_ENTRIES_MAX 100000u /* names that are looked at */

/* A file with packets, mapped: there may be thousands, more than descriptors. */
struct kft_ctf_file {
	const char *path; /* escaped, for messages; owned by the trace's arena */
	const uint8_t *data; /* borrowed */
	uint64_t size;
	struct kft_mapped *map; /* owned: has the data; NULL: somebody else does */
};

/* A kind of streams with all that reading it takes. */
struct kft_ctf_channel {
	uint64_t id;
	struct kft_ctf_scopes scopes; /* up to the stream's event context */
	struct kft_ctf_header header;
	struct kft_map by_id; /* CTF's id -> struct kft_ctf_class * */
	struct kft_ctf_class **classes; /* by CTF's id where it is small; owned */
	uint32_t n_classes;
	bool lacks_pid; /* some records do not say their pid */
	bool pid_by_switch; /* it has the switches that say it */
	uint64_t freq; /* of its clock */
	uint64_t offset_ns; /* added to its times */
	const char *name; /* as its files' names say; NULL: no file yet */
	uint16_t buffer; /* kft's, when it has streams */
};

/* What the headers of a packet say. */
struct kft_ctf_packet_info {
	uint32_t channel; /* index */
	uint64_t size; /* bytes of the packet that are there */
	uint64_t first; /* bit of the first event */
	uint64_t end; /* bit behind the last event */
	uint64_t begin; /* time; 0 when it is not said */
	uint64_t discarded;
	uint64_t seq_num;
	uint32_t cpu;
	bool has_begin;
	bool has_cpu;
	bool has_seq_num;
	bool is_cut; /* the file ends in it */
	bool other_uuid; /* it is not that of the metadata */
};

/* Where a packet of a CPU is, in the order of time. */
struct kft_ctf_packet {
	uint64_t offset; /* bytes in the file */
	uint64_t begin;
	uint64_t lost; /* events lost before its first one; before sorting: the counter */
	uint32_t file;
	uint32_t seq_num; /* its low bits */
};

/* The packets of one channel and CPU, or file where packets do not say the CPU. */
struct kft_ctf_lane {
	uint32_t channel;
	uint32_t cpu;
	bool has_seq_num;
	uint64_t bytes; /* of all its packets */
	KFT_VEC(struct kft_ctf_packet) packets;
	uint64_t lost_after;
};

struct kft_ctf_reader {
	struct kft_trace *trace; /* that this is the reader of */
	struct kft_ctf_reader
		*next; /* owned: of another CTF trace that is read with it */
	const char
		*label; /* set it apart from others; in the trace's arena; NULL: none */
	uint16_t first_id; /* kft's ids of its classes begin behind this one */
	struct kft_ctf_meta meta;
	KFT_VEC(struct kft_ctf_file) files;
	KFT_VEC(struct kft_ctf_channel) channels;
	KFT_VEC(struct kft_ctf_class *)
	classes; /* in the meta's arena; by kft's id, from 1 */
	KFT_VEC(struct kft_ctf_lane *) lanes; /* owned */
	struct kft_map lane_of; /* channel and CPU -> struct kft_ctf_lane * */
	uint32_t n_slots; /* that the largest event needs */
	struct kft_strbuf texts; /* formats of all classes */
};

/* An empty trace with a reader, to be set up, given files and started. -ENOMEM. */
int kft_ctf_create(struct kft_trace **ret) __must_check;

/* Another reader, after those before it were started; owned by the trace. -ENOMEM. */
int kft_ctf_add_reader(struct kft_trace *t, const char *label,
		       struct kft_ctf_reader **ret) __must_check;

/* Reads the bytes of the metadata file. -EINVAL, -ENOTSUP, -EFBIG, -ENOMEM. */
int kft_ctf_setup(struct kft_ctf_reader *c, const uint8_t *data, size_t len,
		  struct kft_err *e) __must_check;

/* After all files are there: finds their packets, makes buffers and streams. -ENOMEM. */
int kft_ctf_start(struct kft_ctf_reader *c) __must_check;

void kft_ctf_unmap(struct kft_ctf_file *f);

/*
 * The headers of the packet at an offset; slots has reader.n_slots. -EBADMSG when none is
 * there, with *ret_why.
 */
int kft_ctf_packet_read(const struct kft_ctf_reader *c, const struct kft_ctf_file *f,
			uint64_t offset, uint64_t *slots, struct kft_ctf_packet_info *ret,
			const char **ret_why) __must_check;

/* Finds all packets of all files: fills in lanes. Damage is the trace's. -ENOMEM. */
int kft_ctf_index(struct kft_ctf_reader *c) __must_check;

/*
 * A stream of a lane, which it borrows as the reader; with pids, it looks for who runs in
 * other lanes when its own does not tell. NULL when out of memory.
 */
struct kft_stream *kft_ctf_stream_create(const struct kft_ctf_reader *c,
					 const struct kft_ctf_lane *lane, bool pids);

/* Who runs behind the last event that was read; -1: not known. */
int32_t kft_ctf_stream_pid(struct kft_stream *s);

/* The names of tasks, from all events that tell them, as saved_cmdlines has them. */
void kft_ctf_load_tasks(struct kft_trace *t);

/* The first thing that is wrong with the trace stays; all are counted nowhere else. */
__printf_fmt(4, 5) void kft_ctf_damage(struct kft_ctf_reader *c,
				       const struct kft_ctf_file *f, uint64_t offset,
				       const char *fmt, ...);

static inline struct kft_ctf_class *kft_ctf_class_get(const struct kft_ctf_channel *ch,
						      uint64_t id)
{
	if (likely(id < ch->n_classes))
		return ch->classes[id];
	const uint64_t *slot = kft_map_get(&ch->by_id, id);
	return slot ? (struct kft_ctf_class *)(uintptr_t)*slot : NULL;
}

/* Cycles of a clock in ns; what is beyond 64 bits wraps. freq is not 0. */
static inline uint64_t kft_ctf_cycles_ns(uint64_t cycles, uint64_t freq)
{
	uint64_t rest = cycles % freq;
	uint64_t part = 0;

	/* Three digits at a time: the product needs 128 bits, which not all machines have. */
	for (int i = 0; i < 3; i++) {
		rest *= 1000;
		part = part * 1000 + rest / freq;
		rest %= freq;
	}
	return cycles / freq * UINT64_C(1000000000) + part;
}

/* A time of the channel's clock in ns since 1970, or since whatever the clock counts. */
static inline uint64_t kft_ctf_ns(const struct kft_ctf_channel *ch, uint64_t time)
{
	if (likely(ch->freq == UINT64_C(1000000000)))
		return time + ch->offset_ns;
	return kft_ctf_cycles_ns(time, ch->freq) + ch->offset_ns;
}

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/mapped.h"
#include "file/ctf/class.h"
#include "file/ctf/header.h"
#include "model/trace.h"

/*
 * An open CTF trace. It is set up when the trace is opened and read-only afterwards, so
 * that streams in several threads share it.
 */

#define KFT_CTF_FILES_MAX   65536u
#define KFT_CTF_PACKETS_MAX (1u << 24) /* of a CPU */
#define KFT_CTF_CPUS_MAX    8192u
#define KFT_CTF_LANES_MAX   16384u
#define KFT_CTF_FORMATS_MAX (256u << 20) /* bytes of all format texts */
/*
 * Limits of a directory of traces. LTTng's
 * archives/TIME/ust/uid/1000/64-bit is six levels deep.
 */
#define KFT_CTF_TRACES_MAX  4096u
#define KFT_CTF_DEPTH_MAX   6u
#define KFT_CTF_ENTRIES_MAX 100000u /* directory entries that are visited */

/* A file with packets. It is mapped, as there may be more files than descriptors. */
struct kft_ctf_file {
	const char *path; /* escaped, for messages; owned by the trace's arena */
	const uint8_t *data; /* borrowed */
	uint64_t size;
	/* Owned: the mapping of data; NULL: data belongs to the caller. */
	struct kft_mapped *map;
};

/* A stream class with all that is needed to read it. */
struct kft_ctf_channel {
	uint64_t id;
	struct kft_ctf_scopes scopes; /* up to the stream's event context */
	struct kft_ctf_header header;
	struct kft_map by_id; /* CTF's id -> struct kft_ctf_class * */
	/* Owned: classes with a small id, by CTF's id. */
	struct kft_ctf_class **classes;
	uint32_t n_classes;
	bool lacks_pid; /* some records have no pid */
	/* The channel has sched_switch, which names the running task. */
	bool pid_by_switch;
	uint64_t freq; /* of its clock, in Hz */
	uint64_t offset_ns; /* added to its times */
	/* Common part of its files' names; NULL: no file yet. */
	const char *name;
	uint16_t buffer; /* index of kft's buffer, if it has streams */
};

/* Contents of a packet's headers. */
struct kft_ctf_packet_info {
	uint32_t channel; /* index of the channel */
	uint64_t size; /* bytes of the packet in the file */
	uint64_t first; /* first event's offset in bits */
	uint64_t end; /* end of the last event, in bits */
	uint64_t begin; /* in cycles of the clock; 0: none */
	uint64_t discarded;
	uint64_t seq_num;
	uint32_t cpu;
	bool has_begin;
	bool has_cpu;
	bool has_seq_num;
	bool is_cut; /* the file ends in the packet */
	bool other_uuid; /* the UUID differs from the metadata's */
};

/* The place of a CPU's packet in its file; packets are sorted by time. */
struct kft_ctf_packet {
	uint64_t offset; /* in the file, in bytes */
	uint64_t begin;
	/*
	 * Events lost before its first one; the tracer's counter
	 * until the packets are sorted.
	 */
	uint64_t lost;
	uint32_t file;
	uint32_t seq_num; /* its low 32 bits */
};

/* The packets of one channel and CPU; of one file when packets have no CPU. */
struct kft_ctf_lane {
	uint32_t channel;
	uint32_t cpu;
	bool has_seq_num;
	uint64_t bytes; /* of all its packets */
	KFT_VEC(struct kft_ctf_packet) packets;
	uint64_t lost_after;
};

struct kft_ctf_reader {
	struct kft_trace *trace; /* borrowed: the trace that owns this */
	/* Owned: the reader of another CTF trace that is merged with this one. */
	struct kft_ctf_reader *next;
	/* Prefix of the buffers' names, in the trace's arena; NULL: none. */
	const char *label;
	uint16_t first_id; /* kft's ids of its classes begin after this one */
	struct kft_ctf_meta meta;
	KFT_VEC(struct kft_ctf_file) files;
	KFT_VEC(struct kft_ctf_channel) channels;
	/* In the meta's arena; indexed by kft's id from 1. */
	KFT_VEC(struct kft_ctf_class *)
	classes;
	KFT_VEC(struct kft_ctf_lane *) lanes; /* owned */
	struct kft_map lane_of; /* channel and CPU -> struct kft_ctf_lane * */
	/* Maximum of slots that an event needs. */
	uint32_t n_slots;
	struct kft_strbuf texts; /* format texts of all classes */
};

/*
 * Creates an empty trace with a reader, which then is set up, given
 * files and started. -ENOMEM.
 */
int kft_ctf_create(struct kft_trace **ret) __must_check;

/*
 * Adds another reader, after those before it were started; owned by the trace. -ENOMEM.
 */
int kft_ctf_add_reader(struct kft_trace *t, const char *label,
		       struct kft_ctf_reader **ret) __must_check;

/* Parses the metadata in data. -EINVAL, -ENOTSUP, -EFBIG, -ENOMEM. */
int kft_ctf_setup(struct kft_ctf_reader *c, const uint8_t *data, size_t len,
		  struct kft_err *e) __must_check;

/*
 * Finds the packets in all files, which were added before; adds
 * buffers and streams. -ENOMEM.
 */
int kft_ctf_start(struct kft_ctf_reader *c) __must_check;

void kft_ctf_unmap(struct kft_ctf_file *f);

/*
 * Reads the headers of the packet at an offset; slots has reader.n_slots. -EBADMSG with
 * *ret_why when they are malformed.
 */
int kft_ctf_packet_read(const struct kft_ctf_reader *c, const struct kft_ctf_file *f,
			uint64_t offset, uint64_t *slots, struct kft_ctf_packet_info *ret,
			const char **ret_why) __must_check;

/*
 * Finds the packets of all files and fills in lanes. Errors become
 * damage of the trace. -ENOMEM.
 */
int kft_ctf_index(struct kft_ctf_reader *c) __must_check;

/*
 * Creates a stream of a lane; lane and reader are borrowed. pids: the running task is
 * looked up in other lanes if the stream's own has no switches. NULL when out of memory.
 */
struct kft_stream *kft_ctf_stream_create(const struct kft_ctf_reader *c,
					 const struct kft_ctf_lane *lane, bool pids);

/* The running task after the last event that was read; -1: unknown. */
int32_t kft_ctf_stream_pid(struct kft_stream *s);

/* Collects task names from all events that have them, in the form of saved_cmdlines. */
void kft_ctf_load_tasks(struct kft_trace *t);

/* Sets the trace's damage; the first error is kept, later ones are ignored. */
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

/* Converts cycles of a clock to ns; wraps at 64 bits. freq is not 0. */
static inline uint64_t kft_ctf_cycles_ns(uint64_t cycles, uint64_t freq)
{
	uint64_t rest = cycles % freq;
	uint64_t part = 0;

	/*
	 * Three decimal digits per step: one product would need 128 bits,
	 * which 32-bit machines lack.
	 */
	for (int i = 0; i < 3; i++) {
		rest *= 1000;
		part = part * 1000 + rest / freq;
		rest %= freq;
	}
	return cycles / freq * UINT64_C(1000000000) + part;
}

/*
 * Converts a time of the channel's clock to ns since 1970, or since the clock's origin.
 */
static inline uint64_t kft_ctf_ns(const struct kft_ctf_channel *ch, uint64_t time)
{
	if (likely(ch->freq == UINT64_C(1000000000)))
		return time + ch->offset_ns;
	return kft_ctf_cycles_ns(time, ch->freq) + ch->offset_ns;
}

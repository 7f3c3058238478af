/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_DAT_H
#define KFT_TESTS_DAT_H

/*
 * Builds trace.dat files of every kind in memory, straight from trace-cmd's description of
 * the format and independently of kft's writer, and remembers where each field is.
 */
#include "base/vec.h"
#include "model/trace.h"
#include "page.h"

#define T_DAT_ID	  500 /* kft_test:beat, one u32 field n */
#define T_DAT_PAGE_EVENTS 5

struct t_dat_spec {
	unsigned int version; /* 6 or 7 */
	bool big;
	unsigned int long_size; /* 4 or 8 */
	const char *codec; /* "none", "zstd", "zlib"; version 7 only */
	uint32_t page_size;
	unsigned int n_cpus;
	unsigned int n_pages; /* of each CPU */
	bool instance; /* a second buffer "two" with the same events */
	bool no_buffers; /* version 7: metadata and options only */
	/* Options to be added: bytes of whole options in the byte order of the file. */
	const struct kft_strbuf *options;
};

/* A number in the file that a test can break. */
struct t_dat_field {
	const char *name;
	size_t offset;
	unsigned int size;
};

struct t_dat {
	struct t_dat_spec spec;
	struct kft_strbuf bytes;
	KFT_VEC(struct t_dat_field) fields;
	KFT_VEC(size_t) pages; /* offset of each page, or chunk, of the main buffer */
	KFT_VEC(size_t) options; /* v7: offset of each options section */
};

/* Zeroed members of the spec get defaults: version 7, 8, "none", 256, 2 CPUs, 3 pages. */
void t_dat_build(struct t_dat *dat, const struct t_dat_spec *spec);
void t_dat_finish(struct t_dat *dat);

/* Appends one of the pages that the file has. */
void t_dat_page(const struct t_dat *dat, struct kft_strbuf *out, unsigned int cpu,
		unsigned int i);

/* Appends an option: id, size, data. */
void t_dat_option(struct kft_strbuf *sb, bool big, uint16_t id, const void *data,
		  size_t len);

/* The first len bytes as a new anonymous file. */
int t_dat_fd(const struct t_dat *dat, size_t len);

/*
 * When event k (from 0) of page i of a CPU happened. The pages of CPU 1 interleave with
 * those of CPU 0.
 */
uint64_t t_dat_ts(unsigned int cpu, unsigned int page, unsigned int k);

#endif

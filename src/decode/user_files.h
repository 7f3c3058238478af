/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/intern.h"
#include "decode/types/elf.h"
#include "model/user_symbol.h"

/*
 * The programs and libraries that a trace's tasks had mapped, and their functions. A file
 * is read when the first address in it is shown. Its path comes from the trace and may
 * now lead to any other file: it counts only when it has the recorded build-id, or without
 * one the recorded device and inode.
 */
struct kft_user_file_id {
	uint64_t device; /* st_dev */
	uint64_t inode; /* 0: unknown */
	uint8_t build_id[KFT_BUILD_ID_MAX];
	uint32_t build_id_len; /* 0: unknown */
};

/* Limits: the number of files, and the bytes of one that is read. */
#define KFT_USER_FILES_MAX	65536
#define KFT_USER_FILE_BYTES_MAX ((uint64_t)1 << 30)

struct kft_user_file {
	struct kft_user_file_id id;
	const char *path; /* borrowed from keys */
	bool is_read; /* functions are there, if the file could be used */
	struct kft_elf_functions functions;
};

struct kft_user_files {
	struct kft_intern keys; /* an id and a path -> index of the file */
	KFT_VEC(struct kft_user_file) list;
	struct kft_arena names; /* of functions */
};

void kft_user_files_finish(struct kft_user_files *fs);

/* Finds or adds a file. Bytes of the id that are not used are 0. -ENOMEM, -E2BIG. */
int kft_user_files_add(struct kft_user_files *fs, const char *path,
		       const struct kft_user_file_id *id, uint32_t *ret) __must_check;

/* The symbol at an offset of a file, which is read first if need be. For one thread. */
struct kft_user_symbol kft_user_files_find(struct kft_user_files *fs, uint32_t file,
					   uint64_t offset);

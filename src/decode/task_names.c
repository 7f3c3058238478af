// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads and writes kft's records of tasks' names. */
#include "decode/task_names.h"

#include <errno.h>

#include "base/cursor.h"

#define FLAG_KERNEL  1U
#define FLAG_RENAMED 2U

static void put_le(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

void kft_task_name_encode(struct kft_strbuf *sb, const struct kft_task_name *name)
{
	uint8_t record[KFT_TASK_NAME_BYTES] = {};

	put_le(record, name->ts, 8);
	put_le(record + 8, name->pid, 4);
	put_le(record + 12,
	       (name->is_kernel ? FLAG_KERNEL : 0) |
		       (name->is_renamed ? FLAG_RENAMED : 0),
	       4);
	memcpy(record + 16, name->comm, strnlen(name->comm, sizeof(name->comm) - 1));
	kft_strbuf_add(sb, record, sizeof(record));
}

int kft_task_names_parse(const char *text, size_t len, struct kft_task_table *t)
{
	const bool swap = KFT_HOST_BIG_ENDIAN;
	size_t n = KFT_MIN(len / KFT_TASK_NAME_BYTES, (size_t)KFT_TASK_NAMES_MAX);

	for (size_t i = 0; i < n; i++) {
		const uint8_t *p = (const uint8_t *)text + i * KFT_TASK_NAME_BYTES;
		struct kft_task_name name = {
			.ts = kft_load_u64(p, swap),
			.pid = kft_load_u32(p + 8, swap),
			.is_kernel = kft_load_u32(p + 12, swap) & FLAG_KERNEL,
			.is_renamed = kft_load_u32(p + 12, swap) & FLAG_RENAMED,
		};

		memcpy(name.comm, p + 16, sizeof(name.comm) - 1);
		if (!kft_vec_push(&t->names, name))
			return -ENOMEM;
	}
	return kft_task_table_sort(t);
}

int kft_task_names_since(const char *text, size_t len, uint64_t since_ns,
			 struct kft_strbuf *ret)
{
	_cleanup_(kft_task_table_finish) struct kft_task_table t = {};
	int r = kft_task_names_parse(text, len, &t);

	for (size_t i = 0; r == 0 && i < t.names.len; i++) {
		const struct kft_task_name *name = &t.names.data[i];
		bool is_over = i + 1 < t.names.len && name[1].pid == name->pid &&
			       name[1].ts <= since_ns;

		if (!is_over)
			kft_task_name_encode(ret, name);
	}
	return r == 0 && !kft_strbuf_ok(ret) ? -ENOMEM : r;
}

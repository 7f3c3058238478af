// SPDX-License-Identifier: LGPL-2.1-or-later
/* Functions on the state that the files of perf.data's reader share. */
#include "file/perf/state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"

struct kft_perf_place kft_perf_place(const struct kft_perf *p, const uint8_t *rec,
				     size_t size)
{
	if (likely(kft_load_u32(rec, p->in.swap) == KFT_PERF_RECORD_SAMPLE))
		return kft_perf_place_of_sample(p, rec, size);
	struct kft_perf_place place = {.cpu = KFT_PERF_NO_CPU};
	const struct kft_perf_attr *a = kft_perf_attrs_of_other(&p->attrs, rec, size);
	if (!a)
		return place;
	if (a->back_time)
		place.ts = kft_load_u64(rec + size - a->back_time, p->in.swap);
	if (a->back_cpu)
		place.cpu = kft_load_u32(rec + size - a->back_cpu, p->in.swap);
	if (place.cpu >= KFT_PERF_MAX_CPUS)
		place.cpu = KFT_PERF_NO_CPU;
	return place;
}

/* HEADER_TRACING_DATA: u32 size; AUXTRACE: u64 size */
uint64_t kft_perf_trailing(uint32_t type, const uint8_t *rec, size_t size, bool swap)
{
	struct kft_cursor c = kft_cursor_init(rec, size, swap);
	uint32_t len32;
	uint64_t len;

	if (!kft_cursor_skip(&c, KFT_PERF_RECORD_HEADER_BYTES))
		return 0;
	if (type == KFT_PERF_RECORD_TRACING_DATA && kft_cursor_u32(&c, &len32))
		return len32;
	if (type == KFT_PERF_RECORD_AUXTRACE && kft_cursor_u64(&c, &len))
		return len;
	return 0;
}

int kft_perf_damage(struct kft_perf *p, int code, uint64_t offset, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (p->trace->damage.code)
		return code;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return kft_err_set(&p->trace->damage, code, "'%s': at byte %" PRIu64 "%s: %s",
			   p->path, offset,
			   p->spool_fd >= 0 ? " of the uncompressed data" : "", text);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Prints the result of `kft record` for programs. */
#include "cli/record_result.h"

#include <sys/stat.h>

#include "file/registry.h"

static const struct kft_result_column columns[] = {
	{"buffer", "BUFFER", .is_text = true, .is_optional = true},
	{"cpu", "CPU"},
	{"overrun", "OVERRUN"},
	{"dropped", "DROPPED"},
	{"commit_overrun", "COMMIT OVERRUN"},
	{"unread", "UNREAD"},
};

/* Adds the losses in the file; returns their sum, or 0 if the file contains none. */
static uint64_t add_losses(const struct kft_meta *meta, struct kft_result *ret)
{
	struct kft_result_table *t = kft_result_add_table(ret, "counters", columns,
							  ARRAY_SIZE(columns));

	kft_vec_for_each(&meta->stats, s) {
		kft_result_put(t, kft_value_text(ret, s->buffer ? s->buffer : ""));
		kft_result_put(t, kft_value_cpu(s->cpu));
		kft_result_put(t, s->overrun == KFT_LOST_UNKNOWN
					  ? kft_value_none()
					  : kft_value_count(s->overrun));
		kft_result_put(t, kft_value_count(s->dropped_events));
		kft_result_put(t, kft_value_count(s->commit_overrun));
		kft_result_put(t, kft_value_count(s->unread));
	}
	return kft_meta_lost(meta, true);
}

void cli_record_result(const char *path, const struct kft_progress *p,
		       struct kft_result *ret)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err err = {};
	struct stat st;
	uint64_t lost = p->lost;

	if (kft_file_open(path, &t, &err) == 0)
		lost = add_losses(&t->meta, ret);
	kft_result_add(ret, "file", "Trace", kft_value_text(ret, path));
	kft_result_add(ret, "bytes", "Size",
		       stat(path, &st) == 0
			       ? kft_value_number(KFT_VALUE_BYTES, (uint64_t)st.st_size)
			       : kft_value_none());
	kft_result_add(ret, "events", "Events", kft_value_count(p->events));
	kft_result_add(ret, "elapsed", "Time", kft_value_duration(p->elapsed_ns));
	kft_result_add(ret, "lost", "Lost events", kft_value_lost(lost));
	kft_result_add(ret, "taken", "Taken by another program",
		       p->taken == KFT_LOST_UNKNOWN ? kft_value_none()
						    : kft_value_count(p->taken));
	kft_result_add(ret, "off", "Switched off by another program",
		       kft_value_duration(p->off_ns));
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Instants: events without a duration, which are counted. */
#include "derive/engine/instant.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"

int kft_instant_create(struct kft_trace *t, void **ret_state)
{
	*ret_state = NULL;
	return 0;
}

int kft_instant_flush(void *state, const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink)
{
	return 0;
}

void kft_instant_destroy(void *state)
{
}

int kft_instant_happen(const struct kft_interval_kind *kind, uint64_t key, int64_t value,
		       int32_t pid, const struct kft_kind_input *in,
		       const struct kft_interval_sink *sink)
{
	struct kft_interval i = kft_nested_pairs_interval(kind, key, in);

	i.end_ns = i.begin_ns;
	i.value = value;
	i.pid = pid;
	return sink->take(sink->arg, &i);
}

/* The key is that of the event's description, the value its first field. */
static int feed_fault(const struct kft_interval_kind *kind, void *state,
		      const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink)
{
	return kft_instant_happen(kind, kind->events[in->event].key,
				  (int64_t)in->fields[0], in->pid, in, sink);
}

enum { OF_A_PROGRAM, OF_THE_KERNEL };

static void fault_name(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, key == OF_A_PROGRAM ? "user" : "kernel");
}

static const struct kft_kind_event fault_events[] = {
	{"exceptions", "page_fault_user", {"address"}, .key = OF_A_PROGRAM},
	{"exceptions", "page_fault_kernel", {"address"}, .key = OF_THE_KERNEL},
	{},
};

const struct kft_interval_kind kft_kind_fault = {
	.name = "fault",
	.about = "page faults",
	.key = "by",
	.value = "address",
	.per_cpu = true,
	.events = fault_events,
	.key_name = fault_name,
	.feed = feed_fault,
	KFT_INSTANT,
};

static int feed_migration(const struct kft_interval_kind *kind, void *state,
			  const struct kft_kind_input *in,
			  const struct kft_interval_sink *sink)
{
	return kft_instant_happen(kind, in->fields[1], (int64_t)in->fields[2],
				  (int32_t)in->fields[0], in, sink);
}

static const struct kft_kind_event migration_events[] = {
	{"sched", "sched_migrate_task", {"pid", "dest_cpu", "orig_cpu"}},
	{},
};

const struct kft_interval_kind kft_kind_migration = {
	.name = "migration",
	.group = "sched",
	.about = "tasks that move to another CPU",
	.key = "to_cpu",
	.value = "from_cpu",
	.per_cpu = true,
	.events = migration_events,
	.feed = feed_migration,
	KFT_INSTANT,
};

static int feed_napi(const struct kft_interval_kind *kind, void *state,
		     const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink)
{
	/* A damaged file may have a number instead of a string. */
	if (!in->is_text[0])
		return 0;
	uint64_t device = kft_names_number(in->names, in->texts[0], in->fields[0]);

	return kft_instant_happen(kind, device, (int64_t)in->fields[1], in->pid, in,
				  sink);
}

static const struct kft_kind_event napi_events[] = {
	{"napi", "napi_poll", {"dev_name", "work"}},
	{},
};

const struct kft_interval_kind kft_kind_napi = {
	.name = "napi",
	.about = "polls of network devices",
	.key = "device",
	.value = "packets",
	.events = napi_events,
	.key_name = kft_key_text,
	.feed = feed_napi,
	KFT_INSTANT,
};

static int feed_printk(const struct kft_interval_kind *kind, void *state,
		       const struct kft_kind_input *in,
		       const struct kft_interval_sink *sink)
{
	return kft_instant_happen(kind, 0, (int64_t)in->fields[0], in->pid, in, sink);
}

static void message(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "message");
}

static const struct kft_kind_event printk_events[] = {
	{"printk", "console", {"msg"}},
	{},
};

const struct kft_interval_kind kft_kind_printk = {
	.name = "printk",
	.about = "messages of the kernel's log",
	.key = "what",
	.value = "bytes",
	.per_cpu = true,
	.events = printk_events,
	.key_name = message,
	.feed = feed_printk,
	KFT_INSTANT,
};

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Interrupts of the CPU itself, without a number in /proc/interrupts: x86's vectors. */
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"

/* Names of vectors. Each has an event for its entry and one for its exit. */
#define VECTORS(X)              \
	X(local_timer)          \
	X(reschedule)           \
	X(call_function)        \
	X(call_function_single) \
	X(irq_work)             \
	X(x86_platform_ipi)     \
	X(thermal_apic)         \
	X(threshold_apic)       \
	X(deferred_error_apic)  \
	X(error_apic)           \
	X(spurious_apic)

#define NUMBER(name) VECTOR_##name,
#define NAME(name)   #name,
#define EVENTS(name)                                                                    \
	{"irq_vectors", #name "_entry", .role = KFT_KIND_BEGINS, .key = VECTOR_##name}, \
		{"irq_vectors", #name "_exit", .role = KFT_KIND_ENDS,                   \
		 .key = VECTOR_##name},

enum { VECTORS(NUMBER) };

static void name_of(struct kft_trace *t, uint64_t vector, struct kft_strbuf *sb)
{
	static const char *const names[] = {VECTORS(NAME)};

	if (vector < ARRAY_SIZE(names))
		kft_strbuf_adds(sb, names[vector]);
}

static const struct kft_kind_event events[] = {VECTORS(EVENTS){}};

const struct kft_interval_kind kft_kind_vector = {
	.name = "vector",
	.group = "irq",
	.about = "interrupts of the CPU's own: its timer, other CPUs' calls",
	.key = "vector",
	.per_cpu = true,
	.events = events,
	.pairs = {.has_constant_id = true, .by_cpu = true},
	.key_name = name_of,
	.create = kft_nested_pairs_create,
	.feed = kft_nested_pairs_by_cpu,
	.flush = kft_nested_pairs_flush,
	.destroy = kft_nested_pairs_destroy,
};

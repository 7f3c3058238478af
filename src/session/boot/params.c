// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes a plan as parameters of the kernel's command line. */
#include "session/boot/params.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "tracefs/sources/graph.h"
#include "model/boot_steps.h"

static int add_name(const struct kft_plan_func *f, struct kft_strbuf *sb,
		    struct kft_err *e)
{
	if (f->kind == KFT_FUNC_ADDR)
		return kft_err_set(e, -EINVAL,
				   "a boot takes functions by name, not by address");
	kft_strbuf_adds(sb, f->name);
	return 0;
}

static int add_list(const char *param, const struct kft_plan_funcs *list,
		    struct kft_strbuf *sb, struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < list->len; i++) {
		kft_strbuf_adds(sb, i == 0 ? param : ",");
		r = add_name(&list->items[i], sb, e);
	}
	return r;
}

static int add_probe(const struct kft_plan_trigger *t, const char *event, bool is_first,
		     struct kft_strbuf *sb, struct kft_err *e)
{
	kft_strbuf_addf(sb, "%s%s:" KFT_BOOT_GROUP "/%s,",
			is_first ? " kprobe_event=" : ";",
			t->kind == KFT_TRIGGER_ENTRY ? "p" : "r512", event);
	return add_name(&t->func, sb, e);
}

static bool at_function(const struct kft_plan_trigger *t)
{
	return t->kind == KFT_TRIGGER_ENTRY || t->kind == KFT_TRIGGER_EXIT;
}

static int add_triggers(const struct kft_plan *plan, struct kft_strbuf *sb,
			struct kft_err *e)
{
	bool starts = at_function(&plan->start);
	int r = starts ? add_probe(&plan->start, KFT_PROBE_START, true, sb, e) : 0;

	if (r == 0 && at_function(&plan->stop))
		r = add_probe(&plan->stop, KFT_PROBE_STOP, !starts, sb, e);
	return r;
}

static void add_buffer(uint64_t bytes, struct kft_strbuf *sb)
{
	uint64_t kb = (bytes + 1023) / 1024;
	bool is_mb = kb % 1024 == 0;

	kft_strbuf_addf(sb, " trace_buf_size=%llu%c",
			(unsigned long long)(is_mb ? kb / 1024 : kb), is_mb ? 'M' : 'K');
}

static void add_options(const struct kft_plan *plan, struct kft_strbuf *sb)
{
	bool no_irqs = plan->functions.context == KFT_CONTEXT_TASK;

	if (plan->overwrite && !no_irqs)
		return;
	kft_strbuf_addf(
		sb, " trace_options=%s%s%s", plan->overwrite ? "" : KFT_BOOT_NO_OVERWRITE,
		!plan->overwrite && no_irqs ? "," : "", no_irqs ? KFT_BOOT_NO_IRQS : "");
}

int kft_boot_params(const struct kft_plan *plan, const char *word, const char *roots,
		    struct kft_strbuf *sb, struct kft_err *e)
{
	const struct kft_plan_functions *f = &plan->functions;
	uint64_t thresh_us = f->untimed ? 0 : f->min_ns / 1000;

	kft_strbuf_adds(sb, "ftrace=" KFT_GRAPH_TRACER);
	if (thresh_us)
		kft_strbuf_addf(sb, " tracing_thresh=%llu",
				(unsigned long long)thresh_us);
	int r = add_list(" ftrace_filter=", &f->include, sb, e);
	if (r == 0)
		r = add_list(" ftrace_notrace=", &f->exclude, sb, e);
	if (roots)
		kft_strbuf_addf(sb, " " KFT_BOOT_ROOTS "%s", roots);
	kft_strbuf_adds(sb, " trace_event=" KFT_BOOT_EVENTS);
	if (r == 0)
		r = add_triggers(plan, sb, e);
	if (r < 0)
		return r;
	kft_strbuf_adds(sb, " trace_clock=local");
	add_buffer(plan->buffer_bytes ? plan->buffer_bytes : KFT_BOOT_BUFFER_BYTES, sb);
	add_options(plan, sb);
	kft_strbuf_addf(sb, " " KFT_BOOT_WORD "%s", word);
	return kft_strbuf_ok(sb) ? 0 : kft_err_sys(e, -ENOMEM, "cannot make parameters");
}

void kft_boot_light_params(uint64_t buffer_bytes, const char *word, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "ftrace=function");
	for (size_t i = 0; i < kft_boot_steps_count; i++)
		kft_strbuf_addf(sb, "%s%s", i == 0 ? " ftrace_filter=" : ",",
				kft_boot_steps[i]);
	kft_strbuf_adds(sb, " trace_event=" KFT_BOOT_EVENTS " trace_clock=local");
	add_buffer(buffer_bytes ? buffer_bytes : KFT_BOOT_LIGHT_BYTES, sb);
	kft_strbuf_addf(
		sb, " trace_options=" KFT_BOOT_NO_OVERWRITE " " KFT_BOOT_WORD "%s", word);
}

bool kft_boot_is_param(const char *word)
{
	static const char *const names[] = {
		"ftrace=",	  "tracing_thresh=", "ftrace_filter=", "ftrace_notrace=",
		"trace_event=",	  "kprobe_event=",   "trace_clock=",   "trace_buf_size=",
		"trace_options=", KFT_BOOT_WORD,     KFT_BOOT_ROOTS,
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strncmp(word, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

size_t kft_boot_line_max(const char *machine)
{
	/* COMMAND_LINE_SIZE of arch/X/include/(uapi/)asm/setup.h, Linux 6.1 and 6.12 */
	static const struct {
		const char *prefix;
		size_t bytes;
	} sizes[] = {
		{"x86_64", 2048},  {"i386", 2048},	{"i486", 2048}, {"i586", 2048},
		{"i686", 2048},	   {"aarch64", 2048},	{"armv", 1024}, {"ppc", 2048},
		{"mips", 4096},	   {"loongarch", 4096}, {"s390", 4096}, {"riscv", 1024},
		{"sparc64", 2048}, {"parisc", 1024},	{"alpha", 256}, {"m68k", 256},
		{"sparc", 256},	   {"xtensa", 256},
	};

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		if (strncmp(machine, sizes[i].prefix, strlen(sizes[i].prefix)) == 0)
			return sizes[i].bytes - 1;
	return 512 - 1; /* include/uapi/asm-generic/setup.h */
}

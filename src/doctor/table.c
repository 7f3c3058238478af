// SPDX-License-Identifier: LGPL-2.1-or-later
/* The table of mechanisms, with their use and remedies. */
#include "doctor/mechanisms.h"

#include <errno.h>

static const char access_group[] = "Access";
static const char events_group[] = "Events and buffers";
static const char function_group[] = "Functions";
static const char dynamic_group[] = "Probes and in-kernel analysis";
static const char latency_group[] = "Latency and block I/O tracers";
static const char perf_group[] = "perf";
static const char bpf_group[] = "BPF";
static const char symbol_group[] = "Symbols, statistics, modules";

/*
 * Mechanisms are tried in this order: tracefs and instances come first, and the list of
 * functions and the filter before the rows that use them.
 */
const struct kft_mechanism kft_mechanisms[] = {
	{
		.id = "privileges",
		.group = access_group,
		.title = "privileges",
		.purpose = "setting tracing up",
		.without = "whatever needs the missing capabilities",
		.needs = "root, or the capabilities named",
		.run = kft_doctor_privileges,
	},
	{
		.id = "lockdown",
		.group = access_group,
		.title = "no kernel lockdown",
		.purpose = "tracing functions, loading modules",
		.without =
			"function tracers, kprobes, unsigned modules, some BPF programs",
		.needs = "a kernel started with lockdown=none, without Secure Boot",
		.run = kft_doctor_lockdown,
	},
	{
		.id = "tracefs",
		.group = access_group,
		.title = "tracefs",
		.purpose = "recording: everything starts here",
		.without = "kft record and all that stands on it",
		.needs = "CONFIG_TRACING and a mounted tracefs: "
			 "mount -t tracefs nodev /sys/kernel/tracing",
		.run = kft_doctor_tracefs,
	},
	{
		.id = "instances",
		.group = access_group,
		.title = "instances",
		.purpose = "a buffer of its own for each session",
		.without = "kft record: it never takes the buffer that others share",
		.needs = "CONFIG_TRACING and memory for one more buffer",
		.run = kft_doctor_instances,
	},
	{
		.id = "events",
		.group = events_group,
		.title = "trace events",
		.purpose = "kft record -e",
		.without =
			"kft record, and every statistic of scheduling, interrupts and I/O",
		.needs = "CONFIG_EVENT_TRACING",
		.run = kft_doctor_events,
	},
	{
		.id = "syscall-events",
		.group = events_group,
		.title = "system call events",
		.purpose = "callers and durations of functions",
		.without = "statistics of system calls",
		.needs = "CONFIG_FTRACE_SYSCALLS",
		.run = kft_doctor_syscall_events,
	},
	{
		.id = "why-events",
		.group = events_group,
		.title = "events for kft why",
		.purpose = "kft record --for why: the causes of latencies",
		.without = "the causes that these events show",
		.needs = "CONFIG_FTRACE_SYSCALLS, CONFIG_BLK_DEV_IO_TRACE and the like",
		.run = kft_doctor_why_events,
	},
	{
		.id = "event-filters",
		.group = events_group,
		.title = "event filters",
		.purpose = "kft record -e EVENT/FILTER/",
		.without = "filtering in the kernel; unwanted events are recorded, too",
		.needs = "CONFIG_EVENT_TRACING",
		.run = kft_doctor_event_filters,
	},
	{
		.id = "pid-filter",
		.group = events_group,
		.title = "task filter",
		.purpose = "kft record -P, kft record -- COMMAND",
		.without = "recording one command and its children only",
		.needs = "Linux 4.7 or newer",
		.run = kft_doctor_pid_filter,
	},
	{
		.id = "splice",
		.group = events_group,
		.title = "splice of trace_pipe_raw",
		.purpose = "moving pages to the file without copying",
		.without = "draining at full speed",
		.needs = "a kernel with tracing and pipes",
		.run = kft_doctor_splice,
	},
	{
		.id = "ring-mmap",
		.group = events_group,
		.title = "mapped ring buffer",
		.purpose = "looking at live events without system calls",
		.without = "the cheapest live view; others work",
		.needs = "Linux 6.10 or newer",
		.run = kft_doctor_ring_mmap,
	},
	{
		.id = "subbuf-size",
		.group = events_group,
		.title = "sub-buffer size",
		.purpose = "large events, fewer page headers",
		.without = "events longer than a page",
		.needs = "Linux 6.8 or newer",
		.run = kft_doctor_subbuf_size,
	},
	{
		.id = "clocks",
		.group = events_group,
		.title = "trace clocks",
		.purpose = "one time line for all CPUs, and for other programs' logs",
		.without = "comparing times across CPUs and programs",
		.needs = "Linux 4.0 or newer for mono",
		.run = kft_doctor_clocks,
	},
	{
		.id = "trace-marker",
		.group = events_group,
		.title = "trace_marker",
		.purpose = "marks and messages of programs in the trace",
		.without = "marks from user space",
		.needs = "CONFIG_TRACING",
		.run = kft_doctor_trace_marker,
	},
	{
		.id = "user-events",
		.group = events_group,
		.title = "user events",
		.purpose = "events with fields from programs",
		.without = "typed events from user space; trace_marker does text",
		.needs = "CONFIG_USER_EVENTS, Linux 6.4 or newer",
		.run = kft_doctor_user_events,
	},
	{
		.id = "snapshot",
		.group = events_group,
		.title = "snapshot",
		.purpose = "keeping the moment of a trigger while tracing goes on",
		.without = "the kernel's own copy of the buffers; kft flight reads them "
			   "while they are written",
		.needs = "CONFIG_TRACER_SNAPSHOT",
		.run = kft_doctor_snapshot,
	},
	{
		.id = "persistent-ring",
		.group = events_group,
		.title = "persistent ring buffer",
		.purpose = "reading the events recorded before a crash",
		.without = "traces that outlive a reboot",
		.needs = "Linux 6.12 or newer, booted with reserve_mem=12M:4096:trace "
			 "trace_instance=boot_map@trace",
		.run = kft_doctor_persistent_ring,
	},
	{
		.id = "function-list",
		.group = function_group,
		.title = "list of functions",
		.purpose = "kft list functions, patterns in function lists",
		.without = "choosing functions",
		.needs = "CONFIG_DYNAMIC_FTRACE",
		.run = kft_doctor_function_list,
	},
	{
		.id = "filter-by-index",
		.group = function_group,
		.title = "filter by index",
		.purpose = "long function lists set in no time",
		.without =
			"fast start with function lists: by name each one is searched for",
		.needs = "CONFIG_DYNAMIC_FTRACE, Linux 5.1 or newer",
		.run = kft_doctor_filter_by_index,
	},
	{
		.id = "function",
		.group = function_group,
		.title = "function tracer",
		.purpose = "which functions run, and their callers",
		.without = "function traces",
		.needs = "CONFIG_FUNCTION_TRACER",
		.run = kft_doctor_function,
	},
	{
		.id = "function-graph",
		.group = function_group,
		.title = "function_graph tracer",
		.purpose = "KFT runs: how long each function takes",
		.without = "KFT runs (kft run, kft load)",
		.needs = "CONFIG_FUNCTION_GRAPH_TRACER; in instances Linux 6.11 or newer",
		.run = kft_doctor_function_graph,
	},
	{
		.id = "graph-details",
		.group = function_group,
		.title = "function_graph details",
		.purpose = "call sites, return values and arguments of calls",
		.without = "these details in KFT runs",
		.needs =
			"CONFIG_FUNCTION_GRAPH_RETVAL, _RETADDR, CONFIG_FUNCTION_TRACE_ARGS",
		.run = kft_doctor_graph_details,
	},
	{
		.id = "tracing-thresh",
		.group = function_group,
		.title = "tracing_thresh",
		.purpose = "filter mintime: short calls are dropped in the kernel",
		.without =
			"cheap runs with mintime: every call is recorded, then dropped",
		.needs = "CONFIG_FUNCTION_GRAPH_TRACER",
		.run = kft_doctor_tracing_thresh,
	},
	{
		.id = "function-triggers",
		.group = function_group,
		.title = "function triggers",
		.purpose = "trigger start|stop entry FUNCTION",
		.without =
			"triggers at functions without polling, unless kprobes can do it",
		.needs = "CONFIG_DYNAMIC_FTRACE",
		.run = kft_doctor_function_triggers,
	},
	{
		.id = "stack-tracer",
		.group = function_group,
		.title = "stack tracer",
		.purpose = "watch stack, watch worst-stack",
		.without = "watching the depth of kernel stacks",
		.needs = "CONFIG_STACK_TRACER",
		.run = kft_doctor_stack_tracer,
	},
	{
		.id = "kprobe-events",
		.group = dynamic_group,
		.title = "kprobe events",
		.purpose = "events at any kernel function, triggers at entries",
		.without = "own events at kernel functions",
		.needs = "CONFIG_KPROBE_EVENTS",
		.run = kft_doctor_kprobe_events,
	},
	{
		.id = "kretprobe-events",
		.group = dynamic_group,
		.title = "kretprobe events",
		.purpose = "return values, trigger start|stop exit FUNCTION",
		.without = "triggers at exits of functions",
		.needs = "CONFIG_KPROBE_EVENTS",
		.run = kft_doctor_kretprobe_events,
	},
	{
		.id = "fprobe-events",
		.group = dynamic_group,
		.title = "fprobe events",
		.purpose = "cheaper events at entries and exits of functions",
		.without = "these; kprobe events do the same at a higher cost",
		.needs = "CONFIG_FPROBE_EVENTS, Linux 6.5 or newer",
		.run = kft_doctor_fprobe_events,
	},
	{
		.id = "uprobe-events",
		.group = dynamic_group,
		.title = "uprobe events",
		.purpose = "events at functions of programs and libraries",
		.without = "own events in user space",
		.needs = "CONFIG_UPROBE_EVENTS",
		.run = kft_doctor_uprobe_events,
	},
	{
		.id = "event-probes",
		.group = dynamic_group,
		.title = "event probes",
		.purpose = "events made from fields of other events",
		.without = "following pointers in events' fields",
		.needs = "CONFIG_EPROBE_EVENTS (before 6.17 CONFIG_PROBE_EVENTS)",
		.run = kft_doctor_eprobe_events,
	},
	{
		.id = "event-triggers",
		.group = dynamic_group,
		.title = "event triggers",
		.purpose = "starting, stopping and taking snapshots at an event",
		.without = "triggers at events without polling",
		.needs = "CONFIG_EVENT_TRACING",
		.run = kft_doctor_event_triggers,
	},
	{
		.id = "hist-triggers",
		.group = dynamic_group,
		.title = "hist triggers",
		.purpose = "histograms and durations counted in the kernel",
		.without = "in-kernel histograms; kft computes them from the trace",
		.needs = "CONFIG_HIST_TRIGGERS",
		.run = kft_doctor_hist_triggers,
	},
	{
		.id = "synthetic-events",
		.group = dynamic_group,
		.title = "synthetic events",
		.purpose = "events made of two others, with the time between",
		.without = "in-kernel latencies; kft computes them from the trace",
		.needs = "CONFIG_SYNTH_EVENTS (with CONFIG_HIST_TRIGGERS)",
		.run = kft_doctor_synthetic_events,
	},
	{
		.id = "wakeup",
		.group = latency_group,
		.title = "wakeup tracers",
		.purpose = "the worst delay from waking to running",
		.without = "the kernel's own maximum; kft computes it from sched events",
		.needs = "CONFIG_SCHED_TRACER",
		.run = kft_doctor_wakeup,
	},
	{
		.id = "irqsoff",
		.group = latency_group,
		.title = "irqsoff, preemptoff",
		.purpose = "the longest time with interrupts or preemption off",
		.without = "finding code that keeps interrupts off",
		.needs = "CONFIG_IRQSOFF_TRACER, CONFIG_PREEMPT_TRACER",
		.run = kft_doctor_irqsoff,
	},
	{
		.id = "osnoise",
		.group = latency_group,
		.title = "osnoise, timerlat",
		.purpose = "how much the system disturbs a task, how late timers are",
		.without = "measuring the noise of the system",
		.needs = "CONFIG_OSNOISE_TRACER, CONFIG_TIMERLAT_TRACER",
		.run = kft_doctor_osnoise,
	},
	{
		.id = "hwlat",
		.group = latency_group,
		.title = "hwlat",
		.purpose = "delays by firmware (SMIs)",
		.without = "telling firmware's delays from the kernel's",
		.needs = "CONFIG_HWLAT_TRACER",
		.run = kft_doctor_hwlat,
	},
	{
		.id = "blk",
		.group = latency_group,
		.title = "blk tracer",
		.purpose = "block I/O as blktrace has it",
		.without = "blktrace's records; block events say much the same",
		.needs = "CONFIG_BLK_DEV_IO_TRACE",
		.run = kft_doctor_blk,
	},
	{
		.id = "perf-clock",
		.group = perf_group,
		.title = "sampling by clock",
		.purpose = "where CPU time goes",
		.without = "profiles",
		.needs = "CONFIG_PERF_EVENTS",
		.run = kft_doctor_perf_clock,
	},
	{
		.id = "perf-counters",
		.group = perf_group,
		.title = "hardware counters",
		.purpose = "cycles, instructions and cache misses",
		.without = "counters in the trace",
		.needs = "a CPU with counters (virtual machines often hide them)",
		.run = kft_doctor_perf_counters,
	},
	{
		.id = "perf-tracepoints",
		.group = perf_group,
		.title = "tracepoints of one task",
		.purpose = "tracing one program without an instance",
		.without = "the per-process backend",
		.needs = "CONFIG_PERF_EVENTS and CONFIG_EVENT_TRACING",
		.run = kft_doctor_perf_tracepoints,
	},
	{
		.id = "bpf-raw-tp",
		.group = bpf_group,
		.title = "programs at tracepoints",
		.purpose = "statistics counted in the kernel",
		.without = "in-kernel statistics",
		.needs = "CONFIG_BPF_EVENTS",
		.run = kft_doctor_bpf_raw_tp,
	},
	{
		.id = "bpf-tp-btf",
		.group = bpf_group,
		.title = "typed tracepoints",
		.purpose = "the same as tp_btf, with the kernel's types",
		.without = "programs that fit any kernel",
		.needs = "CONFIG_DEBUG_INFO_BTF",
		.run = kft_doctor_bpf_tp_btf,
	},
	{
		.id = "bpf-fentry",
		.group = bpf_group,
		.title = "fentry, fexit",
		.purpose = "the cheapest durations of a few functions",
		.without = "these; kprobes and function_graph do it",
		.needs = "CONFIG_DEBUG_INFO_BTF, CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS",
		.run = kft_doctor_bpf_fentry,
	},
	{
		.id = "bpf-kprobe",
		.group = bpf_group,
		.title = "kprobe programs",
		.purpose = "statistics and filters at a function",
		.without = "programs at functions",
		.needs = "CONFIG_BPF_EVENTS, CONFIG_KPROBE_EVENTS",
		.run = kft_doctor_bpf_kprobe,
	},
	{
		.id = "bpf-kprobe-multi",
		.group = bpf_group,
		.title = "kprobe.multi",
		.purpose = "one program at thousands of functions",
		.without = "exact KFT filters in the kernel on many functions",
		.needs = "CONFIG_FPROBE, Linux 5.18 or newer",
		.run = kft_doctor_bpf_kprobe_multi,
	},
	{
		.id = "bpf-kprobe-session",
		.group = bpf_group,
		.title = "kprobe.session",
		.purpose = "entry and exit of functions in one program",
		.without = "exact KFT filters at half the cost",
		.needs = "CONFIG_FPROBE, Linux 6.10 or newer",
		.run = kft_doctor_bpf_kprobe_session,
	},
	{
		.id = "bpf-uprobe",
		.group = bpf_group,
		.title = "uprobe programs",
		.purpose = "statistics at functions of programs",
		.without = "in-kernel statistics of user functions",
		.needs = "CONFIG_BPF_EVENTS, CONFIG_UPROBE_EVENTS",
		.run = kft_doctor_bpf_uprobe,
	},
	{
		.id = "bpf-perf-event",
		.group = bpf_group,
		.title = "programs at samples",
		.purpose = "profiles added up in the kernel",
		.without = "these; profiles are made from samples",
		.needs = "CONFIG_BPF_EVENTS, CONFIG_PERF_EVENTS",
		.run = kft_doctor_bpf_perf_event,
	},
	{
		.id = "bpf-ringbuf",
		.group = bpf_group,
		.title = "ring buffer map",
		.purpose = "records from programs to kft",
		.without = "ordered records from BPF programs",
		.needs = "Linux 5.8 or newer",
		.run = kft_doctor_bpf_ringbuf,
	},
	{
		.id = "kallsyms",
		.group = symbol_group,
		.title = "kernel symbols",
		.purpose = "names instead of addresses in traces",
		.without = "names of kernel functions in the trace",
		.needs =
			"CONFIG_KALLSYMS; addresses show with: sysctl kernel.kptr_restrict=1",
		.run = kft_doctor_kallsyms,
	},
	{
		.id = "btf",
		.group = symbol_group,
		.title = "BTF",
		.purpose = "the kernel's types, for BPF and for arguments",
		.without = "typed BPF programs",
		.needs = "CONFIG_DEBUG_INFO_BTF",
		.run = kft_doctor_btf,
	},
	{
		.id = "taskstats",
		.group = symbol_group,
		.title = "delay accounting",
		.purpose = "how long a task waited for CPU, disk and memory",
		.without = "totals of waiting since a task began",
		.needs = "CONFIG_TASK_DELAY_ACCT, and: sysctl kernel.task_delayacct=1",
		.run = kft_doctor_taskstats,
	},
	{
		.id = "schedstats",
		.group = symbol_group,
		.title = "scheduler statistics",
		.purpose = "sched_stat_* events: waiting, sleeping, blocked",
		.without = "the kernel's own sums; kft computes them from sched_switch",
		.needs = "CONFIG_SCHEDSTATS, and: sysctl kernel.sched_schedstats=1",
		.run = kft_doctor_schedstats,
	},
	{
		.id = "modules",
		.group = symbol_group,
		.title = "kernel modules",
		.purpose = "kft's kernel interface for programs and drivers",
		.without = "ktrace_log and kpprintf calls from kernel code",
		.needs = "CONFIG_MODULES",
		.run = kft_doctor_modules,
	},
};

const size_t kft_n_mechanisms = ARRAY_SIZE(kft_mechanisms);

const char *kft_doctor_state_name(enum kft_doctor_state state)
{
	static const char *const names[KFT_DOCTOR_N_STATES] = {
		[KFT_DOCTOR_UNKNOWN] = "unknown",
		[KFT_DOCTOR_NO] = "no",
		[KFT_DOCTOR_LIMITED] = "limited",
		[KFT_DOCTOR_YES] = "yes",
	};

	return names[state];
}

const char *kft_doctor_reason_name(enum kft_doctor_reason reason)
{
	static const char *const names[KFT_DOCTOR_N_REASONS] = {
		[KFT_DOCTOR_FINE] = "fine",
		[KFT_DOCTOR_ABSENT] = "absent",
		[KFT_DOCTOR_LOCKDOWN] = "lockdown",
		[KFT_DOCTOR_PRIVILEGE] = "privilege",
		[KFT_DOCTOR_BUSY] = "busy",
		[KFT_DOCTOR_SWITCHED_OFF] = "switched-off",
		[KFT_DOCTOR_NEEDS_OTHER] = "needs-other",
		[KFT_DOCTOR_FAILED] = "failed",
	};

	return names[reason];
}

const char *kft_doctor_remedy(const struct kft_mechanism *p,
			      const struct kft_doctor_result *res)
{
	switch (res->reason) {
	case KFT_DOCTOR_FINE:
		return NULL;
	case KFT_DOCTOR_LOCKDOWN:
		return "boot with lockdown=none, without Secure Boot";
	case KFT_DOCTOR_PRIVILEGE:
		return geteuid() ? "run as root"
				 : "run outside the container, with all capabilities";
	case KFT_DOCTOR_BUSY:
		return "try again when no other program uses it";
	case KFT_DOCTOR_FAILED:
		/*
		 * The mechanism is present, so the kernel's
		 * configuration is not the reason.
		 */
		if (res->code == -EPERM || res->code == -EACCES)
			return "a kernel that allows it to root: lockdown or a security "
			       "module does not";
		break;
	case KFT_DOCTOR_ABSENT:
	case KFT_DOCTOR_SWITCHED_OFF:
	case KFT_DOCTOR_NEEDS_OTHER:
	case KFT_DOCTOR_N_REASONS:
		break;
	}
	return p->needs;
}

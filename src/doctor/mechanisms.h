/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "doctor/env.h"

/* The functions for the rows of data/mechanisms, where each is described. */
#define KFT_DOCTOR_FN(name) \
	void kft_doctor_##name(struct kft_doctor_env *env, struct kft_doctor_result *res)

/* system.c */
KFT_DOCTOR_FN(privileges);
KFT_DOCTOR_FN(lockdown);
KFT_DOCTOR_FN(kallsyms);
KFT_DOCTOR_FN(btf);
KFT_DOCTOR_FN(modules);
KFT_DOCTOR_FN(setting);

/* tracefs.c */
KFT_DOCTOR_FN(tracefs);
KFT_DOCTOR_FN(instances);
KFT_DOCTOR_FN(events);
KFT_DOCTOR_FN(event_filters);
KFT_DOCTOR_FN(pid_filter);
KFT_DOCTOR_FN(syscall_events);
KFT_DOCTOR_FN(why_events);
KFT_DOCTOR_FN(trace_marker);
KFT_DOCTOR_FN(file);

/* buffer.c */
KFT_DOCTOR_FN(splice);
KFT_DOCTOR_FN(ring_mmap);
KFT_DOCTOR_FN(subbuf_size);
KFT_DOCTOR_FN(clocks);
KFT_DOCTOR_FN(snapshot);
KFT_DOCTOR_FN(persistent_ring);

/* function.c */
KFT_DOCTOR_FN(function_list);
KFT_DOCTOR_FN(filter_by_index);
KFT_DOCTOR_FN(function);
KFT_DOCTOR_FN(function_graph);
KFT_DOCTOR_FN(graph_details);
KFT_DOCTOR_FN(tracing_thresh);
KFT_DOCTOR_FN(function_triggers);
KFT_DOCTOR_FN(stack_tracer);

/* tracer.c */
KFT_DOCTOR_FN(tracers);

/* dynevent.c */
KFT_DOCTOR_FN(kprobe_events);
KFT_DOCTOR_FN(kretprobe_events);
KFT_DOCTOR_FN(uprobe_events);
KFT_DOCTOR_FN(fprobe_events);
KFT_DOCTOR_FN(event_probes);
KFT_DOCTOR_FN(synthetic_events);

/* trigger.c */
KFT_DOCTOR_FN(event_triggers);
KFT_DOCTOR_FN(hist_triggers);

/* perf.c */
KFT_DOCTOR_FN(perf_clock);
KFT_DOCTOR_FN(perf_tracepoints);
KFT_DOCTOR_FN(perf_counters);

/* bpf_kinds.c */
KFT_DOCTOR_FN(bpf);
KFT_DOCTOR_FN(bpf_ringbuf);

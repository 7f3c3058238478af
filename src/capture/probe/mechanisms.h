/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_PROBE_MECHANISMS_H
#define KFT_CAPTURE_PROBE_MECHANISMS_H

#include "capture/probe/env.h"

/* The functions of table.c's rows: see there what each is about. */
#define KFT_PROBE_FN(name) \
	void kft_probe_##name(struct kft_probe_env *env, struct kft_probe_result *res)

/* system.c */
KFT_PROBE_FN(privileges);
KFT_PROBE_FN(lockdown);
KFT_PROBE_FN(kallsyms);
KFT_PROBE_FN(btf);
KFT_PROBE_FN(modules);
KFT_PROBE_FN(schedstats);

/* taskstats.c */
KFT_PROBE_FN(taskstats);

/* tracefs.c */
KFT_PROBE_FN(tracefs);
KFT_PROBE_FN(instances);
KFT_PROBE_FN(events);
KFT_PROBE_FN(event_filters);
KFT_PROBE_FN(pid_filter);
KFT_PROBE_FN(syscall_events);
KFT_PROBE_FN(trace_marker);
KFT_PROBE_FN(user_events);

/* buffer.c */
KFT_PROBE_FN(splice);
KFT_PROBE_FN(ring_mmap);
KFT_PROBE_FN(subbuf_size);
KFT_PROBE_FN(clocks);
KFT_PROBE_FN(snapshot);
KFT_PROBE_FN(persistent_ring);

/* function.c */
KFT_PROBE_FN(function_list);
KFT_PROBE_FN(filter_by_index);
KFT_PROBE_FN(function);
KFT_PROBE_FN(function_graph);
KFT_PROBE_FN(graph_details);
KFT_PROBE_FN(tracing_thresh);
KFT_PROBE_FN(function_triggers);
KFT_PROBE_FN(stack_tracer);

/* tracer.c */
KFT_PROBE_FN(wakeup);
KFT_PROBE_FN(irqsoff);
KFT_PROBE_FN(osnoise);
KFT_PROBE_FN(hwlat);
KFT_PROBE_FN(blk);

/* dynevent.c */
KFT_PROBE_FN(kprobe_events);
KFT_PROBE_FN(kretprobe_events);
KFT_PROBE_FN(uprobe_events);
KFT_PROBE_FN(fprobe_events);
KFT_PROBE_FN(eprobe_events);
KFT_PROBE_FN(synthetic_events);

/* trigger.c */
KFT_PROBE_FN(event_triggers);
KFT_PROBE_FN(hist_triggers);

/* perf.c */
KFT_PROBE_FN(perf_clock);
KFT_PROBE_FN(perf_tracepoints);
KFT_PROBE_FN(perf_counters);

/* bpf.c */
KFT_PROBE_FN(bpf_raw_tp);
KFT_PROBE_FN(bpf_tp_btf);
KFT_PROBE_FN(bpf_fentry);
KFT_PROBE_FN(bpf_kprobe);
KFT_PROBE_FN(bpf_kprobe_multi);
KFT_PROBE_FN(bpf_kprobe_session);
KFT_PROBE_FN(bpf_uprobe);
KFT_PROBE_FN(bpf_perf_event);
KFT_PROBE_FN(bpf_ringbuf);

#endif

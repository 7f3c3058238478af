/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_FAKE_GRAPH_H
#define KFT_TESTS_FAKE_GRAPH_H

/*
 * Adds the files that runs of functions need to a stand-in's tracefs, at the top level and,
 * if `instances`, in instances. They are plain files: no trigger fires by itself.
 * Include after t.h and fake.h.
 */
#include <stdio.h>

#include "tracefs/sources/probes.h"

#define TOP FAKE_TRACEFS "/"

static inline void fake_graph_files(struct fake *f, const char *run_name, bool instances)
{
	static const char *const files[][2] = {
		{"current_tracer", "nop\n"},
		{"set_ftrace_filter", "#### all functions enabled ####\n"},
		{"set_ftrace_notrace", "#### no functions disabled ####\n"},
		{"set_ftrace_pid", "no pid\n"},
		{"set_ftrace_notrace_pid", "no pid\n"},
		{"tracing_on", "1\n"},
		{"trace_marker", ""},
		{"options/overwrite", "1\n"},
		{"options/funcgraph-irqs", "1\n"},
		{"options/function-fork", "0\n"},
		{"buffer_size_kb", "7 (expanded: 1408)\n"},
		{"events/enable", "0\n"},
		{"per_cpu/cpu0/stats", "entries: 0\noverrun: 0\ndropped events: 0\n"},
	};
	static const char *const events[] = {KFT_PROBE_START, KFT_PROBE_STOP};
	char group[KFT_PROBE_GROUP_MAX];
	char path[256];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		(void)snprintf(path, sizeof(path), TOP "%s", files[i][0]);
		fake_write(f, path, files[i][1]);
		fake_template_write(f, files[i][0], files[i][1]);
	}
	kft_probes_group(run_name, group);
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		for (int trigger = 0; trigger < 2; trigger++) {
			char file[128];

			(void)snprintf(file, sizeof(file), "events/%s/%s/%s", group,
				       events[i], trigger ? "trigger" : "enable");
			(void)snprintf(path, sizeof(path), TOP "%s", file);
			fake_write(f, path, trigger ? "" : "0\n");
			fake_template_write(f, file, trigger ? "" : "0\n");
		}
	}
	fake_template_write(f, "available_tracers",
			    instances ? "function_graph function nop\n"
				      : "function nop\n");
	fake_write(f, TOP "available_tracers", "function_graph function nop\n");
	fake_write(f, TOP "tracing_thresh", "0\n");
	fake_write(f, TOP "kprobe_events", "");
	fake_write(f, "run/exists", "");
}

/* A file of the run's instance, or of the top level. */
static inline const char *fake_graph_path(const char *run_name, const char *file)
{
	static char path[256];

	if (run_name)
		(void)snprintf(path, sizeof(path), TOP "instances/kft+%s/%s", run_name,
			       file);
	else
		(void)snprintf(path, sizeof(path), TOP "%s", file);
	return path;
}

#endif

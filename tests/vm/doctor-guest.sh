#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# In the guest: what kft doctor finds, that it leaves the kernel as it was, and that it leaves
# alone what somebody else uses.
tracefs=$(mount-tracefs)
command -v kft >/dev/null || exit 77
kft doctor --json >/mnt/free.json || exit 1
sh /live/doctor-restores /usr/bin/kft || exit 1
echo 1 >"$tracefs/set_ftrace_filter"
echo function_graph >"$tracefs/current_tracer"
echo 1000 >"$tracefs/tracing_thresh"
sh /live/tracefs-state >/tmp/before
kft doctor --json >/mnt/busy.json || exit 1
sh /live/tracefs-state >/tmp/after
diff -u /tmp/before /tmp/after
r=$?
echo 0 >"$tracefs/tracing_thresh"
echo nop >"$tracefs/current_tracer"
echo >"$tracefs/set_ftrace_filter"
exit $r

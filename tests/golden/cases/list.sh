# SPDX-License-Identifier: GPL-2.0-only
# A directory stands in for the kernel.
mkdir -p root/sys/kernel/tracing root/proc
printf 'nodev\ttracefs\n' >root/proc/filesystems
echo 'tracefs /sys/kernel/tracing tracefs rw 0 0' >root/proc/mounts
cd root/sys/kernel/tracing || exit 1
echo 'sched:sched_switch
sched:sched_wakeup
irq:irq_handler_entry' >available_events
echo 'vfs_read
vfs_write
ext4_sync_fs [ext4]' >available_filter_functions
echo 'blk function nop' >available_tracers
echo 'nop' >current_tracer
echo 'local [global] counter' >trace_clock
: >set_event
cd - >/dev/null || exit 1

for what in events functions tracers clocks; do
	try kft list $what --root root
done
try kft list --root root events sched
try kft list --root root events 'irq*'
try kft list --root root events wakeup
try kft list --root root functions '*_fs'
try kft list --root root clocks l
try kft list event
try kft list
try kft list --root missing events

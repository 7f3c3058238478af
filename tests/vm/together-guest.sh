# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# In the guest: events, slow calls of a function, a kprobe and a uprobe with their returns and
# a program's marks in one trace of kft; the same plan by trace-cmd, and by hand what it does
# not know; and kft killed before its changes to the kernel. The host's part judges.
set -u
trap 'echo "FAILED: ended early" >&2' EXIT

fail() {
	echo "FAILED: $*" >&2
	trap - EXIT
	exit 1
}

tracefs=$(mount-tracefs)
instance=$tracefs/instances/kft-all
[ -e $tracefs/uprobe_events ] || exit 77
# The top-level buffer is allocated when it is used first.
echo 1408 >"$tracefs/buffer_size_kb"
state() {
	sh /live/tracefs-state
	cat $tracefs/kprobe_events $tracefs/uprobe_events
	ls $tracefs/instances /run/kft 2>/dev/null
}
# Nearly all of it, without the triggers of all events, which take a while.
quick_state() {
	(cd $tracefs && grep -H . kprobe_events uprobe_events set_event set_event_pid \
		set_ftrace_filter set_ftrace_notrace set_ftrace_pid set_graph_function \
		set_graph_notrace current_tracer tracing_on tracing_thresh max_graph_depth \
		trace_clock trace_options buffer_size_kb enabled_functions)
	ls $tracefs/instances /run/kft
}
mkdir -p /run/kft
state >/tmp/before
as_before() {
	state >/tmp/after
	diff -u /tmp/before /tmp/after || fail "tracefs is not as it was: $*"
}

cp /mnt/probed /mnt/kill-at /tmp
head -c 100000 /dev/zero >/tmp/file
stat -c %i /tmp/file >/mnt/inode
# Functions are where their tracer is.
cat >/tmp/work <<EOF
#!/bin/sh
marker=$instance/trace_marker
grep -q function_graph $instance/available_tracers 2>/dev/null || marker=$tracefs/trace_marker
exec /tmp/probed 40 \$marker /tmp/file
EOF
chmod +x /tmp/work
record() { # COMMAND OUTPUT
	"$@" -n all -e sched:sched_switch -e syscalls:sys_enter_pread64 \
		-f hrtimer_nanosleep --min 1ms \
		-k 'vfs_read(file->f_inode->i_ino, count)' -k 'vfs_read%return($retval)' \
		-u '/tmp/probed:planted_add($arg1:s32, text=$arg2:string)' \
		-u '/tmp/probed:planted_add%return($retval:s32)' -- /tmp/work
}
record kft record -q -o /mnt/kft.dat || fail "kft record: $?"
as_before "kft record"

# What kft kd says of a run's times on the CPU is computed again by the host.
cat >/tmp/times.conf <<EOF
begin
  filter funclist *nanosleep *pread64 vfs_read rw_verify_area fend
  event sched:sched_switch
end
EOF
kft run -n times -o /mnt/times.dat /tmp/times.conf -- /tmp/probed 40 /dev/null /tmp/file ||
	fail "kft run: $?"
as_before "kft run"

# Where the kernel preempts itself, a task can lose its CPU between a call's return and the
# record of its exit: once in some thousand calls while two tasks take turns on one CPU. No
# writes, as kft's own write that ends the run is under way at the stop, and so has no time.
preempt=/sys/kernel/debug/sched/preempt
mount -t debugfs debugfs /sys/kernel/debug
if grep -q full $preempt 2>/dev/null; then
	mode=$(sed 's/.*(\(.*\)).*/\1/' $preempt)
	echo full >$preempt
	sed 's/funclist .* fend/funclist ksys_read vfs_read rw_verify_area *fdget_pos read_zero fend/' \
		/tmp/times.conf >/tmp/full.conf
	kft run -n times -b 8M -o /mnt/full.dat /tmp/full.conf -- taskset 1 sh -c '
		for i in 1 2; do dd if=/dev/zero of=/dev/null bs=1 count=5000 & done; wait' 2>/dev/null ||
		fail "kft run, preempted: $?"
	echo "$mode" >$preempt
fi
umount /sys/kernel/debug
as_before "kft run, preempted"

# trace-cmd has no options for probes, nor for the threshold.
retval=\$retval
case $(uname -m) in
x86_64) first=%di second=%si ;;
*) first=%x0 second=%x1 ;;
esac
at=/tmp/probed:$(cat /mnt/offset)
cat >$tracefs/kprobe_events <<EOF
p:tc/vfs_read vfs_read count=\$arg3:u64
r:tc/vfs_read_return vfs_read $retval:s64
EOF
cat >$tracefs/uprobe_events <<EOF
p:tc/planted_add $at arg1=$first:s32 text=+0($second):string
r:tc/planted_add_return $at $retval:s32
EOF
echo 1000 >$tracefs/tracing_thresh
trace-cmd record -C mono -o /mnt/trace-cmd.dat -e sched:sched_switch -e syscalls:sys_enter_pread64 -e tc \
	-p function_graph -l hrtimer_nanosleep -F \
	/tmp/probed 40 $tracefs/trace_marker /tmp/file >/tmp/trace-cmd 2>&1 || fail "trace-cmd: $(cat /tmp/trace-cmd)"
trace-cmd reset
echo 0 >$tracefs/tracing_thresh
echo >$tracefs/kprobe_events
echo >$tracefs/uprobe_events
echo 1408 >"$tracefs/buffer_size_kb"
for recorder in kft trace-cmd; do
	trace-cmd report -i /mnt/$recorder.dat >/mnt/$recorder.report 2>/tmp/err ||
		fail "trace-cmd report $recorder: $(cat /tmp/err)"
done

# Trace-cmd does not put everything back.
state >/tmp/before
quick_state >/tmp/quick
n=0
status=0
stride=$(cat /mnt/stride)
until [ $status = 1 ]; do
	n=$((n + stride))
	rm -rf /tmp/k.dat*
	status=0
	record /tmp/kill-at $n $tracefs,/run/kft kft record -q -o /tmp/k.dat >/tmp/killed 2>/tmp/err ||
		status=$?
	[ $status -le 1 ] || fail "kill-at $n: $(cat /tmp/err)"
	[ $status = 0 ] || break
	tries=0
	# The kernel closes the files of the dead in its own time.
	until kft reset >/tmp/reset 2>&1 && ! ls -d $tracefs/instances/kft-* >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 500 ] || fail "killed before $(cat /tmp/killed): $(cat /tmp/reset)"
		sleep 0.05
	done
	quick_state | diff -u /tmp/quick - ||
		fail "tracefs is not as it was: killed before change $n, of $(cat /tmp/killed)"
	[ $((n % 10)) != 0 ] || as_before "killed before change $n, or one of those before"
	cat /tmp/killed >>/mnt/killed
done
as_before "ended after $n changes"
trap - EXIT

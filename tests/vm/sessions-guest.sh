# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# In the guest: sessions that live in the kernel between commands (kft record --detach, kft
# flight), with events alone and with functions, which kernels before 6.11 trace at the top level
# only.
set -u
trap 'echo "FAILED: ended early" >&2' EXIT

fail() {
	echo "FAILED: $*" >&2
	trap - EXIT
	exit 1
}

# expect STATUS COMMAND...
expect() {
	wanted=$1
	shift
	r=0
	"$@" || r=$?
	[ $r = "$wanted" ] || fail "status $r instead of $wanted: $*"
}

# count TEXT FILE: lines of a report that have it
count() {
	kft report "$2" | grep -c "$1"
}

as_before() {
	sh /live/tracefs-state >/tmp/after
	cmp /tmp/before /tmp/after >/dev/null || {
		diff /tmp/before /tmp/after >&2
		fail "tracefs is not as before: $1"
	}
}

mount-tracefs >/dev/null
# The first use allocates what stays.
expect 0 kft record -q -e sched:sched_switch -o /tmp/first.dat -- true
sh /live/tracefs-state >/tmp/before
cd /tmp || fail "no /tmp"

# Events: what runs in the pause is not there.
expect 0 kft record --detach -q -n ev -e sched:sched_process_exec
expect 0 kft mark -n ev before
expect 0 kft pause -n ev
expect 1 kft mark -n ev paused 2>/dev/null
kft status -n ev | grep -q '^  paused' || fail "status does not say paused"
expect 0 kft resume -n ev
expect 0 kft mark -n ev here 7
expect 0 kft stop -n ev
expect 0 kft save -n ev -o ev.dat >/dev/null
[ "$(count '|before' ev.dat)" = 1 ] || fail "the first mark is missing"
[ "$(count '|paused' ev.dat)" = 0 ] || fail "what came in the pause was recorded"
[ "$(count '|here|7' ev.dat)" = 1 ] || fail "the mark is missing"
[ "$(count 'kft: pause user' ev.dat)" = 1 ] || fail "the pause is not marked"
[ "$(trace-cmd report -i ev.dat 2>/dev/null | grep -c sched_process_exec)" = \
	"$(count sched_process_exec ev.dat)" ] || fail "trace-cmd counts others"
expect 0 kft reset -q -n ev
as_before "events"

# Functions beside them: vfs_read of cat.
expect 0 kft record --detach -q -n fn -f vfs_read -e sched:sched_process_exec -b 1M
cat /proc/version >/dev/null
expect 0 kft stop -n fn
expect 0 kft save -n fn -o fn.dat >/dev/null
[ "$(count vfs_read fn.dat)" -gt 0 ] || fail "no call of vfs_read"
[ "$(count sched_process_exec fn.dat)" -gt 0 ] || fail "no event beside calls"
expect 0 kft reset -q -n fn
as_before "functions"

# Killed in any step, then taken back.
for verb in record record record pause stop; do
	case $verb in
	record) set -- --detach -q -f vfs_read -e sched ;;
	*)
		expect 0 kft record --detach -q -n k -f vfs_read -e sched -b 1M
		set --
		;;
	esac
	kft $verb -n k "$@" &
	pid=$!
	sleep "0.0$(($(date +%s) % 10))"
	kill -9 $pid 2>/dev/null
	wait $pid
	kft reset -q -n k
	as_before "a killed $verb"
done

# The last moments, again and again.
expect 0 kft flight start -q -e sched:sched_switch --keep 4M
marker=$(mount-tracefs)/instances/kft+flight/trace_marker
n=0
for i in 1 2 3 4 5 6 7 8 9 10; do
	for j in 1 2 3; do
		n=$((n + 1))
		echo "number $n" >"$marker"
	done
	expect 0 kft snapshot -q -o "s$i.dat" --why "$i"
	kft report "s$i.dat" | sed -n 's/.*: number //p' >got
	seq $n >want
	cmp got want || fail "snapshot $i has other marks than 1 to $n"
done
kft status -n flight | grep -q 'the buffers hold the last' || fail "status says no span"
expect 0 kft reset -q -n flight
as_before "a flight recorder"
trap - EXIT

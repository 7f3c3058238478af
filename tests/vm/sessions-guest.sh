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

# of_task NAME FILE TEXT: lines of a report that are of tasks of that name and have the text
of_task() {
	kft report "$2" | grep -E "(^| )$1-[0-9]" | grep -c "$3"
}

# as_many FILE: calls of vfs_read by dd and its entries, at least two times 16
as_many() {
	calls=$(of_task dd "$1" 'vfs_read()')
	entries=$(of_task dd "$1" 'vfs_read <-- ')
	[ "$calls" = "$entries" ] && [ "$calls" -ge 32 ] ||
		fail "$1: $calls calls, $entries entries"
}

read_16() {
	dd if=/dev/zero of=/dev/null bs=32 count=16 2>/dev/null
}

# From one function to another one, with a pause; entries beside calls.
expect 0 kft record --detach -q -n cond -f vfs_read --entries vfs_read,vfs_write \
	-e sched:sched_process_exec -P $$ -b 1M --start enter:vfs_mkdir --stop exit:vfs_rmdir
kft status -n cond | grep -q '^  primed' || fail "status does not say primed"
head -n 1 /proc/version >/dev/null
mkdir d
read_16
expect 0 kft pause -n cond
cat /proc/version >/dev/null
expect 0 kft resume -n cond
read_16
rmdir d
tail -n 1 /proc/version >/dev/null
kft status -n cond | grep -q 'stopped by a trigger' || fail "the stop was not noticed"
expect 0 kft save -n cond -o cond.dat >/dev/null
as_many cond.dat
for other in head cat tail; do
	[ "$(of_task $other cond.dat vfs_)" = 0 ] || fail "cond.dat has calls of $other"
done
expect 0 kft reset -q -n cond
as_before "functions between two functions"

# The same to a file, more than the buffers hold: each look takes what there is.
expect 0 kft record --detach -q -n file -f vfs_read --entries vfs_read -P $$ -b 64k -o file.dat
for i in 1 2 3 4 5 6 7 8 9 10; do
	dd if=/dev/zero of=/dev/null bs=1 count=400 2>/dev/null
	expect 0 kft status -n file >/dev/null
done
expect 0 kft stop -n file
as_many file.dat
expect 0 kft reset -q -n file
as_before "functions to a file"

# Killed in any step, then taken back.
for verb in record record record pause stop; do
	case $verb in
	record) set -- --detach -q -f vfs_read --entries vfs_write -e sched \
		--start exit:vfs_mkdir ;;
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

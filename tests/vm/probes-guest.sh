# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# In the guest: kprobes with arguments by the names of the source, a uprobe beside them, and
# a kernel that is as before whatever ends the session.
set -u

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

mount-tracefs >/dev/null
tracefs=/sys/kernel/tracing
state() {
	sh /live/tracefs-state | grep -v 'buffer_.*size_kb'
	cat $tracefs/kprobe_events $tracefs/uprobe_events
}
state >/tmp/before

head -c 7777 /dev/zero >/tmp/file
inode=$(stat -c %i /tmp/file)
kft record -q -o t.dat -k 'vfs_read(file->f_inode->i_ino, count, file->f_path.dentry->d_iname)' \
	-k 'vfs_read%return($retval)' -e sched:sched_process_exit -- \
	dd if=/tmp/file of=/dev/null bs=10000 count=1 2>/tmp/err || fail "kft record: $(cat /tmp/err)"
kft report -e vfs_read -F i_ino,count,d_iname t.dat >/tmp/reads || fail "kft report: $?"
grep -qx "$inode[^0-9]*10000[^0-9]*file.*" /tmp/reads || fail "no read of $inode: $(cat /tmp/reads)"
kft report -e vfs_read_return -F retval t.dat | grep -qx 7777 ||
	fail "no return of 7777: $(kft report -e vfs_read_return t.dat)"
kft stats events t.dat >/tmp/stats
grep -q sched_process_exit /tmp/stats || fail "no event beside the probes: $(cat /tmp/stats)"
state | diff -u /tmp/before - || fail "not as before"

# A filter in the kernel.
kft record -q -o f.dat -k "vfs_read(count)/count == 10000/" -- \
	dd if=/tmp/file of=/dev/null bs=10000 count=1 2>/dev/null || fail "with a filter: $?"
[ "$(kft report -e vfs_read -F count f.dat | sort -u)" = 10000 ] || fail "the filter: $(kft report f.dat)"

# With call stacks, of this probe and of no event beside it.
# (arm64 has no frame of ksys_read, which its only caller contains.)
kft record -q -o s.dat -k 'vfs_read(count)/count == 10000/stack' -e sched:sched_process_exit -- \
	dd if=/tmp/file of=/dev/null bs=10000 count=1 2>/dev/null || fail "with stacks: $?"
kft report s.dat >/tmp/stacks
[ "$(grep -c '<stack trace' /tmp/stacks)" = "$(grep -c ' vfs_read: ' /tmp/stacks)" ] ||
	fail "stacks: $(cat /tmp/stacks)"
grep -q sys_read /tmp/stacks || fail "stacks: who read: $(cat /tmp/stacks)"
state | diff -u /tmp/before - || fail "not as before, with stacks"

# Killed: the next command finds the probes and removes them.
kft record -q -n k -o k.dat -k vfs_read -a &
pid=$!
until grep -q vfs_read $tracefs/kprobe_events; do :; done
kill -9 $pid
wait $pid 2>/dev/null
until kft reset >/dev/null && [ ! -e $tracefs/instances/kft-k ]; do :; done
state | diff -u /tmp/before - || fail "not as before, when it was killed"

# refused SPEC TEXT: says why, and leaves nothing.
refused() {
	kft record -q -o n.dat -k "$1" -- true 2>/tmp/err && fail "$1 was probed"
	grep -qF -- "$2" /tmp/err || fail "$1: $(cat /tmp/err)"
	state | diff -u /tmp/before - || fail "$1: not as before"
}
refused vfs_raed "vfs_read"
refused 'vfs_read(size)' "it has file, buf, count, pos"
refused 'vfs_read(file->f_inod)' "'f_inode'"
refused 'vfs_read(file->f_path)' "name one of its members"
refused 'vfs_read%return(count)' "not known when the function returns"
refused kprobe_dispatcher "cannot put a probe on 'kprobe_dispatcher'"
! grep -q "mean 'kprobe_dispatcher'" /tmp/err || fail "it suggests the same: $(cat /tmp/err)"

# Two sessions with a probe on one function: each has its own filter, and its own end.
reads() { # COUNT
	dd if=/tmp/file of=/dev/null bs="$1" count=1 2>/dev/null
}
for name in a b; do
	[ $name = a ] && size=5000 || size=6000
	kft record -q -a -n $name -o $name.dat -k "vfs_read(count)/count == $size/" &
	eval "pid_$name=$!"
	until [ -e $name.dat.parts/cpu0 ] &&
		[ "$(cat $tracefs/instances/kft-$name/tracing_on)" = 1 ]; do :; done
done
[ "$(grep -c ' vfs_read ' $tracefs/kprobe_events)" = 2 ] || fail "probes: $(cat $tracefs/kprobe_events)"
reads 5000
reads 6000
# shellcheck disable=SC2154
kill -TERM $pid_a
wait $pid_a
[ "$(grep -c ' vfs_read ' $tracefs/kprobe_events)" = 1 ] || fail "probes when one has ended"
reads 6000
# shellcheck disable=SC2154
kill -TERM $pid_b
wait $pid_b
for name in a b; do
	kft report -F count $name.dat | sort | uniq -c | tr -s ' ' >>/tmp/sizes
done
[ "$(cat /tmp/sizes)" = " 1 5000
 2 6000" ] || fail "sessions meet: $(cat /tmp/sizes)"
state | diff -u /tmp/before - || fail "two sessions: not as before"
exit 0

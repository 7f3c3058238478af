# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# In the guest, for persist.sh: a flight recorder, a crash, and what is left of it in the boot
# that follows. /mnt says how often this machine has crashed.
set -u
failed=0
crashes=$(cat /mnt/crashes 2>/dev/null || echo 0)

fail() {
	echo "FAILED: $*"
	failed=1
}

tracefs=$(mount-tracefs)
# What has to survive is on the host's disk.
mkdir -p /var/lib/kft /mnt/lib
mount -o bind /mnt/lib /var/lib/kft

# crash FIRST LAST: numbers in the trace, and a panic, for which the kernel prints the buffer
crash() {
	echo kft+flight >/proc/sys/kernel/ftrace_dump_on_oops
	for i in $(seq "$1" "$2"); do
		echo "number $i" >"$tracefs/instances/kft+flight/trace_marker"
		/bin/true
	done
	echo $((crashes + 1)) >/mnt/crashes
	[ $failed = 0 ] || exit 1
	sync
	echo c >/proc/sysrq-trigger
}

case $crashes in
0)
	kft flight persist 2>&1 | grep -q "keeps .* of session 'flight' over a reboot" ||
		fail "persist does not see the memory: $(kft flight persist 2>&1)"
	kft recover --crash -o no.dat 2>err && fail "something was recovered before a crash"
	grep -q "nothing of session 'flight' survived" err || fail "why not: $(cat err)"
	sh /live/tracefs-state >before
	kft flight start -q -e sched:sched_process_exit || fail "start"
	kft reset -n flight || fail "reset"
	sh /live/tracefs-state >after
	diff -u before after || fail "the instance is not as a new one"
	kft flight start -q -e sched:sched_process_exit -e sched:sched_wakeup_new || fail "start"
	crash 1 100
	;;
1)
	kft recover --crash -o /mnt/crash.dat || fail "recover"
	kft report /mnt/crash.dat >/mnt/report || fail "report"
	kft recover --crash -o no.dat 2>/dev/null && fail "recovered twice"
	kft flight start -q -e sched:sched_process_exit || fail "start after a crash"
	crash 101 120
	;;
*)
	# The recorder itself saves what there is before it records again.
	kft flight start -e sched:sched_process_exit 2>err || fail "start after a second crash"
	grep -q "has what an earlier boot left" err || fail "start said: $(cat err)"
	kft report /var/lib/kft/flight-*-crash.dat >/mnt/report2 || fail "report of the second one"
	kft mark -n flight "recorded on" || fail "mark"
	kft snapshot -q -o s.dat || fail "snapshot"
	kft report s.dat >report
	grep -q "recorded on" report || fail "it does not record again"
	! grep -q "number 1" report || fail "the snapshot has what is of the boot before"
	kft reset -n flight || fail "reset"
	;;
esac
exit $failed

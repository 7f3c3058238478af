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

# Marks that are numbered, and now and then other events; on one CPU, whose buffer they fill.
taskset -p 1 $$ >/dev/null

numbers() { # FIRST LAST [MORE TEXT]
	local i
	for i in $(seq "$1" "$2"); do
		echo "number $i${3-}" >"$tracefs/instances/kft+flight/trace_marker"
		[ $((i % 50)) != 0 ] || /bin/true
	done
}

# crash FIRST LAST [MORE TEXT]: numbers in the trace, which is printed, and a panic. What the kernel
# prints itself when it dies (ftrace_dump_on_oops) is read out of the buffer and gone from there.
crash() {
	numbers "$@"
	echo $((crashes + 1)) >/mnt/crashes
	[ $failed = 0 ] || exit 1
	{
		echo "printed $((crashes + 1))"
		cut -c 1-300 "$tracefs/instances/kft+flight/trace"
		echo "printed all"
	} >/dev/ttyS0
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
	kft flight start -q -e sched:sched_process_exit//stack || fail "start"
	kft reset -n flight || fail "reset"
	sh /live/tracefs-state >after
	diff -u before after || fail "the instance is not as a new one"
	[ -z "$(ls /var/lib/kft)" ] || fail "it is left on disk: $(ls /var/lib/kft)"
	kft flight start -q -e sched:sched_process_exit -e sched:sched_wakeup_new || fail "start"
	# Several pages.
	crash 1 1000
	;;
1)
	kft recover --crash -o /mnt/crash.dat || fail "recover"
	kft report /mnt/crash.dat >/mnt/report || fail "report"
	kft recover --crash -o no.dat 2>/dev/null && fail "recovered twice"
	kft flight start -q -e sched:sched_process_exit || fail "start after a crash"
	# Each has a page: more than the buffer holds.
	crash 1001 2500 "$(printf ' %03000d' 0)"
	;;
*)
	# The recorder itself saves what there is before it records again.
	kft flight start -e sched:sched_process_exit 2>err || fail "start after a second crash"
	grep -q "has events of an earlier boot" err || fail "start said: $(cat err)"
	kft report /var/lib/kft/flight-*-crash.dat >/mnt/report2 || fail "report of the second one"
	numbers 6001 7000
	for _ in 1 2; do
		kft snapshot -q -o s.dat || fail "snapshot"
		kft report s.dat | sed -n 's/.*: number //p' >got
		seq 6001 7000 | cmp -s - got || fail "the snapshot has $(sed -n '1p;$p' got) of $(wc -l <got)"
	done
	kft reset -n flight || fail "reset"
	;;
esac
exit $failed

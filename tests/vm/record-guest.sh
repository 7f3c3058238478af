# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# In the guest, for record.sh: kft record as its users run it. Traces and what kft says of
# them here go to /mnt, where the host reads them, too.
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

# say NAME: what kft says of a trace here
say() {
	kft stats events --json "/mnt/$1.dat" >"/mnt/$1.stats" || fail "stats $1: $?"
	kft report "/mnt/$1.dat" >"/mnt/$1.report" || fail "report $1: $?"
}

# until_it COMMAND...: it holds sooner or later
until_it() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || fail "never: $*"
		sleep 0.05
	done
}

is() { # FILE TEXT
	[ "$(cat "$1" 2>/dev/null)" = "$2" ]
}

gone() {
	[ ! -e "$1" ]
}

# tracefs is not mounted: kft has one of its own, which nobody else sees.
! grep -q tracefs /proc/mounts || fail "tracefs is mounted"
expect 7 kft record -q -o /mnt/command.dat -- sh -c 'ls / >/dev/null; (ls /proc | wc -l) >/dev/null; exit 7'
! grep -q tracefs /proc/mounts || fail "kft has left tracefs mounted"
expect 143 kft record -q -e sched -- sh -c 'kill -TERM $$'
expect 127 kft record -q -- no-such-program 2>/dev/null

tracefs=$(mount-tracefs)
instances=$tracefs/instances
sh /live/tracefs-state >/tmp/before

# The whole system, in both versions of the file.
work='seq 300 | sort -r | tail -n 1 >/dev/null; dd if=/dev/zero of=/dev/null bs=1 count=300 2>/dev/null; sleep 0.1'
expect 0 kft record -q -a -o /mnt/all.dat -e sched -e irq -e raw_syscalls -e timer -- sh -c "$work"
expect 0 kft record -q -a -o /mnt/v6.dat --file-version 6 -- sh -c "$work"

# A process that runs already, its threads' children, and a filter.
mkfifo /tmp/go
sh -c 'read -r _ </tmp/go; ls / >/dev/null; (ls /proc | wc -l) >/dev/null' &
pid=$!
kft record -q -n pid -o /mnt/pid.dat -e sched -e raw_syscalls -P $pid &
recorder=$!
until_it [ -e /mnt/pid.dat.parts/cpu0 ]
until_it is $instances/kft-pid/tracing_on 1
echo >/tmp/go
wait $pid
kill -TERM $recorder
expect 0 wait $recorder
echo $pid >/mnt/pid.pid
expect 0 kft record -q -o /mnt/filter.dat -e 'sched:sched_process_exit/comm == "ls"/' -- \
	sh -c 'ls / >/dev/null; seq 3 >/dev/null; ls / >/dev/null; true'

# A recorder that is killed: the kernel stops and frees the buffers by itself; what reached
# the disk is readable at once, and makes an ordinary trace.
kft record -q -n dead -a -b 64k -o /mnt/dead.dat &
recorder=$!
until_it [ -s /mnt/dead.dat.parts/cpu0 ]
sh -c "$work"
kill -KILL $recorder
wait $recorder
until_it is $instances/kft-dead/tracing_on 0
kft stats events --json /mnt/dead.dat >/mnt/dead.stats || fail "stats of a killed recording: $?"
kft report /mnt/dead.dat >/mnt/dead.report || fail "report of a killed recording: $?"
expect 0 kft recover -o /mnt/recovered.dat /mnt/dead.dat >/dev/null
kft record -q -n alive -a -o /tmp/alive.dat &
recorder=$!
until_it [ -e /tmp/alive.dat.parts/cpu0 ]
until_it gone $instances/kft-dead
kft reset >/tmp/reset || fail "reset: $?"
grep -q 'kft-alive: left alone' /tmp/reset || fail "reset said: $(cat /tmp/reset)"
kill -INT $recorder 2>/dev/null || kill -TERM $recorder
# A shell's background job ignores SIGINT, and so does kft then.
kill -TERM $recorder
expect 0 wait $recorder

# A CPU goes and comes back: nothing is lost of what was recorded there. Each byte that dd
# copies is two system calls.
cpu1=/sys/devices/system/cpu/cpu1/online
if [ -e $cpu1 ]; then
	copy='taskset 2 dd if=/dev/zero of=/dev/null bs=1 count=2000 2>/dev/null'
	expect 0 kft record -q -o /mnt/hotplug.dat -b 4M -e raw_syscalls:sys_enter -- sh -c "
		$copy; echo 0 >$cpu1; ls / >/dev/null; echo 1 >$cpu1; $copy"
fi

for name in command all v6 pid filter recovered; do
	say $name
done
[ ! -e $cpu1 ] || say hotplug
[ -z "$(ls $instances)" ] || fail "instances are left: $(ls $instances)"
sh /live/tracefs-state >/tmp/after
diff -u /tmp/before /tmp/after || fail "tracefs is not as it was"
trap - EXIT

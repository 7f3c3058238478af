#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A flight recorder that was started in a login session which has ended: snapshots in a row hold
# every mark, a full buffer keeps the newest, and the kernel is as before in the end.
# shellcheck source=tests/vm/kft-lib.sh
. /live/kft-lib.sh
marker=$tracefs/instances/kft+s/trace_marker

# mark COUNT: writes the next numbers
last=0
mark() {
	for _ in $(seq "$1"); do
		last=$((last + 1))
		echo "number $last" >"$marker"
	done
}

# holds FILE FIRST: the trace has all numbers from there to the last one
holds() {
	kft report "$1" | sed -n 's/.*: number //p' >numbers
	seq "$2" $last >wanted
	cmp -s numbers wanted || fail "$1: not all of $2 to $last: $(diff numbers wanted | head -n 5)"
}

# until_it COMMAND...: it holds sooner or later
until_it() {
	local tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || { fail "never: $*" && return; }
		sleep 0.1
	done
}

echo "ten snapshots in a row"
# What ends with its session gets a SIGHUP.
setsid sh -c 'kft flight start -n s -q -e sched:sched_process_exit --keep 16M; kill -HUP 0'
for i in $(seq 10); do
	mark 100
	kft snapshot -q -n s -o t.dat --why "snapshot $i" || fail "snapshot $i"
	holds t.dat 1
done
[ "$(kft report t.dat | grep -c ': kft: snapshot snapshot')" = 10 ] || fail "not ten reasons"
status "recording" "recording, keeps the newest" "nothing lost" "the buffers hold the last"
mark 100
kft stop -n s || fail "stop"
kft save -q -n s -o t.dat || fail "save"
holds t.dat 1
kft reset -n s >/dev/null || fail "reset"
nothing_left "ten snapshots"

echo "a full buffer"
kft flight start -n s -q -e sched:sched_process_exit --keep 128k || fail "start"
last=0
# On one CPU, so that the numbers are in one buffer.
taskset -p 1 $$ >/dev/null
mark 8000
for _ in 1 2; do
	kft snapshot -q -n s -o t.dat || fail "snapshot"
	first=$(kft report t.dat | sed -n 's/.*: number //p' | head -n 1)
	[ "${first:-0}" -gt 1 ] || fail "nothing was overwritten"
	holds t.dat "$first"
	mark 10
done
taskset -p 3 $$ >/dev/null
status "full" "nothing lost, [0-9,]* older ones overwritten"
kft reset -n s >/dev/null || fail "reset"
nothing_left "a full buffer"

echo "killed while it writes a snapshot"
kft flight start -n s -q -e sched:sched_process_exit --keep 16M || fail "start"
last=0
for delay in 0 0.1 0.2 0.4; do
	mark 500
	kft snapshot -q -n s -o killed.dat &
	pid=$!
	sleep $delay
	kill_all
	wait $pid
done
kft snapshot -q -n s -o t.dat || fail "snapshot after kills"
holds t.dat 1
kft reset -n s >/dev/null || fail "reset"
nothing_left "killed"
echo "as a service"
mkdir -p /etc/default
echo 'KFT_FLIGHT="--keep 4M -e sched:sched_process_exit"' >/etc/default/kft-flight
sh /mnt/kft-flight start || exit 1
kft mark -n flight "of the service" || fail "mark"
sh /mnt/kft-flight status >out && grep -q 'keep 4M.*sched_process_exit' out ||
	fail "status of the service: $(cat out)"
sh /mnt/kft-flight reload || fail "reload of the service"
kft report /var/lib/kft/flight-*.dat | grep -q "of the service" || fail "no mark in its snapshot"
takes_signals() {
	pid=$(sh /mnt/kft-flight status | sed -n "s/.*kill -USR1 \([0-9]*\).*/\1/p")
	[ -n "$pid" ]
}
until_it takes_signals
kill -USR1 "$pid" || fail "no process $pid"
two_snapshots() {
	[ "$(ls /var/lib/kft/flight-*.dat | wc -l)" = 2 ]
}
until_it two_snapshots
sh /mnt/kft-flight stop >/dev/null || fail "stop of the service"
rm -r /var/lib/kft /etc/default/kft-flight
nothing_left "a service"

echo "memory that survives a crash"
minor=$(uname -r | cut -d . -f 2)
r=0
kft flight persist --keep 1M >out 2>err || r=$?
if [ "$minor" -ge 12 ]; then
	grep -q "^reserve_mem=1024K:4096:kft trace_instance=kft+flight^traceoff@kft$" out ||
		fail "parameters: $r, $(cat out err)"
	grep -q "booted without these parameters" err || fail "persist said: $(cat err)"
else
	[ $r = 1 ] || fail "persist: $r"
	grep -q "Linux 6.$minor keeps no trace over a reboot" err || fail "persist said: $(cat err)"
	grep -q "Linux 6.12 and later do" err || fail "persist does not say what it needs: $(cat err)"
fi
kft recover --crash 2>err && fail "recovered without a crash"
grep -q "this kernel keeps nothing of session 'flight' over a reboot" err || fail "recover said: $(cat err)"
nothing_left "what is not kept"
exit $failed

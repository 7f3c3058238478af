#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Conditions that the kernel finds itself, beside the same ones found by reading along: both come for
# the same calls, and what was put into the kernel goes, whatever ends the watcher.
# shellcheck source=tests/vm/kft-lib.sh
. /live/kft-lib.sh

# start NAME: a session that waits for what only the shell's wait does, however slow all is
start() {
	kft flight start -q -n "$1" -e sched:sched_process_exit --keep 1M --not-again-for 0 \
		--on 'syscall:rt_sigsuspend > 200ms do mark slow' \
		--on 'softirq:NET_TX > 10s do mark never'
}

came() { # NAME [CONDITION]
	kft status -n "$1" | sed -n "s/.*${2-rt_sigsuspend > 200ms}: came \([0-9]*\) times.*/\1/p"
}

# came_often NAME TIMES [CONDITION]
came_often() {
	tries=0
	until [ "$(came "$1" ${3+"$3"})" -ge "$2" ]; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || { fail "$1: $(kft status -n "$1")" && return; }
		sleep 0.1
	done
}

# Not even a list of events shows what is one for the whole kernel.
is_clean() {
	if grep -q '^kft_' "$tracefs/synthetic_events"; then
		fail "$1: $(cat "$tracefs/synthetic_events")"
	fi
	nothing_left "$1"
}

# along COMMAND...: to a kernel that does not take them
along() {
	mount --bind /dev/null "$tracefs/synthetic_events"
	"$@" || fail "start"
	umount "$tracefs/synthetic_events"
}

echo "both ways"
start kernel || fail "start"
grep -q '^kft_' "$tracefs/synthetic_events" || fail "nothing in synthetic_events"
kft list events | grep 'synthetic:kft_' && fail "kft list shows what is its own"
along start along
[ "$(kft status -n kernel | grep -c 'found by the kernel$')" = 2 ] || fail "$(kft status -n kernel)"
[ "$(kft status -n kernel --format json | grep -o '"in_kernel": *true' | wc -l)" = 2 ] ||
	fail "$(kft status -n kernel --format json)"
kft status -n along | grep -q 'found by reading all events along: ' || fail "$(kft status -n along)"
for _ in 1 2 3; do
	sleep 2 &
	wait $!
done
came_often kernel 3
came_often along 3
[ "$(came kernel)" = 3 ] && [ "$(came along)" = 3 ] || fail "$(came kernel) and $(came along) of 3"
kft snapshot -q -n kernel -o t.dat
[ "$(kft report t.dat | grep -c 'slow: .* on CPU')" = 3 ] || fail "$(kft report t.dat)"
kft status | grep 'came [1-9].* times.*never' && fail "what cannot come came"
kft reset -n kernel >/dev/null || fail "reset"
kft reset -n along >/dev/null || fail "reset"
is_clean "both ways"

# start_waits NAME: neither has anything to do with what else goes on here
start_waits() {
	kft flight start -q -n "$1" -e sched:sched_process_exit --keep 1M --not-again-for 0 \
		--on 'sched:victim wait > 100ms do mark waited' --on 'syscall > 3s do mark called'
}

# Whoever is not "victim" keeps the second CPU for so many hundredths of a second.
# shellcheck disable=SC2016 # for the other shell
keep_cpu() { # HUNDREDTHS
	taskset 2 /mnt/chrt -f 50 sh -c 'echo >/tmp/line
		read -r from _ </proc/uptime; now=$from
		while [ $((${now%.*}${now#*.} - ${from%.*}${from#*.})) -lt '"$1"' ]; do
			read -r now _ </proc/uptime
		done'
}

# Of the second CPU; woken by a line it works for a while.
victim() {
	printf victim >/proc/self/comm
	while read -r _ <&3; do
		i=0
		while [ $i -lt 4000 ]; do i=$((i + 1)); done
	done
}

echo "waits for a CPU, and all calls"
mkfifo /tmp/line /tmp/never
start_waits kernel || fail "start"
[ "$(kft status -n kernel | grep -c 'found by the kernel$')" = 2 ] || fail "$(kft status -n kernel)"
along start_waits along
# The start of the second one took its time.
before=$(came kernel 'syscall > 3s')
victim 3<>/tmp/line &
victim=$!
taskset -p 2 $victim >/dev/null
for _ in 1 2 3; do
	keep_cpu 30
	# It works, and is pushed off its CPU.
	keep_cpu 30
	# shellcheck disable=SC3045 # busybox has it
	read -r -t 4 _ <>/tmp/never
done
for name in kernel along; do
	came_often $name 6 'victim wait > 100ms'
	came_often $name 3 'syscall > 3s'
done
[ "$(came kernel 'victim wait > 100ms')" = "$(came along 'victim wait > 100ms')" ] &&
	[ $(($(came kernel 'syscall > 3s') - before)) = "$(came along 'syscall > 3s')" ] ||
	fail "$before before; $(kft status -n kernel; kft status -n along)"
kill $victim
kft reset -n kernel >/dev/null || fail "reset"
kft reset -n along >/dev/null || fail "reset"
is_clean "waits"

echo "killed watchers"
for delay in 0 0.05 0.1 0.2 0.4 0.8; do
	start killed &
	starts=$!
	sleep $delay
	kill_all
	wait $starts 2>/dev/null
	kft reset >/dev/null 2>&1
	kft reset -n killed >/dev/null 2>&1
	is_clean "killed after $delay"
done
start killed || fail "start"
kill -9 "$(cat /run/kft/killed/watcher)"
kft reset -n killed >/dev/null || fail "reset"
kft reset >/dev/null || fail "reset of all"
is_clean "killed while it waits"
exit $failed

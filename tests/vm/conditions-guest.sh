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

came() {
	kft status -n "$1" | sed -n 's/.*rt_sigsuspend > 200ms: came \([0-9]*\) times.*/\1/p'
}

# came_often NAME TIMES
came_often() {
	tries=0
	until [ "$(came "$1")" -ge "$2" ]; do
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

echo "both ways"
start kernel || fail "start"
grep -q '^kft_' "$tracefs/synthetic_events" || fail "nothing in synthetic_events"
kft list events | grep 'synthetic:kft_' && fail "kft list shows what is its own"
# To a kernel that does not take them.
mount --bind /dev/null "$tracefs/synthetic_events"
start along || fail "start"
umount "$tracefs/synthetic_events"
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

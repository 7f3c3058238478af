#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A session step by step, every kft process killed between each pair of steps: status tells
# the truth, and reset restores the kernel. Few functions are traced: the steps are tested.
# shellcheck source=tests/vm/kft-lib.sh
. /live/kft-lib.sh

cat >s.conf <<CONF
begin
  trigger start entry ksys_sync
  trigger stop time 300ms
  filter funclist ksys_sync vfs_read iterate_dir fend
  filter mintime 1us
end
CONF

echo "killed between each pair of steps"
kft status >out && grep -qx 'No logging run registered' out || fail "status without a run"
kft load -n s s.conf || fail "load"
status "loaded" "run id 0, not primed, not triggered, not complete"
answer "loaded" '"session":"s","run":0,"state":"loaded","started_by":null,' '"instance":null'
same_kernel "loaded"
kft prime -n s || fail "prime"
kill_all
status "primed" "run id 0, primed, not triggered, not complete" "started not yet" \
	"no kft waits with this run"
kft load -n s s.conf 2>/dev/null && fail "a run that is under way was replaced"
sync
sleep 1
status "complete" "primed, triggered, complete" "started by entry to ksys_sync at" \
	"stopped by time at" "calls kept"
same_kernel "complete"
kill_all
kft save -n s -o a.dat >/dev/null || fail "save"
kft save -n s -o b.dat >/dev/null || fail "save again"
kft report a.dat >a.txt
kft report b.dat >b.txt
cmp a.txt b.txt || fail "reading disturbs"
grep -q '} /\* ksys_sync' a.txt || fail "the call that started is not there: $(cat a.txt)"
grep ' start: ' a.txt && fail "kft's own probe is among the user's events"
kft stats a.dat | grep -w start && fail "kft's own probe is among the events counted"
[ "$(kft report -e 'kft_*' a.dat | grep -c ' start: ')" = 1 ] || fail "the probe, if asked for"
cp a.dat t.dat
[ "$(rows | sort -n | tail -n 1 | cut -d' ' -f1)" -le 300000 ] || fail "calls after the stop"

echo "primed again"
kft prime -n s || fail "prime a complete run"
status "primed again" "run id 1, primed, not triggered, not complete"
kft start -n s || fail "start by hand"
status "started by hand" "primed, triggered" "started by the user at"
# It may have ended by time.
kft stop -n s 2>/dev/null || status "ended" ", complete"
kft stop -n s 2>/dev/null && fail "stopped twice"
kft start -n s 2>/dev/null && fail "a complete run was started"
kft reset -n s >/dev/null || fail "reset"
same_kernel "reset"

echo "times without a command"
kft load -n s s.conf && kft prime -n s || fail "load and prime"
sync
# It is given back file by file.
for i in $(seq 60); do
	tracefs_state >after
	! cmp -s before after || break
	sleep 1
done
same_kernel "without a command, nobody gave it back"
kft reset -n s >/dev/null || fail "reset"

echo "reset at any step"
for step in load prime sync stop; do
	kft load -n s s.conf || fail "load"
	[ $step = load ] || kft prime -n s || fail "prime"
	case $step in sync | stop) sync ;; esac
	# It may have ended by time.
	[ $step != stop ] || kft stop -n s 2>/dev/null || status "ended" ", complete"
	kill_all
	kft reset -n s >/dev/null || fail "reset after $step"
	same_kernel "reset after $step"
	[ -z "$(ls /run/kft)" ] || fail "left after $step: $(ls /run/kft)"
done

echo "by hand, killed after each step"
cat >h.conf <<CONF
begin
  trigger start time 1h
  filter funclist ksys_sync vfs_read fend
end
CONF
kft load -n s h.conf || fail "load"
kill_all
status "loaded" "not primed, not triggered, not complete"
kft prime -n s || fail "prime"
kill_all
status "primed" "primed, not triggered, not complete" "started not yet"
kft start -n s || fail "start"
kill_all
sync
status "started" "primed, triggered, not complete" "started by the user at"
kft stop -n s || fail "stop"
kill_all
status "stopped" "primed, triggered, complete" "stopped by the user at" "calls kept"
answer "stopped by hand" '"run":0,"state":"complete","started_by":"user","start":[0-9]' \
	'"windows":\[{"session":"s","started_by":"user","start":[0-9]*,"stopped_by":"user"'
kill_all
kft save -q -n s -o t.dat || fail "save"
kill_all
read_calls
[ "$(count ksys_sync)" = 1 ] || fail "not one ksys_sync: $(cat calls)"
status "saved" "primed, triggered, complete"
kft reset -n s >/dev/null || fail "reset"
kill_all
nothing_left "reset by hand"

# killed STEP DELAY COMMAND...: it is killed so long after it began
killed() {
	step=$1 delay=$2
	shift 2
	"$@" >/dev/null 2>&1 &
	pid=$!
	sleep "$delay"
	kill_all
	wait $pid
}

echo "killed in the middle of a step"
for delay in 0 0.1 0.3 0.6 1 2; do
	kft load -n s h.conf || fail "load"
	killed prime $delay kft prime -n s
	kft status -n s >out 2>&1 || fail "status after $delay s of prime: $(cat out)"
	echo "  $delay s into prime: $(sed -n 's/^status: //p' out)"
	killed reset $delay kft reset -n s
	kft reset -a >/dev/null || fail "reset after $delay s of reset"
	nothing_left "killed $delay s into prime and reset"
done
for delay in 0 0.2 0.5 1 1.5; do
	kft load -n s h.conf && kft start -n s || fail "load and start"
	sync
	kill_all
	kft stop -n s || fail "stop"
	kill_all
	killed status $delay kft status -n s
	killed save $delay kft save -n s -o killed.dat
	kft save -q -n s -o killed.dat || fail "save after $delay s of taking and saving"
	mv killed.dat t.dat
	read_calls
	[ "$(count ksys_sync)" = 1 ] || fail "$delay s: not one ksys_sync: $(cat calls)"
	kft reset -n s >/dev/null || fail "reset"
	nothing_left "killed $delay s into taking"
	rm -rf killed.dat killed.dat.parts
done

echo "a killed kft run"
kft run -n s -o c.dat s.conf 2>/dev/null &
while ! kft status -n s 2>/dev/null | grep -q "primed, not triggered" ||
	kft status -n s | grep -q "not primed"; do sleep 0.2; done
kft status -n s | grep -q "no kft waits" && fail "status does not see the kft run that waits"
kill_all
kft status -n s | grep -q "no kft waits" || fail "status sees a kft run that was killed"
status "killed" "primed, not triggered, not complete"
kft reset -a >/dev/null || fail "reset of all"
same_kernel "killed"

echo "two sessions at once"
kft load -n other h.conf && kft start -n other || fail "load and start"
kft load -n s h.conf || fail "load a second one"
has_one_tracer=
if [ -d "$tracefs/instances/kft+other" ]; then
	kft start -n s || fail "start a second one"
	sync
	for name in s other; do
		kft stop -n $name && kft save -q -n $name -o t.dat || fail "stop and save $name"
		read_calls
		[ "$(count ksys_sync)" = 1 ] || fail "$name: not one ksys_sync: $(cat calls)"
	done
else
	has_one_tracer=1
	kft start -n s 2>err && fail "both have the only tracer"
	grep -q "session 'other' holds the tracer, which this kernel has once" err ||
		fail "why not: $(cat err)"
	sync
	kft stop -n other && kft save -q -n other -o t.dat || fail "stop and save"
	read_calls
	[ "$(count ksys_sync)" = 1 ] || fail "not one ksys_sync: $(cat calls)"
	kft start -n s || fail "start when the tracer is free"
fi
kft reset -a >/dev/null || fail "reset of all"
nothing_left "two sessions"

echo "somebody else's tracer"
if [ -n "$has_one_tracer" ]; then
	echo ksys_sync >"$tracefs/set_ftrace_filter"
	echo function >"$tracefs/current_tracer"
	kft load -n s h.conf || fail "load"
	kft start -n s 2>err && fail "somebody else's tracer was taken"
	grep -q "another program uses the kernel's top-level tracer" err || fail "why not: $(cat err)"
	[ "$(cat "$tracefs/current_tracer")" = function ] || fail "somebody's tracer was changed"
	echo nop >"$tracefs/current_tracer"
	echo >"$tracefs/set_ftrace_filter"
	echo >"$tracefs/trace"
	kft reset -n s >/dev/null
	same_kernel "somebody else's tracer"
fi
if [ "$(ls "$tracefs/instances")" = "" ]; then
	echo 1 >"$tracefs/tracing_thresh"
	kft load -n s s.conf || fail "load"
	kft prime -n s 2>err && fail "primed although somebody has a threshold"
	grep -q "another program has set tracing_thresh" err || fail "why not: $(cat err)"
	[ "$(cat "$tracefs/tracing_thresh")" = 1 ] || fail "somebody's threshold was changed"
	kft reset -n s >/dev/null
	echo 0 >"$tracefs/tracing_thresh"
fi
same_kernel "somebody else"

# disturbed WHAT WORDS: h.conf runs, others do WHAT to its place; kft says WORDS and fails
disturbed() {
	kft load -n s h.conf && kft start -n s || fail "load and start"
	sync
	place=$tracefs/instances/kft+s
	[ -d "$place" ] || place=$tracefs
	(cd "$place" && eval "$1")
	sync
	kft stop -n s 2>/dev/null
	kft save -n s -o t.dat >out 2>err && fail "$1: saved as if nothing had happened: $(cat out)"
	grep -q "session 's' is not complete: another program.* $2" err ||
		fail "$1: $(cat err; ls -l /run/kft/s; grep . "$place"/tracing_on "$place"/current_tracer)"
	kft status -n s | grep -q "not complete: another program.* $2" || fail "$1: not in status"
	kft log t.dat >out 2>/dev/null || fail "$1: no log"
	echo "  $(cat err)"
	kft reset -n s >/dev/null || fail "reset"
	echo 0 >"$tracefs/tracing_thresh"
	same_kernel "$1"
}

echo "others in the way of a run"
disturbed 'echo 0 >tracing_on' 'switched recording off'
disturbed 'echo nop >current_tracer' 'took the tracer'
disturbed 'echo >trace' 'emptied the buffer'
disturbed 'timeout 2 cat trace_pipe >/dev/null' 'read [0-9,]* of the records'
disturbed "echo 5 >$tracefs/tracing_thresh; kft status -n s >/dev/null" 'changed tracing_thresh'
exit $failed

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The sample configurations of KFT's documents and of this project give what their words say.
# shellcheck source=tests/vm/kft-lib.sh
. /live/kft-lib.sh

forks &

echo "document: longer than 500 us for 5 s after the next fork, at an address, no interrupts"
cat >fork-5s.conf <<CONF
new
begin
  trigger start entry $(address kernel_clone)
  trigger stop time 5000000
  filter mintime 500
  filter maxtime 0
  filter noints
end
CONF
run fork-5s.conf
begin=$(started)
check "not shorter than mintime" "dur >= 500000"
check "not in interrupts" "!irq"
check "entered within 5 s of the start" "entry <= b + 5000000000"
check "entered in the run, or what started it" "entry >= b || func_ == \"kernel_clone\""

echo "document: interrupts for 5 ms, not before 5 s after boot"
# On a busy machine the lab's may not get to run in 5 ms.
for i in 1 2 3 4 5; do
	run /samples/interrupts.conf
	[ ! -s calls ] || break
done
begin=$(started_by_mark)
[ -n "$begin" ] || fail "no mark of the start"
# What leaves an interrupt or runs softirqs is part of it, whatever its record's flags say.
check "only in interrupts" "irq || func_ ~ /^(irq_exit|irq_exit_rcu|handle_softirqs|__do_softirq)\$/"
check "for 5 ms" "entry >= b && entry <= b + 5000000"
check "not before 5 s" "entry >= 5000000000"

echo "document: all calls to schedule, not before 10 s after boot"
run /samples/schedule.conf -- sleep 1
check "only this function" "func_ == \"schedule\""
check "not before 10 s" "entry >= 10000000000"

echo "document: the same with its address"
cat >schedule.conf <<CONF
new
begin
  trigger start time 10000000
  filter funclist $(address schedule) fend
end
CONF
run schedule.conf -- sleep 1
check "only this function" "func_ == \"schedule\""

echo "document: filters of the text"
cat >filters.conf <<CONF
begin
  filter mintime 100
  filter maxtime 5000000
  filter funclist kernel_clone ksys_read fend
end
CONF
run filters.conf -- sh -c 'for i in 1 2 3 4 5; do cat /proc/kallsyms >/dev/null; done'
check "the list's, at least 100 us" \
	"func_ ~ /^(kernel_clone|ksys_read)\$/ && dur >= 100000 && dur <= 5000000000"

echo "facts: a quarter of a second after each fork, again and again until the log is full"
cat >again.conf <<CONF
new
begin
  trigger start entry $(address kernel_clone)
  trigger stop time 250000
  filter mintime 80
  filter noints
  logentries 5000
  autorepeat
end
CONF
run again.conf
check "not shorter than mintime" "dur >= 80000"
check "not in interrupts" "!irq"
[ "$(wc -l <calls)" = 5000 ] || fail "not as many calls as logentries: $(wc -l <calls)"
# A start within a window is none. One that comes before kft has switched the last window
# off has a window that ends then.
kft report -e start -e print -F ts,event t.dat | awk '
	$2 == "start" && $1 >= end { begin = $1; end = begin + 250000000; b[++n] = begin; u[n] = end }
	$2 == "print" && $1 < end { u[n] = end = $1 }
	END { for (i = 1; i <= n; i++) printf "window %.0f %.0f\n", b[i], u[i] }' >windows
[ "$(wc -l <windows)" -ge 2 ] || fail "did not repeat: $(cat windows)"
awk '$1 == "window" { b[++n] = $2; u[n] = $3; next }
	{ in_ = 0
	  for (i = 1; i <= n; i++)
		in_ += $1 >= b[i] && $1 - $4 <= u[i] &&
			($1 - $4 >= b[i] || $5 == "kernel_clone") }
	in_ < 1' windows calls >bad
[ ! -s bad ] || fail "outside of all windows: $(head -n 5 bad)"

echo "facts: a list with commas, ended by a function's exit"
# One that was under way when the run started may end it at once.
for i in 1 2 3 4 5; do
	run /samples/readdir.conf
	[ "$(ended iterate_dir)" = 0 ] || break
done
check "only the list's" "func_ ~ /^(iterate_dir|filldir64|touch_atime)$/"
[ "$(ended iterate_dir)" = 1 ] || fail "not one iterate_dir"

echo "samples: this kernel has all functions that they name"
for name in fork-short fork-calls open vfs-not-locks; do
	kft config check /samples/$name.conf >out 2>&1 || fail "$name.conf: $(cat out)"
done

touch stop
wait
echo "document: the boot, whose functions are gone"
kft config check /samples/boot.conf >out 2>err && fail "boot.conf is accepted"
grep -q 'start_kernel runs only while booting' err || fail "advice for start_kernel: $(cat err)"

nothing_left "the end"
exit $failed

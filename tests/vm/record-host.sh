#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What record-guest.sh recorded in a lab kernel is read here. kft says the same of a trace on
# either machine, and what trace-cmd says. See in-one-boot.
set -euo pipefail
[ "$1" = check ] || exit 0
failed=0

bad() {
	echo "FAILED: $*" >&2
	failed=1
}

for trace in *.dat; do
	name=${trace%.dat}
	"$KFT" stats events --json "$trace" 2>/dev/null |
		sed "s|\"file\":\"$trace|\"file\":\"/mnt/$trace|" >stats || bad "kft stats $trace: $?"
	cmp "$name.stats" stats || bad "kft stats $trace differs between guest and host"
	"$KFT" report "$trace" >report 2>/dev/null || bad "kft report $trace: $?"
	cmp "$name.report" report || bad "kft report $trace differs between guest and host"
	# What it says of a trace without an end is what is in the recovered one, too.
	[ -e "$trace.parts" ] || mv "$trace" "$KERNEL-$trace"
done
if command -v trace-cmd >/dev/null; then
	"$SOURCE/tests/golden/as-trace-cmd" "$KFT" "$KERNEL"-*.dat >as-trace-cmd.out 2>&1 ||
		bad "kft report and trace-cmd report differ"
	cat as-trace-cmd.out
	[ "$(grep -c 'lines,' as-trace-cmd.out)" = "$(find . -name "$KERNEL-*.dat" | wc -l)" ] ||
		bad "trace-cmd does not read all traces"
fi
cmp dead.report recovered.report || bad "a recovered trace is not what it was"

# number FILE MEMBER: of a line of JSON
number() {
	grep -o "\"$2\":[0-9]*" "$1.stats" | head -n 1 | cut -d: -f2
}

for name in command all v6 pid dead; do
	[ "$(number $name events)" -gt 50 ] || bad "$name: few events"
done
for name in command all v6 pid filter; do
	[ "$(number $name lost)" = 0 ] || bad "$name: events are lost"
done
[ "$(number filter events)" = 2 ] || bad "filter: $(cat filter.report)"

# Only the process and its children, and the scheduler's events about them.
pid=$(cat pid.pid)
"$KFT" report --style json "$KERNEL-pid.dat" >pid.json
children=$(grep -o '"parent_pid":[0-9]*,[^}]*"child_pid":[0-9]*' pid.json |
	sed 's/.*://' | paste -sd'|')
grep -vE "\"comm\":.*\"pid\":($pid|$children),\"common_flags\"" pid.json |
	grep -vE "sched_(switch|waking|wakeup|wakeup_new)\".*\"(pid|next_pid)\":($pid|$children)[,}]" &&
	bad "pid: events of others"
[ -n "$children" ] || bad "pid: no child was recorded"

if [ -e hotplug.report ]; then
	[ "$(number hotplug lost)" = 0 ] || bad "hotplug: events are lost"
	# Before and after it was off, on CPU 1: two calls for each byte, and dd's own few.
	calls=$(grep -c '^ *dd-.*\[001\].*sys_enter' hotplug.report || true)
	[ "$calls" -ge 8000 ] || bad "hotplug: $calls calls of dd on CPU 1"
fi
exit $failed

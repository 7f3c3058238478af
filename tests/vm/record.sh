#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kft record in a lab kernel: record-guest.sh records there, and this reads it here. kft says
# the same of a trace on either machine, and what trace-cmd says.
# usage: record.sh LAB_VM KERNEL KFT SOURCE_ROOT
set -euo pipefail
vm=$1 kernel=$2 kft=$(realpath "$3") source=$4
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/share"
failed=0

bad() {
	echo "FAILED: $*" >&2
	failed=1
}

r=0
"$vm" --kernel "$kernel" --share "$tmp/share" \
	--file "$source/tests/live/tracefs-state:/live/tracefs-state" \
	"$source/tests/vm/record-guest.sh" >"$tmp/out" 2>&1 || r=$?
if [ "$r" != 0 ]; then
	cat "$tmp/out" >&2
	exit "$r"
fi
if grep 'lab: guest kernel:' "$tmp/out" >&2; then
	bad "the kernel complained"
fi

cd "$tmp/share"
for trace in *.dat; do
	name=${trace%.dat}
	"$kft" stats --json "$trace" 2>/dev/null |
		sed "s|\"file\":\"$trace|\"file\":\"/mnt/$trace|" >stats || bad "kft stats $trace: $?"
	cmp "$name.stats" stats || bad "kft stats $trace differs between guest and host"
	"$kft" report "$trace" >report 2>/dev/null || bad "kft report $trace: $?"
	cmp "$name.report" report || bad "kft report $trace differs between guest and host"
	# What it says of a trace without an end is what is in the recovered one, too.
	[ -e "$trace.parts" ] || mv "$trace" "$kernel-$trace"
done
if command -v trace-cmd >/dev/null; then
	"$source/tests/golden/as-trace-cmd" "$kft" "$kernel"-*.dat >"$tmp/as" 2>&1 ||
		bad "kft report and trace-cmd report differ"
	cat "$tmp/as"
	[ "$(grep -c 'lines,' "$tmp/as")" = "$(find . -name "$kernel-*.dat" | wc -l)" ] ||
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
"$kft" report --style json "$kernel-pid.dat" >pid.json
children=$(grep -o '"parent_pid":[0-9]*,[^}]*"child_pid":[0-9]*' pid.json |
	sed 's/.*://' | paste -sd'|')
grep -vE "\"pid\":($pid|$children),\"system\"" pid.json |
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

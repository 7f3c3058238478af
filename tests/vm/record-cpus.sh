#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Recording on a machine with CPUs that were never on, and one that comes on and goes off
# while it records.
# usage: record-cpus.sh LAB_VM KERNEL
set -euo pipefail
vm=$1 kernel=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() {
	cat "$tmp/out" "$tmp/err" >&2
	echo "$*" >&2
	exit 1
}

cat >"$tmp/script.sh" <<'GUEST'
cpus=/sys/devices/system/cpu
[ "$(cat $cpus/possible) $(cat $cpus/online)" = "0-3 0" ] || exit 2
kft record -a -o /tmp/a.dat -e sched -- sh -c '
	echo 1 >'$cpus'/cpu2/online
	for i in 1 2 3 4 5; do taskset 4 ls / >/dev/null; done
	echo 0 >'$cpus'/cpu2/online' || exit 3
kft stats events /tmp/a.dat
echo "left: $(ls "$(mount-tracefs)/instances")"
GUEST
r=0
"$vm" --kernel "$kernel" --smp 4 --append maxcpus=1 "$tmp/script.sh" \
	>"$tmp/out" 2>"$tmp/err" || r=$?
if [ "$r" = 77 ]; then
	cat "$tmp/err" >&2
	exit 77
fi
[ "$r" = 0 ] || fail "exit status $r"
grep -q 'events in .* nothing lost' "$tmp/err" || fail "something was lost, or nothing said"
# The rows of the table of CPUs.
rows=$(awk '/^CPU/ { on = 1; next } !NF { on = 0 } on { print $1 }' "$tmp/out" | tr '\n' ' ')
[ "$rows" = "0 2 " ] || fail "events of CPUs '$rows' instead of 0 and 2"
grep -qx "left: " "$tmp/out" || fail "an instance is left"
exit 0

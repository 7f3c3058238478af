#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A boot without tracing, a light first look, and one into the initcalls that were slow then.
# Times are the guest's instructions (--exact): what a look costs does not depend on what this
# machine does meanwhile.
# usage: boot-light.sh LAB_VM KERNEL KFT SOURCE_ROOT
set -euo pipefail
vm=$1 kernel=$2 kft=$(realpath "$3") source=$4
command -v trace-cmd >/dev/null || { echo "trace-cmd is missing" >&2 && exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

bad() {
	echo "FAILED: $*" >&2
	failed=1
}

# boot NAME [PARAMETERS]
boot() {
	local r=0

	"$vm" --kernel "$kernel" --exact --timeout 900 --share "$tmp" --append "${2-}" \
		--file "$source/tests/live/tracefs-state:/live/tracefs-state" \
		"$source/tests/vm/boot-light-guest.sh" "$1" >"$tmp/out" 2>&1 || r=$?
	[ "$r" = 0 ] || { cat "$tmp/out" >&2 && exit "$r"; }
	[ "$1" = plain ] || diff -u <(grep -v buffer_.*size_kb "$tmp/plain.state") \
		<(grep -v buffer_.*size_kb "$tmp/$1.state") ||
		bad "$1: the kernel is not what it is after a boot without parameters"
}

cd "$tmp"
# Nothing of kft is in this boot: when the guest's kernel dies in it (status 125 of the lab, seen
# once in slab_late_init() under the emulator's --exact), that says nothing of kft. Once more.
(boot plain) || boot plain
boot light "$("$kft" boot -q --limit 2047 --light)"
boot focus "$("$kft" boot --limit 2047 --focus light.dat 2>said)"
for name in light focus; do
	"$kft" boot --report --all $name.dat >$name.txt || bad "kft boot --report $name.dat: $?"
	"$kft" boot --report --json $name.dat >$name.json || bad "kft boot --report --json: $?"
	trace-cmd report -R -t $name.dat 2>/dev/null >$name.raw
done
head -30 light.txt focus.txt said *.uptime
"$source/tests/vm/boot-light-check.py" "$kernel" || bad boot-light-check
exit $failed

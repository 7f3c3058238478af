#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The flight recorder over two crashes (sysrq-c) and warm reboots, with the parameters that kft
# flight persist makes: what is recovered is what the kernel printed of the buffer when it died.
# usage: persist.sh LAB_VM KERNEL KFT SOURCE_ROOT
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

# With another machine's tree nothing is asked of this one's kernel.
parameters=$("$kft" flight persist -q --root "$tmp" --keep 8M)
r=0
"$vm" --kernel "$kernel" --share "$tmp/share" --reboot --timeout 1500 --console "$tmp/console" \
	--append "$parameters" --file "$source/tests/live/tracefs-state:/live/tracefs-state" \
	"$source/tests/vm/persist-guest.sh" >"$tmp/out" 2>&1 || r=$?
[ "$r" = 0 ] || { cat "$tmp/out" >&2 && exit "$r"; }

# printed N: PID, CPU, microseconds, event and text of what the kernel printed when it crashed
printed() {
	tr -d '\r' <"$tmp/console" | awk -v n="$1" '/Dumping ftrace/ { dump++ } dump == n' |
		sed -n 's/^\[ *[0-9.]*\] .*-\([0-9]*\)  *\([0-9]\)[^ ]* *\([0-9]*\)us : \(.*\)$/\1 \2 \3 \4/p'
}

# recovered FILE: the same of kft's report
recovered() {
	sed -n 's/^.*-\([0-9]*\)  *\[0*\([0-9]\)\] [^ ]*  *\([0-9]*\)\.\([0-9]*\): \(.*\)$/\1 \2 \3\4 \5/p' "$1"
}

check() { # N FILE LAST
	printed "$1" >"$tmp/printed"
	recovered "$2" >"$tmp/recovered"
	diff -u "$tmp/printed" "$tmp/recovered" >"$tmp/diff" || bad "crash $1: $(head -n 20 "$tmp/diff")"
	grep -q "tracing_mark_write: number $3\$" "$tmp/recovered" || bad "crash $1: no number $3"
}

check 1 "$tmp/share/report" 100
check 2 "$tmp/share/report2" 120
exit $failed

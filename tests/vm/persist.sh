#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The flight recorder over two crashes (sysrq-c) and warm reboots, with the parameters that kft
# flight persist makes: what is recovered is what the kernel printed of the buffer before it died.
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

# events: PID, CPU, microseconds, event and text, cut, of lines as the kernel and kft print them. The
# kernel has the process behind the task, and no column of events.
events() {
	sed -n -e 's/: print:  *tracing_mark_write:/: tracing_mark_write:/' \
		-e 's/^.*-\([0-9]*\)  *\(( *[-0-9]*)  *\)\?\[0*\([0-9]\)\] [^ ]*  *\([0-9]*\)\.\([0-9]*\): \([^ ]*\)  *\(.*\)$/\1 \3 \4\5 \6 \7/p' |
		cut -c 1-200
}

check() { # N FILE FIRST LAST: FIRST is that of what is not overwritten
	tr -d '\r' <"$tmp/console" | sed -n "/^printed $1\$/,/^printed all\$/p" | events >"$tmp/printed"
	events <"$2" >"$tmp/recovered"
	# After it was printed a page or two more may have been overwritten; and more came.
	local n
	n=$(grep -n -F -x -m 1 "$(tail -n 1 "$tmp/printed")" "$tmp/recovered" | cut -d : -f 1) || :
	diff -u <(tail -n "${n:-0}" "$tmp/printed") <(head -n "${n:-0}" "$tmp/recovered") >"$tmp/diff" ||
		bad "crash $1: $(head -n 20 "$tmp/diff")"
	[ "${n:-0}" -ge 1000 ] || bad "crash $1: ${n:-0} events of $(wc -l <"$tmp/printed")"
	sed -n 's/.*tracing_mark_write: number \([0-9]*\).*/\1/p' "$tmp/recovered" >"$tmp/numbers"
	seq "$3" "$4" | cmp -s - "$tmp/numbers" ||
		bad "crash $1: numbers from $(head -n 1 "$tmp/numbers") to $(tail -n 1 "$tmp/numbers")"
}

check 1 "$tmp/share/report" 1 1000
first=$(grep -m 1 "mark_write: number" "$tmp/share/report2" | sed 's/.*number \([0-9]*\).*/\1/')
[ "${first:-0}" -gt 1001 ] || bad "crash 2: nothing was overwritten, from number ${first:-none}"
check 2 "$tmp/share/report2" "$first" 2500
exit $failed

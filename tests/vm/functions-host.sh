#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds a program of KPTrace for functions-guest.sh, and judges what that recorded in a lab kernel:
# whether calls and events of the traces agree with each other, and whether trace-cmd reads the same
# from them. See in-one-boot.
set -euo pipefail
if [ "$1" = prepare ]; then
	gcc=gcc
	case $KERNEL in *arm64) gcc=aarch64-linux-gnu-gcc ;; esac
	command -v "$gcc" >/dev/null || { echo "'$gcc' is missing"; exit 77; }
	"$gcc" -x c -static -I"$SOURCE/include" -o kptrace - <<-END
		#include <kft/kptrace.h>
		int main(void) { kpprintf("by %s", "kpprintf"); }
	END
	exit 0
fi
failed=0

bad() {
	echo "FAILED: $*" >&2
	failed=1
}

for name in both entries beside deep long between switched; do
	"$KFT" report "$name.dat" >"$name.report" || bad "kft report $name: $?"
	mv "$name.dat" "$KERNEL-$name.dat"
done
if command -v trace-cmd >/dev/null; then
	"$SOURCE/tests/golden/as-trace-cmd" "$KFT" "$KERNEL"-*.dat ||
		bad "kft report and trace-cmd report differ"
fi

# Each read(2) is one call of vfs_read by the same task, after it; the mark is between them.
awk '
match($0, /-[0-9]+ +\[/) { pid = substr($0, RSTART, RLENGTH) }
/sys_enter_p?read/ { if (asked[pid]++) bad("read without vfs_read", $0) }
/vfs_read\(\)/ {
	if (asked[pid]-- != 1)
		bad("vfs_read without read", $0)
	half ? after++ : before++
}
/half way/ { half = 1 }
/sched_switch/ { switches++ }
function bad(what, line) { print what ": " line; failed = 1 }
END {
	print before + 0 " calls before the mark, " after + 0 " after it, " switches + 0 " switches"
	exit failed || before < 8 || after < 50 || !switches
}' both.report || bad "both: calls and events do not agree"
for mark in midway 'by kpprintf'; do
	grep -q "|$mark" both.report || bad "both: the mark '$mark' is missing"
done

grep -q 'function: .*vfs_read <-- ' entries.report || bad "entries: none"
! grep -q 'vfs_write' entries.report || bad "entries: an excluded function"
grep -q 'sched_switch' entries.report || bad "entries: no event"
awk '
!/funcgraph_entry/ { next }
/\|    [a-z_]*\(\)/ && !/vfs_read\(\)/ { called++ }
/\|      [a-z_]/ { deeper++ }
END { print called + 0 " called by vfs_read, " deeper + 0 " deeper"; exit !called || deeper }' \
	deep.report || bad "deep: nothing is called by vfs_read, or it is too deep"
# Each call of vfs_read is an entry of it by the same task, before or after its begin, but before
# the next one.
awk '
match($0, /-[0-9]+ +\[/) { pid = substr($0, RSTART, RLENGTH) }
/vfs_read <-- / { ahead[pid]++; entries++ }
/vfs_read\(\)/ { ahead[pid]--; calls++ }
ahead[pid] > 1 || ahead[pid] < -1 { print "out of order: " $0; failed = 1 }
/vfs_write <-- / { others++ }
/sched_switch/ { switches++ }
END {
	print calls + 0 " calls, " entries + 0 " entries, " others + 0 " of others"
	exit failed || calls != entries || calls < 58 || !others || !switches
}' beside.report || bad "beside: calls and entries do not agree"
"$KFT" kd -f Fc "$KERNEL-beside.dat" >beside.kd 2>beside.err || bad "kft kd of beside: $?"
grep -q "[0-9] entries of functions, which have no durations" beside.err || bad "entries are not told"
awk 'FNR == NR { if ($1 == "vfs_read") counted = $2; next } /vfs_read\(\)/ { calls++ }
END { exit calls < 58 || counted != calls }' beside.kd beside.report ||
	bad "kd counts other calls than those of the report: $(cat beside.kd)"
! grep -q 'funcgraph_entry' long.report || bad "long: entries beside a threshold"
"$KFT" kd -f FtT "$KERNEL-long.dat" >long.kd || bad "kft kd: $?"
awk 'NR > 2 && $2 < 200 { bad = 1 } END { exit bad }' long.kd ||
	bad "long: calls under 200 us: $(cat long.kd)"
! grep -qE '[[:blank:]]-$' long.kd || bad "long: no time on CPU: $(cat long.kd)"
"$KFT" report -e funcgraph_exit -F calltime,rettime short.dat | awk '
$2 - $1 > 300000 { bad = 1; print "it took " $2 - $1 " ns" }
END { exit bad || NR < 50 }' || bad "short: too long, or too few"
# Paired, unless something is said to be lost.
"$SOURCE/tests/vm/calls-paired.py" "$KFT" stream.dat || bad "stream: calls are lost unsaid"
for name in between switched; do
	[ "$(grep -c 'sys_enter_read:.*count: 0x00000020' $name.report)" = 16 ] ||
		bad "$name: not all"
	[ "$(grep -c 'vfs_read()' $name.report)" -ge 16 ] || bad "$name: calls are missing"
	! grep -qE 'sys_enter_read:.*count: 0x000000(30|40)' $name.report ||
		bad "$name: what was read before or after it"
done
# The buffer of entries is switched with that of the calls.
calls=$(grep -c 'vfs_read()' switched.report)
entries=$(grep -c 'vfs_read <-- ' switched.report)
[ "$calls" = "$entries" ] || bad "switched: $calls calls, $entries entries"
exit $failed

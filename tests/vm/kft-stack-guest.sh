#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# `watch worst-stack` and `watch stack` of the KFT language: the call stacks that the kernel's
# stack tracer saw, whose frames each architecture lays out in its own way.
# shellcheck source=tests/vm/kft-lib.sh
. /live/kft-lib.sh

# Less than a stack has, and more than any call leaves.
case $(uname -m) in
armv7l) threshold=7000 ;;
*) threshold=15000 ;;
esac
for kind in worst-stack stack; do
	echo "watch $kind: call stacks with little left, whatever is traced"
	cat >c.conf <<CONF
begin
  watch $kind $threshold
  filter funclist ksys_sync fend
end
CONF
	kft load -n s c.conf && kft start -n s || fail "load and start"
	for i in 1 2 3 4 5 6; do
		ls -R /proc/self /sys/module >/dev/null 2>&1
		sync
	done
	kft stop -n s || fail "stop"
	status "watched" "lowest stack: [0-9]* bytes were left" \
		"[1-9][0-9]* deep stacks in [0-9,]* looks at the stack tracer"
	lowest=$(sed -n 's/.*lowest stack: \([0-9]*\) bytes.*/\1/p' out)
	kft save -q -n s -o t.dat || fail "save"
	kft report -e print -F buf t.dat | sed 's/\\n$//' >marks
	sed -n 's/^kft: stack //p' marks >left
	echo "  $(wc -l <left) stacks, bytes left: $(tr '\n' ' ' <left)"
	[ -s left ] || fail "no stack was saved"
	awk -v most=$threshold '$1 >= most' left | grep . && fail "stacks with more left than the threshold"
	[ "$(sort -n left | head -n 1)" = "$lowest" ] || fail "the lowest is not $lowest"
	if [ $kind = worst-stack ]; then
		sort -rnu left | cmp - left || fail "not each lower than the one before"
	fi
	# Whole: from the innermost call out to where a system call or a thread begins.
	awk '/^kft: stack/ { check(); n = 0; next }
		/^kft: frame/ { n++; depth = $3; size = $4; last = $5
			if (n == 1) first = depth }
		function check() { if (seen++ && (n < 3 || depth != size)) print "stack", seen, n, last }
		END { check() }' marks >bad
	[ ! -s bad ] || fail "stacks that are not whole: $(cat bad)"
	kft log t.dat | awk '$2 == -2 { print $4 }' >log
	[ "$(wc -l <log)" = "$(grep -c '^kft: frame' marks)" ] ||
		fail "not every frame is in the log, marked -2: $(wc -l <log)"
	kft reset -n s >/dev/null
	same_kernel "watch $kind"
done

nothing_left "the end"
exit $failed

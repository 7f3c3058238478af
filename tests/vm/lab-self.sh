#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The lab itself: output, exit status, arguments, shared folder and timeout of a guest.
# usage: lab-self.sh LAB_VM KERNEL MACHINE
set -euo pipefail
vm=$1 kernel=$2 machine=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() {
	echo "$*" >&2
	exit 1
}

cat >"$tmp/script.sh" <<'GUEST'
uname -m
printf '<%s>\n' "$@"
echo problem >&2
cat /mnt/from-host
cp /proc/sys/kernel/osrelease /mnt/from-guest
grep -q tracefs /proc/mounts && echo "tracefs is mounted"
ls "$(mount-tracefs)/events/sched/sched_switch/format"
kft --version >/dev/null || echo "no kft"
sleep 1000 &
exit 7
GUEST
mkdir "$tmp/share"
echo 'hello guest' >"$tmp/share/from-host"
r=0
"$vm" --kernel "$kernel" --share "$tmp/share" "$tmp/script.sh" "it's" 'a  b' \
	>"$tmp/out" 2>"$tmp/err" || r=$?
if [ "$r" = 77 ]; then
	cat "$tmp/err" >&2
	exit 77
fi
[ "$r" = 7 ] || { cat "$tmp/err" >&2; fail "exit status $r instead of 7"; }
diff -u - "$tmp/out" <<EXPECTED || fail "other output"
$machine
<it's>
<a  b>
hello guest
/sys/kernel/tracing/events/sched/sched_switch/format
EXPECTED
grep -qx problem "$tmp/err" || fail "standard error is lost"
grep -q '^[0-9]' "$tmp/share/from-guest" || fail "the guest cannot write to the shared folder"

[ "$kernel" = 6.1 ] || exit 0
echo 'echo started; sleep 1000' >"$tmp/hang.sh"
r=0
"$vm" --kernel "$kernel" --kft none --timeout 40 "$tmp/hang.sh" >"$tmp/out" 2>"$tmp/err" || r=$?
[ "$r" = 124 ] || fail "a guest that hangs: exit status $r instead of 124"
grep -qx started "$tmp/out" || fail "output before the timeout is lost"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs a test of KFT runs in a lab kernel: kft-TEST-guest.sh with what they share. Fails as
# well when the kernel complained. usage: kft-guest.sh LAB_VM KERNEL TEST SOURCE_ROOT
set -euo pipefail
vm=$1 kernel=$2 name=$3 root=$4
here=$(dirname "$(readlink -f "$0")")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

files=(--file "$root/tests/live/tracefs-state:/live/tracefs-state"
	--file "$here/kft-lib.sh:/live/kft-lib.sh")
for conf in "$root"/samples/kft/*.conf; do
	files+=(--file "$conf:/samples/$(basename "$conf")")
done
r=0
"$vm" --kernel "$kernel" --timeout 1500 "${files[@]}" "$here/kft-$name-guest.sh" \
	>"$tmp/out" 2>&1 || r=$?
cat "$tmp/out" >&2
if grep -q 'lab: guest kernel:' "$tmp/out"; then
	echo "the kernel complained" >&2
	exit 1
fi
exit "$r"

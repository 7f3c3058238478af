#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# KFT runs in a lab kernel: each sample configuration gives what its words say, and the
# kernel is as before. usage: kft-run.sh LAB_VM KERNEL SAMPLES_DIR LIVE_TESTS_DIR
set -euo pipefail
vm=$1 kernel=$2 samples=$3 live=$4
here=$(dirname "$(readlink -f "$0")")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

files=(--file "$live/tracefs-state:/live/tracefs-state")
for conf in "$samples"/*.conf; do
	files+=(--file "$conf:/samples/$(basename "$conf")")
done
r=0
"$vm" --kernel "$kernel" --timeout 1200 --share "$tmp" "${files[@]}" "$here/kft-run-guest.sh" \
	>"$tmp/out" 2>&1 || r=$?
cat "$tmp/out" >&2
if grep -q 'lab: guest kernel:' "$tmp/out"; then
	echo "the kernel complained" >&2
	exit 1
fi
exit "$r"

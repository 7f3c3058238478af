#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A KFT session step by step in a lab kernel, every kft process killed between each pair of
# steps: status tells the truth, and reset restores the kernel.
# usage: kft-steps.sh LAB_VM KERNEL LIVE_TESTS_DIR
set -euo pipefail
vm=$1 kernel=$2 live=$3
here=$(dirname "$(readlink -f "$0")")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

r=0
"$vm" --kernel "$kernel" --timeout 600 --file "$live/tracefs-state:/live/tracefs-state" \
	"$here/kft-steps-guest.sh" >"$tmp/out" 2>&1 || r=$?
cat "$tmp/out" >&2
if grep -q 'lab: guest kernel:' "$tmp/out"; then
	echo "the kernel complained" >&2
	exit 1
fi
exit "$r"

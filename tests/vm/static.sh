#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The program builds as one small static file without any optional library, and reads
# traces as the full one does. usage: static.sh BUILD_TARGET KFT TRACE
set -euo pipefail
build_target=$1 kft=$2 trace=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# More would be too much for the flash of a small board.
limit=1500000

for target in amd64-musl amd64; do
	r=0
	small=$("$build_target" "$target") || r=$?
	[ "$r" = 0 ] || exit "$r"
	if readelf -d "$small" 2>/dev/null | grep -q NEEDED; then
		echo "$target: needs shared libraries" >&2
		exit 1
	fi
	cp "$small" "$tmp/kft"
	strip "$tmp/kft"
	size=$(stat -c %s "$tmp/kft")
	echo "$target: $size bytes"
	[ "$target" != amd64-musl ] || [ "$size" -lt $limit ] || exit 1
	xz -dc "$trace" >"$tmp/trace.dat"
	"$small" report "$tmp/trace.dat" >"$tmp/small"
	"$kft" report "$tmp/trace.dat" | cmp - "$tmp/small"
done

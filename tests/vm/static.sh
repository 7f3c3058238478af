#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The program builds as one small static file without any optional library, and reads
# traces as the full one does. usage: static.sh BUILD_TARGET KFT TRACE
set -euo pipefail
build_target=$1 kft=$2 trace=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# More would be too much for the flash of a small board.
limit=900000

# build TARGET STRIP: into $small
build() {
	local size r=0

	small=$("$build_target" "$1") || r=$?
	[ "$r" = 0 ] || exit "$r"
	if readelf -d "$small" 2>/dev/null | grep -q NEEDED; then
		echo "$1: needs shared libraries" >&2
		exit 1
	fi
	"$2" -o "$tmp/kft" "$small"
	size=$(stat -c %s "$tmp/kft")
	echo "$1: $size bytes"
	case $1 in
	*-musl) [ "$size" -lt $limit ] || { echo "$1: over $limit bytes" >&2; exit 1; } ;;
	esac
}

build armhf-musl arm-linux-gnueabihf-strip
xz -dc "$trace" >"$tmp/trace.dat"
for target in amd64-musl amd64; do
	build $target strip
	"$small" report "$tmp/trace.dat" >"$tmp/small"
	"$kft" report "$tmp/trace.dat" | cmp - "$tmp/small"
	{ "$small" boot --chart "$tmp/x.svg" "$tmp/trace.dat" 2>&1 || :; } | grep 'does not draw'
done

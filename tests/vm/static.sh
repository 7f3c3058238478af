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

# has_no WHAT ARGUMENT...: what is left out says so
has_no() {
	local what=$1 r=0

	shift
	"$small" "$@" >"$tmp/said" 2>&1 || r=$?
	if [ "$r" = 0 ] || ! grep -q "$what" "$tmp/said"; then
		echo "kft $*: exit status $r, without '$what': $(cat "$tmp/said")" >&2
		exit 1
	fi
}

build armhf-musl arm-linux-gnueabihf-strip
printf '\x17kft-stream 1\n%4096s' '' >"$tmp/stream"
xz -dc "$trace" >"$tmp/trace.dat"
for target in amd64-musl amd64; do
	build $target strip
	"$small" report "$tmp/trace.dat" >"$tmp/small"
	"$kft" report "$tmp/trace.dat" | cmp - "$tmp/small"
	has_no 'has no pictures' boot --chart "$tmp/x.svg" "$tmp/trace.dat"
	has_no 'has no checksums' stats --checksum "$tmp/trace.dat"
	has_no 'has no statistics of samples' stats sample "$tmp/trace.dat"
	has_no 'has no export' export "$tmp/trace.dat"
	has_no 'reads trace.dat only' report "$tmp/stream"
	has_no 'reads trace.dat only' report - <"$tmp/stream"
done

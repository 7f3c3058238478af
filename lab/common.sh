# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
# Shared by the lab's scripts: where things are, and how they say that something is wrong.

lab=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cache=${KFT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/kft}

# The guests' programs, of the guest's architecture. trace-cmd is what kft is compared with.
guest_packages=(busybox-static trace-cmd libtraceevent1 libtraceevent1-plugin libtracefs1
	libzstd1 libc6)

# Exit codes that are the lab's own, not the guest script's.
LAB_SKIP=77
LAB_TIMEOUT=124
LAB_ERROR=125

note() {
	echo "lab: $*" >&2
}

# What was asked for cannot be had on this machine: one line, and tests count it as skipped.
skip() {
	note "$*"
	exit "$LAB_SKIP"
}

die() {
	note "$*"
	exit "$LAB_ERROR"
}

# need COMMAND PACKAGE
need() {
	command -v "$1" >/dev/null || skip "'$1' is missing: install the Debian package '$2'"
}

# kernel_field NAME COLUMN: of the table of kernels
kernel_field() {
	awk -v name="$1" -v column="$2" '
		$1 == name { print $column; found = 1 }
		END { exit !found }' "$lab/kernels"
}

kernel_arch() {
	kernel_field "$1" 2
}

kernel_names() {
	awk '!/^#/ && NF { print $1 }' "$lab/kernels" | paste -sd' '
}

# key FILE... <WORDS: what a part of the cache is made from and by, as a part of its name
key() {
	cat - "$@" | cksum | cut -d' ' -f1
}

# guest_root ARCH: the cache's folder with the guest's programs
guest_root() {
	echo "$cache/root/$1-$(key "$lab/fetch" "$lab/packages.sh" <<<"${guest_packages[*]}")"
}

# lock FILE: hold it until this shell ends. Every part of the cache is written under its
# own lock, into a temporary name, and renamed when it is whole.
lock() {
	local fd

	mkdir -p "$(dirname "$1")"
	exec {fd}>"$1"
	flock "$fd"
}

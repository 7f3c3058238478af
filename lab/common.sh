# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
# Shared by the lab's scripts: where things are, and how they say that something is wrong.

# A step that fails inside $(...) ends the script, too.
shopt -s inherit_errexit

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

# lock NAME: holds the cache's lock NAME until this shell ends. A part of the cache is written
# under its lock, into a temporary folder that bears the lock's name, and gets its own name when
# it is whole. So only the holder of a lock removes the folders that a killed run left: another
# architecture's fetch may be filling its own beside them.
lock() {
	local fd

	mkdir -p "$cache/lock"
	exec {fd}>"$cache/lock/$1"
	flock "$fd"
	lock_name=$1
	remove_temporaries
	trap remove_temporaries EXIT
}

remove_temporaries() {
	rm -rf "$cache"/*/"tmp.$lock_name."*
}

# temporary FOLDER: makes a temporary folder of the current lock's in the cache's FOLDER
temporary() {
	mkdir -p "$cache/$1"
	mktemp -d "$cache/$1/tmp.$lock_name.XXXXXX"
}

# listing DIR: the name, type and size of every file in DIR
listing() {
	(cd "$1" && find . \( -type d -printf '%P d\n' \) -o -printf '%P %y %s\n' | LC_ALL=C sort)
}

# publish TREE DIR: the finished TREE becomes the part DIR of the cache
publish() {
	local tree=$1 dir=$2

	listing "$tree" >"$dir.list"
	rm -rf "$dir"
	mv "$tree" "$dir"
}

# is_whole DIR: DIR is a part of the cache that nothing was taken from since publish made it
is_whole() {
	[ -d "$1" ] && [ -f "$1.list" ] && listing "$1" | cmp -s - "$1.list"
}

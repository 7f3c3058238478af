# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Packages of any architecture in the lab's cache; to be sourced after lab/common.sh by what
# has set arch, with the lock of that architecture held. Nothing is installed on the host and
# its apt knows nothing of it: package lists and archives are the cache's own, one set for
# each architecture, so root is not needed either.

apt_options=()

use_architecture() {
	local arch=$1

	mkdir -p "$cache/apt/$arch/lists/partial" "$cache/apt/$arch/archives/partial"
	apt_options=(
		-o "APT::Architecture=$arch" -o "APT::Architectures=$arch"
		-o "Dir::State::Lists=$cache/apt/$arch/lists" -o "Dir::Cache=$cache/apt/$arch"
		-o Dir::State::status=/dev/null -o APT::Sandbox::User=root -o Debug::NoLocking=1
		-o Acquire::Languages=none
	)
}

# quiet_apt VERB...: what apt-get has to say goes to a log
quiet_apt() {
	apt-get "${apt_options[@]}" -qq "$@" >>"$cache/apt/$arch/log" 2>&1
}

# The first thing that apt complained about, for the one line that says why.
apt_complaint() {
	grep -m 1 -E '^[EW]:' "$cache/apt/$arch/log" || echo "see $cache/apt/$arch/log"
}

# A mirror that fails leaves old lists behind, which may still do.
update_lists() {
	note "fetching Debian's package lists for $1"
	quiet_apt update || true
}

# unpack DIR PACKAGE: downloads the package (unless it is there already) and unpacks it
unpack() {
	local dir=$1 package=$2 debs=$cache/debs/$arch

	mkdir -p "$debs" "$dir"
	if ! compgen -G "$debs/${package}_*.deb" >/dev/null; then
		note "downloading $package for $arch"
		local tmp
		tmp=$(temporary debs)
		if ! (cd "$tmp" && quiet_apt download "$package"); then
			skip "cannot download '$package' for $arch: $(apt_complaint)"
		fi
		mv "$tmp"/*.deb "$debs/"
		rmdir "$tmp"
	fi
	dpkg -x "$(compgen -G "$debs/${package}_*.deb" | sort -V | tail -n 1)" "$dir"
}

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# The guest's part of in-one-boot: runs NAME-guest.sh for each NAME, each as if it were alone
# in the kernel: with a /mnt of its own, an empty /tmp, no session of kft, nothing mounted and
# no process left.
# Output, exit status, the kernel's complaints and the seconds that it took go to files that
# the host reads.
# usage: in-one-boot-guest.sh SECONDS NAME...
set -u
seconds=$1
shift
mkdir /share
mount -o move /mnt /share || exit 125

# Those of the kernel have no program.
processes() {
	ls -l /proc/[0-9]*/exe 2>/dev/null | sed -n 's|.* /proc/\([0-9]*\)/exe -> .*|\1|p'
}

# Since the kernel started, in whole seconds.
now() {
	cut -d. -f1 /proc/uptime
}

mounts() {
	cut -d' ' -f2 /proc/mounts
}

end_others() {
	for p in $(processes); do
		case " $first_processes " in *" $p "*) ;; *) kill -9 "$p" 2>/dev/null ;; esac
	done
}

unmount_others() {
	mounts | tac | while read -r mount; do
		case " $first_mounts " in *" $mount "*) ;; *) umount "$mount" ;; esac
	done
}

first_processes=$(echo $(processes))
first_mounts=$(echo $(mounts))
for name; do
	rm -rf /tmp/* /tmp/.[!.]* /run/kft
	mount -o bind "/share/$name" /mnt || exit 125
	dmesg -c >/dev/null
	script=/script/$name-guest.sh
	begin=$(now)
	shell=sh
	[ ! -x "$script" ] || shell=
	# shellcheck disable=SC2086
	(cd /tmp && timeout -s KILL "$seconds" $shell "$script") \
		</dev/null >"/share/$name.out" 2>&1
	status=$?
	end_others
	unmount_others
	# Linux 6.1 warns of any reason why there is no buffer for a CPU, and that the process which
	# makes an instance was killed meanwhile is one (rb_allocate_pages: fatal_signal_pending).
	dmesg | grep -E 'BUG:|Oops|WARNING: CPU|general protection' |
		grep -v 'WARNING: .* trace_rb_cpu_prepare' >"/share/$name.kernel"
	echo $(($(now) - begin)) >"/share/$name.seconds"
	echo $status >"/share/$name.status"
done

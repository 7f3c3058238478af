# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# In the guest, for boot.sh: saves the trace of the boot, and says how tracefs is then.
# usage: boot-guest.sh [plain]
set -u
mount-tracefs >/dev/null
if [ "${1-}" = plain ]; then
	sh /live/tracefs-state >/mnt/plain.state
	exit
fi
cat /proc/cmdline >/mnt/cmdline
kft save --boot -o /mnt/boot.dat || exit 1
sh /live/tracefs-state >/mnt/saved.state
# There is nothing more to be had, and it is said politely.
kft save --boot -o /mnt/again.dat 2>/tmp/err && exit 1
[ ! -e /mnt/again.dat ] || exit 1
grep -q 'not in the kernel any more' /tmp/err || { cat /tmp/err >&2 && exit 1; }

# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# In the guest, for boot-light.sh: how long the boot took until the host was waited for, which takes
# as long as that is busy, and its trace to /mnt/NAME.dat.
# usage: boot-light-guest.sh NAME; "plain" has no trace
set -u
cp /lab/booted "/mnt/$1.uptime"
mount-tracefs >/dev/null
if [ "$1" != plain ]; then
	kft save --boot -o "/mnt/$1.dat" || exit
fi
sh /live/tracefs-state >"/mnt/$1.state"

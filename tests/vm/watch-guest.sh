#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The guest's part of watch.py: a flight recorder waits for a slow interrupt, which the module
# faults.ko plants COUNT times; each has to be followed by a snapshot of its own.
# usage: watch-guest.sh COUNT
set -u
tracefs=$(mount-tracefs)
export tracefs
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
insmod /faults.ko || exit 1
mkdir /mnt/shots
find "$tracefs/instances" -mindepth 1 -maxdepth 1 >before

# This kernel has kprobes: what needs one cannot be switched.
kft flight start -q -n box --on 'mark:x do set +core_kernel_events' 2>said &&
	{ echo "a set with probes was not refused"; exit 1; }
grep -q "has probes or functions" said || { cat said; exit 1; }

kft flight start -q -n box -e irq -e sched:sched_switch --keep 32M --not-again-for 0 \
	--max-snapshots 0 --to /mnt/shots \
	--on 'irq > 5ms do snapshot,exec echo "$KFT_SNAPSHOT" >>/tmp/executed' || exit 1

# How often the condition came: said when its actions are over, and it counts again.
came() {
	kft status -n box | sed -n 's/.* came \([0-9]*\) times.*/\1/p'
}

i=0
while [ $i -lt "$1" ]; do
	i=$((i + 1))
	before=$(came)
	echo irq 1 >/sys/kernel/debug/faults/run
	tries=0
	until [ "$(came)" -gt "$before" ]; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || { echo "fault $i was not seen"; kft status -n box; exit 1; }
		sleep 0.1
	done
done
# Commands go on by themselves.
until [ "$(wc -l </tmp/executed)" -ge "$(came)" ]; do
	sleep 0.1
done
kft status -n box >/mnt/status
kft reset -q -n box || exit 1
rmmod faults
find "$tracefs/instances" -mindepth 1 -maxdepth 1 >after
cmp before after || { echo "instances are left"; cat after; exit 1; }

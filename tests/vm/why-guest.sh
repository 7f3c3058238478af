#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The guest's part of why.py: plants the faults of faults.ko, each into a trace of its own.
set -u
tracefs=$(mount-tracefs)
export tracefs
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
insmod /faults.ko || exit 1
for fault in irqsoff preemptoff softirq irq kworker mutex; do
	kft record -q --for why:timer -b 8M -o /mnt/$fault.dat -- \
		sh -c "echo $fault >/sys/kernel/debug/faults/run" || exit 1
done
rmmod faults

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The guest's part of truth.py: carries out each of its cases and keeps, beside what was
# recorded, what the module says about its own functions.
set -u
tracefs=$(mount-tracefs)
export tracefs
command -v kft >/dev/null || exit 77
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
insmod /truth.ko || exit 1
truth=/sys/kernel/debug/truth

# truth SCENARIO...: in this task
truth() {
	for scenario; do
		echo "$scenario" >$truth/run || echo "scenario '$scenario' failed"
	done
}

for dir in /mnt/*/; do
	cd "$dir" || exit 1
	truth clear
	# shellcheck disable=SC1091 # truth.py writes it
	. ./record >out 2>&1
	echo $? >status
	cat $truth/log >truth
done
cd /
rmmod truth

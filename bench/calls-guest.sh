#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The guest's part of bench/calls: prints "CONFIGURATION NANOSECONDS RECORDS" for each measured
# run. The workload is one process that reads and writes single bytes: a few short functions
# for each system call, and nothing that waits.
# usage: calls-guest.sh ROUNDS BYTES
set -eu
rounds=$1 bytes=$2
tracefs=$(mount-tracefs)

# The functions of the workload are among them.
{
	printf '%s\n' ksys_read ksys_write vfs_read vfs_write read_zero write_null
	sed 's/ .*//' "$tracefs/available_filter_functions" | sort | uniq -u |
		grep -E '^(vfs|do|sys)_[a-z0-9_]*$' | grep -vE '^vfs_(read|write)$'
} | head -n 100 >list
[ "$(wc -l <list)" = 100 ]
echo "begin overwrite end" >all.conf
echo "begin overwrite filter mintime 500us end" >mintime.conf
{
	echo "begin overwrite filter funclist"
	cat list
	echo "fend end"
} >funclist.conf

# The time in nanoseconds, without starting a program.
now() {
	while read -r a b c rest; do
		[ "$a $b" != "now at" ] || break
	done </proc/timer_list
	now=$c
}

# How long the workload takes.
work() {
	now
	begin=$now
	dd if=/dev/zero of=/dev/null bs=1 count="$bytes" 2>/dev/null
	now
	ns=$((now - begin))
}

# What the run recorded so far, wherever it is by now.
records() {
	dir=$tracefs/instances/kft+bench
	[ -d "$dir" ] || dir=$tracefs
	cat "$dir"/per_cpu/cpu*/stats | awk '/^(entries|overrun|dropped events):/ { n += $NF } END { print n }'
}

measure() { # CONFIGURATION
	kft load -n bench -b 4M "$1.conf"
	kft prime -n bench
	if [ "$1" = all ]; then
		work
		echo "primed $ns 0"
	fi
	kft start -n bench
	before=$(records)
	work
	echo "$1 $ns $(($(records) - before))"
	kft reset -n bench >&2
}

i=0
while [ $i -lt "$rounds" ]; do
	work
	echo "nothing $ns 0"
	for configuration in all mintime funclist; do
		measure $configuration
	done
	i=$((i + 1))
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The guest's part of bench/recorder --lab: prints "LOAD RECORDER SECONDS" for each
# measured run, and leaves in /mnt/last what each recorder has of the last moments.
# usage: recorder-guest.sh ROUNDS CALLS MEGABYTES
set -eu
rounds=$1 calls=$2 mb=$3
mount-tracefs >/dev/null
lttng=/mnt/lttng/root/usr
libs=$lttng/lib/x86_64-linux-gnu:/mnt/lttng/root/lib/x86_64-linux-gnu
export HOME=/tmp LTTNG_SESSION_CONFIG_XSD_PATH=/mnt/lttng/root/usr/share/xml/lttng

lttng() {
	LD_LIBRARY_PATH=$libs $lttng/bin/lttng --no-sessiond -q "$@"
}

# Waits until the daemon answers.
begin_lttng() {
	cp -a /mnt/lttng/modules/lib/modules /lib/
	LD_LIBRARY_PATH=$libs $lttng/bin/lttng-sessiond --daemonize --kmod-probes=sched,signal \
		--consumerd64-path $lttng/lib/x86_64-linux-gnu/lttng/libexec/lttng-consumerd
}

start() { # RECORDER LOAD
	case $1,$2 in
	nothing,*) ;;
	kft,calls) kft flight start -q -n bench --keep "${mb}M" -e raw_syscalls ;;
	kft,signals) kft flight start -q -n bench --keep "${mb}M" -e signal:signal_generate ;;
	trace-cmd,calls) trace-cmd start -b $((mb * 512)) -e raw_syscalls ;;
	trace-cmd,signals) trace-cmd start -b $((mb * 512)) -e signal:signal_generate ;;
	lttng*)
		lttng create bench --snapshot --output=/mnt/last/"$2.$1"
		lttng enable-channel -k c --num-subbuf=8 --subbuf-size=$((mb * 64))k
		case $2 in
		calls) lttng enable-event -k -c c --syscall --all ;;
		signals) lttng enable-event -k -c c signal_generate ;;
		esac
		[ "$1" = lttng ] || lttng add-context -k -c c -t tid
		lttng start
		;;
	esac
}

stop() { # RECORDER LOAD: gives the last moments first
	case $1 in
	kft) kft snapshot -q -n bench -o /mnt/last/"$2.$1" && kft reset -q -n bench ;;
	# Of what "snapshot -s" keeps, "extract -s" of 3.1.6 takes the same pages again and again.
	trace-cmd) trace-cmd stop && trace-cmd extract -o /mnt/last/"$2.$1" && trace-cmd reset ;;
	lttng*) lttng snapshot record && lttng destroy ;;
	esac
}

measure() { # RECORDER LOAD
	rm -rf /mnt/last/"$2.$1"
	start "$1" "$2" >&2
	case $2 in
	calls) seconds=$(/load "$calls") ;;
	signals) seconds=$(/load "$calls" 0 signals) ;;
	esac
	stop "$1" "$2" >&2
	echo "$2 $1 ${seconds% *}"
}

mkdir -p /mnt/last /var/run
begin_lttng >&2
i=0
while [ $i -lt "$rounds" ]; do
	i=$((i + 1))
	for load in calls signals; do
		for recorder in nothing kft trace-cmd lttng lttng-tid; do
			measure $recorder $load
		done
	done
done

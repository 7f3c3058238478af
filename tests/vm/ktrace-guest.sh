#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each call of <kft/ktrace.h>, from each context of each CPU, is a record with its values and in
# its place, and a driver that makes such calls loads and runs without the module ktrace.
# shellcheck source=tests/vm/kft-lib.sh
. /live/kft-lib.sh
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
load=/sys/kernel/debug/ktrace_load

# Events as "CONTEXT CPU EVENT TEXT", in the order of time.
events() {
	kft report "$1" | sed -n 's/^.*\[0*\([0-9][0-9]*\)\] [^ ]* *[0-9.]*: *\(k[a-z0-9_]*\): *\(.*\)$/\1 \2 \3/p'
}

# as_counted FILE: all records are those of the counters
as_counted() {
	cat $load/counts
	events "$1" >events
	awk '
	function bad(what) { print what ": " $0; failed++ }
	function next_of(kind, context) { return seen[$1, context, kind]++ }
	FNR == NR { for (i = 3; i <= NF; i++) counts[$1, $2, i - 3] = $i; next }
	{ split($3, value, "=") }
	$2 == "ktrace_log2" {
		n = next_of(0, value[2])
		if ($5 != "u1=" n || $6 != "u2=1844674407370" 9551615 - n || $4 != "event=FUNC_ENTRY")
			bad("ktrace_log2 " n)
	}
	$2 == "ktrace_log4" {
		n = next_of(1, value[2])
		if ($4 " " $5 " " $6 " " $7 " " $8 != \
		    "event=VALUES u1=" n " u2=" n + 1 " u3=" sprintf("%.0f", 4294967295 - n) " u4=" $1)
			bad("ktrace_log4 " n)
	}
	$2 == "ktrace_scope_begin" { open[$1, $3]++ }
	$2 == "ktrace_scope_end" { next_of(2, $3); if (--open[$1, $3]) bad("scope") }
	$2 == "kpprintf" {
		n = next_of(3, $3)
		if ($4 != n || $6 != $1) bad("kpprintf " n)
	}
	$2 == "kptrace_write_record" { next_of(4, $3) }
	END {
		for (i in counts) if (counts[i] != seen[i] + 0) {
			split(i, of, SUBSEP)
			print "CPU " of[1] ", " of[2] ", call " of[3] ": " counts[i] " made, " seen[i] + 0 " recorded"
			failed++
		}
		for (i in seen) if (!(i in counts)) { print "not made: " i; failed++ }
		exit failed > 0
	}' $load/counts events >differences || fail "$1: $(head -n 20 differences)"
	echo "  $1: $(wc -l <events) records"
}

# Its user loads and runs without the module, and is found by it afterwards.
insmod /mnt/ktrace_load.ko || fail "its user does not load without the module ktrace"
echo 100 >$load/run || fail "its user does not run without the module ktrace"
insmod /mnt/ktrace.ko || fail "insmod ktrace"
kft record -q -a -b 16M -e ktrace -o load.dat -- sh -c "echo 300 >$load/run" || fail "kft record"
as_counted load.dat

rmmod ktrace_load || fail "rmmod ktrace_load"
rmmod ktrace || fail "rmmod ktrace"
nothing_left "the end"
exit $failed

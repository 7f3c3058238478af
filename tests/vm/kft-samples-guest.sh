#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Further sample configurations give what their words say. Most trace each function of the kernel,
# which takes a guest several seconds to switch on: these run on x86 only, kft-run everywhere.
# shellcheck source=tests/vm/kft-lib.sh
. /live/kft-lib.sh

forks &

echo "document: short routines called by one fork, a small log"
run /samples/fork-short.conf
begin=$(started)
check "between mintime and maxtime" "dur >= 10000 && dur <= 400000"
check "not in interrupts" "!irq"
check "entered after the start" "entry >= b"
# As in KFT what other CPUs do meanwhile is in the log, too.
forker=$(kft report -e start -F pid t.dat | head -n 1)
echo "  by the fork itself: $(awk -v pid="$forker" '$2 == pid' calls | wc -l)"
awk -v pid="$forker" '$2 == pid' calls | grep -q . || fail "no call by the fork"
[ "$(wc -l <calls)" -le 500 ] || fail "more than logentries"

echo "document: one fork from its entry to its exit"
run /samples/fork-calls.conf
begin=$(started)
[ "$(ended kernel_clone)" = 1 ] || fail "not one kernel_clone"
end=$(awk '/ kernel_clone$/ { print $1; exit }' calls)
check "entered in the fork" "entry <= u && (entry >= b || func_ == \"kernel_clone\")"
[ "$(count copy_process)" -ge 1 ] || fail "no copy_process in a fork"

echo "sample: how a file is opened"
run /samples/open.conf
[ "$(ended do_sys_openat2)" = 1 ] || fail "not one do_sys_openat2"

echo "sample: two runs, patterns, an exclude list, commands"
rm -f t-1.dat t-2.dat
(while [ ! -e stop ]; do cat /proc/uptime /proc/meminfo >/dev/null; done) &
kft run -n test -o t.dat /samples/vfs-not-locks.conf || fail "two runs"
mv t-1.dat t.dat
read_calls
check "the pattern without the exclude list" \
	"func_ ~ /^(vfs_|ksys_read|ksys_write)/ && func_ !~ /^vfs_(get|statx)/"
kft report -F comm -e funcgraph_exit t.dat | sort -u | grep -vx -e cat -e dd &&
	fail "another command"
mv t-2.dat t.dat
read_calls
check "not shorter than mintime" "dur >= 1000000"

touch stop
wait
exit $failed

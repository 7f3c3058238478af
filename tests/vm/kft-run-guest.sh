#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The guest's part of kft-run.sh. Every check says what it is about when it fails.
set -u
tracefs=$(mount-tracefs)
command -v kft >/dev/null || exit 77
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

# run CONF [-- COMMAND...]: into t.dat
run() {
	rm -f t.dat
	start=$(cut -d' ' -f1 /proc/uptime)
	kft run -n test -o t.dat "$@" || fail "kft run $*"
	echo "  $* took from $start to $(cut -d' ' -f1 /proc/uptime)"
}

# The calls of t.dat, a line each: time stamp, pid, flags, duration, function.
calls() {
	kft report -e funcgraph_exit -F ts,pid,common_flags,calltime,rettime t.dat >numbers
	kft report -e funcgraph_exit --raw t.dat |
		sed -n 's/.*func=\([^ ]*\) .*/\1/p' >names
	paste numbers names | awk '{ printf "%.0f %d %d %.0f %s\n", $1, $2, $3, $5 - $4, $6 }'
}

# check WHAT AWK-CONDITION: it holds for every call (at least one)
check() {
	bad=$(calls | awk "BEGIN { t = ${begin:-0}; u = ${end:-0} }
		{ ts = \$1; pid = \$2; flags = \$3; dur = \$4; func_ = \$5; n++; entry = ts - dur
		  irq = int(flags / 8) % 2 || int(flags / 16) % 2 || int(flags / 64) % 2 }
		!($2) { print; bad++ }
		END { if (!n) print \"no call at all\"; print n, \"calls\" >\"/tmp/n\" }" | head -n 5)
	[ -z "$bad" ] || fail "$1: $bad"
	echo "  $1: $(cat /tmp/n)"
}

# When the run started: at the record of its trigger; else at what its mark says, or at the
# mark if that is later.
started() {
	kft report -e start -F ts t.dat | head -n 1
}

started_by_mark() {
	kft report -e print -F ts,buf t.dat | awk '/kft: start/ {
		printf "%.0f", ($NF > $1 ? $NF : $1); exit }'
}

forks() {
	while [ ! -e stop-forks ]; do
		/bin/true
		ls /bin >/dev/null
		sleep 0.2
	done
}

sh /live/tracefs-state >before
forks &

echo "fork-5s: everything from half a millisecond on, for 5 s, no interrupts"
run /samples/fork-5s.conf
begin=$(started)
check "not shorter than mintime" "dur >= 500000"
check "not in interrupts" "!irq"
check "within 5 s of the start" "ts <= t + 5000000000"
check "entered in the run, or what started it" "entry >= t || func_ == \"kernel_clone\""

echo "fork-short: the short routines of one fork, in a small log"
run /samples/fork-short.conf
begin=$(started)
check "between mintime and maxtime" "dur >= 10000 && dur <= 400000"
check "not in interrupts" "!irq"
check "entered after the start" "entry >= t"
[ "$(calls | wc -l)" -le 500 ] || fail "more than logentries"

echo "fork-calls: one fork from its entry to its exit"
run /samples/fork-calls.conf
begin=$(started)
calls >all
[ "$(grep -c ' kernel_clone$' all)" = 1 ] || fail "not one kernel_clone"
end=$(awk '/ kernel_clone$/ { print $1 }' all)
check "within the fork" "ts <= u && (entry >= t || func_ == \"kernel_clone\")"
grep -q ' copy_process$' all || fail "no copy_process in a fork"

echo "interrupts: what runs in them, for 5 ms"
run /samples/interrupts.conf
begin=$(started_by_mark)
[ -n "$begin" ] || fail "no mark of the start"
check "only in interrupts" "irq"
check "for 5 ms" "entry >= t && ts <= t + 5000000"

echo "schedule: one function, not before 10 s after boot"
run /samples/schedule.conf -- sleep 1
check "only this function" "func_ == \"schedule\""

echo "open, readdir: functions of a list"
run /samples/open.conf
[ "$(calls | grep -c ' do_sys_openat2$')" = 1 ] || fail "not one do_sys_openat2"
run /samples/readdir.conf
check "only the list's" "func_ ~ /^(iterate_dir|filldir64|touch_atime)$/"

echo "vfs-not-locks: two runs, patterns, an exclude list, commands"
rm -f t-1.dat t-2.dat
(while [ ! -e stop-forks ]; do cat /proc/uptime /proc/meminfo >/dev/null; done) &
kft run -n test -o t.dat /samples/vfs-not-locks.conf || fail "two runs"
mv t-1.dat t.dat
check "the pattern without the exclude list" \
	"func_ ~ /^(vfs_|ksys_read|ksys_write)/ && func_ !~ /^vfs_(get|statx)/"
kft report -F comm -e funcgraph_exit t.dat | sort -u | grep -vx -e cat -e dd &&
	fail "another command"
mv t-2.dat t.dat
check "not shorter than mintime" "dur >= 1000000"

touch stop-forks
wait
echo "boot: names functions that are gone"
kft config check /samples/boot.conf >out 2>err && fail "boot.conf is refused"
grep -q 'start_kernel runs only while booting' err || fail "advice for start_kernel: $(cat err)"

sh /live/tracefs-state >after
# The stand-in for a size that had never been set, see fake "expanded".
diff -u before after || fail "the kernel is not as before"
[ -z "$(ls /run/kft 2>/dev/null)" ] || fail "left in /run/kft: $(ls /run/kft)"
exit $failed

# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# What the guest's parts of the tests of KFT runs share; to be sourced. Every check says what
# it is about when it fails, and the others go on.
set -u
tracefs=$(mount-tracefs)
command -v kft >/dev/null || exit 77
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

# run CONF [OPTION...] [-- COMMAND...]: into t.dat
run() {
	rm -f t.dat
	kft run -n test -o t.dat "$@" || fail "kft run $*"
	read_calls
}

# The calls of t.dat into "calls", a line each: time stamp, pid, flags, duration, function.
read_calls() {
	kft report -e funcgraph_exit -F ts,pid,common_flags,calltime,rettime t.dat |
		grep '^[0-9]' >numbers # not what says that events were lost
	kft report -e funcgraph_exit --raw t.dat |
		sed -n 's/.*func=\([^ ]*\) .*/\1/p' >names
	paste numbers names |
		awk '{ printf "%.0f %d %d %.0f %s\n", $1, $2, $3, $5 - $4, $6 }' >calls
	[ "$(wc -l <numbers)" = "$(wc -l <names)" ] || fail "not every call has a function"
}

# check WHAT AWK-CONDITION: it holds for every call, of which there is at least one. It may
# use ts, pid, irq, dur, func_, entry, and begin and end as b and u.
check() {
	awk "BEGIN { b = ${begin:-0}; u = ${end:-0} }
		{ ts = \$1; pid = \$2; flags = \$3; dur = \$4; func_ = \$5; entry = ts - dur
		  irq = int(flags / 8) % 2 || int(flags / 16) % 2 || int(flags / 64) % 2 }
		!($2)" calls >bad
	[ ! -s bad ] || fail "$1: $(head -n 5 bad)"
	[ -s calls ] || fail "$1: no call at all"
	echo "  $1: $(wc -l <calls) calls"
}

# count FUNCTION: its calls
count() {
	grep -c " $1\$" calls
}

# rows [FUNCTION]: what the log has of t.dat, a line each: entry, duration (-1: under way at
# the stop), function
rows() {
	kft log t.dat | awk -v only="${1:-}" '/^--------/ { rows = 1; next }
		rows && (only == "" || $4 == only) { print $1, $2, $4 }'
}

# ended FUNCTION: its calls that were not under way at the stop
ended() {
	rows "$1" | grep -vc ' -1 '
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

# The address of a function, as the kernel says it.
address() {
	awk -v name="$1" '$3 == name { print "0x" $1; exit }' /proc/kallsyms
}

# A process that forks again and again; end it with the others at the end.
forks() {
	while [ ! -e stop ]; do
		/bin/true
		ls /bin >/dev/null
		sleep 0.2
	done
}

# Ends all kft at once, as no signal handler can notice it.
kill_all() {
	# A process that reads one link, for each of a hundred processes, would take a second.
	# shellcheck disable=SC2046
	kill -9 $(ls -l /proc/[0-9]*/exe 2>/dev/null |
		sed -n 's|.* /proc/\([0-9]*\)/exe -> .*/kft$|\1|p') 2>/dev/null
	! pidof kft >/dev/null || sleep 0.1
}

# status WHAT LINE...: each is a line of `kft status`, or a part of one
status() {
	what=$1
	shift
	kft status -n s >out 2>&1 || fail "$what: kft status: $(cat out)"
	for line; do
		grep -q "$line" out || fail "$what: no '$line' in:
$(cat out)"
	done
	echo "  $what: $(sed -n 's/^status: //p' out)"
}

# answer WHAT PART...: each is in what `kft status` tells programs
answer() {
	local what=$1 part
	shift
	kft status -n s --format json >out 2>&1 || fail "$what: kft status: $(cat out)"
	for part; do
		grep -q "$part" out || fail "$what: no $part in $(cat out)"
	done
	kft status -n s --format csv | grep -q '^sessions,s,' || fail "$what: no CSV"
}

# What the stack tracer saw last stays in the kernel.
tracefs_state() {
	sh /live/tracefs-state | grep -v '^stack_trace:'
}

# The kernel is as it was when this file was sourced.
same_kernel() {
	tracefs_state >after
	diff -u before after >diff || fail "$1: the kernel is not as before: $(cat diff)"
}

nothing_left() {
	same_kernel "$1"
	[ -z "$(ls /run/kft 2>/dev/null)" ] || fail "$1: left in /run/kft: $(ls /run/kft)"
}

tracefs_state >before

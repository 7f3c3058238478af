#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # traces are functions that are called by a name in a variable
# Runs in a guest of the lab, started by make-traces: records reference traces with
# trace-cmd into /mnt.
# usage: record.sh full|small TRACE...
#
# "small" records twice. After the first time /proc/kallsyms is covered with a file that
# has only the lines whose symbols trace-cmd printed, so that they alone get into the second
# recording: all of them would be 4 to 8 MB in each file.
set -u

tracefs=$(mount-tracefs) || exit 1
out=/tmp/out
mkdir -p $out

# A little of everything that a shell makes a kernel do.
work() {
	i=0
	while [ $i -lt "$1" ]; do
		ls / >/dev/null
		echo "$i" | cat >/tmp/work
		cat /proc/uptime /tmp/work >/dev/null
		usleep 3000
		i=$((i + 1))
	done
}

# What has to be set up before each recording: trace-cmd's reset forgets it.
prepare=:

run_trace_cmd() {
	file=$1
	commands=$2
	shift 2
	$prepare || failed=1
	trace-cmd record -q -o "$file" "$@" sh "$commands" >/tmp/log 2>&1 || {
		cat /tmp/log >&2
		failed=1
	}
	trace-cmd reset >/dev/null 2>&1
}

# The symbols of the trace, each with the one after it, where it ends.
hide_kallsyms() {
	trace-cmd report -O parent=1 -O fgraph:tailprint=1 "$1" 2>/dev/null |
		grep -oE '[a-zA-Z_][a-zA-Z0-9_.]*' | sort -u >/tmp/words
	awk 'FNR == NR { words[$1] = 1; next }
		$3 in words { print; last = FNR; next }
		last && last == FNR - 1 { print }' /tmp/words /proc/kallsyms >/tmp/kallsyms
	mount --bind /tmp/kallsyms /proc/kallsyms
}

# record NAME COMMANDS OPTION...: a file of commands under trace-cmd record
record() {
	name=$1
	commands=$2
	shift 2
	if [ "$mode" = small ]; then
		run_trace_cmd /tmp/first.dat "$commands" "$@"
		hide_kallsyms /tmp/first.dat
	fi
	run_trace_cmd "$out/$name.dat" "$commands" "$@"
	[ "$mode" = full ] || umount /proc/kallsyms
	echo "$name: $(stat -c %s "$out/$name.dat") bytes"
}

# record_work NAME ROUNDS OPTION...
record_work() {
	name=$1
	echo "sh $0 work $2" >/tmp/commands
	shift 2
	record "$name" /tmp/commands "$@"
}

mix="-e sched -e irq -e raw_syscalls"

# The file's kinds and the clocks. $mix: several words.
# shellcheck disable=SC2086
trace_v6() { record_work v6 4 --file-version 6 $mix; }
# shellcheck disable=SC2086
trace_v7() { record_work v7 4 --compression none $mix; }
# shellcheck disable=SC2086
trace_zstd() { record_work zstd 8 --compression zstd $mix; }
trace_mono() { record_work mono 2 --compression none -C mono -e sched; }
trace_date() { record_work date 2 --compression none --date -e sched:sched_switch; }
trace_tsc() { record_work tsc 2 --compression none -C x86-tsc -e sched:sched_switch; }
trace_tsc2nsec() { record_work tsc2nsec 2 --compression none --tsc2nsec -e sched:sched_switch; }

# One CPU has nothing.
trace_cpumask() { record_work cpumask 3 --compression none -M 1 -e sched -e irq; }

# Two named buffers with other events and another clock beside the top-level one.
trace_buffers() {
	record_work buffers 4 --compression zstd -e sched:sched_switch \
		-B irqs -e irq -e timer -B calls -C mono -e raw_syscalls
}

trace_buffers_v6() {
	record_work buffers-v6 3 --file-version 6 -e sched:sched_switch -B irqs -e irq
}

trace_function() {
	record_work function 5 --compression none -p function -l 'vfs_*' -l 'do_sys_open*' \
		-e sched:sched_process_exit
}

trace_graph() {
	record_work graph 2 --compression none -p function_graph -l 'vfs_*' -l 'do_sys_open*' \
		-l 'do_filp_open' -l 'pipe_*' -l 'schedule' -e sched:sched_switch
}

set_threshold() {
	echo 300 >"$tracefs/tracing_thresh"
}

# With a threshold the graph tracer records exits only. The threshold has to be there first.
trace_thresh() {
	prepare=set_threshold
	record_work thresh 5 --compression none -p function_graph -l 'vfs_*' \
		-l 'do_sys_open*' -l 'do_filp_open' -l 'schedule' -l 'do_nanosleep' -l 'ksys_*' \
		-e sched:sched_process_exit
	echo 0 >"$tracefs/tracing_thresh"
	prepare=:
}

trace_stack() {
	record_work stack 1 --compression none -T -e sched:sched_wakeup \
		-e sched:sched_process_fork
}

# Strings, arrays, symbols, bit fields and signed values, at entry and at return.
define_kprobes() {
	case $(uname -m) in
	x86_64) a1=%di a2=%si ;;
	aarch64) a1=%x0 a2=%x1 ;;
	arm*) a1=%r0 a2=%r1 ;;
	s390x) a1=%r2 a2=%r3 ;;
	esac
	{
		echo "p:kft/open do_sys_openat2 dfd=$a1:s32 path=+0($a2):ustring first=+0($a2):u8[4] hex=+0($a2):x16"
		echo "p:kft/exec do_filp_open dfd=$a1:s32 name=+0(+0($a2)):string bits=$a2:b4@2/32 comm=\$comm"
		echo "r:kft/opened do_sys_openat2 fd=\$retval:s32 ret=\$retval:x32"
		echo "p:kft/where schedule sp=\$stack0:symbol"
	} >"$tracefs/kprobe_events"
}

trace_kprobes() {
	prepare=define_kprobes
	record_work kprobes 2 --compression none -e kft
	prepare=:
}

# busybox is no PIE: where it is entered, as an offset in the file.
define_uprobe() {
	entry=$(od -An -tx8 -j24 -N8 /bin/busybox | tr -d ' ')
	offset=$((0x$entry - 0x400000))
	# shellcheck disable=SC2016 # $stack is the kernel's
	printf 'p:kft_user/start /bin/busybox:0x%x argc=+0($stack):s64 argv0=+0(+8($stack)):ustring\n' \
		"$offset" >"$tracefs/uprobe_events"
}

trace_uprobe() {
	prepare=define_uprobe
	record_work uprobe 2 --compression none -e kft_user
	prepare=:
}

define_synthetic() {
	echo 'wakelat u64 lat; pid_t pid; char comm[]' >"$tracefs/synthetic_events"
}

# A synthetic event with a string of any length. Its histogram triggers, which trace-cmd's
# reset removes, make the buffer's time stamps absolute ones.
# shellcheck disable=SC2016 # $ts0 and $lat are the kernel's
trace_synthetic() {
	cat >/tmp/hists <<'HISTS'
cd /sys/kernel/tracing
echo 'hist:keys=pid:ts0=common_timestamp.usecs' >events/sched/sched_waking/trigger
echo 'hist:keys=next_pid:lat=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).wakelat($lat,next_pid,next_comm)' >events/sched/sched_switch/trigger
HISTS
	echo "sh /tmp/hists; sh $0 work 2" >/tmp/commands
	prepare=define_synthetic
	record synthetic /tmp/commands --compression none -e synthetic
	prepare=:
}

# More events than a buffer of a few pages, emptied every 0.1 s only, can hold.
trace_lost() {
	echo 'dd if=/dev/zero of=/dev/null bs=1 count=6000 2>/dev/null' >/tmp/commands
	record lost /tmp/commands --compression none -b 8 -s 100000 -e raw_syscalls
}

# Prints from user space: plain, empty, long, with bytes that are no text, and raw ones;
# and a pause that a record's time delta has no room for.
trace_marker() {
	cat >/tmp/commands <<'MARKS'
m=/sys/kernel/tracing/trace_marker
echo 'hello from user space' >$m
echo >$m
printf 'no newline' >$m
printf 'tab\tbell\a esc\033[31m utf8 \303\244 bad \377 end\n' >$m
printf 'per cent %%s %%d %%n\n' >$m
head -c 900 /dev/zero | tr '\0' x >$m
sleep 0.4
printf '\1\0\0\0raw bytes' >${m}_raw
printf '\052\0\0\0\1\2\3\4\5' >${m}_raw
MARKS
	record marker /tmp/commands --compression none -e sched:sched_process_exit
}

# Every event of the kernel, for a moment: mostly for their formats.
trace_all() { record_work all 0 --compression none -e all; }

set_subbuf() {
	echo 16 >"$tracefs/buffer_subbuf_size_kb"
}

# Sub-buffers of 16 kB (6.12 on). trace-cmd 3.1 has no option for them.
# shellcheck disable=SC2086
trace_subbuf() {
	prepare=set_subbuf
	record_work subbuf 3 --compression none $mix
	prepare=:
	echo 4 >"$tracefs/buffer_subbuf_size_kb"
}

# Latency tracers write entries of their own kinds.
trace_wakeup() {
	record_work wakeup 2 --compression none -p wakeup -O nofunction-trace \
		-e sched:sched_waking
}
trace_osnoise() { record_work osnoise 8 --compression none -p osnoise -e osnoise; }
trace_timerlat() { record_work timerlat 8 --compression none -p timerlat -e osnoise; }

if [ "${1-}" = work ]; then
	work "$2"
	exit
fi
failed=0
mode=$1
shift
for t in "$@"; do
	"trace_$t"
done
cp $out/*.dat /mnt/
exit $failed

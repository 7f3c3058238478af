# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# In the guest, for functions-host.sh: functions and events in one recording, whose traces go to
# /mnt, and recorders that are killed. tracefs has to be as before after each.
set -u
trap 'echo "FAILED: ended early" >&2' EXIT

fail() {
	echo "FAILED: $*" >&2
	trap - EXIT
	exit 1
}

# until_it COMMAND...: it holds sooner or later
until_it() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 2000 ] || fail "never: $*"
		sleep 0.05
	done
}

has() { # FILE TEXT
	grep -q "$2" "$1" 2>/dev/null
}

as_before() {
	sh /live/tracefs-state >/tmp/after
	diff -u /tmp/before /tmp/after || fail "tracefs is not as it was: $*"
	[ -z "$(ls /run/kft 2>/dev/null)" ] || fail "$*: left in /run/kft: $(ls /run/kft)"
	[ -z "$(ls "$tracefs/instances")" ] || fail "$*: an instance is left"
}

tracefs=$(mount-tracefs)
# The top-level buffer is allocated when it is used first.
echo 1408 >"$tracefs/buffer_size_kb"
sh /live/tracefs-state >/tmp/before

# A program's marks go to where it is recorded: in no other recording, where it would be left
# at the top level.
cat >/tmp/work <<EOF
marker=$tracefs/instances/kft-both/trace_marker
[ -e \$marker ] || marker=$tracefs/trace_marker
dd if=/proc/cpuinfo of=/dev/null bs=64 count=8 2>/dev/null
[ -z "\${MARK-}" ] || echo "half way" >\$marker
[ -z "\${MARK-}" ] || kft mark midway || echo failed >/tmp/mark
[ -z "\${MARK-}" ] || /mnt/kptrace
dd if=/dev/zero of=/dev/null bs=1 count=50 2>/dev/null
EOF
MARK=1 kft record -q -n both -o /mnt/both.dat -f vfs_read -e syscalls:sys_enter_read \
	-e syscalls:sys_enter_pread64 -e sched:sched_switch -- sh /tmp/work >/dev/null ||
	fail "both: $?"
[ ! -e /tmp/mark ] || fail "kft mark: no session records"
as_before both
kft record -q -o /mnt/entries.dat --entries vfs_read,vfs_write --exclude vfs_write \
	-e sched:sched_switch -- sh /tmp/work >/dev/null 2>&1 || fail "entries: $?"
as_before entries
kft record -q -n beside -o /mnt/beside.dat -f vfs_read --entries vfs_read,vfs_write \
	-e sched:sched_switch -- sh /tmp/work >/dev/null 2>&1 || fail "beside: $?"
as_before beside
kft record --dry-run -f vfs_read --entries vfs_write --min 1us -k vfs_read -e sched -- true \
	>/tmp/plan || fail "dry run: $(cat /tmp/plan)"
[ "$(grep -cE '^(calls|entries|min|kprobe|event) ' /tmp/plan)" = 5 ] || fail "dry run: $(cat /tmp/plan)"
as_before "dry run"
kft record -q -o /mnt/deep.dat --graph-root vfs_read --max-depth 2 --no-irqs -- \
	dd if=/proc/version of=/dev/null bs=8 2>/dev/null || fail "deep: $?"
as_before deep
kft record -q -a -o /mnt/long.dat -f 'vfs_*' --min 200us --times cpu -- \
	sh /tmp/work >/dev/null || fail "long: $?"
as_before long

# dd's first read of the pipe waits until sleep ends: the one call that is certainly too long.
kft record -a -o /mnt/short.dat -f 'vfs_*' --max 300us -- \
	sh -c 'sleep 0.1 | dd of=/dev/null; sh /tmp/work' >/dev/null 2>/tmp/err || fail "short: $?"
grep -q 'calls were longer' /tmp/err || fail "short: it says $(cat /tmp/err)"
as_before short

# Many times what the buffers hold, written out all the time.
kft record -q -a -o /mnt/stream.dat -b 64k -f vfs_read,vfs_write,ksys_read,ksys_write \
	-e sched:sched_switch --limit 100000ev -- \
	dd if=/dev/zero of=/dev/null bs=1 count=15000 2>/dev/null || fail "stream: $?"
as_before stream

# Not what kft calls to write it out.
kft record -q -a -o /tmp/untraced.dat -b 2M -f '*splice*,pipe_read,pipe_write' -- \
	sh -c 'dd if=/dev/zero bs=64 count=3000 | cat >/dev/null' 2>/dev/null || fail "untraced: $?"
as_before untraced
kft report /tmp/untraced.dat >/tmp/untraced
[ "$(grep -c 'pipe_write' /tmp/untraced)" -ge 3000 ] || fail "untraced: pipe_write is missing"
grep kft-cpu /tmp/untraced && fail "untraced: kft's own calls are there"

# Only what is read between a function's entry and another one's exit: by 32 bytes.
cat >/tmp/between <<EOF
dd if=/proc/cpuinfo of=/dev/null bs=64 count=8 2>/dev/null
mkdir /tmp/d
dd if=/dev/zero of=/dev/null bs=32 count=16 2>/dev/null
rmdir /tmp/d
dd if=/proc/cpuinfo of=/dev/null bs=48 count=8 2>/dev/null
EOF
kft record -q -n between -o /mnt/between.dat -f vfs_read -e syscalls:sys_enter_read \
	--start enter:vfs_mkdir --stop exit:vfs_rmdir -- sh /tmp/between || fail "between: $?"
as_before between
kft record -q -n both -o /mnt/switched.dat -f vfs_read --entries vfs_read,vfs_write \
	-e syscalls:sys_enter_read --start enter:vfs_mkdir --stop exit:vfs_rmdir -- sh /tmp/between ||
	fail "switched: $?"
as_before switched

# Killed as soon as something is to be taken back, when the tracer is set, while it records.
ledger=/run/kft/record+dead/undo
for step in "$ledger tracing_thresh" "$ledger max_graph_depth" \
	"$ledger funcgraph-irqs" "/tmp/dead.dat.parts/lost ."; do
	rm -rf /tmp/dead.dat*
	kft record -q -n dead -a -o /tmp/dead.dat -f 'vfs_*' -e sched --min 1us \
		--max-depth 4 --no-irqs --entries vfs_write &
	recorder=$!
	# shellcheck disable=SC2086
	case $step in
	*lost*) until_it [ -e /tmp/dead.dat.parts/entries.cpu0 ] ;;
	*) until_it has $step ;;
	esac
	kill -KILL $recorder
	wait $recorder
	kft reset >/tmp/reset || fail "reset: $?"
	has /tmp/reset 'kft-dead: removed' || fail "reset said: $(cat /tmp/reset)"
	as_before "killed at $step"
done
trap - EXIT

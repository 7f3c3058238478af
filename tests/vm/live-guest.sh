# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# In the guest: the kernel counts a program's system calls and the states of its task while kft
# records them; live-host.sh compares. Programs of all kinds load, and none is left by a kft
# that is killed.
set -u
# shellcheck source=tests/vm/kft-lib.sh
. /live/kft-lib.sh
echo 1 >/proc/sys/net/core/bpf_jit_kallsyms 2>/dev/null

cat >work <<'END'
#!/bin/sh
n=0
while [ $((n += 1)) -le 100 ]; do
	read -r x </proc/self/stat
	echo "$x"
	[ $((n % 10)) != 0 ] || sleep 0.01
done >/dev/null
END
chmod +x work
kft stats --live syscall,task -a --by key,comm --json -- \
	kft record -q -a -e raw_syscalls,sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new \
	-o /mnt/r.dat -- ./work >/mnt/live.json 2>/mnt/live.err || fail "kft stats --live: $(cat /mnt/live.err)"
cat /mnt/live.err

# The kernel takes the program with a condition.
kft stats --live syscall --where 'comm == work && key ~ "*ead" && duration >= 0' --json -- ./work \
	>where 2>where.err || fail "--where: $(cat where.err)"
grep -o '"key":"[^"]*"' where | sort -u >keys
[ "$(cat keys)" = '"key":"read"' ] || fail "--where: $(cat keys where)"

# The kernel lists the names of its programs, if it translates them to machine code.
loaded() {
	grep -q 'bpf_prog_.*_kft_live' /proc/kallsyms
}
not_loaded() {
	! loaded
}
until_it() {
	n=0
	until "$@"; do
		[ $((n += 1)) -lt 600 ] || { fail "never: $*"; break; }
		sleep 0.1
	done
}
until_it not_loaded
kft stats --live syscall >killed 2>&1 &
until_it loaded
kill -9 $!
until_it not_loaded

kft stats --live all -a -d 100ms >kinds 2>kinds.err || fail "all kinds: $(cat kinds.err)"
for kind in syscall task softirq hrtimer; do
	grep -q "^$kind " kinds || fail "all kinds: no $kind: $(cat kinds kinds.err)"
done
nothing_left "the end"
exit $failed

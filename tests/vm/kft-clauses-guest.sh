#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Clauses of the KFT language that the samples do not have, each by what it leaves in a
# trace. Few functions are traced where it does not matter which.
# shellcheck source=tests/vm/kft-lib.sh
. /live/kft-lib.sh

# reads N: N calls of vfs_read and some more, then one ksys_sync
cat >reads <<'SCRIPT'
dd if=/dev/zero of=/dev/null bs=1 count="$1" 2>/dev/null
sync
SCRIPT

echo "logentries alone: the run ends although the command goes on"
cat >c.conf <<CONF
begin
  filter funclist vfs_read fend
  logentries 300
end
CONF
run c.conf -- sh reads 20000
[ "$(rows | wc -l)" = 300 ] || fail "not 300 calls: $(rows | wc -l)"

echo "triggers at events: from the first read of 7 bytes to the first write of 9"
cat >c.conf <<CONF
begin
  trigger start event syscalls:sys_enter_read "count == 7"
  trigger stop event syscalls:sys_enter_write "count == 9"
  filter funclist vfs_read fend
  filter comm dd fend
end
CONF
cat >sizes <<'SCRIPT'
for size in 1 7 9 1; do
	dd if=/dev/zero of=/dev/null bs=$size count=100 2>/dev/null
done
SCRIPT
run c.conf -- sh sizes
calls=$(rows vfs_read | wc -l)
{ [ "$calls" -gt 100 ] && [ "$calls" -lt 150 ]; } || fail "not 100 calls and some: $calls"
kft log t.dat | grep -q 'event syscalls:sys_enter_write' || fail "its stop: $(kft log t.dat | head -n 20)"

echo "logentries of calls that kft filters: ends, and has all of them"
cat >c.conf <<CONF
begin
  filter funclist vfs_read ksys_sync fend
  filter comm dd fend
  filter maxtime 1s
  logentries 300
end
CONF
kft load -n s c.conf && kft start -n s || fail "load and start"
sh reads 3000
for i in $(seq 60); do
	! kft status -n s | grep -q ', complete' || break
	sleep 1
done
status "enough calls" ", complete" "stopped by logentries" "300 calls kept"
kft save -q -n s -o t.dat || fail "save"
read_calls
[ "$(rows | wc -l)" = 300 ] || fail "not 300 calls: $(rows | wc -l)"
[ "$(count ksys_sync)" = 0 ] || fail "recorded on after 300 calls"
[ "$(kft report -F comm -e funcgraph_exit t.dat | sort -u)" = dd ] || fail "another command"
kft reset -n s >/dev/null

echo "a full log: ends the run, and has its beginning"
cat >c.conf <<CONF
begin
  filter funclist vfs_read ksys_sync fend
end
CONF
kft load -n s -b 16k c.conf && kft start -n s || fail "load and start"
sh reads 20000
status "full" "primed, triggered, complete" "stopped by a full log"
kft save -q -n s -o t.dat || fail "save"
read_calls
check "from the beginning" "func_ == \"vfs_read\""
kft reset -n s >/dev/null

echo "overwrite: has its end"
sed 's/^end/  overwrite\nend/' c.conf >o.conf
run o.conf -b 16k -- sh reads 20000
[ "$(wc -l <calls)" -lt 15000 ] || fail "the buffer is larger than asked for"
[ "$(count ksys_sync)" = 1 ] || fail "the end is not there"

echo "untimed: entries and exits, each on its own"
cat >c.conf <<CONF
begin
  untimed
  filter funclist ksys_sync iterate_supers fend
end
CONF
run c.conf -- sync
[ "$(count ksys_sync)" = 1 ] || fail "not one ksys_sync"
for func in ksys_sync iterate_supers; do
	n=$(kft report --raw -e funcgraph_entry t.dat | grep -c "func=$func ")
	[ "$n" = "$(count $func)" ] || fail "$n entries of $func, exits: $(count $func)"
done
first=$(kft report --raw t.dat | grep -m 1 func=)
case $first in *funcgraph_entry*ksys_sync*) ;; *) fail "does not begin with an entry: $first" ;; esac

echo "pid: one task's calls"
sh -c 'while [ ! -e stop-pid ]; do read line </proc/uptime; done' &
pid=$!
cat >c.conf <<CONF
begin
  filter funclist vfs_read vfs_open fend
  filter pid $pid fend
  trigger stop time 1s
end
CONF
rm -f t.dat
run c.conf -- sh -c 'while [ ! -e stop-pid ]; do cat /proc/uptime >/dev/null; done' &
run_pid=$!
while ! [ -s t.dat ]; do sleep 0.2; done
touch stop-pid
wait $run_pid
read_calls
check "of this task" "pid == $pid"
rm stop-pid

echo "entry and exit the other way round: from an exit to an entry"
cat >c.conf <<CONF
begin
  trigger start exit ksys_sync
  trigger stop entry kernel_clone
  filter funclist ksys_sync vfs_read kernel_clone fend
end
CONF
run c.conf -- sh -c 'exec 3</proc/uptime; sync; read line <&3; /bin/true; read line <&3; true'
begin=$(started)
end=$(kft report -e stop -F ts t.dat)
check "between exit and entry" "entry >= b && entry <= u"
[ -n "$end" ] || fail "no record of the stop"

echo "a list of a thousand functions"
awk '$2 ~ /^[tT]$/ && $3 ~ /^(vfs|ext4|tcp|ip|d|sk|skb|sys|do|ksys|blk)_[a-z0-9_]*$/ && !$4 && !n[$3]++ {
	print $3 }' /proc/kallsyms >symbols
sed 's/ .*//' "$tracefs/available_filter_functions" | sort | uniq -u >traceable
sort symbols traceable | uniq -d | head -n 1000 >list
[ "$(wc -l <list)" -ge 900 ] || fail "too few functions for a list: $(wc -l <list)"
{
	echo "begin filter funclist"
	cat list
	echo "fend trigger stop time 500ms end"
} >c.conf
run c.conf -- sh -c 'cat /proc/uptime; ls /proc >/dev/null; sync'
cut -d' ' -f5 calls | sort -u | grep -vxF -f list >bad
[ -s calls ] && [ ! -s bad ] || fail "not of the list: $(cat bad)"
echo "  $(wc -l <list) functions: $(wc -l <calls) calls"

echo "a start trigger that the command does not fire: ends with it"
cat >c.conf <<CONF
begin
  trigger start entry ksys_sync
  trigger stop time 1h
  filter funclist ksys_sync fend
end
CONF
kft run -n test -o t.dat c.conf -- true 2>err || fail "kft run: $(cat err)"
grep -q 'the command has ended before the start trigger' err || fail "not a word: $(cat err)"
[ "$(rows | wc -l)" = 0 ] || fail "calls of a run that did not start"

echo "prime: loading primes"
cat >c.conf <<CONF
begin
  prime
  trigger start entry ksys_sync
  trigger stop exit ksys_sync
  filter funclist ksys_sync fend
end
CONF
kft load -n s c.conf || fail "load"
status "loaded" "primed, not triggered, not complete"
sync
status "fired" "primed, triggered, complete" "started by entry to ksys_sync" \
	"stopped by exit from ksys_sync" "1 calls kept"
kft reset -n s >/dev/null

echo "a name with several functions, a pattern without any, an address without one"
for list in no_such_*_function 0x10; do
	echo "begin filter funclist $list fend end" >c.conf
	kft load -n s c.conf 2>err && fail "'$list' is accepted"
	echo "  $(head -n 1 err)"
done

nothing_left "the end"
exit $failed

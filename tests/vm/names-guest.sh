#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each call of a KFT run has the name that its task had then, whatever it was called later.
# shellcheck source=tests/vm/kft-lib.sh
. /live/kft-lib.sh
count=60

kft() {
	/mnt/ld.so --library-path /mnt /mnt/kft "$@"
}

# One call of set_fs_pwd under each of four names: the file's, its own, that of what it
# becomes, and its own again.
cat >worker <<'END'
#!/bin/sh
cd /tmp
printf "name-$1" >/proc/self/comm
cd /tmp
exec sh -c 'cd /tmp; printf "last-$0" >/proc/self/comm; cd /tmp' "$1"
END
cat >all <<'END'
#!/bin/sh
n=0
while [ $((n += 1)) -le "$1" ]; do ./worker $n; done
END
chmod +x worker all
cat >names.conf <<'END'
begin
  filter funclist set_fs_pwd fend
end
END
n=0
while [ $((n += 1)) -le $count ]; do
	printf 'worker\nname-%d\nsh\nlast-%d\n' $n $n
done >expected

# compare WHAT: "names" has those of all calls
compare() {
	diff -u expected names >diff || fail "$1: $(grep -c '^+' diff) lines differ: $(head -n 20 diff)"
	echo "  $1: $(wc -l <names) names"
}

kft run -n test -o t.dat names.conf -- ./all $count || fail "kft run"
kft report -e funcgraph_exit -F comm t.dat >names
compare "kft report -F comm"
kft report t.dat | sed -n 's/^ *\([^ ]*\)-[0-9]* .*set_fs_pwd.*/\1/p' >names
compare "kft report"
kft report --flat t.dat | sed -n 's/^ *\([^ ]*\)-[0-9]* .*set_fs_pwd.*/\1/p' >names
compare "kft report --flat"
kft report --style json -e funcgraph_exit t.dat | sed -n 's/.*"comm": *"\([^"]*\)".*/\1/p' >names
compare "kft report --style json"
# Tasks have no names in a log and in kft kd: what is there are all of the calls.
[ "$(kft log t.dat | grep -c ' set_fs_pwd')" = $((4 * count)) ] || fail "kft log: $(kft log t.dat)"
kft kd t.dat | grep -q "^set_fs_pwd  *$((4 * count)) " || fail "kft kd: $(kft kd t.dat)"

# Of a run that keeps some names only, each call is judged by the name of its time.
sed -i 's/^end$/filter comm worker last-7 fend end/' names.conf
kft run -n test -o t.dat names.conf -- ./all $count || fail "kft run with names"
grep -x -e worker -e last-7 expected >some
mv some expected
kft report -e funcgraph_exit -F comm t.dat >names
compare "filter comm"

# The symbols of a module that comes and goes while a recording goes on are the trace's, and
# so are names of the packets that it freed, where the kernel says who frees one (6.3 on).
modprobe -r dummy 2>/dev/null
kft record -q -a -o m.dat -e skb -- sh -c 'modprobe dummy && ip link set dummy0 up &&
	ip addr add 10.9.8.7/24 dev dummy0 && ping -c 3 -W 1 10.9.8.9
	modprobe -r dummy'
grep -q dummy /proc/modules && fail "the module is still there"
echo dummy_xmit | kft sym2addr - m.dat >address
grep -q '^0x[0-9a-f]*$' address || fail "no symbol of a module: $(cat address)"
if grep -q location "$tracefs/events/skb/consume_skb/format"; then
	kft report m.dat >report
	grep -m 1 'location=dummy_xmit' report || fail "a function of a module: $(tail -n 5 report)"
fi

# Functions of modules that are gone when a session is saved have their names: of one that was
# there when it was set up, and of one that came later and went again, while its keeper waited.

# until_it COMMAND...: it holds sooner or later
until_it() {
	n=0
	until "$@"; do
		[ $((n += 1)) -lt 600 ] || { fail "never: $*: $(cat ./*.err)"; break; }
		sleep 0.1
	done
}

load_dummy() {
	modprobe dummy && ip link set dummy0 up && ip addr add 10.9.8.7/24 dev dummy0
	ping -c 3 -W 1 10.9.8.9 >/dev/null
}

# its_names WHAT FILE: calls of the module have the module's names, and no other ones
its_names() {
	kft report "$2" >report || fail "$1: kft report"
	grep -q ' dummy_xmit' report || fail "$1: no call of dummy_xmit: $(head -n 5 report)"
	! grep -E 'funcgraph|function:' report | grep -vE 'dummy_|dev_' ||
		fail "$1: names of other functions"
	echo "  $1: $(grep -c ' dummy_xmit' report) calls of dummy_xmit"
}

load_dummy
cat >dummy.conf <<'END'
begin
  trigger start entry vfs_rmdir
  filter funclist dummy_xmit,dummy_get_stats64 fend
end
END
mkdir gone
kft load -n s dummy.conf && kft prime -n s || fail "kft prime"
rmdir gone
ping -c 3 -W 1 10.9.8.9 >/dev/null
modprobe -r dummy
kft stop -n s || fail "kft stop"
kft save -n s -o run.dat 2>save.err || fail "kft save"
! grep 'modules' save.err || fail "a run with a keeper has all names"
kft reset -n s >/dev/null
its_names "kft run" run.dat
mv report run.report

kft record --detach -n s -e skb || fail "kft record --detach -e skb"
load_dummy
until_it grep -q '^dummy ' /run/kft/s/modules
modprobe -r dummy
kft stop -n s && kft save -n s -o came.dat || fail "kft save after a module came and went"
kft reset -n s >/dev/null
echo dummy_xmit | kft sym2addr - came.dat >address
grep -q '^0x[0-9a-f]*$' address || fail "no symbol of a module that came and went: $(cat address)"

# Where another module comes to lie at its place meanwhile, calls of before have their names; what
# is not certain is an address.
looked() {
	[ "$(head -n 1 /run/kft/s/modules)" != "$before" ]
}
load_dummy
kft record --detach -n s -f 'dummy_*' || fail "kft record --detach"
ping -c 3 -W 1 10.9.8.9 >/dev/null
before=$(head -n 1 /run/kft/s/modules)
until_it looked
modprobe -r dummy
modprobe veth || fail "modprobe veth"
kft stop -n s && kft save -n s -o later.dat || fail "kft save of a recording"
kft reset -n s >/dev/null
kft report later.dat | sed -n 's/.* \([a-z_0-9.]*\)();.*/\1/p' | sort | uniq -c >functions
cat functions
grep -vE ' (dummy_|0xffff)' functions && fail "names of the other module"
grep -q ' dummy_xmit$' functions || fail "calls before the change have no names"
kft report --flat later.dat | grep -q 'dummy_xmit' || fail "report --flat: no names"
kft stats function later.dat | grep -q '^function  *dummy_xmit' || fail "stats: no names: $(kft stats function later.dat)"
kft flame --folded later.dat | grep -q dummy_xmit || fail "flame: no names"
modprobe -r veth

# A run that starts at a function of a module waits for the module when that is gone, says so,
# and starts when it is there again.
modprobe dummy
cat >armed.conf <<'END'
begin
  trigger start entry dummy_xmit
  filter funclist vfs_rmdir fend
end
END
kft load -n s armed.conf && kft prime -n s || fail "kft prime at a function of a module"
status "armed" "^status: .*rimed"
grep -q 'is not loaded' out && fail "the module is loaded: $(cat out)"
modprobe -r dummy
status "without its module" "cannot start now: the module of its start function, dummy, is not loaded"
answer "without its module" '"missing_module": *"dummy"'
load_dummy
mkdir gone
rmdir gone
status "armed again" "started by entry to dummy_xmit"
kft stop -n s && kft save -n s -o armed.dat || fail "kft save of a run that was armed again"
kft reset -n s >/dev/null
kft report armed.dat | grep -q ' vfs_rmdir' || fail "armed again: no call: $(kft report armed.dat)"
modprobe -r dummy

# kft run, which waits itself, says it as well. A network device that is down sends nothing.
waits() {
	[ -e /run/kft/s/state ] && kft status -n s 2>/dev/null | grep -q ' primed, not triggered'
}
modprobe dummy
kft run -n s -o waits.dat armed.conf 2>waits.err &
until_it waits
modprobe -r dummy
until_it grep -q "function of module 'dummy', which is not loaded" waits.err
kft stop -n s >/dev/null
wait

# All functions are those of modules that are loaded later, too. Calls of two modules have the names
# of their own module; Linux 6.12 gives the second one the place of the first.
cat >two <<'END'
place() {
	sed -n "s/^$1 \([0-9]*\) .*\(0x[0-9a-f]*\)$/\2 \1/p" /proc/modules
}
modprobe dummy && ip link set dummy0 up && ip addr add 10.9.8.7/24 dev dummy0
place dummy >places
ping -c 3 -W 1 10.9.8.9
modprobe -r dummy
modprobe veth && ip link add v0 type veth && ip link set v0 up && ip link set veth0 up &&
	ip addr add 10.9.7.1/24 dev v0
place veth >>places
ping -c 3 -W 1 10.9.7.9
modprobe -r veth
END
kft record -q -a -o all.dat -f '*' --graph-root dev_hard_start_xmit -- sh two >/dev/null 2>&1 ||
	fail "record -f '*': $?"
{ read -r dummy size && read -r veth _; } <places
case $(uname -r) in
6.1.*) ;;
*)
	[ $((veth)) -ge $((dummy)) ] && [ $((veth)) -lt $((dummy + size)) ] ||
		fail "the second module lies elsewhere: $(cat places)"
	;;
esac
kft report all.dat >report
sed -n 's/.*funcgraph_entry:.* \(dummy\|veth\)_xmit();.*/\1/p; s/.* \(dummy\|veth\)_xmit() {.*/\1/p' report |
	uniq -c >xmits
[ "$(awk '$1 { print $2 }' xmits)" = "dummy
veth" ] || fail "record -f '*': calls of dummy_xmit, then of veth_xmit: $(cat xmits; head -n 20 report)"

# Of other patterns it is said what was left out.
kft record -a -o some.dat -f '*_xmit' --exclude 'dummy_x*' -- modprobe dummy 2>some.err
grep -q 'left out' some.err && fail "an excluded function is left out: $(cat some.err)"
modprobe -r dummy
kft record -a -o some.dat -f '*_xmit' -- modprobe dummy 2>some.err || fail "record -f '*_xmit'"
grep 'left out.* up to 1 of dummy$' some.err || fail "it is not said what was left out: $(cat some.err)"
modprobe -r dummy
kft record --detach -n s -f '*_xmit' || fail "kft record --detach -f '*_xmit'"
modprobe dummy
kft stop -n s && kft save -n s -o some.dat 2>some.err || fail "kft save after a module was loaded"
grep 'left out.* up to 1 of dummy$' some.err || fail "kft save does not say what was left out: $(cat some.err)"
kft reset -n s >/dev/null
modprobe -r dummy

nothing_left "the end"
exit $failed

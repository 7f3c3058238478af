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

nothing_left "the end"
exit $failed

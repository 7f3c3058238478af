#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The part of make-ctf-traces that runs in the guest: /mnt has LTTng and takes the traces.
set -e
export LD_LIBRARY_PATH=/mnt/lib HOME=/tmp PATH="$PATH:/mnt/bin"
mkdir -p /run /var/run /usr/share/xml
cp -r /mnt/xml /usr/share/xml/lttng
cp -r /mnt/modules/. "/lib/modules/$(uname -r)/"
# The session daemon is looked for in its usual place.
cp /mnt/bin/lttng-sessiond /usr/bin/
echo "tracing:x:99:" >>/etc/group
ip link set lo up
modprobe lttng-tracer
lttng-sessiond -b --consumerd64-path=/mnt/bin/lttng-consumerd
sleep 2

# finish NAME: stops the session and hands its trace over
finish() {
	lttng stop
	lttng destroy
	mkdir -p "/mnt/out/$1"
	cp -r "/tmp/$1/kernel" "/mnt/out/$1/"
}

lttng create full --output=/tmp/lttng
lttng enable-channel -k chan0 --subbuf-size=64K --num-subbuf=8
lttng enable-event -k -c chan0 \
	'sched_*,irq_*,timer_*,workqueue_*,signal_*,power_*,lttng_statedump_*'
lttng enable-event -k -c chan0 --syscall -a
lttng start
sleep 1
for _ in 1 2 3; do
	ls -la /proc/self >/dev/null
	sleep 0.1
	cat /proc/cpuinfo >/dev/null
done
dd if=/dev/zero of=/dev/null bs=4k count=300
finish lttng

# Not the context prio: it makes this kernel crash.
lttng create context --output=/tmp/lttng-context
lttng enable-channel -k chan0 --subbuf-size=16K --num-subbuf=4
lttng enable-event -k -c chan0 'sched_switch,sched_wak*,irq_*'
lttng add-context -k -t pid -t tid -t procname
lttng start
sleep 0.5
ls -la /proc/self >/dev/null
finish lttng-context

lttng create rotated --output=/tmp/lttng-rotated
lttng enable-channel -k chan0 --subbuf-size=4K --num-subbuf=2 --tracefile-size=16K
lttng enable-event -k -c chan0 'sched_*,irq_*,timer_*'
lttng enable-event -k -c chan0 --syscall -a
lttng start
sleep 1
dd if=/dev/zero of=/dev/null bs=1 count=3000
finish lttng-rotated

lttng create channels --output=/tmp/lttng-channels
lttng enable-channel -k switches --subbuf-size=16K --num-subbuf=8
lttng enable-channel -k others --subbuf-size=16K --num-subbuf=8
lttng enable-event -k -c switches \
	'sched_switch,sched_process_*,lttng_statedump_start,lttng_statedump_end'
lttng enable-event -k -c others 'irq_*,timer_*,sched_wak*'
lttng enable-event -k -c others --syscall openat,close,read,write
lttng start
sleep 0.3
ls -la /proc/self >/dev/null
sleep 0.1
cat /proc/cpuinfo >/dev/null
finish lttng-channels

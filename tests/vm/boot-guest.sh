# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# In the guest, for boot.sh: saves the trace of the boot, and says how tracefs is then.
# usage: boot-guest.sh save|hook|plain
set -u

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

files() {
	find /etc /boot 2>/dev/null | sort
}

# As an installed system saves it: by the script that kft boot --install wrote.
by_hook() {
	strange="/tmp/a  b'c%d"
	mkdir -p /etc/init.d /boot "$strange"
	cp "$(command -v kft)" "$strange/kft"
	files >/tmp/before
	cd /boot || exit
	"$strange/kft" boot --install --parameters ./x/../kft.txt --syntax /boot.conf >/tmp/line 2>/tmp/said ||
		fail "kft boot --install: $(cat /tmp/said)"
	cmp /tmp/line /boot/kft.txt || fail "not the line that was printed"
	sh /etc/init.d/kft-boot start || fail "the init script: $?"
	mv /var/lib/kft/boot.dat /mnt/boot.dat || fail "no trace"
	kft boot --remove >/dev/null || fail "kft boot --remove: $?"
	files >/tmp/after
	diff -u /tmp/before /tmp/after || fail "files are left"
	[ ! -e /var/lib/kft ] || fail "/var/lib/kft is left"
}

mount-tracefs >/dev/null
case $1 in
plain)
	sh /live/tracefs-state >/mnt/plain.state
	exit
	;;
hook) by_hook ;;
*)
	# It cannot be finished at first, and is gone on with.
	mkdir /mnt/boot.dat
	kft save --boot -o /mnt/boot.dat 2>/tmp/err && fail "a directory was overwritten"
	grep -q "are in '/mnt/boot.dat.all'" /tmp/err || fail "$(cat /tmp/err)"
	rmdir /mnt/boot.dat
	kft save --boot -o /mnt/boot.dat || fail "kft save --boot: $?"
	;;
esac
cat /proc/cmdline >/mnt/cmdline
sh /live/tracefs-state >/mnt/saved.state
# There is nothing more to be had, and it is said politely.
kft save --boot -o /mnt/again.dat 2>/tmp/err && fail "it was saved twice"
[ ! -e /mnt/again.dat ] || fail "an empty trace"
grep -q 'no longer in the kernel' /tmp/err || fail "$(cat /tmp/err)"

# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
# The QEMU command line of a guest: lab/vm's variables in, qemu=(...) out.

need_qemu() {
	case $arch in
	amd64) need qemu-system-x86_64 qemu-system-x86 ;;
	arm64) need qemu-system-aarch64 qemu-system-arm ;;
	armhf) need qemu-system-arm qemu-system-arm ;;
	s390x) need qemu-system-s390x qemu-system-misc ;;
	esac
}

# path FILE: as a value in a QEMU option, where a comma ends the value
path() {
	echo "${1//,/,,}"
}

# Each setting avoids a failure that was seen; see the table of failures in lab/README.md.
qemu_command() {
	local console model=security_model=none

	case $arch in
	amd64)
		qemu=(qemu-system-x86_64 -M q35 -cpu max)
		console=ttyS0
		append="tsc=reliable no_timer_check nokaslr $append"
		;;
	arm64)
		qemu=(qemu-system-aarch64 -M virt -cpu cortex-a57)
		console=ttyAMA0
		;;
	armhf)
		qemu=(qemu-system-arm -M "virt,highmem=off" -cpu cortex-a15)
		console=ttyAMA0
		smp=${smp:-1}
		;;
	s390x)
		qemu=(qemu-system-s390x -M s390-ccw-virtio -cpu max)
		console=ttysclp0
		;;
	esac
	qemu+=(
		-accel "tcg,thread=single" -smp "${smp:-2}" -m "$memory"
		-nodefaults -display none
		-kernel "$kernel/vmlinuz" -initrd "$tmp/initrd"
		-append "console=$console quiet panic=-1 $append"
		-device virtio-serial
		-chardev "file,id=status,path=$(path "$tmp")/status"
		-device "virtserialport,chardev=status,name=status"
	)
	[ -n "$reboot" ] || qemu+=(-no-reboot)
	# Time does not depend on what else this machine does then.
	if [ -n "$exact" ]; then
		qemu+=(-icount "shift=0,sleep=off")
	fi
	if [ -n "$shell" ]; then
		qemu+=(-serial "mon:stdio")
	else
		qemu+=(
			-chardev "file,id=console,path=$(path "$console_file")" -serial "chardev:console"
			-chardev "file,id=out,path=$(path "$tmp")/out"
			-device "virtserialport,chardev=out,name=out"
			-chardev "file,id=err,path=$(path "$tmp")/err"
			-device "virtserialport,chardev=err,name=err"
			-virtfs "local,path=$(path "${script%/*}/"),mount_tag=script,$model,readonly=on"
		)
	fi
	if [ -n "$share" ]; then
		qemu+=(-virtfs "local,path=$(path "$share"),mount_tag=host,$model")
	fi
}

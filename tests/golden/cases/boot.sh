# SPDX-License-Identifier: GPL-2.0-only
# kft boot, as far as it needs no kernel. --limit: that of this machine does not matter.
cat >boot.conf <<'END'
begin
  trigger start entry start_kernel
  trigger stop exit run_init_process
  filter mintime 500us
  filter noints
  filter funclist pci_* acpi_* fend
end
END
cat >both.conf <<'END'
trigger start entry inet_init
trigger stop exit inet_init
overwrite
END
cat >cannot.conf <<'END'
begin
  trigger stop entry start_kernel
  filter funclist 0xc0de fend
  watch stack 500
  autorepeat
end
begin end
END
{
	echo "filter funclist"
	seq -f function_number_%g 100
} >long.conf

try kft boot --syntax --limit 2047 boot.conf
try kft boot --syntax --limit 2047 -q -b 8M both.conf
try kft boot --syntax cannot.conf
try kft boot --syntax --limit 1023 long.conf
try kft boot --light --limit 2047
try kft boot --light boot.conf
try kft boot
try kft boot --remove boot.conf
try kft boot --root there boot.conf

mkdir -p there/etc/default/grub.d there/usr/lib/systemd/system
try kft boot --syntax --limit 2047 -q --install --root there both.conf
try tail -n +1 there/etc/default/grub.d/kft.cfg
try kft boot --syntax --limit 2047 --install --parameters boot/kft.txt --root there both.conf
try kft boot --remove --root there
try sh -c 'find there | sort'
try kft boot --remove --root there

# shellcheck disable=SC2154
xz -dc "$cases/../../data/6.1-thresh.dat.xz" >thresh.dat
try kft boot --report thresh.dat
try kft boot --report --json v7.dat

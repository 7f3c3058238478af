# SPDX-License-Identifier: GPL-2.0-only
try kft report v7.dat
for same in v6 v7z; do
	kft report $same.dat | cmp - <(kft report v7.dat) && echo "$same.dat: the same"
done
try kft report empty.dat
try kft report --style json v7.dat -C 1 --until 0.000004
try kft report --style=json -F ts,n,info,missing v7.dat
try kft report --style=json -F ts,n,info -F buffer --since -0.5us v7.dat
try kft report -F ts,time,cpu,comm,pid,event,system,buffer,n,info --since 0.000013 v7.dat
try kft report --raw --since 0.000014 v7.dat
try kft report -P 42 --until 0.000001 v7.dat
try kft report -P 43 v7.dat
try kft report -P 4x v7.dat
try kft report -F n,,ts v7.dat
try kft report -F nn v7.dat
# a time that is shown means what is shown as it, more digits mean exactly that
try kft report --since 0.000013 --until 0.000013 -F ts v7.dat
try kft report --since 0.0000130000 --until 0.0000130 -F ts v7.dat
try kft report --since 0.000013001 -F ts v7.dat
try kft report --since +100us --until +0.0001 -F ts v7.dat
try kft report --since 9h v7.dat
try kft report -e kft_test -C 0 --since 0.000009 v7.dat
try kft report -e beats v7.dat
try kft report -C 0,x v7.dat
head -c 30000 v7.dat >cut.dat
try kft report -F ts cut.dat
try kft report
try bash -c 'kft report v7.dat >/dev/full'
try bash -c 'kft report v7.dat | head -n 2'
# the values of fields, in the language of the kernel's filters
try kft report -e 'beat/n==3/' v7.dat
try kft report -e 'beat/n>=9 && n != 11/' -F n v7.dat
try kft report -e 'beat/m==1/' v7.dat
# who knows them by trace-cmd's and perf's letters
try kft report -R v7.dat
try kft report -t v7.dat

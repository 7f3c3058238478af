# SPDX-License-Identifier: GPL-2.0-only
# How kft says what it can do, and what was wrong with a command line.
try kft --version
try kft nonsense
try kft reprot
try kft help nonsense
try kft help help
try kft help help help
try kft stats --al
try kft stats --all=1
try kft stats --cpu
try kft stats --zzz
try kft stats a b
try kft stats events,irq v7.dat
try kft stats irq,none v7.dat
try kft stats syscall:openat v7.dat
try kft stats --plot v7.dat
try kft why v7.dat 5..3
try kft why v7.dat 5..
try kft why v7.dat Timer
try kft why v7.dat fault
try kft view --exact 5..3 -o v.html v7.dat
try kft view --exact 5 -o v.html v7.dat
try kft stats irq v7.dat
try kft stats --by task,what irq v7.dat
try kft stats --where 'duration > 1ms' irq v7.dat
try kft stats --where 'length > 1ms' irq v7.dat
try kft stats --sort none irq v7.dat
try kft stats --interval 'a: b' v7.dat
try kft stats --interval 'a: b -> c by' v7.dat
try kft stats --interval 'beat: kft_test:beat -> kft_test:beat by task' v7.dat
try kft stats --interval none.txt v7.dat
try kft stats --interval 'a: nothing -> kft_test:beat' v7.dat
try kft stats --interval 'a: kft_test:beat -> kft_test:beat by none' v7.dat
try kft stats --interval 'a: kft_test:beat/none == 1/ -> kft_test:beat' v7.dat
try kft help --help
try kft log "$(printf 'no\nsuch')"
try kft report -i trace.dat
try kft report -l
try kft stats -i trace.dat
try kft record -g true
try kft record -p function -e sched true
try kft record -v -e sched true
try kft record -R 'sched_switch:stacktrace' true
try kft report -v
try kft report -w
try kft stats -c
try kft report -C 99 v7.dat
try kft report --since 1000 v7.dat
try kft report -P 99999999 v7.dat
for verb in record run load boot; do
	try kft $verb -b 0
done
try kft stats -C 99 --only cpus v7.dat
# neither a file nor, without a trace.dat, a thing to explain
try kft why nofile
# a flight recorder is ended in one of two ways
try kft flight stop
try kft flight stop -n always

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
try kft help --help
try kft log "$(printf 'no\nsuch')"
try kft report -i trace.dat
try kft report -l
try kft stats -i trace.dat
try kft report -C 99 v7.dat
try kft report --since 1000 v7.dat
try kft stats -C 99 --only cpus v7.dat

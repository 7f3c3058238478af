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

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The host's part of the test of names (see in-one-boot): this machine's kft with the shared
# libraries that it needs, as the lab's own kft leaves names of tasks to the kernel.
set -euo pipefail
[ "$1" = prepare ] || exit 0
case $KERNEL in *-*) echo "this machine's kft is not for $KERNEL" && exit 77 ;; esac
cp "$KFT" kft
ldd kft | grep -o '/[^ ]*' | xargs -I{} cp -L {} .
mv ld-linux* ld.so

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The host's part of the test of module/ktrace (see in-one-boot): builds the module, and those
# that the test loads beside it, for the guest's kernel.
set -euo pipefail
[ "$1" = prepare ] || exit 0
prefix=
case $KERNEL in *arm64) prefix=aarch64-linux-gnu- ;; *armhf) prefix=arm-linux-gnueabihf- ;; esac
for tool in make "${prefix}gcc"; do
	command -v "$tool" >/dev/null || { echo "'$tool' is missing" && exit 77; }
done
headers=$("$SOURCE/lab/headers" "$KERNEL")
mkdir build
cp -r "$SOURCE/module/ktrace" "$SOURCE/tests/module/ktrace_load" build
for module in ktrace ktrace_load; do
	make -s -C "$headers" M="$PWD/build/$module" CC="${prefix}gcc" CROSS_COMPILE="$prefix" \
		CONFIG_DEBUG_INFO_BTF_MODULES= modules
	mv "build/$module/$module.ko" .
done
rm -r build

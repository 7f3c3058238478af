#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Builds the programs of together-guest.sh for the guest, and judges its traces: see
# together-check.py and in-one-boot.
set -euo pipefail
# KFT_KILL_STRIDE=1 kills kft before each of its changes to the kernel, not only some of them;
# that takes up to half an hour for a kernel.
stride=${KFT_KILL_STRIDE:-11}
if [ "$1" = check ]; then
	exec "$SOURCE/tests/vm/together-check.py" "$KFT" "$KERNEL" "$SOURCE/tests/golden/kd-times"
fi
case $KERNEL in
*arm64) prefix=aarch64-linux-gnu- ;;
*) prefix= ;;
esac
for tool in gcc nm; do
	command -v "$prefix$tool" >/dev/null || { echo "'$prefix$tool' is missing"; exit 77; }
done
for name in probed kill-at; do
	"${prefix}gcc" -std=gnu17 -D_GNU_SOURCE -O2 -g -static -no-pie -o $name \
		"$SOURCE/tests/live/$name.c"
done
# Where planted_add is in the file: the first segment of a static program that is executable.
address=0x$("${prefix}nm" probed | sed -n 's/ [Tt] planted_add$//p')
"${prefix}readelf" -lW probed | awk '$1 == "LOAD" && / R E | RWE /{ print $2, $3 }' >segment
read -r at begin <segment
echo "$stride" >stride
printf '0x%x\n' $((address - begin + at)) >offset

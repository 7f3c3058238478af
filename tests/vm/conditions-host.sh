#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# This machine's part of conditions-guest.sh: the guest's busybox cannot set priorities.
set -euo pipefail
case $1 in
prepare)
	command -v chrt >/dev/null || { echo "no chrt" && exit 77; }
	cp "$(command -v chrt)" chrt
	;;
esac

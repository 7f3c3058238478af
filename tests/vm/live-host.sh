#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Judges live-guest.sh: what the kernel counted is what was recorded (see in-one-boot).
set -euo pipefail
[ "$1" = check ] || exit 0
"$KFT" stats syscall,task --by key,comm --json r.dat >recorded.json
exec "$SOURCE/tests/vm/live-check.py" live.json recorded.json live.err

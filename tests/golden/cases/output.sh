# SPDX-License-Identifier: GPL-2.0-only
# Where output cannot go.
try bash -c 'kft help >/dev/full'
try bash -c 'kft stats v7.dat >/dev/full'
try bash -c 'kft stats --json v7.dat >&-'
# A reader that goes away is no error to tell about.
try bash -c 'kft help | true; echo ${PIPESTATUS[0]} | grep -x -e 0 -e 141 | wc -l'

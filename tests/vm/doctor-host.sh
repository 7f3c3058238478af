#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What kft doctor said in a lab kernel is what doctor-facts has for it. See in-one-boot.
set -euo pipefail
[ "$1" = check ] || exit 0
failed=0

expect() { # FILE ID MEMBER VALUE
	local got

	got=$(grep -o "{\"id\":\"$2\"[^}]*" "$1.json" |
		sed "s/.*\"$3\":\"\([^\"]*\)\".*/\1/")
	if [ "$got" != "$4" ]; then
		echo "$1: $3 of $2 is '$got' instead of '$4'" >&2
		failed=1
	fi
}

facts=$(sed -n "s/^\(all\|$KERNEL\) //p" "$SOURCE/tests/vm/doctor-facts" | tr '\n' ' ')
for pair in $facts; do
	expect free "${pair%=*}" state "${pair#*=}"
done
# In use by the top-level buffer: said so, and not touched.
expect busy tracing-thresh reason busy
case " $facts " in *" function-graph=limited "*) expect busy function-graph reason busy ;; esac
exit $failed

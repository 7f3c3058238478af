#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# kft doctor in a lab kernel: what it finds there, that it leaves the kernel as it was, and
# that it leaves alone what somebody else uses.
# usage: doctor.sh LAB_VM KERNEL LIVE_TESTS_DIR ID=STATE...
set -euo pipefail
vm=$1 kernel=$2 live=$3
shift 3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cat >"$tmp/script.sh" <<'GUEST'
tracefs=$(mount-tracefs)
command -v kft >/dev/null || exit 77
kft doctor --json >/mnt/free.json || exit 1
sh /live/doctor-restores /usr/bin/kft || exit 1
echo 1 >"$tracefs/set_ftrace_filter"
echo function_graph >"$tracefs/current_tracer"
echo 1000 >"$tracefs/tracing_thresh"
sh /live/tracefs-state >/tmp/before
kft doctor --json >/mnt/busy.json || exit 1
sh /live/tracefs-state >/tmp/after
diff -u /tmp/before /tmp/after
GUEST
r=0
"$vm" --kernel "$kernel" --share "$tmp" --file "$live/doctor-restores:/live/doctor-restores" \
	--file "$live/tracefs-state:/live/tracefs-state" "$tmp/script.sh" >"$tmp/out" 2>&1 || r=$?
if [ "$r" != 0 ]; then
	cat "$tmp/out" >&2
	exit "$r"
fi
if grep 'lab: guest kernel:' "$tmp/out" >&2; then
	echo "the kernel complained" >&2
	exit 1
fi

failed=0
expect() { # FILE ID MEMBER VALUE
	local got

	got=$(grep -o "{\"id\":\"$2\"[^}]*" "$tmp/$1.json" |
		sed "s/.*\"$3\":\"\([^\"]*\)\".*/\1/")
	if [ "$got" != "$4" ]; then
		echo "$1: $3 of $2 is '$got' instead of '$4'" >&2
		failed=1
	fi
}
for pair; do
	expect free "${pair%=*}" state "${pair#*=}"
done
# In use by the top-level buffer: said so, and not touched.
expect busy tracing-thresh reason busy
case " $* " in *" function-graph=limited "*) expect busy function-graph reason busy ;; esac
exit $failed

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A traced boot of a lab kernel, from the command line that kft boot makes to a shell, saved
# there by boot-guest.sh and checked here: against the configuration, and the report against
# numbers that awk gets out of trace-cmd's text.
# usage: boot.sh LAB_VM KERNEL KFT SOURCE_ROOT CONFIGURATION save|hook
set -euo pipefail
vm=$1 kernel=$2 kft=$(realpath "$3") source=$4 config=$(realpath "$5") how=$6
command -v trace-cmd >/dev/null || { echo "trace-cmd is missing" >&2 && exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/share"
failed=0

bad() {
	echo "FAILED: $*" >&2
	failed=1
}

parameters=$("$kft" boot -b 12M --syntax --limit 2047 "$config" 2>"$tmp/explained")
[ "$(wc -l <<<"$parameters")" = 1 ] || bad "not one line: $parameters"
grep -q 'at boot: ' "$tmp/explained" || bad "nothing is explained: $(cat "$tmp/explained")"

r=0
"$vm" --kernel "$kernel" --share "$tmp/share" --append "$parameters" \
	--file "$source/tests/live/tracefs-state:/live/tracefs-state" \
	--file "$config:/boot.conf" \
	"$source/tests/vm/boot-guest.sh" "$how" >"$tmp/out" 2>&1 || r=$?
if [ "$r" != 0 ]; then
	cat "$tmp/out" >&2
	exit "$r"
fi
# What the kernel would be without the parameters.
"$vm" --kernel "$kernel" --share "$tmp/share" --kft none \
	--file "$source/tests/live/tracefs-state:/live/tracefs-state" \
	"$source/tests/vm/boot-guest.sh" plain >"$tmp/out" 2>&1 || r=$?
[ "$r" = 0 ] || { cat "$tmp/out" >&2 && exit "$r"; }
cd "$tmp/share"
# A buffer that was used once has its size and not "7 (expanded: ...)".
diff -u <(grep -v buffer_.*size_kb plain.state) <(grep -v buffer_.*size_kb saved.state) ||
	bad "the kernel is not what it is after a boot without parameters"
[ ! -e boot.dat.all ] || bad "the untrimmed trace is left"

"$kft" boot --report --json boot.dat >report.json || bad "kft boot --report: $?"
"$kft" boot --report boot.dat >report.txt || bad "kft boot --report: $?"
"$kft" stats events --json boot.dat >stats.json || bad "kft stats: $?"
grep -q '"gaps":0,"lost":0,' stats.json || bad "events were lost: $(head -c 1000 stats.json)"
grep -qF "\"kernel_line\":\"$(grep -o 'console=[^ ]*' cmdline)" report.json ||
	bad "the kernel's command line is not in the trace"
[ "$(grep -c '^ .*[0-9] [mun]\?s .*  [a-z]* *[_a-z0-9]*_init' report.txt)" -ge 10 ] ||
	bad "few initcalls in the report: $(cat report.txt)"
trace-cmd report -R -t boot.dat 2>/dev/null >raw.txt
"$kft" report -e funcgraph_exit -F common_flags boot.dat >flags.txt || bad "kft report: $?"
"$source/tests/vm/boot-check.py" report.json raw.txt flags.txt "$config" || bad "boot-check"
exit $failed

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The host's part of the test of module/ktrace (see in-one-boot): builds the module, and the one
# that the test loads beside it, for the guest's kernel. Ids that are not declared and arguments
# that do not fit their format are compile errors.
set -euo pipefail
[ "$1" = prepare ] || exit 0
prefix=
case $KERNEL in *arm64) prefix=aarch64-linux-gnu- ;; *armhf) prefix=arm-linux-gnueabihf- ;; esac
for tool in make "${prefix}gcc"; do
	command -v "$tool" >/dev/null || { echo "'$tool' is missing" && exit 77; }
done
headers=$("$SOURCE/lab/headers" "$KERNEL")

# build MODULE TARGET
build() {
	make -s -C "$headers" M="$PWD/build/$1" CC="${prefix}gcc" CROSS_COMPILE="$prefix" \
		CONFIG_DEBUG_INFO_BTF_MODULES= "$2"
}

mkdir build
cp -r "$SOURCE/module/ktrace" "$SOURCE/tests/module/ktrace_load" build
for module in ktrace ktrace_load; do
	build $module modules
	mv "build/$module/$module.ko" .
done

# compiles CALL: as the only call of a function with an int n
compiles() {
	cat >build/ktrace_call/call.c <<END
#include <kft/ktrace.h>
#define FUNCS(F) F(one)
KTRACE_IDS(FUNCS, KTRACE_NONE)
void call(int n);
void call(int n)
{
	$1;
}
END
	build ktrace_call call.o >build/log 2>&1
}

mkdir build/ktrace_call
cat >build/ktrace_call/Kbuild <<'END'
obj-m := call.o
ccflags-y += -I$(src)/../ktrace/include
END
compiles 'ktrace_log2(KT_FUNC_one, KT_FUNC_EXIT, n, 0); kpprintf("%d", n)' || { cat build/log && exit 1; }
for call in 'ktrace_log2(KT_FUNC_two, KT_FUNC_EXIT, n, 0)' 'ktrace_log2(7, KT_FUNC_EXIT, n, 0)' \
	'ktrace_log2(KT_FUNC_one, KT_FUNC_one, n, 0)' 'ktrace_scope(KT_FUNC_two)' 'kpprintf("%s", n)'; do
	! compiles "$call" || { echo "FAILED: it compiles: $call" && exit 1; }
	grep -m 1 'error:' build/log
done
rm -r build

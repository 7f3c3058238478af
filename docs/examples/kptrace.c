// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program written for KPTrace, in what kft records. Needs the rights to trace, so usually root:
 *
 *	cc kptrace.c $(pkg-config --cflags --libs kft) -o kptrace
 *	kft flight start
 *	./kptrace
 */
#include <kft/kptrace.h>

int main(void)
{
	kpprintf("frame %d of %s", 1, "video");
	kptrace_mark();
	kptrace_pause();
	kpprintf("not recorded");
	kptrace_restart();
	kptrace_write_record("the end");
	return 0;
}

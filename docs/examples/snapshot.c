// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks the flight recorder for its last moments. Needs the rights to trace, so usually root:
 *
 *	cc snapshot.c $(pkg-config --cflags --libs kft) -o snapshot
 *	kft flight start
 *	./snapshot flight why.dat "the queue was empty"
 */
#include <stdio.h>

#include <kft/snapshot.h>

int main(int argc, char **argv)
{
	struct kft_err e = {0};

	if (argc != 4)
		return fprintf(stderr, "usage: snapshot SESSION FILE WHY\n"), 2;
	if (kft_snapshot(argv[1], argv[2], argv[3], &e) < 0)
		return fprintf(stderr, "%s\n%s\n", e.msg, e.hint), 1;
	return 0;
}

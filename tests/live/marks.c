// SPDX-License-Identifier: GPL-2.0-only
/* Writes every sort of mark, and says to how many sessions. */
#include <kft/mark.h>

int main(int argc, char **argv)
{
	int n = kft_begin("outer");

	if (argc > 1)
		for (long i = strtol(argv[1], NULL, 10); i > 0; i--)
			n += kft_mark("again");
	n += kft_mark("a|b\nc");
	n += kft_mark_value("depth", -7);
	n += kft_markf("%d of %s", 3, "four");
	n += kft_end();
	printf("%d\n", n);
	return 0;
}

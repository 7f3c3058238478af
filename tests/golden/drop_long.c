// SPDX-License-Identifier: GPL-2.0-only
/* drop_long FILE NS: drops long calls from a trace, like kft record --max at its end. */
#include <stdio.h>
#include <stdlib.h>

#include "api/long_calls.h"

int main(int argc, char **argv)
{
	const struct kft_tracedat_opts opts = {};
	struct kft_err e = {};
	uint64_t dropped = 0;

	if (argc != 3)
		return 2;
	if (kft_drop_long_calls(argv[1], strtoull(argv[2], NULL, 10), &opts, &dropped,
				&e) < 0) {
		(void)fprintf(stderr, "drop_long: %s\n", e.msg);
		return 1;
	}
	(void)printf("%llu\n", (unsigned long long)dropped);
	return 0;
}

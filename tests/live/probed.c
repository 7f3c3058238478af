// SPDX-License-Identifier: GPL-2.0-only
/* For record-probes.py: calls with known arguments and known returns. */
#include <stdlib.h>

__attribute__((noinline)) int planted_add(int n, const char *text);
__attribute__((noinline)) int planted_twice(int n);

int planted_add(int n, const char *text)
{
	return n + (text[0] - 'a');
}

int planted_twice(int n)
{
	return 2 * n;
}

int main(int argc, char **argv)
{
	static const char *const texts[] = {"alpha", "beta", "gamma", "delta", "e"};
	int calls = argc > 1 ? atoi(argv[1]) : 5;
	volatile int sum = 0;

	for (int i = 0; i < calls; i++) {
		sum += planted_add(100 + i, texts[i % 5]);
		sum += planted_twice(i);
	}
	return sum == 0;
}

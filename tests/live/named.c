// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions with arguments that are recorded by name. The program prints each call as
 * "FUNCTION NAME=VALUE...", like the test prints the trace.
 */
#include <stdint.h>
#include <stdio.h>

struct point {
	int8_t x;
	int16_t y;
};

struct shape {
	const char *name;
	struct point at[2];
	struct point centre;
	const struct shape *next;
	unsigned int low : 3;
	unsigned int high : 5;
	union {
		uint64_t all;
		int32_t half;
	};
	char text[12];
};

enum colour { RED = -1, GREEN = 7 };

__attribute__((noinline)) int take_shape(const struct shape *s, int n, enum colour c);
__attribute__((noinline)) int take_many(int a, double f, short b, const char *c,
					uint64_t d, char e, unsigned int g, int h,
					long i);
__attribute__((noinline)) int take_whole(struct point p, int after);

int take_shape(const struct shape *s, int n, enum colour c)
{
	__asm__ volatile("" : : "r"(s), "r"(n), "r"(c) : "memory");
	return s->low + n + (int)c;
}

int take_many(int a, double f, short b, const char *c, uint64_t d, char e, unsigned int g,
	      int h, long i)
{
	__asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d), "r"(i) : "memory");
	return a + (int)f + b + c[0] + (int)d + e + (int)g + h + (int)i;
}

int take_whole(struct point p, int after)
{
	__asm__ volatile("" : : "r"(p.x), "r"(after) : "memory");
	return p.x + p.y + after;
}

/* The optimizer drops the second argument: it is unused, and there is only one caller. */
static __attribute__((noinline)) int take_unused(int used, int unused)
{
	__asm__ volatile("" : : "r"(used) : "memory");
	return used;
}

int main(void)
{
	static const struct shape last = {.name = "last", .low = 5, .high = 21};
	volatile int sum = 0;

	for (int i = -2; i < 3; i++) {
		const struct shape s = {
			.name = i < 0 ? "below" : "above",
			.at = {{1, 2}, {3, 4}},
			.centre = {(int8_t)-i, (int16_t)(1000 * i)},
			.next = &last,
			.low = (unsigned int)(i + 2),
			.high = (unsigned int)(20 + i),
			.half = 100 * i,
			.text = "some text",
		};

		printf("take_shape name=%s x=%d y=%d n=%d c=%d high=%u low=%u half=%d "
		       "text=%s\n",
		       s.name, s.centre.x, s.centre.y, i, i < 0 ? RED : GREEN, s.high,
		       last.low, s.half, s.text);
		sum += take_shape(&s, i, i < 0 ? RED : GREEN);
		printf("take_many a=%d b=%d c=%s d=%llu g=%u h=%d i=%d\n", i, 7 * i,
		       s.name, 1ULL << (40 + i), 3000000000U + (unsigned int)i, i - 5,
		       900 - i);
		sum += take_many(i, 1.5 * i, (short)(7 * i), s.name,
				 UINT64_C(1) << (40 + i), 'x',
				 3000000000U + (unsigned int)i, i - 5, 900 - i);
		printf("take_whole after=%d\n", 11 * i);
		sum += take_whole(s.centre, 11 * i);
		printf("take_unused used=%d\n", 13 * i);
		sum += take_unused(13 * i, sum);
	}
	return sum == 12345;
}

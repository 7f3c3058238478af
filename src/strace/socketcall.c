// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the call of sockets that socketcall(2) stands for. */
#include "strace/socketcall.h"

/* The calls by their numbers in include/uapi/linux/net.h, from 1 on. */
static const struct {
	const char *name;
	unsigned int args;
} calls[] = {{"socket", 3},   {"bind", 3},	  {"connect", 3},     {"listen", 2},
	     {"accept", 3},   {"getsockname", 3}, {"getpeername", 3}, {"socketpair", 4},
	     {"send", 4},     {"recv", 4},	  {"sendto", 6},      {"recvfrom", 6},
	     {"shutdown", 2}, {"setsockopt", 5},  {"getsockopt", 5},  {"sendmsg", 3},
	     {"recvmsg", 3},  {"accept4", 4},	  {"recvmmsg", 5},    {"sendmmsg", 4}};

const char *kft_strace_socketcall(struct kft_traced_call *c, unsigned int word)
{
	uint64_t number = (uint32_t)c->args[0];
	char data[KFT_TRACED_ARGS * sizeof(uint64_t)];

	if (number < 1 || number > ARRAY_SIZE(calls))
		return NULL;
	size_t len = (size_t)calls[number - 1].args * word;

	if (kft_traced_read(c, c->args[1], data, len) != len)
		return NULL;
	memset(c->args, 0, sizeof(c->args));
	for (unsigned int i = 0; i < calls[number - 1].args; i++)
		memcpy(&c->args[i], data + (size_t)i * word, word);
	return calls[number - 1].name;
}

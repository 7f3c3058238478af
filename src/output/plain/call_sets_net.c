// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of constants in arguments of calls on sockets and epoll: Linux 6.12,
 * include/linux/socket.h, include/uapi/linux/{net,eventpoll}.h.
 */
#include "output/plain/call_sets.h"

/* clang-format off */
#define BIT(bits, text)		{bits, bits, #text}
#define ONE(among, number, text) {among, number, #text}
#define SET(set, is_number)                                                    \
	const struct kft_arg_type kft_arg_##set = {                            \
		.kind = KFT_ARG_SET, .is_int = is_number, .names = set##_names};

static const struct kft_arg_name family_names[] = {
	ONE(0xffffffff, 0x0, AF_UNSPEC), ONE(0xffffffff, 0x1, AF_UNIX),
	ONE(0xffffffff, 0x2, AF_INET), ONE(0xffffffff, 0xa, AF_INET6),
	ONE(0xffffffff, 0x10, AF_NETLINK), ONE(0xffffffff, 0x11, AF_PACKET),
	ONE(0xffffffff, 0x1f, AF_BLUETOOTH), ONE(0xffffffff, 0x26, AF_ALG),
	ONE(0xffffffff, 0x28, AF_VSOCK), {},
};
SET(family, true)

static const struct kft_arg_name socket_names[] = {
	ONE(0xf, 0x1, SOCK_STREAM), ONE(0xf, 0x2, SOCK_DGRAM), ONE(0xf, 0x3, SOCK_RAW),
	ONE(0xf, 0x5, SOCK_SEQPACKET), BIT(0x800, SOCK_NONBLOCK), BIT(0x80000, SOCK_CLOEXEC),
	{},
};
SET(socket, false)

static const struct kft_arg_name accept_names[] = {
	BIT(0x800, SOCK_NONBLOCK), BIT(0x80000, SOCK_CLOEXEC), {},
};
SET(accept, false)

static const struct kft_arg_name msg_names[] = {
	BIT(0x1, MSG_OOB), BIT(0x2, MSG_PEEK), BIT(0x4, MSG_DONTROUTE), BIT(0x8, MSG_CTRUNC),
	BIT(0x20, MSG_TRUNC), BIT(0x40, MSG_DONTWAIT), BIT(0x80, MSG_EOR),
	BIT(0x100, MSG_WAITALL), BIT(0x2000, MSG_ERRQUEUE), BIT(0x4000, MSG_NOSIGNAL),
	BIT(0x8000, MSG_MORE), BIT(0x4000000, MSG_ZEROCOPY),
	BIT(0x40000000, MSG_CMSG_CLOEXEC), {},
};
SET(msg, false)

static const struct kft_arg_name shutdown_names[] = {
	ONE(0xffffffff, 0x0, SHUT_RD), ONE(0xffffffff, 0x1, SHUT_WR),
	ONE(0xffffffff, 0x2, SHUT_RDWR), {},
};
SET(shutdown, true)

static const struct kft_arg_name epoll_op_names[] = {
	ONE(0xffffffff, 0x1, EPOLL_CTL_ADD), ONE(0xffffffff, 0x2, EPOLL_CTL_DEL),
	ONE(0xffffffff, 0x3, EPOLL_CTL_MOD), {},
};
SET(epoll_op, true)

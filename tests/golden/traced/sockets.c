// SPDX-License-Identifier: GPL-2.0-only
/* Sockets of several families that talk to each other, and one descriptor that is passed on. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <linux/netlink.h>
#include <unistd.h>

static void pass(int socket, int fd)
{
	char control[CMSG_SPACE(sizeof(fd))] = "";
	struct iovec iov = {"x", 1};
	struct msghdr m = {.msg_iov = &iov,
			   .msg_iovlen = 1,
			   .msg_control = control,
			   .msg_controllen = sizeof(control)};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	sendmsg(socket, &m, 0);
}

static void take(int socket)
{
	char control[100];
	char data[10];
	struct sockaddr_un from;
	struct iovec iov = {data, sizeof(data)};
	struct msghdr m = {.msg_name = &from,
			   .msg_namelen = sizeof(from),
			   .msg_iov = &iov,
			   .msg_iovlen = 1,
			   .msg_control = control,
			   .msg_controllen = sizeof(control)};

	recvmsg(socket, &m, MSG_DONTWAIT);
}

int main(void)
{
	struct sockaddr_in6 a6 = {.sin6_family = AF_INET6,
				  .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	struct sockaddr_un un = {.sun_family = AF_UNIX, .sun_path = "\0kft-test-socket"};
	struct sockaddr_nl nl = {.nl_family = AF_NETLINK, .nl_groups = 1};
	struct sockaddr_in in = {.sin_family = AF_INET,
				 .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct linger linger = {1, 5};
	socklen_t len = sizeof(in);
	char data[100];
	int pair[2];
	int s6 = socket(AF_INET6, SOCK_DGRAM, IPPROTO_UDP);
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	int u = socket(AF_UNIX, SOCK_STREAM, 0);
	int n = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);

	bind(s6, (void *)&a6, sizeof(a6));
	bind(s, (void *)&in, sizeof(in));
	getsockname(s, (void *)&in, &len);
	sendto(s, "hello", 5, 0, (void *)&in, sizeof(in));
	len = sizeof(in);
	recvfrom(s, data, sizeof(data), 0, (void *)&in, &len);
	recvfrom(s, data, sizeof(data), 0, (void *)&in, &len);
	bind(u, (void *)&un, sizeof(sa_family_t) + 16);
	bind(n, (void *)&nl, sizeof(nl));
	setsockopt(s, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	len = sizeof(data);
	getsockopt(s, SOL_SOCKET, SO_SNDBUF, data, &len);
	getsockopt(77, SOL_SOCKET, SO_SNDBUF, data, &len);
	socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair);
	pass(pair[0], 1);
	take(pair[1]);
	take(pair[1]);
	accept(u, NULL, NULL);
	connect(u, (void *)1, sizeof(un));
	getpeername(s, (void *)&in, &len);
	shutdown(pair[0], SHUT_WR);
	return 0;
}

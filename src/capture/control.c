// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sends, receives and answers requests to a process that records in the foreground. */
#include "capture/control.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"

#define SOCKET_FILE	"control"
#define REQUEST_WAIT_MS 100
#define ANSWER_WAIT_MS	10000
#define LISTEN_WAIT_MS	2000
#define BACKLOG		8

/* The path goes through /proc, which fits into the 107 characters of sun_path. */
static struct sockaddr_un address_of(int dir_fd)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};

	(void)snprintf(a.sun_path, sizeof(a.sun_path), "/proc/self/fd/%d/" SOCKET_FILE,
		       dir_fd);
	return a;
}

int kft_control_listen(int dir_fd)
{
	const struct sockaddr_un a = address_of(dir_fd);
	_cleanup_close_ int fd = socket(AF_UNIX,
					SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	/* Removes the socket of a killed process. */
	(void)unlinkat(dir_fd, SOCKET_FILE, 0);
	if (bind(fd, (const void *)&a, sizeof(a)) < 0 || listen(fd, BACKLOG) < 0)
		return -errno;
	return TAKE_FD(fd);
}

/* Returns the events of poll(). A closed peer sets POLLHUP, even if a message is pending. */
static int wait_readable(int fd, int timeout_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, timeout_ms) > 0 ? p.revents : 0;
}

void kft_control_serve(int listen_fd,
		       int (*step)(void *arg, enum kft_control request,
				   struct kft_err *e),
		       void *arg)
{
	int client;

	while ((client = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		_cleanup_close_ int fd = client;
		struct kft_err answer = {};
		uint8_t request;

		/* A client that gave up does not expect its request to be carried out. */
		if (wait_readable(fd, REQUEST_WAIT_MS) != POLLIN ||
		    recv(fd, &request, sizeof(request), MSG_DONTWAIT) != sizeof(request))
			continue;
		answer.code = step(arg, request, &answer);
		(void)!send(fd, &answer, sizeof(answer), MSG_DONTWAIT | MSG_NOSIGNAL);
	}
}

/* Retries, because a session makes its directory shortly before it listens. */
static int connect_to(int fd, const struct sockaddr_un *a)
{
	const struct timespec step = {.tv_nsec = 10000000};
	int r = -1;

	for (int i = 0; i < LISTEN_WAIT_MS / 10; i++) {
		r = connect(fd, (const void *)a, sizeof(*a));
		if (r == 0 || (errno != ENOENT && errno != ECONNREFUSED))
			break;
		(void)nanosleep(&step, NULL);
	}
	return r;
}

int kft_control_ask(int dir_fd, enum kft_control request, struct kft_err *e)
{
	const struct sockaddr_un a = address_of(dir_fd);
	_cleanup_close_ int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct kft_err answer;
	uint8_t byte = request;

	if (fd < 0)
		return kft_err_sys(e, -errno, "cannot make a socket");
	if (connect_to(fd, &a) < 0)
		return -ENOENT;
	if (send(fd, &byte, sizeof(byte), MSG_NOSIGNAL) < 0 ||
	    !(wait_readable(fd, ANSWER_WAIT_MS) & POLLIN) ||
	    recv(fd, &answer, sizeof(answer), MSG_DONTWAIT) != sizeof(answer))
		return kft_err_set(e, -ETIMEDOUT,
				   "the process that records does not answer");
	if (answer.code < 0 && e)
		*e = answer;
	return KFT_MIN(answer.code, 0);
}

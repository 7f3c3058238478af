// SPDX-License-Identifier: LGPL-2.1-or-later
/* Listens for the removal of kernel modules. */
#include "capture/module_events.h"

#include <errno.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

#include "base/io.h"
#include "decode/kallsyms.h"
#include "decode/module_symbols.h"

/* lib/kobject_uevent.c: the group that the kernel itself sends to. */
#define KERNEL_GROUP	  1
#define MESSAGE_MAX_BYTES 8192
#define NAME_MAX_BYTES	  64
/* Limit for one look: a device can announce changes without end. */
#define MESSAGES_MAX 65536

void kft_module_events_parse(const char *message, size_t len, struct kft_strbuf *removed)
{
	static const char start[] = "remove@/module/";
	const size_t start_len = sizeof(start) - 1;

	if (len <= start_len || memcmp(message, start, start_len) != 0)
		return;
	const char *name = message + start_len;
	size_t name_len = strnlen(name, len - start_len);

	if (!name_len || name_len > NAME_MAX_BYTES)
		return;
	for (size_t i = 0; i < name_len; i++)
		if (name[i] <= ' ' || name[i] > '~' || name[i] == '/' || name[i] == '[' ||
		    name[i] == ']')
			return;
	kft_strbuf_add(removed, name, name_len);
	kft_strbuf_addc(removed, '\n');
}

static int listen_to_kernel(void)
{
	const struct sockaddr_nl group = {.nl_family = AF_NETLINK,
					  .nl_groups = KERNEL_GROUP};
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (const struct sockaddr *)&group, sizeof(group)) < 0)
		kft_closep(&fd);
	return fd < 0 ? -1 : fd;
}

/*
 * Other programs can send messages to the socket, but only the kernel has port 0. ENOBUFS: the socket
 * was full and the kernel dropped messages; the earlier ones can still be read.
 */
static void read_removed(int fd, struct kft_strbuf *removed)
{
	char message[MESSAGE_MAX_BYTES];

	for (size_t i = 0; i < MESSAGES_MAX; i++) {
		struct sockaddr_nl from = {};
		socklen_t from_len = sizeof(from);
		ssize_t n = recvfrom(fd, message, sizeof(message), MSG_DONTWAIT,
				     (struct sockaddr *)&from, &from_len);

		if (n < 0 && errno == ENOBUFS)
			kft_strbuf_adds(removed, KFT_MODULES_DROPPED "\n");
		else if (n <= 0 && (n == 0 || errno != EINTR))
			return;
		else if (n > 0 && from.nl_pid == 0)
			kft_module_events_parse(message, (size_t)n, removed);
	}
}

void kft_module_events_look(struct kft_module_events *m, const struct kft_strbuf *now)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf removed = {};

	if (!HAVE_SESSION_NAMES)
		return;
	if (!m->has_begun) {
		m->fd = listen_to_kernel();
		m->has_begun = true;
	}
	if (m->fd >= 0)
		read_removed(m->fd, &removed);
	kft_modules_unseen(&removed, &m->listed, now, &m->unseen);
	kft_strbuf_clear(&m->listed);
	kft_strbuf_add(&m->listed, now->buf, now->len);
}

void kft_module_events_end(struct kft_module_events *m)
{
	if (m->has_begun)
		kft_closep(&m->fd);
	kft_strbuf_finish(&m->listed);
	kft_strbuf_finish(&m->unseen);
}

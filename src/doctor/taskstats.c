// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tries delay accounting over netlink. */
#include "doctor/mechanisms.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/taskstats.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/cursor.h"

/* A generic netlink request with one attribute. */
struct request {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	struct nlattr attr;
	char value[GENL_NAMSIZ];
};

#define REPLY_MAX 4096

/* Sends a message and receives the reply; returns its length or -errno. */
static ssize_t transact(int fd, struct request *req, void *reply)
{
	if (send(fd, req, req->nl.nlmsg_len, 0) < 0)
		return -errno;
	ssize_t len = recv(fd, reply, REPLY_MAX, 0);

	return len < 0 ? -errno : len;
}

/*
 * Opens the attributes of a reply of the wanted type; -errno for an error message or a
 * truncated one. The kernel's reply is checked like any other input.
 */
static int open_reply(const void *reply, size_t len, struct kft_cursor *ret)
{
	struct kft_cursor c = kft_cursor_init(reply, len, false);
	uint32_t nl_len;
	uint16_t type;
	uint32_t error;

	if (!kft_cursor_u32(&c, &nl_len) || nl_len > len || !kft_cursor_u16(&c, &type) ||
	    !kft_cursor_skip(&c, sizeof(struct nlmsghdr) - 6))
		return -EPROTO;
	if (type == NLMSG_ERROR)
		return kft_cursor_u32(&c, &error) ? (int)error : -EPROTO;
	if (!kft_cursor_skip(&c, sizeof(struct genlmsghdr)))
		return -EPROTO;
	*ret = c;
	return 0;
}

/* The id that the kernel gave to the taskstats family; or -errno. */
static int find_family(int fd)
{
	struct request req = {
		.nl = {.nlmsg_type = GENL_ID_CTRL, .nlmsg_flags = NLM_F_REQUEST},
		.genl = {.cmd = CTRL_CMD_GETFAMILY, .version = 1},
		.attr = {.nla_type = CTRL_ATTR_FAMILY_NAME,
			 .nla_len = NLA_HDRLEN + sizeof(TASKSTATS_GENL_NAME)},
		.value = TASKSTATS_GENL_NAME,
	};
	uint8_t reply[REPLY_MAX];
	struct kft_cursor c;
	uint16_t len;
	uint16_t type;
	uint16_t id;

	req.nl.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN) + NLMSG_ALIGN(req.attr.nla_len);
	ssize_t n = transact(fd, &req, reply);

	if (n < 0)
		return n;
	int r = open_reply(reply, n, &c);

	if (r < 0)
		return r;
	while (kft_cursor_u16(&c, &len) && kft_cursor_u16(&c, &type)) {
		if (type == CTRL_ATTR_FAMILY_ID)
			return kft_cursor_u16(&c, &id) ? id : -EPROTO;
		if (len < NLA_HDRLEN || !kft_cursor_skip(&c, NLA_ALIGN(len) - NLA_HDRLEN))
			break;
	}
	return -EPROTO;
}

/* Requests the statistics of this process. */
static int get_own(int fd, uint16_t family)
{
	uint32_t pid = getpid();
	struct request req = {
		.nl = {.nlmsg_type = family, .nlmsg_flags = NLM_F_REQUEST},
		.genl = {.cmd = TASKSTATS_CMD_GET, .version = 1},
		.attr = {.nla_type = TASKSTATS_CMD_ATTR_PID,
			 .nla_len = NLA_HDRLEN + sizeof(pid)},
	};
	uint8_t reply[REPLY_MAX];
	struct kft_cursor c;

	memcpy(req.value, &pid, sizeof(pid));
	req.nl.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN) + NLMSG_ALIGN(req.attr.nla_len);
	ssize_t n = transact(fd, &req, reply);

	return n < 0 ? n : open_reply(reply, n, &c);
}

void kft_doctor_taskstats(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	static const char file[] = "proc/sys/kernel/task_delayacct";
	struct timeval timeout = {.tv_sec = 1};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf now = {};
	_cleanup_close_ int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
					NETLINK_GENERIC);

	if (fd < 0) {
		kft_doctor_refused(env, res, -errno, "cannot open a netlink socket");
		return;
	}
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	int r = find_family(fd);

	if (r >= 0)
		r = get_own(fd, r);
	if (r < 0) {
		kft_doctor_refused(env, res, r, "taskstats");
		return;
	}
	r = kft_control_file_read(env->root_fd, file, &now);
	if (r < 0)
		kft_doctor_limited(res, KFT_DOCTOR_ABSENT,
				   "without delays: cannot read '/%s': %s", file,
				   strerror(-r));
	else if (!strcmp(now.buf, "0"))
		kft_doctor_limited(res, KFT_DOCTOR_SWITCHED_OFF,
				   "without delays: kernel.task_delayacct is 0");
	else
		kft_doctor_yes(res, "with delays");
}

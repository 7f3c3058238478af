// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes sockets, events of descriptors and vectors of buffers. */
#include "strace/forms.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "model/syscall.h"
#include "strace/members.h"

/* Control data that is read of one message. */
#define CONTROL_MAX 4096

static void add_unix(const struct kft_strace_text *t, const char *data, size_t len)
{
	size_t at = offsetof(struct sockaddr_un, sun_path);
	size_t max = KFT_MIN(len - at, sizeof(((struct sockaddr_un *)0)->sun_path));

	kft_strbuf_adds(t->sb, ", sun_path=");
	/* An abstract name begins with NUL and ends with the address. */
	if (max && !data[at]) {
		kft_strbuf_addc(t->sb, '@');
		kft_strace_quoted(t, data + at + 1, max - 1, false, t->style->hex);
		return;
	}
	kft_strace_quoted(t, data + at, strnlen(data + at, max), false, t->style->hex);
}

/* An index of a network interface; a number when it has no name. */
static void add_interface(const struct kft_strace_text *t, uint32_t index)
{
	char name[IF_NAMESIZE];

	if (if_indextoname(index, name))
		kft_strbuf_addf(t->sb, "if_nametoindex(\"%s\")", name);
	else
		kft_strbuf_addu(t->sb, index, 1);
}

static void add_inet6(const struct kft_strace_text *t, const struct sockaddr_in6 *a,
		      size_t len)
{
	char text[INET6_ADDRSTRLEN] = "";

	(void)inet_ntop(AF_INET6, &a->sin6_addr, text, sizeof(text));
	kft_strbuf_addf(t->sb,
			", sin6_port=htons(%u), sin6_flowinfo=htonl(%u), "
			"inet_pton(AF_INET6, \"%s\", &sin6_addr)",
			ntohs(a->sin6_port), ntohl(a->sin6_flowinfo), text);
	if (len < sizeof(*a))
		return;
	bool is_link = IN6_IS_ADDR_LINKLOCAL(&a->sin6_addr) ||
		       IN6_IS_ADDR_MC_LINKLOCAL(&a->sin6_addr);

	kft_strbuf_adds(t->sb, ", sin6_scope_id=");
	if (is_link)
		add_interface(t, a->sin6_scope_id);
	else
		kft_strbuf_addu(t->sb, a->sin6_scope_id, 1);
}

static void add_sockaddr_data(const struct kft_strace_text *t, const char *data,
			      size_t len)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_nl nl;
		char bytes[sizeof(struct sockaddr_storage)];
	} a = {};
	char text[INET_ADDRSTRLEN] = "";

	memcpy(&a, data, KFT_MIN(len, sizeof(a)));
	kft_strbuf_adds(t->sb, "{sa_family=");
	kft_strace_set(t, &kft_arg_family, a.any.sa_family);
	if (a.any.sa_family == AF_UNIX && len > sizeof(sa_family_t)) {
		add_unix(t, data, len);
	} else if (a.any.sa_family == AF_INET && len >= sizeof(a.in)) {
		(void)inet_ntop(AF_INET, &a.in.sin_addr, text, sizeof(text));
		kft_strbuf_addf(t->sb, ", sin_port=htons(%u), sin_addr=inet_addr(\"%s\")",
				ntohs(a.in.sin_port), text);
	} else if (a.any.sa_family == AF_INET6 &&
		   len >= offsetof(struct sockaddr_in6, sin6_scope_id)) {
		add_inet6(t, &a.in6, len);
	} else if (a.any.sa_family == AF_NETLINK && len >= sizeof(a.nl)) {
		kft_strbuf_addf(t->sb, ", nl_pid=%d, nl_groups=%#08x", a.nl.nl_pid,
				a.nl.nl_groups);
	} else if (len > sizeof(sa_family_t)) {
		kft_strbuf_adds(t->sb, ", sa_data=");
		kft_strace_quoted(t, data + sizeof(sa_family_t),
				  len - sizeof(sa_family_t), false, t->style->hex);
	}
	kft_strbuf_addc(t->sb, '}');
}

static void add_sockaddr(const struct kft_strace_text *t, uint64_t address, uint64_t len)
{
	char data[sizeof(struct sockaddr_storage) + 1] = "";

	len = KFT_MIN(len, (uint64_t)sizeof(struct sockaddr_storage));
	if (len < sizeof(sa_family_t) || !kft_strace_read(t, address, data, (size_t)len))
		kft_strace_address(t, address);
	else
		add_sockaddr_data(t, data, (size_t)len);
}

void kft_form_sockaddr_in(struct kft_strace_text *t, uint64_t v)
{
	int32_t len = (int32_t)kft_strace_arg(t, t->at + 1);

	add_sockaddr(t, v, len < 0 ? 0 : (uint64_t)len);
}

/* The length at the entry is the size of the buffer. */
void kft_form_sockaddr_out(struct kft_strace_text *t, uint64_t v)
{
	uint64_t at = kft_strace_arg(t, t->at + 1);
	uint32_t room;
	uint32_t len;

	if (t->call->is_error || !v ||
	    kft_traced_read_entry(t->call, at, &room, sizeof(room)) != sizeof(room) ||
	    !kft_strace_read(t, at, &len, sizeof(len)))
		kft_strace_address(t, v);
	else
		add_sockaddr(t, v, KFT_MIN(len, room));
}

void kft_form_socklen(struct kft_strace_text *t, uint64_t v)
{
	int32_t before;
	int32_t after;

	bool has_buffer = kft_strace_arg(t, t->at - 1) ||
			  t->signature->args[t->at - 1] != &kft_arg_sockaddr_out;

	/* Without room for an address its length means nothing. */
	if (!has_buffer || kft_traced_read_entry(t->call, v, &before, sizeof(before)) !=
				   sizeof(before)) {
		kft_strace_address(t, v);
		return;
	}
	if (t->call->is_error || !kft_strace_read(t, v, &after, sizeof(after)))
		after = before;
	kft_strbuf_addf(t->sb, before == after ? "[%d]" : "[%d => %d]", before, after);
}

/* The protocol's names depend on the family and the type. */
void kft_form_protocol(struct kft_strace_text *t, uint64_t v)
{
	switch ((int32_t)kft_strace_arg(t, 0)) {
	case AF_INET:
	case AF_INET6:
		kft_strace_set(t, &kft_arg_ip_protocol, v);
		break;
	case AF_NETLINK:
		kft_strace_set(t, &kft_arg_netlink_protocol, v);
		break;
	case AF_AX25:
		kft_strace_hex(t, v);
		break;
	default:
		kft_form_size(t, v);
	}
}

/* Names of options that depend on the direction. */
static const struct kft_arg_type *directed_options_of(const struct kft_strace_text *t)
{
	bool is_set = t->signature->args[3] == &kft_arg_sockopt_in;

	switch ((int32_t)kft_strace_arg(t, 1)) {
	case SOL_SOCKET:
		return is_set ? NULL : &kft_arg_so_option_get;
	case IPPROTO_IP:
		return is_set ? &kft_arg_ip_option_set : &kft_arg_ip_option_get;
	case IPPROTO_IPV6:
		return is_set ? &kft_arg_ipv6_option_set : &kft_arg_ipv6_option_get;
	}
	return NULL;
}

static const struct kft_arg_type *options_of(const struct kft_strace_text *t)
{
	switch ((int32_t)kft_strace_arg(t, 1)) {
	case SOL_SOCKET:
		return &kft_arg_so_option;
	case IPPROTO_TCP:
		return &kft_arg_tcp_option;
	case IPPROTO_IP:
		return &kft_arg_ip_option;
	case IPPROTO_IPV6:
		return &kft_arg_ipv6_option;
	case SOL_NETLINK:
		return &kft_arg_netlink_option;
	}
	return NULL;
}

void kft_form_sockopt_name(struct kft_strace_text *t, uint64_t v)
{
	const struct kft_arg_type *directed = directed_options_of(t);
	const struct kft_arg_type *options = options_of(t);

	if (directed && kft_strace_name(directed, (uint32_t)v))
		kft_strace_set(t, directed, v);
	else if (options)
		kft_strace_set(t, options, v);
	else
		kft_strbuf_addu(t->sb, (uint32_t)v, 1);
}

/*
 * Named options of SOL_SOCKET have an int as value, but for these: linger, types, errors, addresses,
 * times, filters, cookies (include/uapi/asm-generic/socket.h).
 */
static bool is_int_option(int32_t name)
{
	static const uint8_t others[] = {3,  4,	 13, 17, 20, 21, 22, 23, 24, 25,
					 26, 28, 31, 38, 39, 47, 48, 50, 51, 52,
					 55, 57, 59, 61, 62, 66, 67, 71, 72, 77};

	return kft_strace_name(&kft_arg_so_option, (uint32_t)name) &&
	       !memchr(others, name, sizeof(others));
}

static const struct kft_member linger[] = {
	{"l_onoff", KFT_MEMBER_INT}, {"l_linger", KFT_MEMBER_INT}, {}};
static const struct kft_member ucred[] = {
	{"pid", KFT_MEMBER_INT}, {"uid", KFT_MEMBER_ID}, {"gid", KFT_MEMBER_ID}, {}};
static const struct kft_member sock_fprog[] = {
	{"len", KFT_MEMBER_SHORT}, {"filter", KFT_MEMBER_POINTER}, {}};

/* Members of the option's value; NULL: it is no structure. */
static const struct kft_member *option_members(int32_t level, int32_t name, bool is_set)
{
	if (level != SOL_SOCKET)
		return NULL;
	switch (name) {
	case SO_LINGER:
		return linger;
	case SO_PEERCRED:
		return is_set ? NULL : ucred;
	case SO_ATTACH_FILTER:
	case SO_ATTACH_REUSEPORT_CBPF:
		return is_set ? sock_fprog : NULL;
	}
	return NULL;
}

static void add_inet(struct kft_strace_text *t, const char *name, const void *address)
{
	char text[INET_ADDRSTRLEN] = "";

	(void)inet_ntop(AF_INET, address, text, sizeof(text));
	kft_strbuf_addf(t->sb, "%s=inet_addr(\"%s\")", name, text);
}

/* A group and the interface that joins it; false: the option has another value. */
static bool add_membership(struct kft_strace_text *t, uint64_t address, int32_t len)
{
	int32_t level = (int32_t)kft_strace_arg(t, 1);
	int32_t name = (int32_t)kft_strace_arg(t, 2);
	char text[INET6_ADDRSTRLEN] = "";
	struct ip_mreq in;
	struct ipv6_mreq in6;

	if (level == IPPROTO_IP &&
	    (name == IP_ADD_MEMBERSHIP || name == IP_DROP_MEMBERSHIP)) {
		if (len < (int)sizeof(in) ||
		    !kft_strace_read(t, address, &in, sizeof(in))) {
			kft_strace_address(t, address);
			return true;
		}
		add_inet(t, "{imr_multiaddr", &in.imr_multiaddr);
		add_inet(t, ", imr_interface", &in.imr_interface);
		kft_strbuf_addc(t->sb, '}');
		return true;
	}
	if (level != IPPROTO_IPV6 ||
	    (name != IPV6_ADD_MEMBERSHIP && name != IPV6_DROP_MEMBERSHIP &&
	     name != IPV6_JOIN_ANYCAST && name != IPV6_LEAVE_ANYCAST))
		return false;
	if (len < (int)sizeof(in6) || !kft_strace_read(t, address, &in6, sizeof(in6))) {
		kft_strace_address(t, address);
		return true;
	}
	(void)inet_ntop(AF_INET6, &in6.ipv6mr_multiaddr, text, sizeof(text));
	kft_strbuf_addf(t->sb, "{inet_pton(AF_INET6, \"%s\", &ipv6mr_multiaddr)", text);
	kft_strbuf_adds(t->sb, ", ipv6mr_interface=");
	add_interface(t, in6.ipv6mr_interface);
	kft_strbuf_addc(t->sb, '}');
	return true;
}

/* The value of an option that has no form of its own. */
static void add_option_bytes(struct kft_strace_text *t, uint64_t address, int32_t len)
{
	if (len == sizeof(int32_t))
		kft_form_int_out(t, address);
	else
		kft_strace_bytes(t, address, (uint64_t)(int64_t)len);
}

void kft_form_sockopt_in(struct kft_strace_text *t, uint64_t v)
{
	int32_t level = (int32_t)kft_strace_arg(t, 1);
	int32_t name = (int32_t)kft_strace_arg(t, 2);
	int32_t len = (int32_t)kft_strace_arg(t, 4);
	const struct kft_member *members = option_members(level, name, true);
	bool is_int = level == SOL_NETLINK ||
		      (level == SOL_SOCKET && is_int_option(name));

	if (members && len >= (int32_t)kft_members_size(t, members))
		kft_members_at(t, members, v);
	else if (members || (is_int && len < (int32_t)sizeof(int32_t)))
		kft_strace_address(t, v);
	else if (is_int)
		kft_form_int_out(t, v);
	else if (!add_membership(t, v, len))
		add_option_bytes(t, v, len);
}

static void add_error_option(struct kft_strace_text *t, uint64_t v)
{
	int32_t number;
	const char *name;

	if (!kft_strace_read(t, v, &number, sizeof(number))) {
		kft_strace_address(t, v);
		return;
	}
	name = kft_errno_name(number);
	if (name)
		kft_strbuf_addf(t->sb, "[%s]", name);
	else
		kft_strbuf_addf(t->sb, "[%d]", number);
}

/* A value that is shorter than its type. */
static void add_short_option(struct kft_strace_text *t, uint64_t v, size_t len)
{
	char data[sizeof(struct ucred)];

	if (kft_strace_read(t, v, data, len))
		kft_strace_quoted(t, data, len, false, KFT_STRACE_HEX_ALL);
	else
		kft_strace_address(t, v);
}

void kft_form_sockopt_out(struct kft_strace_text *t, uint64_t v)
{
	int32_t level = (int32_t)kft_strace_arg(t, 1);
	int32_t name = (int32_t)kft_strace_arg(t, 2);
	const struct kft_member *members = option_members(level, name, false);
	bool is_error = level == SOL_SOCKET && name == SO_ERROR;
	bool is_int = is_error || level == SOL_NETLINK ||
		      (level == SOL_SOCKET && is_int_option(name));
	size_t least = members	? kft_members_size(t, members)
		       : is_int ? sizeof(int32_t)
				: 0;
	int32_t room = 0;
	int32_t len = 0;

	(void)kft_traced_read_entry(t->call, kft_strace_arg(t, 4), &room, sizeof(room));
	(void)kft_strace_read(t, kft_strace_arg(t, 4), &len, sizeof(len));
	if (room <= 0 || len <= 0)
		kft_strace_address(t, v);
	else if ((size_t)len < least)
		add_short_option(t, v, (size_t)len);
	else if (members)
		kft_members_at(t, members, v);
	else if (is_error)
		add_error_option(t, v);
	else if (is_int)
		kft_form_int_out(t, v);
	else
		add_option_bytes(t, v, len);
}

/* An element of a vector; up to t->left bytes of the buffers have contents. */
static void add_iovec_element(struct kft_strace_text *t, const void *element)
{
	uint64_t base = kft_strace_word(t, element);
	uint64_t len = kft_strace_word(t, (const char *)element + t->word);
	uint64_t filled = KFT_MIN(len, t->left);

	kft_strbuf_adds(t->sb, "{iov_base=");
	/* The buffers of a failed call have no contents. */
	if (t->call->at_exit && t->call->is_error)
		kft_strace_address(t, base);
	else
		kft_strace_bytes(t, base, filled);
	kft_strbuf_addf(t->sb, ", iov_len=%llu}", (unsigned long long)len);
	/* Without a limit, lengths that no memory has leave it so. */
	t->left -= t->left == UINT64_MAX ? 0 : filled;
}

static void add_iovec(struct kft_strace_text *t, uint64_t address, uint64_t n,
		      uint64_t left)
{
	t->left = left;
	kft_strace_array(t, address, n, 2 * (size_t)t->word, add_iovec_element);
}

static void add_iovec_address(struct kft_strace_text *t, const void *element)
{
	kft_strbuf_adds(t->sb, "{iov_base=");
	kft_strace_address(t, kft_strace_word(t, element));
	kft_strbuf_addf(
		t->sb, ", iov_len=%llu}",
		(unsigned long long)kft_strace_word(t, (const char *)element + t->word));
}

/* The buffers are in the memory of another process. */
void kft_form_iovec_addresses(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_array(t, v, kft_strace_arg(t, t->at + 1), 2 * (size_t)t->word,
			 add_iovec_address);
}

void kft_form_iovec_in(struct kft_strace_text *t, uint64_t v)
{
	add_iovec(t, v, kft_strace_arg(t, t->at + 1), UINT64_MAX);
}

void kft_form_iovec_out(struct kft_strace_text *t, uint64_t v)
{
	add_iovec(t, v, kft_strace_arg(t, t->at + 1), (uint64_t)t->call->result);
}

static void add_fd_list(struct kft_strace_text *t, const char *data, size_t len)
{
	kft_strbuf_addc(t->sb, '[');
	for (size_t i = 0; i + 4 <= len; i += 4) {
		int32_t fd;

		memcpy(&fd, data + i, sizeof(fd));
		if (i)
			kft_strbuf_adds(t->sb, ", ");
		kft_strace_fd(t, fd);
	}
	kft_strbuf_addc(t->sb, ']');
}

/* One header of control data and its contents. */
static void add_cmsg(struct kft_strace_text *t, const char *data, size_t len)
{
	int32_t level;
	int32_t type;
	int32_t cred[3];
	size_t head = t->word + 8;

	memcpy(&level, data + t->word, 4);
	memcpy(&type, data + t->word + 4, 4);
	kft_strbuf_addf(t->sb, "{cmsg_len=%zu, cmsg_level=", len);
	kft_strace_set(t, &kft_arg_sock_level, (uint32_t)level);
	kft_strbuf_adds(t->sb, ", cmsg_type=");
	if (level == SOL_SOCKET && type == SCM_RIGHTS) {
		kft_strbuf_adds(t->sb, "SCM_RIGHTS, cmsg_data=");
		add_fd_list(t, data + head, len - head);
	} else if (level == SOL_SOCKET && type == SCM_CREDENTIALS &&
		   len - head >= sizeof(cred)) {
		memcpy(cred, data + head, sizeof(cred));
		kft_strbuf_addf(t->sb,
				"SCM_CREDENTIALS, cmsg_data={pid=%d, uid=%u, gid=%u}",
				cred[0], (uint32_t)cred[1], (uint32_t)cred[2]);
	} else {
		kft_strace_hex(t, (uint32_t)type);
		if (len > head) {
			kft_strbuf_adds(t->sb, ", cmsg_data=");
			kft_strace_quoted(
				t, data + head, KFT_MIN(len - head, t->style->string_max),
				len - head > t->style->string_max, t->style->hex);
		}
	}
	kft_strbuf_addc(t->sb, '}');
}

static void add_control(struct kft_strace_text *t, uint64_t address, uint64_t len)
{
	char data[CONTROL_MAX];
	size_t head = t->word + 8;

	if (len < head || len > sizeof(data) ||
	    !kft_strace_read(t, address, data, (size_t)len)) {
		kft_strace_address(t, address);
		return;
	}
	kft_strbuf_addc(t->sb, '[');
	for (size_t at = 0; at + head <= len;) {
		uint64_t own = kft_strace_word(t, data + at);

		if (own < head || own > len - at)
			break;
		if (at)
			kft_strbuf_adds(t->sb, ", ");
		add_cmsg(t, data + at, (size_t)own);
		at += (size_t)((own + t->word - 1) / t->word * t->word);
	}
	kft_strbuf_addc(t->sb, ']');
}

/* struct msghdr: name, its length, vector, its length, control, its length, flags. */
static void add_msghdr(struct kft_strace_text *t, const char *data, uint64_t filled,
		       const uint32_t *room)
{
	unsigned int w = t->word;
	uint32_t name_len;
	uint32_t flags;
	uint64_t control_len = kft_strace_word(t, data + 5 * w);

	memcpy(&name_len, data + w, sizeof(name_len));
	memcpy(&flags, data + 6 * w, sizeof(flags));
	uint32_t shown = room ? KFT_MIN(name_len, *room) : name_len;

	kft_strbuf_adds(t->sb, "{msg_name=");
	/* A negative length is none. */
	add_sockaddr(t, kft_strace_word(t, data), shown > INT32_MAX ? 0 : shown);
	if (room && *room != name_len)
		kft_strbuf_addf(t->sb, ", msg_namelen=%d => %d", (int)*room,
				(int)name_len);
	else
		kft_strbuf_addf(t->sb, ", msg_namelen=%d", (int)name_len);
	kft_strbuf_adds(t->sb, ", msg_iov=");
	add_iovec(t, kft_strace_word(t, data + 2 * w), kft_strace_word(t, data + 3 * w),
		  filled);
	kft_strbuf_addf(t->sb, ", msg_iovlen=%llu",
			(unsigned long long)kft_strace_word(t, data + 3 * w));
	if (control_len) {
		kft_strbuf_adds(t->sb, ", msg_control=");
		add_control(t, kft_strace_word(t, data + 4 * w), control_len);
	}
	kft_strbuf_addf(t->sb, ", msg_controllen=%llu, msg_flags=",
			(unsigned long long)control_len);
	kft_strace_set(t, &kft_arg_msg, flags);
	kft_strbuf_addc(t->sb, '}');
}

static void add_msghdr_at(struct kft_strace_text *t, uint64_t v, uint64_t filled,
			  bool is_out)
{
	char data[64];
	uint32_t room;

	if (!kft_strace_read(t, v, data, 7 * (size_t)t->word)) {
		kft_strace_address(t, v);
		return;
	}
	bool has_room = is_out && kft_traced_read_entry(t->call, v + t->word, &room,
							sizeof(room)) == sizeof(room);

	add_msghdr(t, data, filled, has_room ? &room : NULL);
}

void kft_form_msghdr_in(struct kft_strace_text *t, uint64_t v)
{
	add_msghdr_at(t, v, UINT64_MAX, false);
}

void kft_form_msghdr_out(struct kft_strace_text *t, uint64_t v)
{
	uint32_t room;

	if (!t->call->is_error) {
		add_msghdr_at(t, v, (uint64_t)t->call->result, true);
		return;
	}
	/* A failed call has written nothing, but the room for a name is known. */
	if (kft_traced_read_entry(t->call, v + t->word, &room, sizeof(room)) ==
	    sizeof(room))
		kft_strbuf_addf(t->sb, "{msg_namelen=%d}", (int)room);
	else
		kft_strace_address(t, v);
}

static void add_mmsghdr(struct kft_strace_text *t, const void *element)
{
	uint32_t len;

	memcpy(&len, (const char *)element + 7 * (size_t)t->word, sizeof(len));
	kft_strbuf_adds(t->sb, "{msg_hdr=");
	add_msghdr(t, element, t->call->at_exit ? len : UINT64_MAX, NULL);
	if (t->call->at_exit)
		kft_strbuf_addf(t->sb, ", msg_len=%u", len);
	kft_strbuf_addc(t->sb, '}');
}

static void add_messages(struct kft_strace_text *t, uint64_t v, uint64_t n)
{
	kft_strace_array(t, v, n, 8 * (size_t)t->word, add_mmsghdr);
}

void kft_form_mmsghdr_in(struct kft_strace_text *t, uint64_t v)
{
	add_messages(t, v, (uint32_t)kft_strace_arg(t, t->at + 1));
}

void kft_form_mmsghdr_out(struct kft_strace_text *t, uint64_t v)
{
	add_messages(t, v, (uint64_t)t->call->result);
}

static void add_epoll_event(struct kft_strace_text *t, const void *element)
{
	struct epoll_event event;

	memcpy(&event, element, sizeof(event));
	kft_strbuf_adds(t->sb, "{events=");
	kft_strace_set(t, &kft_arg_epoll_events, event.events);
	kft_strbuf_addf(t->sb, ", data={u32=%u, u64=%llu}}", event.data.u32,
			(unsigned long long)event.data.u64);
}

void kft_form_epoll_event_in(struct kft_strace_text *t, uint64_t v)
{
	struct epoll_event event;

	bool is_removed = kft_strace_arg(t, 1) == EPOLL_CTL_DEL;

	if (is_removed || !kft_strace_read(t, v, &event, sizeof(event)))
		kft_strace_address(t, v);
	else
		add_epoll_event(t, &event);
}

void kft_form_epoll_events_out(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_array(t, v, (uint64_t)t->call->result, sizeof(struct epoll_event),
			 add_epoll_event);
}

static void add_pollfd(struct kft_strace_text *t, const void *element)
{
	struct {
		int32_t fd;
		uint16_t events;
		uint16_t revents;
	} p;

	memcpy(&p, element, sizeof(p));
	kft_strbuf_adds(t->sb, "{fd=");
	kft_strace_fd(t, p.fd);
	if (p.fd >= 0) {
		kft_strbuf_adds(t->sb, ", events=");
		kft_strace_set(t, &kft_arg_poll_events, p.events);
	}
	kft_strbuf_addc(t->sb, '}');
}

void kft_form_pollfds(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_array(t, v, (uint32_t)kft_strace_arg(t, t->at + 1), 8, add_pollfd);
}

void kft_form_fds(const struct kft_strace_text *t, const unsigned char *set,
		  unsigned int n)
{
	const char *gap = "[";

	for (unsigned int fd = 0; fd < n; fd++)
		if (set[fd / 8] >> fd % 8 & 1) {
			kft_strbuf_adds(t->sb, gap);
			kft_strace_fd(t, (int)fd);
			gap = " ";
		}
	kft_strbuf_adds(t->sb, *gap == '[' ? "[]" : "]");
}

void kft_form_fdset(struct kft_strace_text *t, uint64_t v)
{
	unsigned char set[128];
	int32_t n = (int32_t)kft_strace_arg(t, 0);
	size_t bits = 8 * (size_t)t->word;

	n = n < 0 ? 0 : KFT_MIN(n, 1024);
	if (!kft_strace_read(t, v, set, ((size_t)n + bits - 1) / bits * t->word))
		kft_strace_address(t, v);
	else
		kft_form_fds(t, set, (unsigned int)n);
}

void kft_form_fds_out(struct kft_strace_text *t, uint64_t v)
{
	char data[8];

	if (!kft_strace_read(t, v, data, sizeof(data)))
		kft_strace_address(t, v);
	else
		add_fd_list(t, data, sizeof(data));
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Collects where and when a trace was recorded. */
#include "capture/origin.h"

#include <errno.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/utsname.h>

#include "base/io.h"
#include "base/now.h"

int kft_origin_add(struct kft_meta *m)
{
	struct utsname u;
	char text[sizeof(u)];
	static const char version[] = "kft " KFT_VERSION;

	if (getrandom(&m->trace_id, sizeof(m->trace_id), GRND_NONBLOCK) !=
	    sizeof(m->trace_id))
		m->trace_id = 0;
	int r = kft_meta_set_blob(m, &m->version, version, strlen(version));
	if (r < 0 || uname(&u) < 0)
		return r;
	int n = snprintf(text, sizeof(text), "%s %s %s %s %s", u.sysname, u.nodename,
			 u.release, u.version, u.machine);
	return kft_meta_set_blob(m, &m->uname, text, n);
}

/* The two clocks are read one after the other; the error is negligible. */
void kft_origin_add_wall(struct kft_meta *m)
{
	clockid_t id;

	m->wall.is_known = kft_clock_id(m->clock.name, &id);
	if (m->wall.is_known)
		m->wall.add = kft_clock_ns(CLOCK_REALTIME) - kft_clock_ns(id);
}

/* kernel.kptr_restrict hides addresses: then every line starts with zeros. */
static bool has_addresses(const struct kft_blob *kallsyms)
{
	const char *p = kallsyms->data;
	const char *end = p + kallsyms->len;

	while (p < end) {
		if (*p != '0')
			return true;
		const char *line_end = memchr(p, '\n', end - p);
		if (!line_end)
			break;
		p = line_end + 1;
	}
	return false;
}

int kft_origin_add_symbols(const struct kft_host *host, const struct kft_notify *notify,
			   struct kft_meta *m)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_blob blob = {};
	int r = kft_read_at(host->root_fd, "proc/kallsyms", KFT_KALLSYMS_MAX_BYTES, &sb);

	if (r == 0)
		r = kft_meta_set_blob(m, &blob, sb.buf, sb.len);
	if (r == -ENOMEM)
		return r;
	if (r == 0 && has_addresses(&blob))
		m->kallsyms = blob;
	else
		kft_notify(notify, "the kernel hides its symbols: addresses are recorded "
				   "without names");
	return 0;
}

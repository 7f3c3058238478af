// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opens the host that is traced, by its root directory. */
#include "capture/host.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "capture/caps.h"

#define LOCKDOWN_FILE	   "sys/kernel/security/lockdown"
#define LOCKDOWN_MAX_BYTES 256

static int make_instance(int dirfd, const char *name)
{
	return mkdirat(dirfd, name, 0700) < 0 ? -errno : 0;
}

static int remove_instance(int dirfd, const char *name)
{
	return unlinkat(dirfd, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

static const struct kft_host_ops kernel_ops = {
	.make_instance = make_instance,
	.remove_instance = remove_instance,
};

KFT_EXPORT int kft_host_open(const char *root, struct kft_host **ret, struct kft_err *e)
{
	const char *path = root ? root : "/";

	if (!ret)
		return kft_err_missing(e, "place for the host");
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return kft_err_sys(e, -errno, "cannot open '%s'", path);
	struct kft_host *host = malloc(sizeof(*host));
	if (!host) {
		(void)close(fd);
		return kft_err_sys(e, -ENOMEM, "cannot open '%s'", path);
	}
	*host = (struct kft_host){
		.root_fd = fd,
		.tracefs_fd = -1,
		.stand_in = root != NULL,
		.ops = &kernel_ops,
	};
	*ret = host;
	return 0;
}

KFT_EXPORT struct kft_host *kft_host_close(struct kft_host *host)
{
	if (!host)
		return NULL;
	if (host->functions)
		host->forget_functions(host);
	kft_closep(&host->tracefs_fd);
	kft_closep(&host->root_fd);
	free(host);
	return NULL;
}

enum kft_lockdown kft_host_lockdown(const struct kft_host *host)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (kft_read_at(host->root_fd, LOCKDOWN_FILE, LOCKDOWN_MAX_BYTES, &sb) < 0)
		return KFT_LOCKDOWN_UNKNOWN;
	const char *text = kft_strbuf_cstr(&sb);
	if (strstr(text, "[none]"))
		return KFT_LOCKDOWN_NONE;
	if (strstr(text, "[integrity]"))
		return KFT_LOCKDOWN_INTEGRITY;
	if (strstr(text, "[confidentiality]"))
		return KFT_LOCKDOWN_CONFIDENTIALITY;
	return KFT_LOCKDOWN_UNKNOWN;
}

void kft_host_hint(const struct kft_host *host, int code, struct kft_err *e)
{
	kft_host_hint_caps(host, code, "the capability CAP_DAC_OVERRIDE", e);
}

void kft_host_hint_caps(const struct kft_host *host, int code, const char *caps,
			struct kft_err *e)
{
	if (code != -EPERM && code != -EACCES)
		return;
	enum kft_lockdown lockdown = code == -EPERM ? kft_host_lockdown(host)
						    : KFT_LOCKDOWN_UNKNOWN;

	/* Confidentiality forbids all of tracefs; integrity only features that change code. */
	if (lockdown == KFT_LOCKDOWN_CONFIDENTIALITY)
		kft_err_hint(e, "kernel lockdown is on (confidentiality) and forbids "
				"tracing: boot without lockdown=confidentiality");
	else if (geteuid() != 0)
		kft_err_hint(e, "run kft as root, for example with sudo, or with %s",
			     caps);
	else if (lockdown == KFT_LOCKDOWN_INTEGRITY && kft_caps_have(CAP_SYS_ADMIN))
		kft_err_hint(e, "kernel lockdown is on (integrity) and may forbid this: "
				"'kft doctor' shows the features that work");
	else if (code == -EPERM && kft_caps_have(CAP_SYS_ADMIN))
		kft_err_hint(e, "kernel lockdown or a security module forbids it even to "
				"root: 'kft doctor' shows the features that work");
	else
		kft_err_hint(e, "this root lacks a capability or is in a container: run "
				"kft on the host, with CAP_SYS_ADMIN");
}

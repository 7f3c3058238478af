// SPDX-License-Identifier: LGPL-2.1-or-later
/* Checks privileges, lockdown, symbols and BTF. */
#include "doctor/mechanisms.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/io.h"
#include "capture/host.h"
#include "decode/types/btf.h"

#define KALLSYMS_MAX (256 << 20)
#define BTF_MAX	     (64 << 20)

void kft_doctor_privileges(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	static const struct {
		unsigned int cap;
		const char *name;
	} caps[] = {
		{CAP_SYS_ADMIN, "sys_admin"},
		{CAP_PERFMON, "perfmon"},
		{CAP_BPF, "bpf"},
		{CAP_SYSLOG, "syslog"},
		{CAP_SYS_MODULE, "sys_module"},
		{CAP_NET_ADMIN, "net_admin"},
	};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf lack = {};

	for (size_t i = 0; i < ARRAY_SIZE(caps); i++)
		if (!kft_doctor_has_cap(env, caps[i].cap))
			kft_strbuf_addf(&lack, "%s%s", lack.len ? ", " : "",
					caps[i].name);
	if (!lack.len)
		kft_doctor_yes(res, "root, with every capability that tracing asks for");
	else if (kft_doctor_has_cap(env, CAP_SYS_ADMIN))
		kft_doctor_limited(res, KFT_DOCTOR_PRIVILEGE, "missing: %s",
				   kft_strbuf_cstr(&lack));
	else
		kft_doctor_no(res, KFT_DOCTOR_PRIVILEGE, "missing: %s",
			      kft_strbuf_cstr(&lack));
}

void kft_doctor_lockdown(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	switch (kft_host_lockdown(env->host)) {
	case KFT_LOCKDOWN_NONE:
		kft_doctor_yes(res, "lockdown is off");
		return;
	case KFT_LOCKDOWN_INTEGRITY:
		kft_doctor_limited(res, KFT_DOCTOR_LOCKDOWN,
				   "lockdown is integrity: no hooks into kernel code");
		return;
	case KFT_LOCKDOWN_CONFIDENTIALITY:
		kft_doctor_no(res, KFT_DOCTOR_LOCKDOWN,
			      "lockdown is confidentiality: no tracing");
		return;
	case KFT_LOCKDOWN_UNKNOWN:
		break;
	}
	kft_doctor_unknown(res, KFT_DOCTOR_FINE,
			   "no lockdown in this kernel, or securityfs is not mounted");
}

/* Whether a line's address has a digit other than 0, so is not hidden. */
static bool shows_address(const char *line)
{
	size_t zeros = strspn(line, "0");

	return zeros < strcspn(line, " ");
}

void kft_doctor_kallsyms(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf restrict_now = {};
	size_t n = 0;
	size_t hidden = 0;
	int r = kft_read_at(env->root_fd, "proc/kallsyms", KALLSYMS_MAX, &text);

	if (r < 0) {
		kft_doctor_refused_file(env, res, r, "proc/kallsyms");
		return;
	}
	for (const char *p = kft_strbuf_cstr(&text); *p; n++) {
		hidden += !shows_address(p);
		p += strcspn(p, "\n");
		p += *p == '\n';
	}
	if (kft_control_file_read(env->root_fd, "proc/sys/kernel/kptr_restrict",
				  &restrict_now) < 0)
		kft_strbuf_adds(&restrict_now, "not readable");
	/* Some symbols are really at address 0 (per-CPU ones). */
	if (!n)
		kft_doctor_no(res, KFT_DOCTOR_ABSENT, "no symbols");
	else if (hidden == n)
		kft_doctor_no(
			res,
			kft_doctor_has_cap(env, CAP_SYSLOG) ? KFT_DOCTOR_SWITCHED_OFF
							    : KFT_DOCTOR_PRIVILEGE,
			"%zu symbols, addresses hidden (kernel.kptr_restrict is %s)", n,
			kft_strbuf_cstr(&restrict_now));
	else
		kft_doctor_yes(res, "%zu symbols", n);
}

void kft_doctor_btf(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	static const char file[] = "sys/kernel/btf/vmlinux";
	_cleanup_(kft_strbuf_finish) struct kft_strbuf btf = {};
	uint32_t n;
	int r = kft_read_at(env->root_fd, file, BTF_MAX, &btf);

	if (r < 0) {
		kft_doctor_refused_file(env, res, r, file);
		return;
	}
	r = kft_btf_count(btf.buf, btf.len, &n);
	if (r == -EOPNOTSUPP)
		kft_doctor_limited(res, KFT_DOCTOR_FAILED,
				   "has a kind of type that this kft does not know");
	else if (r < 0)
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "'/%s' is broken", file);
	else
		kft_doctor_yes(res, "%u types", n);
}

/*
 * Tries to load a module of one byte. A kernel that could load modules returns -ENOEXEC
 * before it examines the bytes, so that nothing is logged.
 */
void kft_doctor_modules(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf enforce = {};
	int r = syscall(SYS_init_module, "", 1UL, "") < 0 ? -errno : 0;

	if (r == -EPERM && kft_doctor_has_cap(env, CAP_SYS_MODULE)) {
		kft_doctor_no(res, KFT_DOCTOR_SWITCHED_OFF,
			      "kernel.modules_disabled is 1");
		return;
	}
	if (r != -ENOEXEC) {
		kft_doctor_refused(env, res, r, "init_module");
		return;
	}
	bool signed_only =
		!kft_control_file_read(env->root_fd,
				       "sys/module/module/parameters/sig_enforce",
				       &enforce) &&
		!strcmp(enforce.buf, "Y");

	if (env->locked_down || signed_only)
		kft_doctor_limited(res,
				   env->locked_down ? KFT_DOCTOR_LOCKDOWN
						    : KFT_DOCTOR_SWITCHED_OFF,
				   "only modules signed for this kernel");
	else
		kft_doctor_yes(res, "%s", "");
}

/* A setting of the kernel, which is 0 while the mechanism is switched off. */
void kft_doctor_setting(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	const char *name = env->mechanism->tries;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf now = {};
	char path[64];

	(void)snprintf(path, sizeof(path), "proc/sys/kernel/%s", name);
	int r = kft_control_file_read(env->root_fd, path, &now);

	if (r < 0)
		kft_doctor_refused_file(env, res, r, path);
	else if (strcmp(now.buf, "0"))
		kft_doctor_yes(res, "kernel.%s is %s", name, now.buf);
	else
		kft_doctor_limited(res, KFT_DOCTOR_SWITCHED_OFF, "kernel.%s is 0", name);
}

/* A file of tracefs, which has to be writable. */
void kft_doctor_file(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	const char *name = env->mechanism->tries;

	if (!kft_doctor_need_tracefs(env, res))
		return;
	_cleanup_close_ int fd = openat(env->tracefs_fd, name, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		kft_doctor_refused_file(env, res, -errno, name);
	else
		kft_doctor_yes(res, "%s", name);
}

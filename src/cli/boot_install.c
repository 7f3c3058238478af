// SPDX-License-Identifier: GPL-2.0-only
/* Installs kernel parameters for the next boot. */
#include "cli/boot_install.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"

/* The path of the program for the service. */
static int program(const struct cli_boot_where *w, char *ret, size_t size)
{
	if (w->root) { /* found by PATH: the path at that time may differ */
		(void)snprintf(ret, size, "kft");
		return 0;
	}
	ssize_t n = readlink("/proc/self/exe", ret, size - 1);
	if (n < 0 || n == (ssize_t)size - 1)
		return n < 0 ? -errno : -ENAMETOOLONG;
	ret[n] = '\0';
	return 0;
}

/*
 * Makes FILE of --parameters absolute. A relative path starts at --root, if given,
 * else at the current directory. Symbolic links are not followed later, so ".."
 * can be removed from the text.
 */
static int parameters_path(const struct cli_boot_where *w, char *ret, size_t size)
{
	size_t len = 0;

	if (!w->root && *w->parameters != '/') {
		if (!getcwd(ret, size))
			return -errno;
		len = strlen(ret);
	}
	for (const char *p = w->parameters; *p;) {
		size_t n = strcspn(p, "/");

		if (n == 2 && strncmp(p, "..", 2) == 0) {
			while (len && ret[--len] != '/')
				;
		} else if (n && !(n == 1 && *p == '.')) {
			if (n + 2 > size - len)
				return -ENAMETOOLONG;
			if (!len || ret[len - 1] != '/')
				ret[len++] = '/';
			memcpy(ret + len, p, n);
			len += n;
		}
		p += n;
		p += strspn(p, "/");
	}
	ret[len] = '\0';
	return len && ret[len - 1] != '/' ? 0 : -EISDIR;
}

void cli_boot_tell(bool quiet, const struct kft_strbuf *said)
{
	if (!quiet && kft_strbuf_ok(said))
		(void)!kft_write_all(STDERR_FILENO, said->buf, said->len);
}

int cli_boot_install(struct cli *c, const struct cli_boot_where *w, const char *params)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf said = {};
	char path[4096];
	char file[4096];
	struct kft_boot_install_opts o = {
		.files = w->files,
		.params = params,
		.file = w->parameters ? file : NULL,
		.kft = path,
	};
	int r = program(w, path, sizeof(path));

	if (r < 0)
		return kft_err_sys(&c->err, r, "cannot find out where kft is");
	r = w->parameters ? parameters_path(w, file, sizeof(file)) : 0;
	if (r < 0)
		return kft_err_sys(&c->err, r, "cannot write '%s'", w->parameters);
	r = kft_host_open(w->root, &host, &c->err);
	if (r == 0)
		r = kft_boot_install(host, &o, &said, &c->err);
	if (r < 0)
		return r;
	kft_strbuf_adds(&said, w->parameters ? "next: put the line of that file onto the "
					       "kernel's command line, and reboot\n"
					     : "next: run update-grub, and reboot\n");
	cli_boot_tell(w->quiet, &said);
	return 0;
}

int cli_boot_remove(struct cli *c, const struct cli_boot_where *w)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf said = {};
	int r = kft_host_open(w->root, &host, &c->err);

	if (r == 0)
		r = kft_boot_remove(host, w->files, &said, &c->err);
	if (r == 0 && strstr(kft_strbuf_cstr(&said), w->files->grub))
		kft_strbuf_adds(&said, "next: run update-grub\n");
	cli_boot_tell(w->quiet, &said);
	return r;
}

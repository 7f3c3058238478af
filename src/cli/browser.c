// SPDX-License-Identifier: GPL-2.0-only
/* Starts the user's browser. */
#include "cli/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "base/units.h"

/* Limit of the programs in $BROWSER, which are tried in order. */
#define BROWSERS_MAX 16

/* Finds the user that called sudo or pkexec. *ret is NULL if kft was started directly. */
static int find_user(const struct passwd **ret, struct kft_err *e)
{
	const char *text = getenv("SUDO_UID");
	uint64_t uid;

	*ret = NULL;
	if (!text)
		text = getenv("PKEXEC_UID");
	if (geteuid() != 0 || !text || strcmp(text, "0") == 0)
		return 0;
	if (kft_parse_u64(text, &uid) == 0 && uid < UINT32_MAX)
		*ret = getpwuid((uid_t)uid);
	return *ret ? 0 : kft_err_set(e, -ENOENT, "no such user: '%s'", text);
}

int cli_browser_give(int fd, struct kft_err *e)
{
	const struct passwd *user;
	int r = find_user(&user, e);

	if (r == 0 && user && fchown(fd, user->pw_uid, user->pw_gid) < 0)
		return kft_err_sys(e, -errno, "cannot give the page to '%s'",
				   user->pw_name);
	return r;
}

/*
 * Makes a URL, so that the browser does not take the path for an option or a web address.
 */
static int url_of(const char *path, struct kft_strbuf *ret)
{
	_cleanup_free_ char *whole = realpath(path, NULL);

	if (!whole)
		return -errno;
	kft_strbuf_adds(ret, "file://");
	for (const char *p = whole; *p; p++) {
		if (strchr("/-._~", *p) || (*p >= '0' && *p <= '9') ||
		    ((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z'))
			kft_strbuf_addc(ret, *p);
		else
			kft_strbuf_addf(ret, "%%%02X", (unsigned char)*p);
	}
	return kft_strbuf_ok(ret) ? 0 : -ENOMEM;
}

/* Restores variables that sudo removes from the session. */
static void set_environment(const struct passwd *user)
{
	char text[64];

	(void)setenv("HOME", user->pw_dir, true);
	(void)setenv("USER", user->pw_name, true);
	(void)setenv("LOGNAME", user->pw_name, true);
	(void)snprintf(text, sizeof(text), "/run/user/%u", user->pw_uid);
	(void)setenv("XDG_RUNTIME_DIR", text, true);
	(void)snprintf(text, sizeof(text), "unix:path=/run/user/%u/bus", user->pw_uid);
	(void)setenv("DBUS_SESSION_BUS_ADDRESS", text, true);
}

static bool become(const struct passwd *user)
{
	if (!user)
		return true;
	set_environment(user);
	return initgroups(user->pw_name, user->pw_gid) == 0 &&
	       setgid(user->pw_gid) == 0 && setuid(user->pw_uid) == 0;
}

/* Executes the first program that env(1) would find; returns when all are missing. */
static void try_all(const char *url)
{
	const char *wanted = getenv("BROWSER");
	char *list = strdup(wanted ? wanted : "");
	char *rest = list;
	char *name;

	for (int i = 0; i < BROWSERS_MAX && (name = strsep(&rest, ":")); i++)
		if (*name)
			(void)execlp(name, name, url, (char *)NULL);
	(void)execlp("xdg-open", "xdg-open", url, (char *)NULL);
}

/* Detaches from kft's terminal, signals and output. */
static void leave(void)
{
	sigset_t none;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGPIPE, SIG_DFL);
	(void)signal(SIGXFSZ, SIG_DFL);
	(void)setsid();
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		(void)dup2(null, fd);
}

/* The intermediate parent ends at once, so that the browser needs no wait(). */
static _Noreturn void child(const struct passwd *user, const char *url, int report)
{
	leave();
	pid_t pid = fork();

	if (pid == 0 && become(user))
		try_all(url);
	/* Reached by the parent, and by the browser's process if it failed. */
	if (pid <= 0) {
		int code = errno;

		(void)!kft_write_all(report, &code, sizeof(code));
	}
	_exit(0);
}

/* 0, or -errno of the last program tried. */
static int start(const struct passwd *user, const char *url)
{
	int fds[2];
	int code = 0;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	pid_t pid = fork();

	if (pid == 0)
		child(user, url, fds[1]);
	if (pid < 0)
		code = errno;
	(void)close(fds[1]);
	/* exec closes the other end of the pipe. */
	while (pid > 0 && read(fds[0], &code, sizeof(code)) < 0 && errno == EINTR)
		;
	(void)close(fds[0]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return -code;
}

int cli_browser_open(const char *path, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf url = {};
	const struct passwd *user;
	int r = find_user(&user, e);

	if (r < 0)
		return r;
	r = url_of(path, &url);
	if (r == 0)
		r = start(user, kft_strbuf_cstr(&url));
	if (r < 0) {
		(void)kft_err_sys(e, r, "cannot open '%s' in a browser", path);
		kft_err_hint(e, "BROWSER names one; else xdg-open (xdg-utils) finds it");
	}
	return r;
}

int cli_browser_open_secret(const char *url, char **ret, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const char *dir = getenv("TMPDIR");

	*ret = NULL;
	kft_strbuf_addf(&sb, "%s/kft-XXXXXX.html", dir && *dir ? dir : "/tmp");
	_cleanup_free_ char *path = kft_strbuf_detach(&sb);
	_cleanup_close_ int fd = path ? mkostemps(path, strlen(".html"), O_CLOEXEC) : -1;

	if (fd < 0)
		return kft_err_sys(e, path ? -errno : -ENOMEM,
				   "cannot make a file that leads to the page");
	*ret = TAKE(path);
	kft_strbuf_addf(&sb,
			"<!DOCTYPE html><meta http-equiv=\"refresh\" "
			"content=\"0; url=%s\">\n",
			url);
	int r = cli_browser_give(fd, e);

	if (r == 0 && kft_write_all(fd, sb.buf, sb.len) < 0)
		r = kft_err_sys(e, -EIO, "cannot write '%s'", *ret);
	return r == 0 ? cli_browser_open(*ret, e) : r;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes a descriptor that becomes readable at Ctrl-C and similar signals. */
#include "capture/interrupt.h"

#include <errno.h>
#include <sys/signalfd.h>

#include "base/err.h"
#include "base/io.h"

static bool is_ignored(int sig)
{
	struct sigaction old;

	return sigaction(sig, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) &&
	       old.sa_handler == SIG_IGN;
}

int kft_interrupt_open(struct kft_interrupt *ret, struct kft_err *e)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	sigset_t set;

	(void)sigemptyset(&set);
	/* A blocked signal is delivered to a signalfd even when it is ignored. */
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		if (!is_ignored(signals[i]))
			(void)sigaddset(&set, signals[i]);
	int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return kft_err_sys(e, -errno, "cannot wait for signals");
	int r = pthread_sigmask(SIG_BLOCK, &set, &ret->old);
	if (r) {
		(void)close(fd);
		return kft_err_sys(e, -r, "cannot block signals");
	}
	ret->fd = fd;
	return 0;
}

int kft_interrupt_take(const struct kft_interrupt *i)
{
	struct signalfd_siginfo info;

	return read(i->fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

void kft_interrupt_close(struct kft_interrupt *i)
{
	if (i->fd < 0)
		return;
	/* Drops signals that came during the end: unblocked, they would kill the program. */
	while (kft_interrupt_take(i))
		;
	(void)pthread_sigmask(SIG_SETMASK, &i->old, NULL);
	kft_closep(&i->fd);
	i->fd = -1;
}

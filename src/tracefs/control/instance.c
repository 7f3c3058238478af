// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes, adopts and removes tracefs instances. */
#include "tracefs/control/instance.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/random.h>
#include <time.h>

#include "base/err.h"
#include "base/io.h"
#include "tracefs/control/control_file.h"
#include "tracefs/control/persistent.h"
#include "tracefs/control/mount.h"
#include "tracefs/control/probe_group.h"

/*
 * The lock of instances/ is held for milliseconds, or for seconds on a busy machine with
 * slow tracing. A holder that was stopped (SIGSTOP) must not block other processes for
 * ever.
 */
#define LOCK_TRIES 6000
/* A program that only reads a file of the instance (cat, ls) closes it soon. */
#define REMOVE_TRIES   20
#define TRY_PERIOD_NS  10000000
#define UNIQUE_RETRIES 8

static void nap(void)
{
	struct timespec ts = {.tv_nsec = TRY_PERIOD_NS};

	(void)nanosleep(&ts, NULL);
}

static int lock_now(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : 0;
}

static int lock_soon(int fd)
{
	int r = lock_now(fd);

	for (int i = 0; (r == -EWOULDBLOCK || r == -EINTR) && i < LOCK_TRIES; i++) {
		nap();
		r = lock_now(fd);
	}
	return r;
}

static int open_dir(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int kft_instances_lock(struct kft_host *host, int *ret_fd, struct kft_err *e)
{
	int tracefs;
	int r = kft_tracefs_open(host, &tracefs, e);

	if (r < 0)
		return r;
	_cleanup_close_ int fd = open_dir(tracefs, "instances");
	if (fd < 0) {
		kft_err_sys(e, fd, "cannot open the instances of tracefs");
		kft_host_hint(host, fd, e);
		return fd;
	}
	r = lock_soon(fd);
	if (r == -EWOULDBLOCK)
		return kft_err_set(e, -EBUSY,
				   "another kft holds the lock of tracefs' "
				   "instances and does not let go");
	if (r < 0)
		return kft_err_sys(e, r, "cannot lock the instances of tracefs");
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int kft_instance_adopt(int instances_fd, const char *name, int *ret_fd)
{
	_cleanup_close_ int fd = open_dir(instances_fd, name);

	if (fd < 0)
		return fd;
	int r = lock_now(fd);
	if (r < 0)
		return r;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int kft_instance_discard(const struct kft_host *host, int instances_fd, int fd,
			 const char *name)
{
	/*
	 * Best effort, so that nothing is recorded meanwhile: the removal itself ends
	 * recording.
	 */
	(void)!kft_control_file_set(fd, "tracing_on", "0");
	/* Remove the probe events before the instance, because its name identifies them. */
	int r = kft_probe_group_remove(host, fd, name);
	if (r < 0)
		return r;
	if (kft_instance_is_kept(fd))
		return kft_instance_rest(fd);
	r = host->ops->remove_instance(instances_fd, name);
	for (int i = 0; r == -EBUSY && i < REMOVE_TRIES; i++) {
		nap();
		r = host->ops->remove_instance(instances_fd, name);
	}
	/* The instance stays: with its events disabled it costs no time any more. */
	if (r < 0 && r != -ENOENT)
		(void)!kft_write_at(fd, "events/enable", 0, "0", 1);
	return r;
}

static int remove_orphan(const struct kft_host *host, int instances_fd, const char *name,
			 struct kft_err *e)
{
	_cleanup_close_ int fd = -1;
	int r = kft_instance_adopt(instances_fd, name, &fd);

	if (r == -EWOULDBLOCK) {
		kft_err_set(e, -EBUSY, "session '%s' is already recording",
			    kft_instance_session(name));
		kft_err_hint(e, "give this one another name, or stop that one first");
		return -EBUSY;
	}
	if (r == 0)
		r = kft_instance_discard(host, instances_fd, fd, name);
	if (r < 0 && r != -ENOENT)
		return kft_err_sys(e, r,
				   "cannot remove the leftovers of the killed "
				   "session '%s'",
				   kft_instance_session(name));
	return 0;
}

static int make(const struct kft_host *host, int instances_fd, const char *name,
		struct kft_err *e)
{
	int r = host->ops->make_instance(instances_fd, name);

	if (r == -EEXIST) {
		r = remove_orphan(host, instances_fd, name, e);
		if (r < 0)
			return r;
		r = host->ops->make_instance(instances_fd, name);
	}
	if (r < 0) {
		kft_err_sys(e, r, "cannot make the tracefs instance '%s'", name);
		kft_host_hint(host, r, e);
	}
	return r;
}

/* Makes an unused name: the pid helps readers of the list, the rest is random. */
static int unique_name(int instances_fd, char *ret, size_t size)
{
	for (int i = 0; i < UNIQUE_RETRIES; i++) {
		uint32_t salt;

		if (getrandom(&salt, sizeof(salt), GRND_NONBLOCK) != sizeof(salt))
			salt = (uint32_t)time(NULL) + i;
		(void)snprintf(ret, size, KFT_INSTANCE_PREFIX "%ld-%08x", (long)getpid(),
			       salt);
		if (kft_find_at(instances_fd, ret) == -ENOENT)
			return 0;
	}
	return -EEXIST;
}

static int choose_name(int instances_fd, const char *session, char *ret, size_t size)
{
	if (!session)
		return unique_name(instances_fd, ret, size);
	int n = snprintf(ret, size, KFT_INSTANCE_PREFIX "%s", session);
	return n < (int)size && !strchr(session, '/') ? 0 : -EINVAL;
}

int kft_instance_create(struct kft_host *host, const char *session,
			struct kft_instance *ret, struct kft_err *e)
{
	struct kft_instance i = {.host = host, .instances_fd = -1, .fd = -1};
	_cleanup_close_ int instances_fd = -1;
	int r = kft_instances_lock(host, &instances_fd, e);

	if (r < 0)
		return r;
	r = choose_name(instances_fd, session, i.name, sizeof(i.name));
	if (r < 0)
		return kft_err_sys(e, r, "cannot name session '%s'",
				   session ? session : "");
	r = make(host, instances_fd, i.name, e);
	if (r < 0)
		return r;
	r = kft_instance_adopt(instances_fd, i.name, &i.fd);
	if (r < 0) {
		(void)!host->ops->remove_instance(instances_fd, i.name);
		return kft_err_sys(e, r, "cannot lock the tracefs instance '%s'", i.name);
	}
	(void)flock(instances_fd, LOCK_UN);
	i.instances_fd = TAKE_FD(instances_fd);
	*ret = i;
	return 0;
}

int kft_instance_remove(struct kft_instance *i, struct kft_err *e)
{
	if (i->fd < 0)
		return 0;
	int r = kft_instance_discard(i->host, i->instances_fd, i->fd, i->name);

	kft_closep(&i->fd);
	kft_closep(&i->instances_fd);
	i->fd = -1;
	i->instances_fd = -1;
	if (r == -EBUSY) {
		kft_err_set(e, r,
			    "tracefs instance '%s' stays: a program has its files "
			    "open",
			    i->name);
		kft_err_hint(e, "it is stopped; when that program has ended, 'kft reset' "
				"removes it");
		return r;
	}
	if (r < 0 && r != -ENOENT)
		return kft_err_sys(e, r, "cannot remove the tracefs instance '%s'",
				   i->name);
	return 0;
}

const char *kft_instance_session(const char *name)
{
	size_t len = strlen(KFT_INSTANCE_PREFIX);

	return strncmp(name, KFT_INSTANCE_PREFIX, len) == 0 ? name + len : name;
}

bool kft_instance_is_beside(const char *name)
{
	return strchr(kft_instance_session(name), '+');
}

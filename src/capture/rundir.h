/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "capture/host.h"

/*
 * The directory /run/kft/NAME holds the state of a run between the commands that drive it. /run
 * does not survive a reboot, and neither does the state of the kernel that it describes. A
 * process that works on a run holds the lock (flock) of its directory. To acquire or release a
 * resource that the kernel has only once, it also takes the lock of /run/kft, after the first.
 */
#define KFT_RUN_NAME_MAX    64 /* with the NUL */
#define KFT_RUNDIR_NAME_MAX 96

struct kft_rundir {
	int base_fd; /* owned: /run/kft */
	int fd; /* owned: /run/kft/NAME, locked */
	char name[KFT_RUNDIR_NAME_MAX];
};

/* Valid names have letters, digits, '_', '.' and '-', and do not start with '.' or '-'. */
bool kft_run_name_is_valid(const char *name);

/*
 * Opens and locks the directory, waiting for another command to finish. With create, makes it
 * if it does not exist; otherwise -ENOENT. -EPERM if /run/kft or the directory belongs to
 * another user but root, or others can write to it. ret is closed by kft_rundir_close().
 */
int kft_rundir_open(struct kft_host *host, const char *name, bool create,
		    struct kft_rundir *ret, struct kft_err *e) __must_check;
void kft_rundir_close(struct kft_rundir *d);

/*
 * Makes the directory of an attached session, which lives and dies with this process (kft
 * record). It is called "record+NAME", which is no valid name of a run. The process holds its
 * lock until it ends; if another process gets the lock, this one was killed. -EBUSY when a
 * session of that name is alive.
 */
int kft_rundir_open_attached(struct kft_host *host, const char *session,
			     struct kft_rundir *ret, struct kft_err *e) __must_check;

/*
 * Opens the directory of an attached session without its lock, if its process lives. Returns a
 * descriptor that the caller owns, or -errno without a message; -ENOENT: no such session.
 */
int kft_rundir_find_attached(struct kft_host *host, const char *session) __must_check;

/* The session's name if name is an attached session's directory, else NULL. Points into name. */
const char *kft_rundir_attached(const char *name);

/*
 * Returns a descriptor, owned by the caller and without a lock, to recognize the directory
 * later, or -errno. While it is open, the inode cannot be reused, so kft_rundir_is() is false
 * for every other directory, even one of the same name that was made meanwhile.
 */
int kft_rundir_remember(const struct kft_rundir *d) __must_check;
bool kft_rundir_is(const struct kft_rundir *d, int remembered_fd);

/* Opens and locks a directory left by a killed process; -EWOULDBLOCK: the process is alive. */
int kft_rundir_adopt(struct kft_host *host, const char *name,
		     struct kft_rundir *ret) __must_check;

/* Removes the directory and its contents. The caller still has to close d. */
int kft_rundir_remove(struct kft_rundir *d, struct kft_err *e) __must_check;

/* Removes one file or directory in the directory, if it exists. */
int kft_rundir_remove_file(const struct kft_rundir *d, const char *file,
			   struct kft_err *e) __must_check;

/* Takes and releases the lock of /run/kft, which all runs share. */
int kft_rundir_lock_all(const struct kft_rundir *d, struct kft_err *e) __must_check;
void kft_rundir_unlock_all(const struct kft_rundir *d);

/* Writes a whole file and replaces an old one atomically, by rename. */
int kft_rundir_write(const struct kft_rundir *d, const char *file, const char *text,
		     size_t len, struct kft_err *e) __must_check;

/* Appends a file's contents to sb; -ENOENT without a message if it does not exist. */
int kft_rundir_read(const struct kft_rundir *d, const char *file, struct kft_strbuf *sb,
		    struct kft_err *e) __must_check;

/*
 * Calls each() with the name of every run, ascending, until it returns a value other than 0,
 * which is returned. Entries that are not directories, belong to another user but root, or can
 * be written by others are left out; kft_rundir_list_foreign() lists these.
 */
int kft_rundir_list(struct kft_host *host, int (*each)(void *arg, const char *name),
		    void *arg, struct kft_err *e) __must_check;
int kft_rundir_list_foreign(struct kft_host *host,
			    int (*each)(void *arg, const char *name), void *arg,
			    struct kft_err *e) __must_check;

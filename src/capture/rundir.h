/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_RUNDIR_H
#define KFT_CAPTURE_RUNDIR_H

#include "base/strbuf.h"
#include "capture/host.h"

/*
 * Where a run lives between the commands that drive it: the directory /run/kft/NAME, which
 * goes with the boot, as what it describes does. Whoever works on a run holds the lock
 * (flock) of its directory; whoever takes or gives back something that the kernel has only
 * once holds that of /run/kft as well, taken after it.
 */
#define KFT_RUN_NAME_MAX    64 /* with its NUL */
#define KFT_RUNDIR_NAME_MAX 96

struct kft_rundir {
	int base_fd; /* owned: /run/kft */
	int fd; /* owned: /run/kft/NAME, locked */
	char name[KFT_RUNDIR_NAME_MAX];
};

/* Letters, digits, '_', '.' and '-', not starting with '.'. */
bool kft_run_name_is_valid(const char *name);

/*
 * Opens and locks, waiting for another command to finish. With create it is made when it
 * is not there; else -ENOENT. -EPERM when /run/kft or the directory is not the caller's alone.
 */
int kft_rundir_open(struct kft_host *host, const char *name, bool create,
		    struct kft_rundir *ret, struct kft_err *e) __must_check;
void kft_rundir_close(struct kft_rundir *d);

/*
 * The directory of a session that lives and dies with this process (kft record):
 * "record+NAME", which no run can be called. The process holds its lock for as long as it
 * lives, so a lock that can be had says that the process was killed. -EBUSY when a session
 * of that name is alive.
 */
int kft_rundir_open_attached(struct kft_host *host, const char *session,
			     struct kft_rundir *ret, struct kft_err *e) __must_check;

/*
 * Opens the directory of such a session without its lock, if its process lives. A descriptor that
 * is the caller's, or -errno without a message: -ENOENT when there is none.
 */
int kft_rundir_find_attached(struct kft_host *host, const char *session) __must_check;

/* The session's name if this is such a directory's, else NULL. Borrowed from name. */
const char *kft_rundir_attached(const char *name);

/*
 * A descriptor by which the directory is known again later, or -errno. It holds no lock. While it
 * is open no other directory is taken for this one, whatever is removed and made meanwhile.
 */
int kft_rundir_remember(const struct kft_rundir *d) __must_check;
bool kft_rundir_is(const struct kft_rundir *d, int remembered_fd);

/* Opens and locks one whose process was killed; -EWOULDBLOCK when that is alive. */
int kft_rundir_adopt(struct kft_host *host, const char *name,
		     struct kft_rundir *ret) __must_check;

/* Removes the directory and what is in it; d is still to be closed. */
int kft_rundir_remove(struct kft_rundir *d, struct kft_err *e) __must_check;

/* Removes one file or directory in it, if it is there. */
int kft_rundir_remove_file(const struct kft_rundir *d, const char *file,
			   struct kft_err *e) __must_check;

/* Takes and gives back the lock of all runs. */
int kft_rundir_lock_all(const struct kft_rundir *d, struct kft_err *e) __must_check;
void kft_rundir_unlock_all(const struct kft_rundir *d);

/* A whole file, replaced at once: there is the old one or the new one, never a part. */
int kft_rundir_write(const struct kft_rundir *d, const char *file, const char *text,
		     size_t len, struct kft_err *e) __must_check;

/* Appends to sb; -ENOENT without a message when there is no such file. */
int kft_rundir_read(const struct kft_rundir *d, const char *file, struct kft_strbuf *sb,
		    struct kft_err *e) __must_check;

/*
 * The names of all runs, ascending, each in each(), which ends it with a result other than 0.
 * Entries that are no directories, belong to another user but root, or can be written by others
 * are left out; kft_rundir_list_foreign() gives those.
 */
int kft_rundir_list(struct kft_host *host, int (*each)(void *arg, const char *name),
		    void *arg, struct kft_err *e) __must_check;
int kft_rundir_list_foreign(struct kft_host *host,
			    int (*each)(void *arg, const char *name), void *arg,
			    struct kft_err *e) __must_check;

#endif

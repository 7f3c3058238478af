// SPDX-License-Identifier: LGPL-2.1-or-later
/* Notes what doctor changes, and takes it back. */
#include "doctor/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/io.h"
#include "capture/tracefs/ctl.h"

int kft_journal_add(struct kft_journal *j, const struct kft_doctor_undo *undo)
{
	if (j->len >= KFT_UNDO_MAX)
		return -ENOSPC;
	j->entries[j->len] = *undo;
	/* The entry counts only once it is whole: doctor may be killed here. */
	__atomic_store_n(&j->len, j->len + 1, __ATOMIC_RELEASE);
	return 0;
}

void kft_journal_note(struct kft_journal *j, const char *fmt, ...)
{
	size_t len = strnlen(j->left_over, sizeof(j->left_over));
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(j->left_over + len, sizeof(j->left_over) - len, fmt, ap);
	va_end(ap);
}

static void note_left_over(struct kft_journal *j, const struct kft_doctor_undo *u,
			   int code)
{
	/* Texts for control files end in a newline at times. */
	int len = strcspn(u->text, "\n");

	switch (u->kind) {
	case KFT_UNDO_WRITE:
		kft_journal_note(j, "cannot set '%s' to '%.*s' again: %s\n", u->path, len,
				 u->text, strerror(-code));
		return;
	case KFT_UNDO_CLEAR:
		kft_journal_note(j, "cannot clear '%s': %s\n", u->path, strerror(-code));
		return;
	case KFT_UNDO_DELETE:
		kft_journal_note(j, "cannot delete '%s': %s\n", u->probe,
				 strerror(-code));
		return;
	}
}

static int restore_text(int dirfd, const struct kft_doctor_undo *u)
{
	return kft_ctl_set_optional(dirfd, u->path, u->text);
}

static int clear_file(int dirfd, const struct kft_doctor_undo *u)
{
	int fd = openat(dirfd, u->path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	return close(fd) < 0 ? -errno : 0;
}

static int delete_event(int dirfd, const struct kft_doctor_undo *u)
{
	if (kft_find_at(dirfd, u->probe) < 0)
		return 0;
	return kft_write_at(dirfd, u->path, O_APPEND, u->text, strlen(u->text));
}

static int undo_one(int dirfd, const struct kft_doctor_undo *u)
{
	switch (u->kind) {
	case KFT_UNDO_WRITE:
		return restore_text(dirfd, u);
	case KFT_UNDO_CLEAR:
		return clear_file(dirfd, u);
	case KFT_UNDO_DELETE:
		return delete_event(dirfd, u);
	}
	return -EINVAL;
}

void kft_journal_undo(struct kft_journal *j, int root_fd, int tracefs_fd,
		      unsigned int mark)
{
	unsigned int len = __atomic_load_n(&j->len, __ATOMIC_ACQUIRE);

	for (; len > mark; len--) {
		const struct kft_doctor_undo *u = &j->entries[len - 1];
		int r = undo_one(u->in_root ? root_fd : tracefs_fd, u);

		if (r < 0)
			note_left_over(j, u, r);
		__atomic_store_n(&j->len, len - 1, __ATOMIC_RELEASE);
	}
}

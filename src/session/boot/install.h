/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_BOOT_INSTALL_H
#define KFT_SESSION_BOOT_INSTALL_H

#include "base/strbuf.h"
#include "capture/host.h"

/*
 * Files that make the coming boots traced ones: parameters where the bootloader finds
 * them, and a service or init script that saves the trace when the system is up.
 *
 * What was written is noted in a manifest, each file before it is made, with a hash
 * of its content: so that all of it can be taken back later, and nothing that somebody has
 * written or changed is ever replaced or removed. No symbolic link is followed. A file
 * appears complete, by a rename, or not at all; what was begun when the disk was full or
 * the program was killed is removed by the next call.
 */
#define KFT_BOOT_STATE	      "var/lib/kft"
#define KFT_BOOT_MANIFEST     KFT_BOOT_STATE "/boot.installed"
#define KFT_BOOT_TRACE	      "/" KFT_BOOT_STATE "/boot.dat" /* what the service writes */
#define KFT_BOOT_GRUB	      "etc/default/grub.d/kft.cfg"
#define KFT_BOOT_GRUB_PERSIST "etc/default/grub.d/kft-flight.cfg"

/* What is installed: each can be there without the other one. */
struct kft_boot_files {
	const char *command; /* that has --install and --remove */
	const char *manifest;
	const char *grub;
	bool has_hook; /* the service that saves the boot's trace */
};
extern const struct kft_boot_files kft_boot_files_run; /* traced boots */
extern const struct kft_boot_files kft_boot_files_persist; /* memory that is kept */

struct kft_boot_install_opts {
	const struct kft_boot_files *files;
	const char *params; /* one line, without its end */
	const char *file; /* for the parameters, as they are; NULL: for GRUB */
	const char *kft; /* the program, as the service starts it */
};

/*
 * What an earlier call wrote is removed first. Appends a line about each file to said.
 * -ENOENT without GRUB and without a file, -EEXIST for a file that is not kft's, -ELOOP for
 * a link in the way. On failure nothing is left.
 */
int kft_boot_install(struct kft_host *host, const struct kft_boot_install_opts *o,
		     struct kft_strbuf *said, struct kft_err *e) __must_check;

/*
 * Takes everything back. -ENOENT when there is nothing; -EEXIST when files were changed
 * since, which stay and are named in said; the rest is removed.
 */
int kft_boot_remove(struct kft_host *host, const struct kft_boot_files *files,
		    struct kft_strbuf *said, struct kft_err *e) __must_check;

#endif

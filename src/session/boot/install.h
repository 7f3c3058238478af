/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "capture/host.h"

/*
 * Files that make the machine trace its coming boots: kernel parameters for the
 * bootloader, and a service or init script that saves the trace when the system is up.
 *
 * A manifest lists each file before it is made, with a hash of its content. So all of
 * them can be removed later, and files that another program wrote or changed are never
 * replaced or removed. Symbolic links are not followed. A file appears complete, by a
 * rename, or not at all; if the disk is full or the program is killed, the next call
 * removes the remains.
 */
#define KFT_BOOT_STATE	      "var/lib/kft"
#define KFT_BOOT_MANIFEST     KFT_BOOT_STATE "/boot.installed"
#define KFT_BOOT_TRACE	      "/" KFT_BOOT_STATE "/boot.dat" /* written by the service */
#define KFT_BOOT_GRUB	      "etc/default/grub.d/kft.cfg"
#define KFT_BOOT_GRUB_PERSIST "etc/default/grub.d/kft-flight.cfg"

/* A set of files. The two sets below are installed and removed independently. */
struct kft_boot_files {
	const char *command; /* the kft command with --install and --remove */
	const char *manifest;
	const char *grub;
	bool has_hook; /* the service that saves the boot's trace */
};
extern const struct kft_boot_files kft_boot_files_run; /* for traced boots */
extern const struct kft_boot_files kft_boot_files_persist; /* for persistent buffers */

struct kft_boot_install_opts {
	const struct kft_boot_files *files;
	const char *params; /* kernel parameters: one line, without newline */
	const char *file; /* path of a file for the bare parameters; NULL: for GRUB */
	const char *kft; /* path of kft, for the service */
};

/*
 * Removes the files of an earlier call first. Appends a line about each file to said.
 * -ENOENT without GRUB and without o->file, -EEXIST for a file that kft did not write,
 * -ELOOP for a symbolic link in the path. On failure none of the files is left.
 */
int kft_boot_install(struct kft_host *host, const struct kft_boot_install_opts *o,
		     struct kft_strbuf *said, struct kft_err *e) __must_check;

/*
 * Removes all files of the manifest. -ENOENT without a manifest; -EEXIST when files were
 * changed since: these stay and are named in said, the others are removed.
 */
int kft_boot_remove(struct kft_host *host, const struct kft_boot_files *files,
		    struct kft_strbuf *said, struct kft_err *e) __must_check;

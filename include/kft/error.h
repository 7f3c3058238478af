/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ERROR_H
#define KFT_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Why a call failed, in words for the person who asked for it.
 *
 * Calls that can fail because of user input, files or the kernel take a
 * `struct kft_err *` (may be NULL) beside returning -errno. The innermost
 * layer sets the cause, outer layers put their context before it:
 *
 *	cannot read 'trace.dat': section 18 at byte 4711: string runs past the end
 *
 * The hint, when there is one, is what the user can do about it. The object is
 * plain caller's memory, written only on failure; one thread owns one.
 */
#define KFT_ERR_MSG_MAX	 1024
#define KFT_ERR_HINT_MAX 512

struct kft_err {
	int code; /* -errno of the failure, 0 when none happened */
	char msg[KFT_ERR_MSG_MAX];
	char hint[KFT_ERR_HINT_MAX]; /* empty when there is nothing to advise */
};

#ifdef __cplusplus
}
#endif

#endif

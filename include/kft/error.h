/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ERROR_H
#define KFT_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The reason why a call failed, in words for the user.
 *
 * Calls that can fail because of user input, files or the kernel take a `struct kft_err
 * *` (may be NULL) and also return -errno. The innermost layer sets the cause, outer
 * layers put their context before it:
 *
 *	cannot read 'trace.dat': section 18 at byte 4711: string runs past the end
 *
 * The hint, if there is one, names an action that the user can take. The object is plain
 * memory of the caller, written only on failure; each belongs to one thread.
 */
#define KFT_ERR_MSG_MAX	 1024
#define KFT_ERR_HINT_MAX 512

struct kft_err {
	int code; /* -errno of the failure; 0: no failure */
	char msg[KFT_ERR_MSG_MAX];
	char hint[KFT_ERR_HINT_MAX]; /* empty without advice */
};

#ifdef __cplusplus
}
#endif

#endif

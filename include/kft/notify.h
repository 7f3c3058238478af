/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_NOTIFY_H
#define KFT_NOTIFY_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A callback for one line of text that the user should see and that is not an
 * error. The text is borrowed.
 */
struct kft_notify {
	void (*note)(void *arg, const char *text); /* NULL: the text is dropped */
	void *arg;
};

#ifdef __cplusplus
}
#endif

#endif

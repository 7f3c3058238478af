/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_NOTIFY_H
#define KFT_NOTIFY_H

#ifdef __cplusplus
extern "C" {
#endif

/* Something that the user should know and that is no error: one line of text, borrowed. */
struct kft_notify {
	void (*note)(void *arg, const char *text); /* NULL: nobody wants to know */
	void *arg;
};

#ifdef __cplusplus
}
#endif

#endif

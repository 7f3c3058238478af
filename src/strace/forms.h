/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "strace/text.h"

/*
 * Commands of fcntl(2) as the kernel numbers them, include/uapi/asm-generic/fcntl.h. Where the C
 * library has 64-bit offsets on a 32-bit machine, its F_GETLK is the kernel's F_GETLK64.
 */
enum {
	KFT_F_GETLK = 5,
	KFT_F_SETLKW = 7,
	KFT_F_GETLK64 = 12,
	KFT_F_SETLKW64 = 14,
	KFT_F_OFD_GETLK = 36,
	KFT_F_OFD_SETLKW = 38
};

/*
 * Writes one argument in the form of its type, at the moment that the form needs (KFT_ARG_FORMS).
 * A form sets t->ended when this and the further arguments are not shown.
 */
typedef void kft_form_fn(struct kft_strace_text *t, uint64_t value);

#define KFT_FORM_DECLARE(name, kind, when) kft_form_fn kft_form_##name;
KFT_ARG_FORMS(KFT_FORM_DECLARE)
#undef KFT_FORM_DECLARE

/* A set of signals: "[INT TERM]". */
void kft_form_signals(const struct kft_strace_text *t, uint64_t set);

/* A siginfo_t of this machine's ABI. */
void kft_form_siginfo(struct kft_strace_text *t, const void *info);

/* The modes of a terminal. */
void kft_form_termios(struct kft_strace_text *t, uint64_t address);

/* The descriptors of a set below n. */
void kft_form_fds(const struct kft_strace_text *t, const unsigned char *set,
		  unsigned int n);

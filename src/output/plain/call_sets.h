/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "output/plain/call_args.h"

/* data/call_signatures; the last entry has no name */
extern const struct kft_plain_signature kft_plain_signatures[];

/* Types of arguments that have names. */
extern const struct kft_arg_type kft_arg_abstime;
extern const struct kft_arg_type kft_arg_accept;
extern const struct kft_arg_type kft_arg_access;
extern const struct kft_arg_type kft_arg_advice;
extern const struct kft_arg_type kft_arg_at;
extern const struct kft_arg_type kft_arg_at_flags;
extern const struct kft_arg_type kft_arg_clock;
extern const struct kft_arg_type kft_arg_clone;
extern const struct kft_arg_type kft_arg_epoll_op;
extern const struct kft_arg_type kft_arg_fadvise;
extern const struct kft_arg_type kft_arg_fallocate;
extern const struct kft_arg_type kft_arg_family;
extern const struct kft_arg_type kft_arg_fcntl;
extern const struct kft_arg_type kft_arg_fd_flags;
extern const struct kft_arg_type kft_arg_flock;
extern const struct kft_arg_type kft_arg_futex;
extern const struct kft_arg_type kft_arg_how;
extern const struct kft_arg_type kft_arg_idtype;
extern const struct kft_arg_type kft_arg_map;
extern const struct kft_arg_type kft_arg_memfd;
extern const struct kft_arg_type kft_arg_mremap;
extern const struct kft_arg_type kft_arg_msg;
extern const struct kft_arg_type kft_arg_octal;
extern const struct kft_arg_type kft_arg_open;
extern const struct kft_arg_type kft_arg_open_arm;
extern const struct kft_arg_type kft_arg_policy;
extern const struct kft_arg_type kft_arg_prctl;
extern const struct kft_arg_type kft_arg_prot;
extern const struct kft_arg_type kft_arg_random;
extern const struct kft_arg_type kft_arg_rename;
extern const struct kft_arg_type kft_arg_resource;
extern const struct kft_arg_type kft_arg_shutdown;
extern const struct kft_arg_type kft_arg_signal;
extern const struct kft_arg_type kft_arg_socket;
extern const struct kft_arg_type kft_arg_splice;
extern const struct kft_arg_type kft_arg_wait;
extern const struct kft_arg_type kft_arg_whence;
extern const struct kft_arg_type kft_arg_who;

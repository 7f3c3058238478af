/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "output/plain/call_args.h"

/* data/call_signatures; the last entry has no name */
extern const struct kft_plain_signature kft_plain_signatures[];

/* Types of arguments that have names. */
extern const struct kft_arg_type kft_arg_abstime;
extern const struct kft_arg_type kft_arg_accept;
extern const struct kft_arg_type kft_arg_access;
extern const struct kft_arg_type kft_arg_access_flags;
extern const struct kft_arg_type kft_arg_advice;
extern const struct kft_arg_type kft_arg_arch_prctl;
extern const struct kft_arg_type kft_arg_at;
extern const struct kft_arg_type kft_arg_at_flags;
extern const struct kft_arg_type kft_arg_capability;
extern const struct kft_arg_type kft_arg_clock;
extern const struct kft_arg_type kft_arg_clone;
extern const struct kft_arg_type kft_arg_close_range;
extern const struct kft_arg_type kft_arg_dirent_type;
extern const struct kft_arg_type kft_arg_epoll_events;
extern const struct kft_arg_type kft_arg_epoll_flags;
extern const struct kft_arg_type kft_arg_epoll_op;
extern const struct kft_arg_type kft_arg_eventfd;
extern const struct kft_arg_type kft_arg_fadvise;
extern const struct kft_arg_type kft_arg_fallocate;
extern const struct kft_arg_type kft_arg_family;
extern const struct kft_arg_type kft_arg_fcntl;
extern const struct kft_arg_type kft_arg_fd_cloexec;
extern const struct kft_arg_type kft_arg_fd_flags;
extern const struct kft_arg_type kft_arg_file_type;
extern const struct kft_arg_type kft_arg_flock;
extern const struct kft_arg_type kft_arg_fs_magic;
extern const struct kft_arg_type kft_arg_futex;
extern const struct kft_arg_type kft_arg_how;
extern const struct kft_arg_type kft_arg_idtype;
extern const struct kft_arg_type kft_arg_inotify;
extern const struct kft_arg_type kft_arg_inotify_init;
extern const struct kft_arg_type kft_arg_ioctls;
extern const struct kft_arg_type kft_arg_ip_option;
extern const struct kft_arg_type kft_arg_ip_option_get;
extern const struct kft_arg_type kft_arg_ip_option_set;
extern const struct kft_arg_type kft_arg_ip_protocol;
extern const struct kft_arg_type kft_arg_ipv6_option;
extern const struct kft_arg_type kft_arg_ipv6_option_get;
extern const struct kft_arg_type kft_arg_ipv6_option_set;
extern const struct kft_arg_type kft_arg_itimer;
extern const struct kft_arg_type kft_arg_lock_type;
extern const struct kft_arg_type kft_arg_map;
extern const struct kft_arg_type kft_arg_membarrier;
extern const struct kft_arg_type kft_arg_memfd;
extern const struct kft_arg_type kft_arg_mlock2;
extern const struct kft_arg_type kft_arg_mlockall;
extern const struct kft_arg_type kft_arg_mount;
extern const struct kft_arg_type kft_arg_mremap;
extern const struct kft_arg_type kft_arg_msg;
extern const struct kft_arg_type kft_arg_msync;
extern const struct kft_arg_type kft_arg_netlink_option;
extern const struct kft_arg_type kft_arg_netlink_protocol;
extern const struct kft_arg_type kft_arg_octal;
extern const struct kft_arg_type kft_arg_open;
extern const struct kft_arg_type kft_arg_open_arm;
extern const struct kft_arg_type kft_arg_pidfd;
extern const struct kft_arg_type kft_arg_pkey;
extern const struct kft_arg_type kft_arg_policy;
extern const struct kft_arg_type kft_arg_poll_events;
extern const struct kft_arg_type kft_arg_prctl;
extern const struct kft_arg_type kft_arg_priority;
extern const struct kft_arg_type kft_arg_prot;
extern const struct kft_arg_type kft_arg_random;
extern const struct kft_arg_type kft_arg_rename;
extern const struct kft_arg_type kft_arg_resolve;
extern const struct kft_arg_type kft_arg_resource;
extern const struct kft_arg_type kft_arg_rseq;
extern const struct kft_arg_type kft_arg_rwf;
extern const struct kft_arg_type kft_arg_sa_flags;
extern const struct kft_arg_type kft_arg_shutdown;
extern const struct kft_arg_type kft_arg_siginfo_bus;
extern const struct kft_arg_type kft_arg_siginfo_chld;
extern const struct kft_arg_type kft_arg_siginfo_code;
extern const struct kft_arg_type kft_arg_siginfo_fpe;
extern const struct kft_arg_type kft_arg_siginfo_ill;
extern const struct kft_arg_type kft_arg_siginfo_poll;
extern const struct kft_arg_type kft_arg_siginfo_segv;
extern const struct kft_arg_type kft_arg_siginfo_sys;
extern const struct kft_arg_type kft_arg_siginfo_trap;
extern const struct kft_arg_type kft_arg_sigev_notify;
extern const struct kft_arg_type kft_arg_signal;
extern const struct kft_arg_type kft_arg_signalfd;
extern const struct kft_arg_type kft_arg_signals;
extern const struct kft_arg_type kft_arg_so_option;
extern const struct kft_arg_type kft_arg_so_option_get;
extern const struct kft_arg_type kft_arg_sock_level;
extern const struct kft_arg_type kft_arg_socket;
extern const struct kft_arg_type kft_arg_splice;
extern const struct kft_arg_type kft_arg_ss_flags;
extern const struct kft_arg_type kft_arg_statfs_flags;
extern const struct kft_arg_type kft_arg_statx_attributes;
extern const struct kft_arg_type kft_arg_statx_flags;
extern const struct kft_arg_type kft_arg_statx_mask;
extern const struct kft_arg_type kft_arg_sync_range;
extern const struct kft_arg_type kft_arg_tcp_option;
extern const struct kft_arg_type kft_arg_timerfd;
extern const struct kft_arg_type kft_arg_timerfd_settime;
extern const struct kft_arg_type kft_arg_umount;
extern const struct kft_arg_type kft_arg_wait;
extern const struct kft_arg_type kft_arg_whence;
extern const struct kft_arg_type kft_arg_who;
extern const struct kft_arg_type kft_arg_xattr;

/* Types that are more than their kind. */
#define KFT_ARG_FORM_DECLARE(name, kind, when) \
	extern const struct kft_arg_type kft_arg_##name;
KFT_ARG_FORMS(KFT_ARG_FORM_DECLARE)
#undef KFT_ARG_FORM_DECLARE

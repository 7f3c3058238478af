/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_SYSCALL_NAMES_H
#define KFT_MODEL_SYSCALL_NAMES_H

#include <stdint.h>

/* Tables that scripts/make-syscalls makes; syscall.h is for those who ask for a name. */

/* Numbers from 0 on; those from 424 on are the same on all architectures. */
#define KFT_SYSCALLS 470

/* All names, each with a NUL. The tables have offsets into them; 0: no such call. */
extern const char kft_syscall_names[];
extern const uint16_t kft_syscalls_x86_64[KFT_SYSCALLS];
extern const uint16_t kft_syscalls_i386[KFT_SYSCALLS];
extern const uint16_t kft_syscalls_generic[KFT_SYSCALLS];
extern const uint16_t kft_syscalls_arm[KFT_SYSCALLS];
extern const uint16_t kft_syscalls_s390x[KFT_SYSCALLS];

#endif

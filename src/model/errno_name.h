/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_ERRNO_NAME_H
#define KFT_MODEL_ERRNO_NAME_H

#include <stdint.h>

/*
 * "EAGAIN" for 11; also kernel-internal numbers such as
 * ERESTARTSYS. NULL: no such number.
 */
const char *kft_errno_name(int64_t number);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/*
 * "EAGAIN" for 11; also kernel-internal numbers such as
 * ERESTARTSYS. NULL: no such number.
 */
const char *kft_errno_name(int64_t number);

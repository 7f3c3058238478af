/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "capture/detached.h"

/* A backend in a folder of its own; backends.c here has its line of the table. */
extern const struct kft_backend_ops example_backend;
extern const struct kft_detached_ops example_detached;

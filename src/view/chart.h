/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "view/pack.h"

/* Adds the bars of p->chart as rows of the page. -ENOMEM. */
int kft_view_chart_add(struct kft_view_pack *p) __must_check;

/* The name of a bar, by its key. */
const char *kft_view_chart_name(const struct kft_view_pack *p, uint64_t key);

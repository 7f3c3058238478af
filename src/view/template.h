/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * The page without a trace, made from viewer/ by scripts/bundle-page: three
 * texts, compressed together. The description of the trace comes after the first
 * one, its chunks after the second.
 */
enum { KFT_VIEW_PIECES = 3 };

extern const uint8_t kft_view_template[];
extern const size_t kft_view_template_bytes;
extern const size_t kft_view_template_pieces[KFT_VIEW_PIECES]; /* uncompressed lengths */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_PLOT_H
#define KFT_OUTPUT_PLOT_H

#include "base/strbuf.h"
#include "model/plot.h"

/*
 * A plot as text: how lengths are distributed, and each over time, the worst numbered. width:
 * columns that there are. is_unicode: braille dots may be used; otherwise it is ASCII.
 */
void kft_plot_text(const struct kft_plot *p, size_t width, bool is_unicode,
		   struct kft_strbuf *sb);

/* Plots below each other as one picture (SVG): the same, and where there were many. */
void kft_plots_svg(struct kft_plot *const *plots, size_t n, const char *title,
		   struct kft_strbuf *sb);

#endif

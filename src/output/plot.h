/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/plot.h"

/*
 * Prints a plot as text: the distribution of lengths, and their development over
 * time with the worst numbered. width: number of columns. is_unicode: use
 * braille dots instead of ASCII.
 */
void kft_plot_text(const struct kft_plot *p, size_t width, bool is_unicode,
		   struct kft_strbuf *sb);

/*
 * Draws plots below each other as one picture (SVG), with heat maps of
 * the number of intervals.
 */
void kft_plots_svg(struct kft_plot *const *plots, size_t n, const char *title,
		   struct kft_strbuf *sb);

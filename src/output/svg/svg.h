/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/*
 * Elements of SVG pictures. Coordinates are pixels, from the upper left. Text is escaped;
 * classes and styles are constants of the program.
 */

/*
 * Begins a white picture with a title, for programs, and a style sheet. It
 * ends with kft_svg_end().
 */
void kft_svg_begin(struct kft_strbuf *sb, unsigned int width, unsigned int height,
		   const char *title, const char *style);
void kft_svg_end(struct kft_strbuf *sb);

/* Appends text escaped for XML, also inside quotes. */
void kft_svg_text(struct kft_strbuf *sb, const char *text);

/* Appends a number with two decimals, independent of the locale. */
void kft_svg_number(struct kft_strbuf *sb, double v);

/* class: one or more words; about: the tooltip, NULL: none. */
void kft_svg_rect(struct kft_strbuf *sb, double x, double y, double width, double height,
		  const char *class, const char *about);

/* y: position of the text's baseline. */
void kft_svg_label(struct kft_strbuf *sb, double x, double y, const char *class,
		   const char *text);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_SVG_H
#define KFT_OUTPUT_SVG_H

#include "base/strbuf.h"

/*
 * Pictures (SVG): what all of them are made of. Coordinates are pixels, from the upper left.
 * Text is escaped; classes and styles are the program's own.
 */

/* White, with a title that programs read and a style sheet. Ends with kft_svg_end(). */
void kft_svg_begin(struct kft_strbuf *sb, unsigned int width, unsigned int height,
		   const char *title, const char *style);
void kft_svg_end(struct kft_strbuf *sb);

/* For XML, also within quotes. */
void kft_svg_text(struct kft_strbuf *sb, const char *text);

/* To hundredths, in any locale. */
void kft_svg_number(struct kft_strbuf *sb, double v);

/* class: also of several words; about: what is shown when one points at it, NULL: nothing. */
void kft_svg_rect(struct kft_strbuf *sb, double x, double y, double width, double height,
		  const char *class, const char *about);

/* y: of the line that text stands on. */
void kft_svg_label(struct kft_strbuf *sb, double x, double y, const char *class,
		   const char *text);

#endif

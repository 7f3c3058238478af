/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/chart.h"

/*
 * Draws a chart as a picture (SVG): labels on the left, time from left to right. Very
 * short bars are drawn with a minimum width.
 */
void kft_chart_svg(const struct kft_chart *c, const char *title, struct kft_strbuf *sb);

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "output/result.h"

/*
 * Prints the result of kft why for people: the summary, the segments of the time, and
 * remarks, without the lines of the trace.
 */
void kft_why_text(const struct kft_result *r, const struct kft_output_how *how,
		  struct kft_strbuf *sb);

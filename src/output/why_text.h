/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_WHY_TEXT_H
#define KFT_OUTPUT_WHY_TEXT_H

#include "output/result.h"

/*
 * An answer of kft why for people: the sentence, what the time was spent on, and remarks. The
 * lines of the trace are not in it.
 */
void kft_why_text(const struct kft_result *r, const struct kft_output_how *how,
		  struct kft_strbuf *sb);

#endif

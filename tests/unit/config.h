/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_CONFIG_H
#define KFT_TESTS_CONFIG_H

#include "plan/format.h"
#include "plan/kft/parser.h"

/* The configuration in a text that has to be right. */
static inline void t_config_parse(const char *text, struct kft_config *ret)
{
	_cleanup_(kft_diags_finish) struct kft_diags d = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = kft_config_parse(text, strlen(text), &d, ret);

	kft_diags_text(&d, "text", &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), "");
	assert_int_equal(r, 0);
}

/* The complaints about a text that has to be wrong. */
static inline void t_config_complaints(const char *text, const char *complaints)
{
	_cleanup_(kft_diags_finish) struct kft_diags d = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_config c = {};

	assert_int_equal(kft_config_parse(text, strlen(text), &d, &c), -22);
	kft_diags_text(&d, "f", &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), complaints);
	assert_int_equal(c.runs.len, 0);
}

#endif

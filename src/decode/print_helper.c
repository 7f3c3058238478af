// SPDX-License-Identifier: LGPL-2.1-or-later
#include "decode/print_helper.h"

/* include/linux/string_choices.h: one of two words. */
static void add_choice(const struct kft_print_ctx *c, const struct kft_expr *const *args,
		       const char *yes, const char *no, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, kft_eval_number(c, args[0]) ? yes : no);
}

#define CHOICE(fn, yes, no)                                                       \
	static void fn(const struct kft_print_ctx *c,                             \
		       const struct kft_expr *const *args, struct kft_strbuf *sb) \
	{                                                                         \
		add_choice(c, args, yes, no, sb);                                 \
	}

CHOICE(yes_no, "yes", "no")
CHOICE(on_off, "on", "off")
CHOICE(enable_disable, "enable", "disable")
CHOICE(enabled_disabled, "enabled", "disabled")
CHOICE(true_false, "true", "false")
CHOICE(read_write, "read", "write")
CHOICE(high_low, "high", "low")
CHOICE(up_down, "up", "down")

/* include/linux/edac.h */
static void mc_event_error_type(const struct kft_print_ctx *c,
				const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	static const char *const names[] = {"Corrected", "Uncorrected", "Deferred",
					    "Fatal"};
	uint64_t v = kft_eval_number(c, args[0]);

	kft_strbuf_adds(sb, v < ARRAY_SIZE(names) ? names[v] : "Info");
}

static const struct kft_helper helpers[] = {
	{"str_yes_no", "n", yes_no},
	{"str_on_off", "n", on_off},
	{"str_enable_disable", "n", enable_disable},
	{"str_enabled_disabled", "n", enabled_disabled},
	{"str_true_false", "n", true_false},
	{"str_read_write", "n", read_write},
	{"str_high_low", "n", high_low},
	{"str_up_down", "n", up_down},
	{"mc_event_error_type", "n", mc_event_error_type},
};

const struct kft_helper *kft_helper_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(helpers); i++)
		if (strlen(helpers[i].name) == len &&
		    memcmp(helpers[i].name, name, len) == 0)
			return &helpers[i];
	return NULL;
}

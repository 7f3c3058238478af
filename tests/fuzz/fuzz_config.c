// SPDX-License-Identifier: GPL-2.0-only
/* A KFT configuration: parsed, and all that can be made of it. */
#include "fuzz.h"

#include <string.h>

#include "plan/boot.h"
#include "plan/carry.h"
#include "plan/explain.h"
#include "plan/format.h"
#include "plan/kft/lower.h"
#include "plan/kft/parser.h"
#include "plan/resolve.h"
#include "plan/status.h"

static void lower(const struct kft_config *c)
{
	kft_vec_for_each(&c->runs, run) {
		struct kft_plan plan;

		/* Whatever the parser lets in can be a plan. */
		FUZZ_ASSERT(kft_run_config_lower(run, &plan, NULL) == 0);
		FUZZ_ASSERT(plan.functions.include.len == run->funclist.len);
		kft_plan_finish(&plan);
	}
}

static void say(const struct kft_config *c)
{
	static const struct kft_config_caps caps[2] = {{.function_graph = true}, {}};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};

	kft_config_explain(c, NULL, &sb);
	for (size_t i = 0; i < 2; i++) {
		kft_config_explain(c, &caps[i], &sb);
		kft_vec_for_each(&c->runs, run)
			(void)!kft_run_config_possible(run, &caps[i], &diags);
	}
	kft_vec_for_each(&c->runs, run) {
		kft_run_status_text(run, &(struct kft_run_state){}, &sb);
		kft_config_boot_explain(run, &sb);
	}
	(void)!kft_config_boot_check(c, &diags);
	/* Nothing in it can fool a terminal. */
	for (size_t i = 0; i < sb.len; i++)
		FUZZ_ASSERT((unsigned char)sb.buf[i] >= 0x20 || sb.buf[i] == '\n');
}

static void resolve(struct kft_config *c)
{
	_cleanup_(kft_symbol_table_finish) struct kft_symbol_table t = {};
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};
	static const struct kft_symbol symbols[] = {
		{.addr = 0x1000, .name = "schedule", .name_len = 8},
		{.addr = 0x2000, .name = "vfs_read", .name_len = 8},
	};
	struct kft_functions fns = kft_functions_of_symbols(&t, "test");

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		FUZZ_ASSERT(kft_symbol_table_add(&t, &symbols[i]) == 0);
	(void)!kft_config_resolve(c, &fns, &diags);
}

/* The canonical text is that of the same runs. */
static void check_format(const struct kft_config *c)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf again = {};
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};
	_cleanup_(kft_config_finish) struct kft_config copy = {};

	kft_config_format(c, &text);
	if (text.len > KFT_CONFIG_MAX_BYTES)
		return;
	FUZZ_ASSERT(kft_config_parse(kft_strbuf_cstr(&text), text.len, &diags, &copy) ==
		    0);
	kft_config_format(&copy, &again);
	FUZZ_ASSERT(text.len == again.len && memcmp(text.buf, again.buf, text.len) == 0);
}

/* Parses the input as a word of the kernel's command line, which is untrusted text. */
static void boot_word(const char *data, size_t size)
{
	_cleanup_(kft_config_finish) struct kft_config c = {};
	_cleanup_(kft_config_finish) struct kft_config again = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf word = {};

	if (kft_boot_word_parse(data, size, &c, NULL) < 0)
		return;
	kft_boot_word_add(&c.runs.data[0], &word);
	for (size_t i = 0; i < word.len; i++)
		FUZZ_ASSERT(word.buf[i] > ' ' && word.buf[i] < 0x7f &&
			    !strchr("\"'\\$;", word.buf[i]));
	FUZZ_ASSERT(kft_boot_word_parse(word.buf, word.len, &again, NULL) == 0 ||
		    word.len > KFT_BOOT_WORD_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};
	_cleanup_(kft_config_finish) struct kft_config c = {};

	boot_word((const char *)data, size);
	int r = kft_config_parse((const char *)data, size, &diags, &c);

	kft_diags_text(&diags, "fuzz", &sb);
	/* Refused with a reason, or taken without one. */
	FUZZ_ASSERT((r == 0) == !kft_diags_any(&diags));
	if (r < 0)
		return 0;
	FUZZ_ASSERT(c.runs.len > 0);
	check_format(&c);
	resolve(&c);
	say(&c);
	lower(&c);
	return 0;
}

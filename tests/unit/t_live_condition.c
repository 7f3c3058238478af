// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>

#include "t.h"

#include "bpf_machine.h"
#include "decode/format.h"
#include "live/event.h"

/* Both read the same record: the filter itself, and a program. */
struct record {
	uint64_t common;
	int32_t a;
	uint16_t b;
	uint8_t c;
	int8_t d;
	uint64_t e;
	char text[16];
};

#define FIELD(type, name, is_signed) \
	"\tfield:" type ";\toffset:%zu;\tsize:%zu;\tsigned:" #is_signed ";\n"

static void make_class(struct kft_arena *arena, struct kft_live_event *ret)
{
	char text[2048];
#define AT(member) offsetof(struct record, member), sizeof(((struct record *)0)->member)
	int len = snprintf(
		text, sizeof(text),
		"name: tested\nID: 7\nformat:\n" FIELD("int a", a, 1)
			FIELD("unsigned short b", b, 0) FIELD("unsigned char c", c, 0)
				FIELD("signed char d", d, 1) FIELD("u64 e", e, 0) FIELD(
					"char text[16]", text, 0) "\nprint fmt: \"\"\n",
		AT(a), AT(b), AT(c), AT(d), AT(e), AT(text));

	assert_int_equal(
		kft_format_parse("test", text, (size_t)len, 8, NULL, arena, &ret->cls),
		0);
}

static const struct record records[] = {
	{.a = -1, .b = 65535, .c = 7, .d = -128, .e = UINT64_MAX, .text = "read"},
	{.a = 5, .b = 0, .c = 128, .d = 5, .e = UINT64_C(1) << 40, .text = "recvfrom"},
	{.a = 0, .b = 1, .c = 255, .d = 0, .e = 5, .text = ""},
	{.a = INT32_MIN, .b = 5, .d = 127, .e = 0, .text = "0123456789abcde"},
	/* A name of 16 characters has no NUL, and bytes after a NUL are of an older one. */
	{.a = 100, .text = "abcdefghijklmnop"},
	{.a = 101, .text = "re\0vmsg"},
	{.a = 102, .text = "\xff\x80z"},
};

static const char *const filters[] = {
	"a == -1",
	"a != -1",
	"a < 0",
	"a <= 5",
	"a > -2",
	"a >= 5",
	"a & 4",
	"a & 0x80000000",
	"b == 65535",
	"b > 4",
	"b <= 0",
	"b < 2",
	"c >= 128",
	"c < 128",
	"d < 0",
	"d == -128",
	"d >= 5",
	"e == 0xffffffffffffffff",
	"e > 0x7fffffffffffffff",
	"e < 6",
	"e & 0x10000000000",
	"CPU == 3",
	"CPU != 3",
	"CPU > 2",
	"text == read",
	"text != read",
	"text == re",
	"text == \"\"",
	"text != \"\"",
	"text == abcdefghijklmnop",
	"text == abcdefghijklmno",
	"text == abcdefghijklmnopq",
	"text ~ \"*\"",
	"text ~ \"re*\"",
	"text ~ \"*e\"",
	"text ~ \"*o*\"",
	"text ~ \"*a*e*\"",
	"text ~ \"r?ad\"",
	"text ~ \"[a-r]*\"",
	"text ~ \"[!a-r]*\"",
	"text ~ \"*[0-9a]\"",
	"text ~ \"????\"",
	"text ~ \"*????????????????\"",
	"text ~ \"re\"",
	"text ~ \"\"",
	"text ~ \"*p\"",
	"text ~ \"*vmsg\"",
	"text ~ \"[\"",
	"text ~ \"r\\ead\"",
	"text ~ \"**d\"",
	"!(a == -1)",
	"!(a < 0) && text ~ \"re*\"",
	"a == 5 || b == 5 || text == re",
	"(a > 0 && (b == 0 || c == 1)) || !(text != read)",
	"a > 0 && b == 0 && CPU == 3 && !(e == 5)",
	"!!(a == 0)",
	"(a == 0 || a == 5) && (e == 5 || e & 0x10000000000)",
};

static uint64_t run(const struct kft_live_condition *condition, const struct record *rec,
		    uint32_t cpu)
{
	struct machine m = {.cpu = cpu};
	struct kft_bpf_code c = {};
	unsigned int out = kft_bpf_label(&c);

	kft_bpf_alu(&c, BPF_MOV, BPF_REG_6, BPF_REG_1);
	assert_int_equal(kft_live_emit_condition(&c, condition, out, NULL), 0);
	kft_bpf_alu_k(&c, BPF_MOV, BPF_REG_0, 1);
	kft_bpf_exit(&c);
	kft_bpf_place(&c, out);
	kft_bpf_alu_k(&c, BPF_MOV, BPF_REG_0, 0);
	kft_bpf_exit(&c);
	assert_int_equal(kft_bpf_code_resolve(&c), 0);
	uint64_t r = machine_run(&m, &c, rec);

	kft_bpf_code_finish(&c);
	return r;
}

static void programs_match_what_filters_match(void **state)
{
	struct kft_arena arena = {};
	struct kft_live_event event;
	unsigned int n_matches = 0;

	make_class(&arena, &event);
	for (size_t f = 0; f < ARRAY_SIZE(filters); f++) {
		struct kft_live_condition condition = {.find = kft_live_event_term,
						       .arg = &event};
		struct kft_filter *filter;

		assert_int_equal(
			kft_filter_compile(filters[f], &event.cls, &filter, NULL), 0);
		condition.filter = filter;
		for (size_t i = 0; i < 2 * ARRAY_SIZE(records); i++) {
			const struct record *rec = &records[i / 2];
			const struct kft_event ev = {.data = (const uint8_t *)rec,
						     .size = sizeof(*rec),
						     .cpu = 2 + i % 2};
			bool wanted = kft_filter_match(filter, &ev, false);

			if (run(&condition, rec, ev.cpu) != wanted)
				fail_msg("%s of record %zu: not %d", filters[f], i / 2,
					 wanted);
			n_matches += wanted;
		}
		kft_filter_destroy(filter);
	}
	assert_in_range(n_matches, 100, 700);
	kft_arena_finish(&arena);
}

static void what_is_too_long_is_refused(void **state)
{
	struct kft_arena arena = {};
	struct kft_live_event event;
	struct kft_live_condition condition = {.find = kft_live_event_term,
					       .arg = &event};
	struct kft_filter *filter;
	struct kft_bpf_code c = {};

	make_class(&arena, &event);
	assert_int_equal(
		kft_filter_compile("text ~ \"*a*b*c*d*e*f*\"", &event.cls, &filter, NULL),
		0);
	condition.filter = filter;
	assert_int_equal(kft_live_emit_condition(&c, &condition, kft_bpf_label(&c), NULL),
			 -E2BIG);
	kft_bpf_code_finish(&c);
	kft_filter_destroy(filter);
	kft_arena_finish(&arena);
}

/* The kernel refuses a program with instructions that are not reached. */
static void unreached_instructions_are_dropped(void **state)
{
	const uint64_t context = 0;
	struct machine m = {};
	struct kft_bpf_code c = {};
	unsigned int over = kft_bpf_label(&c);
	unsigned int end = kft_bpf_label(&c);

	kft_bpf_alu_k(&c, BPF_MOV, BPF_REG_0, 1);
	kft_bpf_goto(&c, over);
	kft_bpf_load_u64(&c, BPF_REG_0, 2);
	kft_bpf_jump_k(&c, BPF_JEQ, BPF_REG_0, 2, end);
	kft_bpf_place(&c, over);
	kft_bpf_jump_k(&c, BPF_JEQ, BPF_REG_0, 1, end);
	kft_bpf_alu_k(&c, BPF_MOV, BPF_REG_0, 3);
	kft_bpf_place(&c, end);
	kft_bpf_exit(&c);
	assert_int_equal(kft_bpf_code_resolve(&c), 0);
	assert_int_equal(c.insns.len, 5);
	assert_int_equal(machine_run(&m, &c, &context), 1);
	kft_bpf_code_finish(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_match_what_filters_match),
		cmocka_unit_test(what_is_too_long_is_refused),
		cmocka_unit_test(unreached_instructions_are_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

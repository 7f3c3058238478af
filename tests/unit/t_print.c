// SPDX-License-Identifier: GPL-2.0-only
#include "printing.h"

/* Field lines. */
#define U32(name, off) "\tfield:u32 " name ";\toffset:" off ";\tsize:4;\tsigned:0;\n"
#define INT(name, off) "\tfield:int " name ";\toffset:" off ";\tsize:4;\tsigned:1;\n"
#define U64(name, off) "\tfield:u64 " name ";\toffset:" off ";\tsize:8;\tsigned:0;\n"
#define LONG(name, off) \
	"\tfield:unsigned long " name ";\toffset:" off ";\tsize:8;\tsigned:0;\n"
#define COMM(name, off) \
	"\tfield:char " name "[16];\toffset:" off ";\tsize:16;\tsigned:0;\n"
#define DYN(type, name, off) \
	"\tfield:__data_loc " type " " name ";\toffset:" off ";\tsize:4;\tsigned:0;\n"

static struct printing p;

static int finish(void **state)
{
	printing_finish(&p);
	p = (struct printing){};
	return 0;
}

static void expect(const char *fields, const char *fmt, const char *want)
{
	printing_class(&p, "sys", "ev", fields, fmt, 8);
	assert_string_equal(printing_info(&p), want);
}

static void sched_switch_reads_as_the_kernel_prints_it(void **state)
{
	printing_puts(&p, 8, "bash");
	printing_put(&p, 24, 1234, 4);
	printing_put(&p, 28, 120, 4);
	printing_put(&p, 32, 0x101, 8);
	printing_puts(&p, 40, "swapper/1");
	printing_put(&p, 56, 0, 4);
	printing_put(&p, 60, (uint32_t)-5, 4);
	expect(COMM("prev_comm", "8") INT("prev_pid", "24") INT("prev_prio", "28")
		       LONG("prev_state", "32") COMM("next_comm", "40")
			       INT("next_pid", "56") INT("next_prio", "60"),
	       "\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s "
	       "next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "
	       "(REC->prev_state & ((((0x00000000 | 0x00000001 | 0x00000002) + 1) << 1) - 1)) ? "
	       "__print_flags(REC->prev_state & ((((0x00000000 | 0x00000001 | 0x00000002) + 1) "
	       "<< 1) - 1), \"|\", { 0x00000001, \"S\" }, { 0x00000002, \"D\" }) : \"R\", "
	       "REC->prev_state & (0x100) ? \"+\" : \"\", REC->next_comm, REC->next_pid, "
	       "REC->next_prio",
	       "prev_comm=bash prev_pid=1234 prev_prio=120 prev_state=S+ ==> "
	       "next_comm=swapper/1 next_pid=0 next_prio=-5");
}

static void numbers_have_the_size_of_their_conversion(void **state)
{
	printing_put(&p, 8, 0xffffffffffffff85ull, 8);
	expect(U64("v", "8"),
	       "\"%d %u %x %hhd %hhu %hd %ld %llu %zx %i %o %X\", REC->v, REC->v, REC->v, "
	       "REC->v, REC->v, REC->v, REC->v, REC->v, REC->v, REC->v, REC->v, REC->v",
	       "-123 4294967173 ffffff85 -123 133 -123 -123 18446744073709551493 "
	       "ffffffffffffff85 -123 37777777605 FFFFFF85");
}

static void widths_and_flags_are_kept(void **state)
{
	printing_put(&p, 8, 42, 4);
	expect(INT("v", "8"),
	       "\"[%5d|%-5d|%05d|%+d|% d|%#x|%#o|%08x|%-6x|%.4d|%*d|%-*d|%5.3d|%c%3c]\", REC->v, "
	       "REC->v, REC->v, REC->v, REC->v, REC->v, REC->v, REC->v, REC->v, REC->v, 4, "
	       "REC->v, 4, REC->v, REC->v, REC->v, REC->v",
	       "[   42|42   |00042|+42| 42|0x2a|052|0000002a|2a    |0042|  42|42  |  042|*  *]");
}

static void zero_has_its_prefix_as_in_the_kernel(void **state)
{
	expect(INT("v", "8"), "\"%#x %#o %#010x\", REC->v, REC->v, REC->v",
	       "0x0 0 0x00000000");
}

static void strings_stop_at_their_end_and_are_made_safe(void **state)
{
	printing_put(&p, 8, 24 | 6 << 16, 4);
	memcpy(p.record + 24, "ab\033cdefgh", 9);
	p.size = 33;
	memset(p.record + 40, 'x', 16);
	p.size = 56;
	expect(DYN("char[]", "s", "8") COMM("c", "40"),
	       "\"<%s> <%s> <%.3s> <%10s> <%-8s> <%.*s>\", __get_str(s), REC->c, REC->c, "
	       "__get_str(s), __get_str(s), 2, __get_str(s)",
	       "<ab\\x1bcde> <xxxxxxxxxxxxxxxx> <xxx> < ab\\x1bcde> <ab\\x1bcde> <ab>");
}

static void flags_are_those_of_the_kernel(void **state)
{
	printing_put(&p, 8, 0x80000000000000f5ull, 8);
	expect(U64("f", "8"),
	       "\"%s %s %s %s %s\", __print_flags(REC->f & 5, \"|\", {1, \"A\"}, {4, \"C\"}), "
	       "__print_flags(REC->f, \"-\", {0x80000000000000f1ULL, \"HI\"}), "
	       "__print_flags(0, \"|\", {1, \"A\"}), "
	       "__print_flags(REC->f & 7, \"\", {1, \"A\"}, {4, \"C\"}), "
	       "__print_flags(REC->f & 0xf0, \"|\", {0x10, \"A\"}, {0x20, \"\"})",
	       "A|C HI-0x4  AC A||0xc0");
}

static void symbols_are_looked_up_by_value(void **state)
{
	printing_put(&p, 8, (uint32_t)-2, 4);
	printing_put(&p, 12, 3, 4);
	expect(INT("n", "8") U32("u", "12"),
	       "\"%s %s %s %s %s\", __print_symbolic(REC->n, {-1, \"m1\"}, {-2, \"m2\"}), "
	       "__print_symbolic(REC->u, {1, \"a\"}, {3, \"b\"}, {3, \"c\"}), "
	       "__print_symbolic(REC->u, {1, \"a\"}), "
	       "__print_symbolic(REC->n, {2, \"x\"}), "
	       "__print_symbolic(REC->u, {FOO, \"foo\"}, {100000, \"big\"}, {3, \"x\"})",
	       "m2 b 0x3 0xfffffffffffffffe x");
}

static void bytes_are_shown_in_their_ways(void **state)
{
	printing_put(&p, 8, 16 | 8 << 16, 4);
	for (int i = 0; i < 8; i++)
		printing_put(&p, 16 + i, 0x10 + i, 1);
	expect(DYN("u8[]", "b", "8"),
	       "\"%s|%s|%s|%*ph|%*phN|%3phC|%4phD|%*pbl|%*pb\", "
	       "__print_hex(__get_dynamic_array(b), __get_dynamic_array_len(b)), "
	       "__print_hex_str(__get_dynamic_array(b), 3), "
	       "__print_array(__get_dynamic_array(b), 4, 2), "
	       "2, __get_dynamic_array(b), 100, __get_dynamic_array(b), "
	       "__get_dynamic_array(b), __get_dynamic_array(b), "
	       "16, __get_dynamic_array(b), 20, __get_dynamic_array(b)",
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	       "10 11 12 13 14 15 16 17|101112|{0x1110,0x1312,0x1514,0x1716}|10 11|"
	       "1011121314151617|10:11:12|10-11-12-13|4,8,12|21110"
#else
	       "10 11 12 13 14 15 16 17|101112|{0x1011,0x1213,0x1415,0x1617}|10 11|"
	       "1011121314151617|10:11:12|10-11-12-13|0-2,4,9-10,12|41617"
#endif
	);
}

static void counts_never_reach_past_the_bytes(void **state)
{
	printing_put(&p, 8, 16 | 2 << 16, 4);
	printing_put(&p, 16, 0x0201, 2);
	expect(DYN("u8[]", "b", "8"),
	       "\"%s %s %s %s\", __print_hex(__get_dynamic_array(b), 100000), "
	       "__print_array(__get_dynamic_array(b), -1, 1), "
	       "__print_hex_str(__get_dynamic_array(b), -5), "
	       "__print_dynamic_array(b, 1)",
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	       "01 02 {}  {0x1,0x2}"
#else
	       "02 01 {}  {0x2,0x1}"
#endif
	);
}

static void addresses_become_symbols(void **state)
{
	assert_int_equal(kft_trace_create(&p.trace), 0);
	p.trace->meta.kallsyms = PRINTING_BLOB("ffffffff81000000 T one\n"
					       "ffffffff81000100 t two\t[mod]\n"
					       "ffffffff81000200 t three\n");
	printing_put(&p, 8, 0xffffffff81000104ull, 8);
	expect(LONG("ip", "8"),
	       "\"%pS %ps %pF %pf %pSR %p %px %pK %pB %ps %p\", (void *)REC->ip, (void *)REC->ip, "
	       "REC->ip, REC->ip, REC->ip, REC->ip, REC->ip, REC->ip, REC->ip, REC->ip + 0x1000, "
	       "0",
	       "two+0x4 two two+0x4 two two+0x4 0xffffffff81000104 ffffffff81000104 "
	       "0xffffffff81000104 two+0x4 0xffffffff81001104 (nil)");
}

static void constant_strings_are_found_by_address(void **state)
{
	assert_int_equal(kft_trace_create(&p.trace), 0);
	p.trace->meta.printk_formats =
		PRINTING_BLOB("0xffffffff82000000 : \"rcu_sched\"\n");
	printing_put(&p, 8, 0xffffffff82000000ull, 8);
	printing_put(&p, 16, 0xffffffff82000010ull, 8);
	expect(LONG("a", "8") LONG("b", "16"), "\"%s %s\", REC->a, (char *)REC->b",
	       "rcu_sched ffffffff82000010");
}

static void statements_have_values(void **state)
{
	printing_put(&p, 8, 200, 4);
	printing_put(&p, 12, 0x80 | 3 | 5 << 8, 4);
	expect(INT("n", "8") U32("role", "12"),
	       "\"%d %s\", ({ int __x = (REC->n); int __y = (128); ((__x) < (__y) ? (__x) : "
	       "(__y)); }), ({ const char *saved_ptr = trace_seq_buffer_ptr(p); static const char "
	       "*access_str[] = { \"---\", \"--x\", \"w--\", \"w-x\", \"-u-\", \"-ux\" }; union "
	       "kvm_mmu_page_role role; role.word = REC->role; trace_seq_printf(p, \"l%u %s%s%c\", "
	       "role.level, role.direct ? \" direct\" : \"\", access_str[role.access], 0); "
	       "saved_ptr; })",
	       "128 l3  direct-ux");
}

static void quotes_without_backslash_belong_to_the_format(void **state)
{
	printing_put(&p, 8, 7, 4);
	expect(INT("n", "8"), "\"a \"%d\" b\\n\" \"c \"%d\"\", REC->n, REC->n",
	       "a \"7\" b\nc \"7\"");
}

static void a_short_record_reads_as_zeros(void **state)
{
	printing_class(&p, "sys", "ev", INT("a", "8") INT("b", "12") COMM("c", "16"),
		       "\"a=%d b=%d c=%s %d\", REC->a, REC->b, REC->c, REC->c[15]", 8);
	printing_put(&p, 8, 5, 4);
	assert_string_equal(printing_info(&p), "a=5 b=0 c= 0");
	for (p.size = 0; p.size < 40; p.size++)
		(void)printing_info(&p);
}

static void locations_beyond_the_record_are_empty(void **state)
{
	printing_put(&p, 8, 16 | 100 << 16, 4);
	printing_put(&p, 12, 0xffff | 1 << 16, 4);
	expect(DYN("char[]", "a",
		   "8") "\tfield:__rel_loc char[] b;\toffset:12;\tsize:4;\tsigned:0;\n",
	       "\"<%s> <%s> %d %s\", __get_str(a), __get_rel_str(b), "
	       "__get_dynamic_array_len(a), __print_hex(__get_dynamic_array(a), 4)",
	       "<> <> 100 ");
}

static void probes_print_strings_and_arrays(void **state)
{
	printing_put(&p, 8, 0xffffffff81000000ull, 8);
	printing_put(&p, 16, 40 | 3 << 16, 4);
	printing_put(&p, 20, 44 | 4 << 16, 4);
	printing_put(&p, 24, 1, 4);
	printing_put(&p, 28, 2, 4);
	printing_put(&p, 32, 'x', 1);
	printing_puts(&p, 40, "ab");
	printing_puts(&p, 44, "cde");
	expect(LONG("__probe_ip",
		    "8") "\tfield:__data_loc char[][2] s;\toffset:16;\tsize:8;\tsigned:1;\n"
			 "\tfield:u32 arr[];\toffset:24;\tsize:8;\tsigned:0;\n"
			 "\tfield:u8 c;\toffset:32;\tsize:1;\tsigned:0;\n",
	       "\"(%lx) s={\\\"%s\\\",\\\"%s\\\"} arr={%u,%u} c='%c'\", REC->__probe_ip, "
	       "__get_str(s[0]), __get_str(s[1]), REC->arr[0], REC->arr[1], REC->c",
	       "(ffffffff81000000) s={\"ab\",\"cde\"} arr={1,2} c='x'");
}

static void old_kernels_index_their_records(void **state)
{
	printing_put(&p, 8, 16 | 3 << 16, 4);
	printing_puts(&p, 16, "ab");
	expect(DYN("char[]", "s", "8"),
	       "\"%s %d\", ((char *)((void *)REC + (REC->__data_loc_s & 0xffff))), "
	       "REC->__data_loc_s >> 16",
	       "ab 3");
}

static void what_cannot_be_read_falls_back_to_the_fields(void **state)
{
	printing_put(&p, 8, 5, 4);
	printing_puts(&p, 12, "sh");
	expect(INT("n", "8") COMM("c", "12"), "\"%s\", frobnicate(REC->n)",
	       "[FAILED TO PARSE] n=5 c=sh");
	assert_string_equal(kft_printer_why_raw(p.printer, PRINTING_ID),
			    "unknown name 'frobnicate'");
	assert_int_equal(kft_printer_raw_count(p.printer), 1);
}

static void every_reason_to_fall_back_is_given(void **state)
{
	static const struct {
		const char *fmt;
		const char *why;
	} bad[] = {
		{"", "no format string but ''"},
		{"\"%d\"", "fewer arguments than the format has places"},
		{"\"%d\", REC->nope", "no field 'nope'"},
		{"\"%d\", \"text\"", "argument that does not fit its place"},
		{"\"%d\", REC->n +", "the text ends: ''"},
		{"\"%d\", REC->n)", "unexpected ')'"},
		{"\"%d\", ENUM_X", "unknown name 'ENUM_X'"},
		{"\"%y\", 1", "conversion that the kernel does not have"},
		{"\"%d\", REC->n[1]", "index of a value that is not an array"},
		{"\"%d\", REC->c + \"x\"", "arithmetic with bytes or text"},
		{"\"%s\", __print_symbolic(REC->n, {REC->n, \"x\"})",
		 "table of names that is not constant"},
		{"\"%pI4\", REC->n", "argument that does not fit its place"},
		{"\"%d\", (struct page)", "type without a value 'struct'"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		printing_class(&p, "s", "e", INT("n", "8") COMM("c", "12"), bad[i].fmt,
			       8);
		const char *why = kft_printer_why_raw(printing_printer(&p), PRINTING_ID);
		assert_non_null(why);
		assert_string_equal(why, bad[i].why);
		finish(NULL);
	}
}

static void nesting_has_a_limit(void **state)
{
	char fmt[8192];
	size_t n = snprintf(fmt, sizeof(fmt), "\"%%d\", ");

	memset(fmt + n, '(', 4000);
	fmt[n + 4000] = '\0';
	printing_class(&p, "s", "e", "", fmt, 8);
	assert_string_equal(kft_printer_why_raw(printing_printer(&p), PRINTING_ID),
			    "nested too deep");
	finish(NULL);
	/* A long chain is a deep tree too. */
	for (int i = 0; i < 1000; i++)
		n += snprintf(fmt + n, sizeof(fmt) - n, "%sREC->n", i ? "+" : "");
	printing_class(&p, "s", "e", INT("n", "8"), fmt, 8);
	assert_string_equal(kft_printer_why_raw(printing_printer(&p), PRINTING_ID),
			    "nested too deep");
}

static void thirty_two_bits_have_short_longs(void **state)
{
	assert_int_equal(kft_trace_create(&p.trace), 0);
	printing_put(&p, 8, 0xfffffffe, 4);
	printing_put(&p, 16, 1ull << 40 | 1, 8);
	printing_class(
		&p, "s", "e",
		"\tfield:long r;\toffset:8;\tsize:4;\tsigned:1;\n" U64("x", "16"),
		"\"%ld %lu %lx %p %px %s %s %ld\", REC->r, REC->r, REC->r, REC->r, "
		"(void *)8, __print_flags(REC->x, \"|\", {1, \"A\"}), "
		"__print_flags_u64(REC->x, \"|\", {1, \"A\"}), REC->x",
		4);
	assert_string_equal(
		printing_info(&p),
		"-2 4294967294 fffffffe 0xfffffffe 00000008 A A|0x10000000000 1");
}

static void the_other_byte_order_reads_the_same(void **state)
{
	assert_int_equal(kft_trace_create(&p.trace), 0);
	p.trace->swap = true;
	p.trace->meta.big_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	printing_put(&p, 8, 0x01020304, 4);
	printing_put(&p, 12, 24 | 3 << 16, 4);
	printing_put(&p, 16, 0x1122334455667788ull, 8);
	printing_puts(&p, 24, "hi");
	expect(INT("n", "8") DYN("char[]", "s", "12") U64("v", "16"),
	       "\"%d %x %s %llx %llu %08x\", REC->n, REC->n & 0xffff, __get_str(s), REC->v, "
	       "REC->v >> 56, be32_to_cpu(REC->n)",
	       __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		       ? "16909060 304 hi 1122334455667788 17 01020304"
		       : "16909060 304 hi 1122334455667788 17 04030201");
}

static void unknown_events_are_named_so(void **state)
{
	assert_int_equal(kft_trace_create(&p.trace), 0);
	assert_string_equal(printing_info(&p), "[UNKNOWN EVENT]");
	assert_string_equal(kft_printer_why_raw(p.printer, 5), "no such event");
}

static void markers_lose_their_line_end(void **state)
{
	assert_int_equal(kft_trace_create(&p.trace), 0);
	p.trace->meta.kallsyms = PRINTING_BLOB("ffffffff81000000 T tracing_mark_write\n");
	printing_put(&p, 8, 0xffffffff81000000ull, 8);
	printing_puts(&p, 16, "hello\tworld\n");
	printing_class(
		&p, "ftrace", "print",
		LONG("ip", "8") "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n",
		"\"%ps: %s\", (void *)REC->ip, REC->buf", 8);
	assert_string_equal(printing_info(&p), "tracing_mark_write: hello\\tworld");
}

static void hostile_formats_cannot_forge_a_terminal(void **state)
{
	expect("",
	       "\"\\033[2J%s\\a\\t%s\", \"\\x1b\", __print_symbolic(0, {0, \"\\033\"})",
	       "\\x1b[2J\\x1b\\x07\t\\x1b");
}

static void no_memory_is_lost_when_texts_repeat(void **state)
{
	char want[PRINTING_BYTES] = "";

	printing_class(&p, "s", "e", COMM("c", "8"), "\"%s\", REC->c", 8);
	memset(p.record + 8, 0xff, 16);
	p.size = 24;
	for (int i = 0; i < 16; i++)
		strcat(want, "\\xff");
	for (int i = 0; i < 100; i++)
		assert_string_equal(printing_info(&p), want);
}

#define TEST(fn) cmocka_unit_test_teardown(fn, finish)

static const struct CMUnitTest tests[] = {
	TEST(sched_switch_reads_as_the_kernel_prints_it),
	TEST(numbers_have_the_size_of_their_conversion),
	TEST(widths_and_flags_are_kept),
	TEST(zero_has_its_prefix_as_in_the_kernel),
	TEST(strings_stop_at_their_end_and_are_made_safe),
	TEST(flags_are_those_of_the_kernel),
	TEST(symbols_are_looked_up_by_value),
	TEST(bytes_are_shown_in_their_ways),
	TEST(counts_never_reach_past_the_bytes),
	TEST(addresses_become_symbols),
	TEST(constant_strings_are_found_by_address),
	TEST(statements_have_values),
	TEST(quotes_without_backslash_belong_to_the_format),
	TEST(a_short_record_reads_as_zeros),
	TEST(locations_beyond_the_record_are_empty),
	TEST(probes_print_strings_and_arrays),
	TEST(old_kernels_index_their_records),
	TEST(what_cannot_be_read_falls_back_to_the_fields),
	TEST(every_reason_to_fall_back_is_given),
	TEST(nesting_has_a_limit),
	TEST(thirty_two_bits_have_short_longs),
	TEST(the_other_byte_order_reads_the_same),
	TEST(unknown_events_are_named_so),
	TEST(markers_lose_their_line_end),
	TEST(hostile_formats_cannot_forge_a_terminal),
	TEST(no_memory_is_lost_when_texts_repeat),
};

T_MAIN(tests)

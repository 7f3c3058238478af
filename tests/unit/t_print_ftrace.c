// SPDX-License-Identifier: GPL-2.0-only
#include "printing.h"

static struct printing p;

#define LONG(name, off) \
	"\tfield:unsigned long " name ";\toffset:" off ";\tsize:8;\tsigned:0;\n"
#define UINT(name, off) \
	"\tfield:unsigned int " name ";\toffset:" off ";\tsize:4;\tsigned:0;\n"
#define TAIL(type, name, off) \
	"\tfield:" type " " name "[];\toffset:" off ";\tsize:0;\tsigned:0;\n"

static int create(void **state)
{
	assert_int_equal(kft_trace_create(&p.trace), 0);
	p.trace->meta.kallsyms = PRINTING_BLOB("ffffffff81000000 T one\n"
					       "ffffffff81000100 t two\n"
					       "ffffffff81000200 t three\n");
	p.trace->meta.printk_formats = PRINTING_BLOB(
		"0xffffffff82000000 : \"n=%d s=%s %5llu %lx%% %pS %pI4 %c %hd|%*d|%.2s\\n\"\n"
		"0xffffffff82000010 : \"plain\\n\"\n"
		"0xffffffff82000020 : \"%hhd %hhd %d\"\n");
	return 0;
}

static int finish(void **state)
{
	printing_finish(&p);
	p = (struct printing){};
	return 0;
}

static void stacks_have_all_their_addresses(void **state)
{
	for (int i = 0; i < 10; i++)
		printing_put(&p, 16 + 8 * i, 0xffffffff81000000ull + (i % 2) * 0x104, 8);
	printing_put(&p, 96, INT32_MAX, 8);
	printing_put(&p, 104, UINT64_MAX, 8);
	printing_put(&p, 112, 1, 8);
	printing_class(
		&p, "ftrace", "kernel_stack",
		"\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n",
		"\"%ps\", REC->caller[0]", 8);
	assert_string_equal(
		printing_info(&p),
		"<stack trace>\n => one\n => two\n => one\n => two\n => one\n => two\n"
		" => one\n => two\n => one\n => two\n => [FTRACE TRAMPOLINE]");
}

static void user_stacks_end_at_zero(void **state)
{
	printing_put(&p, 16, 0x7f0012345678ull, 8);
	printing_put(&p, 24, 0, 8);
	printing_put(&p, 32, 5, 8);
	printing_class(
		&p, "ftrace", "user_stack",
		"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n",
		"\"\"", 8);
	assert_string_equal(printing_info(&p),
			    "<user stack trace>\n =>  <00007f0012345678>");
}

static void raw_markers_show_their_bytes(void **state)
{
	printing_put(&p, 8, 0x2a, 4);
	printing_puts(&p, 12, "hi");
	printing_class(&p, "ftrace", "raw_data",
		       UINT("id", "8") TAIL("char", "buf", "12"),
		       "\"id:%04x %08x\", REC->id, (int)REC->buf[0]", 8);
	assert_string_equal(printing_info(&p), "# 2a buf: 68 69 00");
}

static void functions_have_no_blank_before_them(void **state)
{
	printing_put(&p, 8, 0xffffffff81000000ull, 8);
	printing_put(&p, 16, 0xffffffff81000110ull, 8);
	printing_class(&p, "ftrace", "function", LONG("ip", "8") LONG("parent_ip", "16"),
		       "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip", 8);
	assert_string_equal(printing_info(&p), "one <-- two");
}

/* The words of format files of 4.13. */
static void old_kernels_print_names_of_functions(void **state)
{
	printing_put(&p, 8, 0xffffffff81000000ull, 8);
	printing_put(&p, 16, 0xffffffff81000110ull, 8);
	printing_class(&p, "ftrace", "function", LONG("ip", "8") LONG("parent_ip", "16"),
		       "\" %lx <-- %lx\", REC->ip, REC->parent_ip", 8);
	assert_string_equal(printing_info(&p), "one <-- two");
}

/* Before 5.6 arrays of the tracers' own events are written as single values. */
static void old_kernels_have_arrays_without_brackets(void **state)
{
	printing_put(&p, 8, 0xffffffff81000000ull, 8);
	printing_puts(&p, 16, "hello from a program\n");
	printing_class(
		&p, "ftrace", "print",
		LONG("ip", "8") "\tfield:char buf;\toffset:16;\tsize:0;\tsigned:1;\n",
		"\"%ps: %s\", (void *)REC->ip, REC->buf", 8);
	assert_string_equal(printing_info(&p), "one: hello from a program");
}

static void old_kernels_have_stacks_without_brackets(void **state)
{
	printing_put(&p, 8, 0xffffffff81000000ull, 8);
	printing_put(&p, 16, UINT64_MAX, 8);
	printing_class(&p, "ftrace", "kernel_stack",
		       "\tfield:unsigned long caller;\toffset:8;\tsize:64;\tsigned:0;\n",
		       "\"%ps\", REC->caller[0]", 8);
	assert_string_equal(printing_info(&p), "<stack trace>\n => one");
	const struct kft_class *c = kft_trace_class(p.trace, PRINTING_ID);
	const struct kft_field *f = kft_class_field(c, "caller");
	assert_int_equal(f->kind, KFT_FIELD_ARRAY);
	assert_int_equal(f->elem_size, 8);
}

static void bprint_class(uint64_t fmt)
{
	printing_put(&p, 8, 0xffffffff81000000ull, 8);
	printing_put(&p, 16, fmt, 8);
	if (p.size < 24)
		p.size = 24;
	printing_class(
		&p, "ftrace", "bprint",
		LONG("ip", "8") "\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n" TAIL(
			"u32", "buf", "24"),
		"\"%ps: %s\", (void *)REC->ip, REC->fmt", 8);
}

static void packed_arguments_are_unpacked(void **state)
{
	printing_put(&p, 24, (uint32_t)-3, 4);
	printing_puts(&p, 28, "ab"); /* and two bytes until the next number */
	printing_put(&p, 32, 77, 8);
	printing_put(&p, 40, 0xabc, 8);
	printing_put(&p, 48, 0xffffffff81000104ull, 8);
	printing_puts(&p, 56, "1.2.3.4");
	printing_put(&p, 64, 'Z', 1);
	printing_put(&p, 66, (uint16_t)-2, 2);
	printing_put(&p, 68, 4, 4);
	printing_put(&p, 72, 42, 4);
	printing_puts(&p, 76, "xyz");
	bprint_class(0xffffffff82000000ull);
	assert_string_equal(printing_info(&p),
			    "one: n=-3 s=ab    77 abc% two+0x4 1.2.3.4 Z -2|  42|xy");
	for (p.size = 80; p.size > 24; p.size--)
		(void)printing_info(&p);
	assert_string_equal(printing_info(&p), "one: n=");
}

static void small_numbers_are_packed_tight(void **state)
{
	printing_put(&p, 24, (uint8_t)-1, 1);
	printing_put(&p, 25, 2, 1);
	printing_put(&p, 28, 3, 4);
	bprint_class(0xffffffff82000020ull);
	assert_string_equal(printing_info(&p), "one: -1 2 3");
}

static void text_that_grows_without_end_is_cut(void **state)
{
	char formats[2048] = "0xffffffff82000040 : \"";

	for (int i = 0; i < 200; i++)
		strcat(formats, "%4096c");
	strcat(formats, "\"\n");
	p.trace->meta.printk_formats = PRINTING_BLOB(formats);
	memset(p.record + 24, 'x', 300);
	p.size = 324;
	bprint_class(0xffffffff82000040ull);
	(void)printing_info(&p);
	assert_in_range(p.out.len, 64 * 1024, 64 * 1024 + 5000);
}

static void formats_that_are_not_there_are_said_so(void **state)
{
	bprint_class(0xffffffff82000030ull);
	assert_string_equal(printing_info(&p),
			    "one: (NO FORMAT FOUND at ffffffff82000030)");
	printing_put(&p, 16, 0xffffffff82000010ull, 8);
	assert_string_equal(printing_info(&p), "one: plain");
}

static void short_strings_are_found_by_address(void **state)
{
	printing_put(&p, 8, 0xffffffff81000000ull, 8);
	printing_put(&p, 16, 0xffffffff82000010ull, 8);
	printing_class(
		&p, "ftrace", "bputs",
		LONG("ip",
		     "8") "\tfield:const char * str;\toffset:16;\tsize:8;\tsigned:0;\n",
		"\"%ps: %s\", (void *)REC->ip, REC->str", 8);
	assert_string_equal(printing_info(&p), "one: plain");
}

/* Two classes: an entry (the fixture's id) and an exit (78). */
#define EXIT_ID 78

static const char exit_text[] =
	"name: funcgraph_exit\nID: 78\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" LONG("func", "8") UINT(
		"depth",
		"16") "\tfield:unsigned long long calltime;\toffset:24;\tsize:8;\tsigned:0;\n"
		      "\tfield:unsigned long long rettime;\toffset:32;\tsize:8;\tsigned:0;\n"
		      "\nprint fmt: \"\"\n";

static struct printing exit_rec;

static struct kft_event graph_exit(uint64_t func, uint32_t depth, uint64_t ns)
{
	exit_rec.trace = p.trace; /* for its byte order */
	printing_put(&exit_rec, 4, 99, 4);
	printing_put(&exit_rec, 8, func, 8);
	printing_put(&exit_rec, 16, depth, 4);
	printing_put(&exit_rec, 24, 1000, 8);
	printing_put(&exit_rec, 32, 1000 + ns, 8);
	exit_rec.trace = NULL;
	return (struct kft_event){
		.data = exit_rec.record, .size = exit_rec.size, .id = EXIT_ID};
}

static void graph_classes(uint64_t func, uint32_t depth)
{
	printing_put(&p, 4, 99, 4);
	printing_put(&p, 8, func, 8);
	printing_put(&p, 16, depth, 4);
	printing_class(&p, "ftrace", "funcgraph_entry",
		       LONG("func", "8") UINT("depth", "16"), "\"\"", 8);
	assert_int_equal(kft_class_table_add(&p.trace->classes, "ftrace", exit_text,
					     strlen(exit_text)),
			 0);
}

static const char *info_of(const struct kft_event *ev)
{
	kft_strbuf_clear(&p.out);
	kft_printer_info(printing_printer(&p), ev, &p.out);
	return kft_strbuf_cstr(&p.out);
}

static void calls_are_drawn_as_a_tree(void **state)
{
	graph_classes(0xffffffff81000000ull, 1);
	assert_string_equal(printing_info(&p), "             |    one() {");
	struct kft_event ev = graph_exit(0xffffffff81000000ull, 1, 24676);
	assert_string_equal(info_of(&ev), "+ 24.676 us  |    }");
}

static void an_end_without_its_beginning_says_what_it_is(void **state)
{
	graph_classes(0xffffffff81000000ull, 1);
	struct kft_event ev = graph_exit(0xffffffff81000104ull, 0, 123456789);
	assert_string_equal(info_of(&ev), "# 123456.789 us |  } /* two */");
	ev = graph_exit(0x1234, 0, 5);
	assert_string_equal(info_of(&ev), "  0.005 us   |  } /* 1234 */");
	/* Once ended, a call is not ended again. */
	(void)printing_info(&p);
	ev = graph_exit(0xffffffff81000000ull, 1, 5);
	(void)info_of(&ev);
	assert_string_equal(info_of(&ev), "  0.005 us   |    } /* one */");
}

static void leaves_are_one_line(void **state)
{
	graph_classes(0xffffffff81000000ull, 2);
	struct kft_event entry = printing_event(&p);
	struct kft_event ev = graph_exit(0xffffffff81000000ull, 2, 2000000);

	assert_true(kft_printer_is_leaf(printing_printer(&p), &entry, &ev));
	kft_printer_leaf(p.printer, &entry, &ev, &p.out);
	assert_string_equal(kft_strbuf_cstr(&p.out), "# 2000.000 us |      one();");
	assert_false(kft_printer_is_leaf(p.printer, &entry, NULL));
	assert_false(kft_printer_is_leaf(p.printer, &entry, &entry));
	assert_false(kft_printer_is_leaf(p.printer, &ev, &ev));
	ev = graph_exit(0xffffffff81000100ull, 2, 1);
	assert_false(kft_printer_is_leaf(p.printer, &entry, &ev));
	ev = graph_exit(0xffffffff81000000ull, 2, 1);
	ev.size = 20;
	assert_false(kft_printer_is_leaf(p.printer, &entry, &ev));
}

static void absurd_depths_and_cpus_are_survived(void **state)
{
	graph_classes(0xffffffff81000000ull, UINT32_MAX);
	p.cpu = UINT32_MAX;
	(void)printing_info(&p);
	assert_true(p.out.len < 300);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, create, finish)

static const struct CMUnitTest tests[] = {
	TEST(stacks_have_all_their_addresses),
	TEST(user_stacks_end_at_zero),
	TEST(raw_markers_show_their_bytes),
	TEST(functions_have_no_blank_before_them),
	TEST(old_kernels_print_names_of_functions),
	TEST(old_kernels_have_arrays_without_brackets),
	TEST(old_kernels_have_stacks_without_brackets),
	TEST(packed_arguments_are_unpacked),
	TEST(small_numbers_are_packed_tight),
	TEST(text_that_grows_without_end_is_cut),
	TEST(formats_that_are_not_there_are_said_so),
	TEST(short_strings_are_found_by_address),
	TEST(calls_are_drawn_as_a_tree),
	TEST(an_end_without_its_beginning_says_what_it_is),
	TEST(leaves_are_one_line),
	TEST(absurd_depths_and_cpus_are_survived),
};

T_MAIN(tests)

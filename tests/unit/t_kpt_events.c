// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <stdio.h>

#include "decode/format.h"
#include "export/kpt/kpt.h"
#include "formats.h"

struct met {
	struct kft_arena arena;
	struct kft_class cls;
	struct kft_kpt_row row;
};

/* fields: names with blanks between them, each of 8 bytes. */
static const char *meet(struct met *m, const char *system, const char *name,
			const char *fields)
{
	char text[2048];
	size_t len = (size_t)snprintf(text, sizeof(text),
				      "name: %s\nID: 9\nformat:\n" COMMON, name);
	unsigned int offset = 8;
	char field[64];
	int used = 0;

	kft_arena_finish(&m->arena);
	*m = (struct met){};
	for (; sscanf(fields, "%63s%n", field, &used) == 1; fields += used, offset += 8)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"\tfield:unsigned long %s;\toffset:%u;\tsize:8;"
					"\tsigned:0;\n",
					field, offset);
	len += (size_t)snprintf(text + len, sizeof(text) - len, "\nprint fmt: \"\"\n");
	assert_int_equal(kft_format_parse(system, text, len, 8, NULL, &m->arena, &m->cls),
			 0);
	kft_kpt_meet(&m->row, &m->cls);
	return m->row.record ? m->row.record->code : "none";
}

static void events_that_stand_for_functions_have_their_records(void **state)
{
	struct met m = {};

	assert_string_equal(
		meet(&m, "kmem", "kmalloc", "call_site ptr bytes_req gfp_flags"), "MM");
	assert_string_equal(m.row.fields[0]->name, "bytes_req");
	assert_string_equal(m.row.fields[1]->name, "gfp_flags");
	assert_string_equal(m.row.back->code, "Mm");
	assert_string_equal(m.row.back_field->name, "ptr");
	assert_string_equal(meet(&m, "net", "netif_receive_skb", "skbaddr len"), "NR");
	assert_string_equal(meet(&m, "net", "net_dev_queue", "skbaddr len"), "NX");
	assert_string_equal(meet(&m, "kmem", "mm_page_free", "pfn order"), "MZ");
	assert_null(m.row.fields[0]);
	assert_string_equal(m.row.fields[1]->name, "order");
	assert_string_equal(meet(&m, "timer", "itimer_state",
				 "which expires value_sec value_nsec interval_sec "
				 "interval_nsec"),
			    "IS");
	assert_true(m.row.has_times);
	assert_string_equal(m.row.times[3]->name, "value_nsec");
	assert_string_equal(meet(&m, "kmem", "rss_stat", "size"), "none");
	kft_arena_finish(&m.arena);
}

static void probes_of_kptraces_functions_have_their_records(void **state)
{
	static const struct {
		const char *name;
		const char *fields;
		const char *code;
	} probes[] = {
		{"mutex_lock", "__probe_ip lock", "ZM"},
		{"mutex_unlock", "__probe_ip lock", "Zm"},
		{"down_read", "__probe_ip sem", "ZR"},
		{"up_read", "__probe_ip sem", "Zr"},
		{"down_write", "__probe_ip sem", "ZW"},
		{"up_write", "__probe_ip sem", "Zw"},
		{"down_trylock", "__probe_ip sem", "ZT"},
		{"down_trylock_return", "__probe_func __probe_ret_ip arg1", "Zt"},
		{"up", "__probe_ip sem", "ZU"},
		{"up_2", "__probe_ip sem", "ZU"},
		{"sock_sendmsg", "__probe_ip sock", "SS"},
		{"kthread_create_on_node", "__probe_ip threadfn", "KC"},
		{"irq_exit_rcu_return", "__probe_func __probe_ret_ip", "Ix"},
	};
	struct met m = {};

	for (size_t i = 0; i < ARRAY_SIZE(probes); i++)
		assert_string_equal(meet(&m, "kprobes", probes[i].name, probes[i].fields),
				    probes[i].code);
	(void)meet(&m, "kprobes", "mutex_lock", "__probe_ip lock");
	assert_string_equal(m.row.fields[0]->name, "lock");
	/* The kernel's own event of that name is another one. */
	assert_string_equal(meet(&m, "lock", "mutex_lock", "lock"), "none");
	kft_arena_finish(&m.arena);
}

static void other_probes_are_the_users(void **state)
{
	struct met m = {};

	assert_string_equal(meet(&m, "kprobes", "c_show", "__probe_ip a b c d e"), "U");
	assert_string_equal(m.row.fields[0]->name, "__probe_ip");
	assert_string_equal(m.row.fields[4]->name, "d");
	assert_string_equal(
		meet(&m, "kprobes", "c_show_return", "__probe_func __probe_ret_ip arg1"),
		"u");
	assert_string_equal(m.row.fields[0]->name, "arg1");
	assert_string_equal(m.row.fields[1]->name, "__probe_func");
	kft_arena_finish(&m.arena);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(events_that_stand_for_functions_have_their_records),
	cmocka_unit_test(probes_of_kptraces_functions_have_their_records),
	cmocka_unit_test(other_probes_are_the_users),
};

T_MAIN(tests)

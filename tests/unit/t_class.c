// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/class.h"

static unsigned int parsed;

static int fake_parse(const char *system, const char *text, size_t len,
		      uint32_t long_size, const struct kft_class_text *like,
		      struct kft_arena *arena, struct kft_class *ret)
{
	static const struct kft_field fields[] = {
		{.name = "common_type", .is_common = true}, {.name = "prev"}};

	parsed++;
	if (memmem(text, len, "broken", 6))
		return -EINVAL;
	const char *id = memmem(text, len, "ID: ", 4);
	*ret = (struct kft_class){.system = system,
				  .id = (uint16_t)atoi(id + 4),
				  .name = "x",
				  .fields = fields,
				  .n_fields = 2,
				  .n_common = 1};
	return 0;
}

static int add(struct kft_class_table *t, const char *system, const char *text)
{
	return kft_class_table_add(t, system, text, strlen(text));
}

static void classes_are_parsed_once_when_asked_for(void **state)
{
	struct kft_class_table t = {.parse = fake_parse, .long_size = 8};

	parsed = 0;
	assert_int_equal(add(&t, "sched", "name: a\nID: 300\nformat:\n"), 0);
	assert_int_equal(add(&t, "irq", "name: b\nID: 65535\nformat:\n\n"), 0);
	assert_int_equal(parsed, 0);
	const struct kft_class *c = kft_class_table_get(&t, 300);
	assert_string_equal(c->system, "sched");
	assert_ptr_equal(kft_class_table_get(&t, 300), c);
	assert_int_equal(parsed, 1);
	assert_null(kft_class_table_get(&t, 301));
	assert_int_equal(kft_class_table_parse_all(&t), 0);
	assert_int_equal(parsed, 2);
	kft_class_table_finish(&t);
}

/* All sys_exit_* have the same fields. */
static void texts_with_one_layout_are_parsed_once(void **state)
{
	struct kft_class_table t = {.parse = fake_parse, .long_size = 8};
	const struct kft_class *last = NULL;
	size_t at = 0;

	parsed = 0;
	assert_int_equal(add(&t, "a", "name: exit_a\nID: 1\nformat:\n\tfield\n"), 0);
	assert_int_equal(add(&t, "a", "name: other\nID: 2\nformat:\n\tfields\n"), 0);
	assert_int_equal(add(&t, "b", "name: exit_b\nID: 3\nformat:\n\tfield\n"), 0);
	assert_int_equal(add(&t, "a", "name: exit_c\nID: 4\nformat:\n\tfield\n"), 0);
	assert_non_null(kft_class_table_get(&t, 1));
	const struct kft_class *b = kft_class_table_get(&t, 3);
	assert_int_equal(parsed, 1);
	assert_int_equal(b->id, 3);
	assert_string_equal(b->name, "exit_b");
	assert_string_equal(b->system, "b");
	assert_int_equal(b->n_fields, 2);
	assert_non_null(kft_class_table_get(&t, 2));
	assert_int_equal(parsed, 2);
	/* A search by name finds texts that were added after the first search, too. */
	last = kft_class_table_next(&t, "a", "exit_c", &at);
	assert_int_equal(last->id, 4);
	assert_int_equal(parsed, 3);
	assert_null(kft_class_table_next(&t, "a", "exit_c", &at));
	assert_int_equal(add(&t, "b", "name: exit_c\nID: 5\nformat:\n\tfield\n"), 0);
	at = 0;
	last = kft_class_table_next(&t, "b", "exit_c", &at);
	assert_int_equal(last->id, 5);
	assert_int_equal(parsed, 3);
	at = 0;
	assert_null(kft_class_table_next(&t, "c", "exit_c", &at));
	kft_class_table_finish(&t);
}

static void broken_text_is_tried_once(void **state)
{
	struct kft_class_table t = {.parse = fake_parse};

	parsed = 0;
	assert_int_equal(add(&t, "s", "name: broken\nID: 7\n"), 0);
	assert_null(kft_class_table_get(&t, 7));
	assert_null(kft_class_table_get(&t, 7));
	assert_int_equal(kft_class_table_parse_all(&t), 1);
	assert_int_equal(parsed, 1);
	kft_class_table_finish(&t);
}

static void later_text_with_same_id_wins(void **state)
{
	struct kft_class_table t = {.parse = fake_parse};

	assert_int_equal(add(&t, "old", "name: a\nID: 7\n"), 0);
	assert_int_equal(add(&t, "new", "name: a\nID: 7\n"), 0);
	assert_string_equal(kft_class_table_get(&t, 7)->system, "new");
	kft_class_table_finish(&t);
}

static void bad_ids_are_refused(void **state)
{
	static const char *const bad[] = {
		"",	    "name: a\n", "name: a\nID:\n", "name: a\nID: 65536\n",
		"ID: -1\n", "ID: 1x\n",	 "name: ID: 5\n",  "ID: 99999999999999999999\n",
	};
	struct kft_class_table t = {.parse = fake_parse};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(add(&t, "s", bad[i]), -EINVAL);
	assert_int_equal(t.texts.len, 0);
	kft_class_table_finish(&t);
}

static void classes_are_found_by_name(void **state)
{
	struct kft_class_table t = {.parse = fake_parse};

	assert_int_equal(add(&t, "sched", "name: wake\nID: 1\n"), 0);
	assert_int_equal(add(&t, "irq", "name: wake\nID: 2\n"), 0);
	assert_int_equal(add(&t, "irq", "name: wake_up\nID: 3"), 0);
	assert_string_equal(kft_class_table_find(&t, NULL, "wake")->system, "sched");
	assert_string_equal(kft_class_table_find(&t, "irq", "wake")->system, "irq");
	assert_string_equal(kft_class_table_find(&t, NULL, "irq:wake")->system, "irq");
	assert_null(kft_class_table_find(&t, "ir", "wake"));
	assert_null(kft_class_table_find(&t, NULL, "wak"));
	assert_null(kft_class_table_find(&t, NULL, "sched:wake_up"));
	assert_non_null(kft_class_table_find(&t, NULL, "irq:wake_up"));
	kft_class_table_finish(&t);
}

static void fields_are_found_by_name(void **state)
{
	struct kft_class_table t = {.parse = fake_parse};

	assert_int_equal(add(&t, "s", "name: a\nID: 1\n"), 0);
	const struct kft_class *c = kft_class_table_get(&t, 1);
	assert_ptr_equal(kft_class_field(c, "prev"), &c->fields[1]);
	assert_null(kft_class_field(c, "pre"));
	kft_class_table_finish(&t);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(classes_are_parsed_once_when_asked_for),
	cmocka_unit_test(texts_with_one_layout_are_parsed_once),
	cmocka_unit_test(broken_text_is_tried_once),
	cmocka_unit_test(later_text_with_same_id_wins),
	cmocka_unit_test(bad_ids_are_refused),
	cmocka_unit_test(classes_are_found_by_name),
	cmocka_unit_test(fields_are_found_by_name),
};

T_MAIN(tests)

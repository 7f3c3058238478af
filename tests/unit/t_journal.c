// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <stdio.h>

#include "doctor/journal.h"
#include "fake.h"

static void add(struct kft_journal *j, enum kft_doctor_undo_kind kind, const char *path,
		const char *text, const char *probe)
{
	struct kft_doctor_undo undo = {.kind = kind};

	(void)snprintf(undo.path, sizeof(undo.path), "%s", path);
	(void)snprintf(undo.text, sizeof(undo.text), "%s", text);
	(void)snprintf(undo.probe, sizeof(undo.probe), "%s", probe);
	assert_int_equal(kft_journal_add(j, &undo), 0);
}

static void undo(struct kft_journal *j, const struct fake *f, unsigned int mark)
{
	kft_journal_undo(j, -1, f->host->root_fd, mark);
}

static void each_kind_puts_its_file_back(void **state)
{
	struct fake *f = *state;
	struct kft_journal j = {};

	fake_write(f, "thresh", "500\n");
	fake_write(f, "filter", "vfs_read\n");
	fake_write(f, "kprobe_events", "p:g/k f\n");
	fake_mkdir(f, "events/g/k");
	add(&j, KFT_UNDO_WRITE, "thresh", "0", "");
	add(&j, KFT_UNDO_CLEAR, "filter", "", "");
	add(&j, KFT_UNDO_DELETE, "kprobe_events", "-:g/k", "events/g/k");
	undo(&j, f, 0);
	assert_string_equal(fake_read(f, "thresh"), "0");
	assert_string_equal(fake_read(f, "filter"), "");
	assert_string_equal(fake_read(f, "kprobe_events"), "p:g/k f\n-:g/k");
	assert_int_equal(j.len, 0);
	assert_string_equal(j.left_over, "");
}

static void what_never_happened_is_not_undone(void **state)
{
	struct fake *f = *state;
	struct kft_journal j = {};

	fake_write(f, "thresh", "0\n");
	fake_write(f, "kprobe_events", "");
	add(&j, KFT_UNDO_WRITE, "thresh", "0", "");
	add(&j, KFT_UNDO_WRITE, "gone", "0", "");
	add(&j, KFT_UNDO_CLEAR, "gone", "", "");
	add(&j, KFT_UNDO_DELETE, "kprobe_events", "-:g/k", "events/g/k");
	undo(&j, f, 0);
	assert_string_equal(fake_read(f, "thresh"), "0\n");
	assert_string_equal(fake_read(f, "kprobe_events"), "");
	assert_string_equal(j.left_over, "");
}

static void newest_first_down_to_the_mark(void **state)
{
	struct fake *f = *state;
	struct kft_journal j = {};

	fake_write(f, "a", "x");
	fake_write(f, "b", "x");
	add(&j, KFT_UNDO_WRITE, "a", "first", "");
	add(&j, KFT_UNDO_WRITE, "b", "oldest", "");
	add(&j, KFT_UNDO_WRITE, "b", "newest", "");
	undo(&j, f, 1);
	assert_string_equal(fake_read(f, "b"), "oldest");
	assert_string_equal(fake_read(f, "a"), "x");
	assert_int_equal(j.len, 1);
	undo(&j, f, 0);
	assert_string_equal(fake_read(f, "a"), "first");
}

static void failures_are_told(void **state)
{
	struct fake *f = *state;
	struct kft_journal j = {};

	fake_mkdir(f, "dir");
	fake_mkdir(f, "events/g/k");
	add(&j, KFT_UNDO_CLEAR, "dir", "", "");
	add(&j, KFT_UNDO_WRITE, "dir", "1\n", "");
	add(&j, KFT_UNDO_DELETE, "dir", "-:g/k", "events/g/k");
	undo(&j, f, 0);
	assert_string_equal(j.left_over, "cannot delete 'events/g/k': Is a directory\n"
					 "cannot set 'dir' to '1' again: Is a directory\n"
					 "cannot clear 'dir': Is a directory\n");
	assert_int_equal(j.len, 0);
	/* More than fits is cut, not written past the end. */
	for (int i = 0; i < 100; i++)
		kft_journal_note(&j, "%s", "a sentence that is rather long\n");
	assert_int_equal(strlen(j.left_over), sizeof(j.left_over) - 1);
}

static void paths_below_the_root(void **state)
{
	struct fake *f = *state;
	struct kft_journal j = {};
	struct kft_doctor_undo sysctl = {.kind = KFT_UNDO_WRITE,
					 .in_root = true,
					 .path = "proc/switch",
					 .text = "0"};

	fake_write(f, "proc/switch", "1\n");
	assert_int_equal(kft_journal_add(&j, &sysctl), 0);
	kft_journal_undo(&j, f->host->root_fd, -1, 0);
	assert_string_equal(fake_read(f, "proc/switch"), "0");
}

static void a_full_journal_refuses(void **state)
{
	struct kft_journal j = {.len = KFT_UNDO_MAX};
	struct kft_doctor_undo any = {};

	assert_int_equal(kft_journal_add(&j, &any), -ENOSPC);
	assert_int_equal(j.len, KFT_UNDO_MAX);
}

#define with_tree(f) cmocka_unit_test_setup_teardown(f, fake_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	with_tree(each_kind_puts_its_file_back),
	with_tree(what_never_happened_is_not_undone),
	with_tree(newest_first_down_to_the_mark),
	with_tree(failures_are_told),
	with_tree(paths_below_the_root),
	cmocka_unit_test(a_full_journal_refuses),
};

T_MAIN(tests)

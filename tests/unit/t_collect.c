// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>

#include "tracefs/drain/collect.h"
#include "tracefs/control/mount.h"
#include "fake.h"

static char noted[512];

static void keep_note(void *arg, const char *text)
{
	(void)strncpy(noted, text, sizeof(noted) - 1);
}

static const struct kft_notify notify = {.note = keep_note};

struct fixture {
	struct kft_meta meta;
	struct kft_collect c;
	int instance_fd;
};

static void init(struct fake *f, struct fixture *x)
{
	int fd;

	*x = (struct fixture){};
	*noted = '\0';
	assert_int_equal(kft_tracefs_open(f->host, &fd, NULL), 0);
	x->instance_fd = openat(f->host->root_fd, "template",
				O_PATH | O_DIRECTORY | O_CLOEXEC);
	x->c = (struct kft_collect){
		.host = f->host,
		.instance_fd = x->instance_fd,
		.notify = &notify,
		.meta = &x->meta,
	};
}

static void finish(struct fixture *x)
{
	kft_collect_finish(&x->c);
	kft_meta_finish(&x->meta);
	(void)close(x->instance_fd);
}

static void assert_blob(const struct kft_blob *b, const char *text)
{
	assert_int_equal(b->len, strlen(text));
	assert_memory_equal(b->data, text, b->len);
}

static bool has_format(const struct kft_meta *m, const char *system, const char *text)
{
	for (size_t i = 0; i < m->formats.len; i++) {
		const struct kft_format_text *f = &m->formats.data[i];

		if (strcmp(f->system, system) == 0 && f->text.len == strlen(text) &&
		    memcmp(f->text.data, text, f->text.len) == 0)
			return true;
	}
	return false;
}

static void everything_is_collected(void **state)
{
	struct fake *f = *state;
	struct fixture x;

	fake_write(f, "proc/kallsyms", "0000000000000000 A zero\nffffffff81000000 T a\n");
	fake_write(f, "proc/partitions", " 254 0 1 vda\n");
	fake_write(f, "template/trace_clock", "local [mono] boot\n");
	fake_write(f, "template/buffer_subbuf_size_kb", "16\n");
	fake_write(f, "template/per_cpu/cpu11/stats", "");
	init(f, &x);
	assert_int_equal(kft_collect_begin(&x.c, NULL), 0);
	assert_int_equal(x.meta.formats.len, 4);
	assert_true(has_format(&x.meta, "ftrace", "name: function\nID: 1\n"));
	assert_true(has_format(&x.meta, "sched", "name: sched_wakeup\nID: 301\n"));
	assert_blob(&x.meta.header_event, "# compressed entry header\n");
	assert_blob(&x.meta.kallsyms, "0000000000000000 A zero\nffffffff81000000 T a\n");
	assert_blob(&x.meta.devices, " 254 0 1 vda\n");
	assert_blob(&x.meta.printk_formats, "0xffffffff81000000 : \"%s\"\n");
	assert_blob(&x.meta.trace_clock, "local [mono] boot\n");
	assert_string_equal(x.meta.clock.name, "mono");
	assert_int_equal(x.meta.long_size, 8);
	assert_int_equal(x.meta.page_size, 16384);
	assert_int_equal(x.meta.cpu_count, 12);
	assert_non_null(x.meta.uname.data);
	assert_string_equal(noted, "");
	finish(&x);
}

static void formats_of_one_group_can_be_enough(void **state)
{
	struct fake *f = *state;
	struct fixture x;

	init(f, &x);
	x.c.only_group = "irq";
	assert_int_equal(kft_collect_begin(&x.c, NULL), 0);
	assert_int_equal(x.meta.formats.len, 2);
	assert_true(has_format(&x.meta, "ftrace", "name: function\nID: 1\n"));
	assert_true(has_format(&x.meta, "irq", "name: irq_handler_entry\nID: 302\n"));
	finish(&x);
}

static void hidden_symbols_are_told(void **state)
{
	struct fake *f = *state;
	struct fixture x;

	fake_write(f, "proc/kallsyms", "0000000000000000 T a\n0000000000000000 T b\n");
	init(f, &x);
	assert_int_equal(kft_collect_begin(&x.c, NULL), 0);
	assert_null(x.meta.kallsyms.data);
	assert_non_null(strstr(noted, "symbols"));
	finish(&x);
}

static void old_kernels_have_pages(void **state)
{
	struct fake *f = *state;
	struct fixture x;

	fake_template_remove(f, "buffer_subbuf_size_kb");
	init(f, &x);
	assert_int_equal(kft_collect_begin(&x.c, NULL), 0);
	assert_int_equal(x.meta.page_size, sysconf(_SC_PAGESIZE));
	finish(&x);
}

static void new_events_come_at_the_end(void **state)
{
	struct fake *f = *state;
	struct fixture x;

	init(f, &x);
	assert_int_equal(kft_collect_begin(&x.c, NULL), 0);
	/* Without a change of the list nothing is read again. */
	fake_write(f, FAKE_TRACEFS "/events/mod/mod_event/format", "name: m\nID: 400\n");
	assert_int_equal(kft_collect_end(&x.c, NULL), 0);
	assert_int_equal(x.meta.formats.len, 4);
	fake_write(f, FAKE_TRACEFS "/available_events", "mod:mod_event\n");
	fake_remove(f, FAKE_TRACEFS "/events/irq");
	assert_int_equal(kft_collect_end(&x.c, NULL), 0);
	assert_int_equal(x.meta.formats.len, 5);
	assert_true(has_format(&x.meta, "mod", "name: m\nID: 400\n"));
	assert_true(has_format(&x.meta, "irq", "name: irq_handler_entry\nID: 302\n"));
	finish(&x);
}

/* A module is loaded, freed and loaded elsewhere; older modules are not read again. */
static void modules_that_come_bring_their_symbols(void **state)
{
	struct fake *f = *state;
	struct fixture x;

	fake_write(f, "proc/modules", "old 4096 1 - Live 0xffffffffc0000000\n");
	fake_write(f, "proc/kallsyms",
		   "ffffffff81000000 T a\nffffffffc0000010 t o\t[old]\n");
	init(f, &x);
	assert_int_equal(kft_collect_begin(&x.c, NULL), 0);
	fake_write(f, "proc/modules",
		   "new 8192 0 - Loading 0xffffffffc0100000 (O+)\n"
		   "old 4096 2 new, Live 0xffffffffc0000000\n");
	fake_write(f, "proc/kallsyms",
		   "ffffffff81000000 T a\nffffffffc0100010 t n\t[new]\n"
		   "ffffffffc0000010 t o\t[old]\nffffffffc0100020 t m\t[new]\n");
	kft_collect_modules(&x.c);
	fake_write(f, "proc/modules",
		   "new 8192 0 - Live 0xffffffffc0100000 (O)\n"
		   "old 4096 2 new, Live 0xffffffffc0000000\n");
	kft_collect_modules(&x.c);
	fake_write(f, "proc/modules", "old 4096 1 - Live 0xffffffffc0000000\n");
	fake_write(f, "proc/kallsyms", "ffffffff81000000 T a\n");
	kft_collect_modules(&x.c);
	fake_write(f, "proc/modules",
		   "new 8192 0 - Live 0xffffffffc0200000 (O)\n"
		   "old 4096 1 - Live 0xffffffffc0000000\n");
	fake_write(f, "proc/kallsyms", "ffffffffc0200010 t n\t[new]\n");
	assert_int_equal(kft_collect_end(&x.c, NULL), 0);
	assert_blob(&x.meta.kallsyms,
		    "ffffffff81000000 T a\nffffffffc0000010 t o\t[old]\n"
		    "ffffffffc0100010 t n\t[new]\nffffffffc0100020 t m\t[new]\n"
		    "ffffffffc0200010 t n\t[new]\n");
	finish(&x);
}

static void a_name_that_may_be_another_module_s_is_an_address(void **state)
{
	struct fake *f = *state;
	struct fixture x;

	fake_write(f, "proc/modules", "old 4096 1 - Live 0xffffffffc0000000\n");
	fake_write(f, "proc/kallsyms",
		   "ffffffff81000000 T a\nffffffffc0000010 t o\t[old]\n");
	init(f, &x);
	assert_int_equal(kft_collect_begin(&x.c, NULL), 0);
	fake_write(f, "proc/modules", "new 4096 1 - Live 0xffffffffc0000000\n");
	fake_write(f, "proc/kallsyms",
		   "ffffffff81000000 T a\nffffffffc0000020 t n\t[new]\n");
	assert_int_equal(kft_collect_end(&x.c, NULL), 0);
	assert_blob(&x.meta.kallsyms,
		    "ffffffff81000000 T a\nffffffffc0000010 t 0xffffffffc0000010\n"
		    "ffffffffc0000020 t 0xffffffffc0000020\n");
	finish(&x);
}

static void unreadable_pages_are_an_error(void **state)
{
	struct fake *f = *state;
	struct fixture x;
	struct kft_err e;

	fake_write(f, FAKE_TRACEFS "/events/header_page", "nothing\n");
	init(f, &x);
	assert_int_equal(kft_collect_begin(&x.c, &e), -EINVAL);
	assert_non_null(strstr(e.msg, "pages"));
	finish(&x);
}

#define FAKE_TEST(fn) \
	cmocka_unit_test_setup_teardown(fn, fake_tracefs_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	FAKE_TEST(everything_is_collected),
	FAKE_TEST(hidden_symbols_are_told),
	FAKE_TEST(old_kernels_have_pages),
	FAKE_TEST(new_events_come_at_the_end),
	FAKE_TEST(modules_that_come_bring_their_symbols),
	FAKE_TEST(a_name_that_may_be_another_module_s_is_an_address),
	FAKE_TEST(unreadable_pages_are_an_error),
	FAKE_TEST(formats_of_one_group_can_be_enough),
};

T_MAIN(tests)

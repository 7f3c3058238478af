// SPDX-License-Identifier: GPL-2.0-only
/* Prints records that no tracer has made: text is made of the record alone. */
#include "t.h"

#include <errno.h>
#include <sys/wait.h>

#include "strace/lines.h"

static struct kft_strbuf written;

static void keep(void *arg, pid_t tid, struct kft_strbuf *text)
{
	kft_strbuf_add(&written, text->buf, text->len);
	kft_strbuf_clear(text);
}

/* Memory that an engine which stops nothing has recorded. */
static void add_memory(struct kft_traced_call *c, uint64_t address, const void *data,
		       size_t len, size_t wanted)
{
	assert_true(kft_vec_push(&c->pieces,
				 ((struct kft_traced_piece){address, len, wanted,
							    c->bytes.len, c->at_exit})));
	kft_strbuf_add(&c->bytes, data, len);
}

struct fixture {
	struct kft_strace_options options;
	struct kft_strace_lines *lines;
	struct kft_traced_sink sink;
	struct kft_traced_task task;
};

static int set_up(void **state)
{
	static struct fixture f;

	memset(&f, 0, sizeof(f));
	f.options = (struct kft_strace_options){
		.style.string_max = 8, .lines = true, .column = 40, .write = keep};
	kft_strace_choice_init(&f.options.choice);
	f.lines = kft_strace_lines_create(&f.options);
	f.sink = kft_strace_lines_sink(f.lines);
	f.task.tid = f.task.call.tid = 77;
	kft_strbuf_clear(&written);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	f->sink.end(f->sink.arg, &f->task, 0);
	kft_traced_call_finish(&f->task.call);
	kft_strace_lines_destroy(f->lines);
	kft_strbuf_finish(&written);
	return 0;
}

static struct kft_traced_call *begin(struct fixture *f, const char *name, uint64_t a,
				     uint64_t b, uint64_t c)
{
	struct kft_traced_call *call = &f->task.call;

	kft_traced_call_begin(call);
	call->number = kft_syscall_number(kft_strace_syscalls(KFT_TRACED_NATIVE), name);
	assert_true(call->number >= 0);
	call->args[0] = a;
	call->args[1] = b;
	call->args[2] = c;
	f->task.in_call = true;
	return call;
}

static void leave(struct fixture *f, int64_t result)
{
	f->task.call.at_exit = true;
	f->task.call.result = result;
	f->task.call.is_error = result < 0;
	f->task.in_call = false;
	f->sink.leave(f->sink.arg, &f->task);
}

static void text_is_made_of_the_record_alone(void **state)
{
	struct fixture *f = *state;
	struct kft_traced_call *c = begin(f, "read", 3, 0x1000, 100);

	f->sink.enter(f->sink.arg, &f->task);
	c->at_exit = true;
	add_memory(c, 0x1000, "ab\n\033[1mxyz", 10, 10);
	leave(f, 10);
	assert_string_equal(kft_strbuf_cstr(&written),
			    "read(3, \"ab\\n\\33[1mx\"..., 100)          = 10\n");
}

static void memory_that_was_not_recorded_is_an_address(void **state)
{
	struct fixture *f = *state;

	(void)begin(f, "read", 3, 0x123456, 100);
	f->sink.enter(f->sink.arg, &f->task);
	leave(f, 10);
	assert_string_equal(kft_strbuf_cstr(&written),
			    "read(3, 0x123456, 100)                  = 10\n");
}

static void a_piece_that_ends_early_is_no_string(void **state)
{
	struct fixture *f = *state;
	struct kft_traced_call *c = begin(f, "chdir", 0x2000, 0, 0);

	add_memory(c, 0x2000, "/tm", 3, 256);
	f->sink.enter(f->sink.arg, &f->task);
	leave(f, -EFAULT);
	assert_string_equal(
		kft_strbuf_cstr(&written),
		"chdir(0x2000)                           = -1 EFAULT (Bad address)\n");
}

static void memory_is_that_of_its_moment(void **state)
{
	struct fixture *f = *state;
	struct kft_traced_call *c = begin(f, "read", 0, 0x3000, 4);
	char data[4];

	add_memory(c, 0x3000, "old!", 4, 4);
	assert_int_equal(kft_traced_read(c, 0x3000, data, 4), 4);
	c->at_exit = true;
	assert_int_equal(kft_traced_read(c, 0x3000, data, 4), 0);
	assert_int_equal(kft_traced_read_entry(c, 0x3000, data, 4), 4);
	assert_memory_equal(data, "old!", 4);
	add_memory(c, 0x3000, "new!", 4, 4);
	assert_int_equal(kft_traced_read(c, 0x3001, data, 3), 3);
	assert_memory_equal(data, "ew!", 3);
}

static ssize_t read_ones(void *arg, pid_t tid, uint64_t address, void *data, size_t len)
{
	memset(data, 1, len);
	return (ssize_t)len;
}

static void the_text_of_endless_arrays_ends(void **state)
{
	static const char *const calls[] = {"writev", "execve"};
	static const struct kft_traced_source endless = {read_ones};
	struct fixture *f = *state;

	f->options.style.verbose = true;
	f->options.style.string_max = KFT_STRACE_STRING_MAX;
	f->task.call.source = &endless;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		kft_strbuf_clear(&written);
		(void)begin(f, calls[i], 0x10000, 0x10000, UINT64_MAX / 64);
		f->sink.enter(f->sink.arg, &f->task);
		leave(f, -EFAULT);
		assert_in_range(written.len, 1000, 3 * KFT_STRACE_TEXT_MAX);
		assert_non_null(strstr(kft_strbuf_cstr(&written), "..."));
	}
	f->task.call.source = NULL;
}

static void lines_of_tasks_interrupt_each_other(void **state)
{
	struct fixture *f = *state;
	struct kft_traced_task other = {.tid = 78, .call.tid = 78};

	(void)begin(f, "pause", 0, 0, 0);
	f->sink.enter(f->sink.arg, &f->task);
	f->sink.attach(f->sink.arg, &other);
	f->sink.signal(f->sink.arg, &other, SIGUSR1, NULL);
	leave(f, -EINTR);
	f->sink.end(f->sink.arg, &other, 7 << 8);
	assert_string_equal(
		kft_strbuf_cstr(&written),
		"pause( <unfinished ...>\n"
		"[pid    78] --- SIGUSR1 ---\n"
		"[pid    77] <... pause resumed>)        = -1 EINTR (Interrupted system call)\n"
		"[pid    78] +++ exited with 7 +++\n");
}

static void choose(struct fixture *f, const char *expression, int expected)
{
	struct kft_err e = {};

	assert_int_equal(kft_strace_choose(&f->options.choice, expression, &e), expected);
}

static bool is_chosen(const struct fixture *f, const char *name)
{
	const struct kft_syscalls *s = kft_strace_syscalls(KFT_TRACED_NATIVE);

	return kft_strace_chooses(&f->options.choice, KFT_TRACED_NATIVE,
				  kft_syscall_number(s, name));
}

static void expressions_choose_calls(void **state)
{
	struct fixture *f = *state;

	choose(f, "trace=%file,read", 0);
	assert_true(is_chosen(f, "openat") && is_chosen(f, "read") &&
		    is_chosen(f, "execve"));
	assert_false(is_chosen(f, "write") || is_chosen(f, "mmap"));
	choose(f, "!futex,/^clock_", 0);
	assert_false(is_chosen(f, "futex") || is_chosen(f, "clock_gettime"));
	assert_true(is_chosen(f, "openat"));
	choose(f, "none", 0);
	assert_false(is_chosen(f, "openat"));
	choose(f, "%desc", 0);
	assert_true(is_chosen(f, "read") && is_chosen(f, "openat") &&
		    is_chosen(f, "epoll_wait"));
	assert_false(is_chosen(f, "getpid"));
	assert_false(is_chosen(f, "socket"));
	choose(f, "read@64,write@32", 0);
	assert_true(is_chosen(f, "read") == (sizeof(long) == 8));
	assert_true(is_chosen(f, "write") == (sizeof(long) == 4));
	choose(f, "read@nonsense", -EINVAL);
	choose(f, "trace=", -EINVAL);
	choose(f, "!", -EINVAL);
	choose(f, ",,", -EINVAL);
	choose(f, "nonsense", -EINVAL);
	choose(f, "%nonsense", -EINVAL);
	choose(f, "?nonsense", 0);
	choose(f, "trace=/[", -EINVAL);
	choose(f, "inject=all", -EINVAL);
	choose(f, "signal=nonsense", -EINVAL);
	choose(f, "status=nonsense", -EINVAL);
}

static void a_status_holds_lines_until_it_is_known(void **state)
{
	struct fixture *f = *state;

	choose(f, "status=failed", 0);
	(void)begin(f, "close", 3, 0, 0);
	f->sink.enter(f->sink.arg, &f->task);
	leave(f, 0);
	(void)begin(f, "close", 4, 0, 0);
	f->sink.enter(f->sink.arg, &f->task);
	assert_int_equal(written.len, 0);
	leave(f, -EBADF);
	assert_string_equal(
		kft_strbuf_cstr(&written),
		"close(4)                                = -1 EBADF (Bad file descriptor)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(text_is_made_of_the_record_alone, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(
			memory_that_was_not_recorded_is_an_address, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_piece_that_ends_early_is_no_string,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(memory_is_that_of_its_moment, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(the_text_of_endless_arrays_ends, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(lines_of_tasks_interrupt_each_other,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(expressions_choose_calls, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_status_holds_lines_until_it_is_known,
						set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

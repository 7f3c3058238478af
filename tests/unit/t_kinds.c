// SPDX-License-Identifier: GPL-2.0-only
/* Tests of interval kinds with events that need more than two integers. */
#include "t.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "derive/kinds/syscall_form.h"
#include "derive/depth.h"
#include "derive/kinds/kinds.h"
#include "derive/kinds/user_pairs.h"
#include "fake_trace.h"

#define U64(name, offset) \
	"\tfield:u64 " name ";\toffset:" offset ";\tsize:8;\tsigned:0;\n"

enum {
	START = 1,
	CANCEL,
	EXPIRE,
	EXPIRED,
	QUEUE,
	EXEC,
	DONE,
	INSERT,
	ISSUE,
	COMPLETE,
	GENERATE,
	DELIVER,
	PRINT,
	ENTER,
	RETURN,
	IRQ_IN,
	IRQ_OUT,
	SWITCH,
	SYS_IN,
	SYS_OUT,
	FAULT,
	FUTEX_IN,
	FUTEX_OUT,
	SIGRETURN_IN,
	STAT_IN,
	STAT_OUT,
	UNKNOWN_IN,
	UNKNOWN_OUT,
	COMPAT_FUTEX_IN,
	COMPAT_FUTEX_OUT,
	GETRQ,
	REQUEUE,
};

static const char *const formats[][2] = {
	{"timer", FORMAT("hrtimer_start", "1",
			 U64("hrtimer", "8") U64("function", "16") U64("expires", "24")
				 U64("softexpires", "32"))},
	{"timer", FORMAT("hrtimer_cancel", "2", U64("hrtimer", "8"))},
	{"timer", FORMAT("hrtimer_expire_entry", "3",
			 U64("hrtimer", "8") U64("now", "16") U64("function", "24"))},
	{"timer", FORMAT("hrtimer_expire_exit", "4", U64("hrtimer", "8"))},
	{"workqueue",
	 FORMAT("workqueue_queue_work", "5", U64("work", "8") U64("function", "16"))},
	{"workqueue",
	 FORMAT("workqueue_execute_start", "6", U64("work", "8") U64("function", "16"))},
	{"workqueue", FORMAT("workqueue_execute_end", "7", U64("work", "8"))},
	{"block", FORMAT("block_rq_insert", "8",
			 U64("dev", "8") U64("sector", "16") U64("nr_sector", "24"))},
	{"block", FORMAT("block_rq_issue", "9",
			 U64("dev", "8") U64("sector", "16") U64("nr_sector", "24"))},
	{"block", FORMAT("block_rq_complete", "10",
			 U64("dev", "8") U64("sector", "16") U64("nr_sector", "24"))},
	{"signal", FORMAT("signal_generate", "11",
			  U64("sig", "8") U64("pid", "16") U64("result", "24"))},
	{"signal", FORMAT("signal_deliver", "12", U64("sig", "8"))},
	{"ftrace", FORMAT("print", "13", TYPED("char", "buf[]", "8", "0", "0"))},
	{"ftrace", FORMAT("funcgraph_entry", "14", U64("func", "8") U64("depth", "16"))},
	{"ftrace", FORMAT("funcgraph_exit", "15",
			  U64("func", "8") U64("depth", "16") U64("calltime", "24")
				  U64("rettime", "32"))},
	{"irq", FORMAT("irq_handler_entry", "16", U64("irq", "8"))},
	{"irq", FORMAT("irq_handler_exit", "17", U64("irq", "8") U64("ret", "16"))},
	{"sched",
	 FORMAT("sched_switch", "18",
		U64("prev_pid", "8") U64("prev_state", "16") U64("next_pid", "24"))},
	{"raw_syscalls",
	 FORMAT("sys_enter", "19",
		U64("id", "8") TYPED("unsigned long", "args[3]", "16", "24", "0"))},
	{"raw_syscalls", FORMAT("sys_exit", "20", U64("id", "8") U64("ret", "16"))},
	{"exceptions", FORMAT("page_fault_user", "21", U64("address", "8"))},
	{"syscalls", FORMAT("sys_enter_futex", "22",
			    U64("__syscall_nr", "8") U64("uaddr", "16") U64("op", "24"))},
	{"syscalls",
	 FORMAT("sys_exit_futex", "23", U64("__syscall_nr", "8") U64("ret", "16"))},
	{"syscalls", FORMAT("sys_enter_rt_sigreturn", "24", U64("__syscall_nr", "8"))},
	/* LTTng records no numbers. */
	{"syscalls", FORMAT("sys_enter_newfstat", "25", U64("fd", "8"))},
	{"syscalls", FORMAT("sys_exit_newfstat", "26", U64("ret", "8"))},
	{"syscalls", FORMAT("sys_enter_unknown", "27", U64("id", "8"))},
	{"syscalls", FORMAT("sys_exit_unknown", "28", U64("id", "8") U64("ret", "16"))},
	{"syscalls",
	 FORMAT("compat_sys_enter_futex", "29", U64("uaddr", "8") U64("op", "16"))},
	{"syscalls", FORMAT("compat_sys_exit_futex", "30", U64("ret", "8"))},
	{"block", FORMAT("block_getrq", "31",
			 U64("dev", "8") U64("sector", "16") U64("nr_sector", "24"))},
	{"block", FORMAT("block_rq_requeue", "32",
			 U64("dev", "8") U64("sector", "16") U64("nr_sector", "24"))},
};

struct record {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
	union {
		uint64_t fields[4];
		char text[32];
	};
};

struct fixture {
	struct kft_trace *trace;
	struct kft_engine *engine;
	char told[1024];
};

/* "7.0 key 10+20 =5 by 3.1 in 12; ": task, CPU, key, times, value, cause and parent. */
static int tell(void *arg, const struct kft_interval *i)
{
	struct fixture *f = arg;
	size_t len = strlen(f->told);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_strbuf_addf(&text, "%d.%u ", i->pid, i->cpu);
	kft_interval_key_text(f->trace, i->kind, i->key, &text);
	kft_strbuf_addf(&text, " %u+%u", (unsigned int)i->begin_ns,
			(unsigned int)(i->end_ns - i->begin_ns));
	if (i->value != KFT_INTERVAL_NO_VALUE)
		kft_strbuf_addf(&text, " =%d", (int)i->value);
	if (i->cause.pid != i->pid && i->cause.pid >= 0)
		kft_strbuf_addf(&text, " by %d.%u", i->cause.pid, i->cause.cpu);
	if (i->parent)
		kft_strbuf_addf(&text, " in %u", (unsigned int)i->parent->begin_ns);
	if (i->flags & KFT_INTERVAL_BEGUN_BEFORE)
		kft_strbuf_adds(&text, " before");
	if (i->flags & KFT_INTERVAL_NOT_ENDED)
		kft_strbuf_adds(&text, " open");
	if (i->flags & KFT_INTERVAL_LOSSES)
		kft_strbuf_adds(&text, " lossy");
	(void)snprintf(f->told + len, sizeof(f->told) - len, "%s; ",
		       kft_strbuf_cstr(&text));
	return 0;
}

static int setup(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){};
	fixture.trace = fake_trace_of(formats, ARRAY_SIZE(formats));
	fixture.trace->meta.uname.data = "Linux h 6.1 #1 x86_64";
	fixture.trace->meta.uname.len = 21;
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	f->engine = kft_engine_destroy(f->engine);
	f->trace->meta.uname = (struct kft_blob){};
	f->trace = kft_trace_destroy(f->trace);
	return 0;
}

static void look_for_kind(struct fixture *f, const struct kft_interval_kind *k)
{
	const struct kft_interval_sink sink = {tell, f};

	assert_non_null(k);
	f->engine = kft_engine_destroy(f->engine);
	f->told[0] = '\0';
	assert_int_equal(kft_engine_create(f->trace, &k, 1, &sink, &f->engine), 0);
}

static void look_for(struct fixture *f, const char *kind)
{
	look_for_kind(f, kft_interval_kind_find(kind));
}

static void feed_record(struct fixture *f, uint64_t ts, uint32_t cpu,
			const struct record *r)
{
	const struct kft_event ev = {
		.ts = ts,
		.cpu = cpu,
		.id = r->type,
		.data = (const uint8_t *)r,
		.size = sizeof(*r),
	};

	assert_int_equal(kft_engine_feed(f->engine, &ev), 0);
}

#define feed(f, ts, cpu, id, task, ...)     \
	feed_record(f, ts, cpu,             \
		    &(const struct record){ \
			    .type = (id), .pid = (task), .fields = {__VA_ARGS__}})

static void mark(struct fixture *f, uint64_t ts, int32_t pid, const char *text)
{
	struct record r = {.type = PRINT, .pid = pid};

	(void)snprintf(r.text, sizeof(r.text), "%s\n", text);
	feed_record(f, ts, 0, &r);
}

static void assert_told(struct fixture *f, const char *text)
{
	assert_int_equal(kft_engine_flush(f->engine), 0);
	assert_string_equal(f->told, text);
}

/* The timer's clock is 1000 ahead. The kernel cancels each timer that expires. */
static void timers_are_late(void **state)
{
	struct fixture *f = *state;

	look_for(f, "hrtimer-late");
	feed(f, 10, 0, START, 7, 0xa, 0xff, 1050, 1040);
	feed(f, 11, 0, START, 7, 0xb, 0xee, 1020, 1020);
	feed(f, 60, 0, CANCEL, 0, 0xa);
	feed(f, 61, 0, EXPIRE, 0, 0xa, 1060, 0xff);
	feed(f, 62, 0, CANCEL, 0, 0xb);
	feed(f, 63, 0, CANCEL, 0, 0xc);
	feed(f, 70, 0, EXPIRE, 0, 0xb, 1070, 0xee);
	assert_told(f, "0.0 0xff 51+10 =10 by 7.0; 0.0 0xee 10+60 before; ");
}

static void expire(struct fixture *f, uint64_t ts, uint8_t flags, uint64_t timer)
{
	feed_record(f, ts, 0,
		    &(const struct record){.type = EXPIRE,
					   .flags = flags,
					   .fields = {timer, 1000 + ts, 0xf0 + timer}});
}

/*
 * A CPU runs in one pass all timers that are due: one that was due and runs in a later pass
 * was set again, and that was not seen. Timers of the softirq do not wait for others.
 */
static void timers_are_set_unseen(void **state)
{
	const uint8_t hard = KFT_FLAG_HARDIRQ;
	const uint8_t soft = KFT_FLAG_SOFTIRQ;
	struct fixture *f = *state;

	look_for(f, "hrtimer-late");
	expire(f, 5, hard, 0xb);
	feed(f, 10, 0, START, 7, 0xa, 0xfa, 1050, 1050);
	feed(f, 11, 0, START, 7, 0xc, 0xfc, 1020, 1020);
	feed(f, 12, 1, START, 7, 0xd, 0xfd, 1055, 1055);
	feed(f, 13, 0, START, 7, 0xe, 0xfe, 1060, 1060);
	expire(f, 15, hard, 0xb); /* nothing is due */
	expire(f, 60, hard, 0xa);
	expire(f, 62, soft, 0xe);
	expire(f, 70, hard, 0xc); /* set before, and due at 60 */
	feed(f, 71, 0, START, 7, 0xa, 0xfa, 1065, 1065);
	expire(f, 72, hard, 0xa); /* set when it was due already */
	expire(f, 80, soft, 0xd); /* set elsewhere, maybe after the pass at 62 began */
	assert_told(
		f, "0.0 0xfb 5+0 before; 0.0 0xfb 5+10 before; 0.0 0xfa 50+10 =0 by 7.0; "
		   "0.0 0xfe 60+2 =0 by 7.0; 0.0 0xfc 20+50 =0 by 7.0 lossy; "
		   "0.0 0xfa 71+1 =0 by 7.0; 0.0 0xfd 55+25 =0 by 7.1; ");
}

static void functions_of_timers_run(void **state)
{
	struct fixture *f = *state;

	look_for(f, "hrtimer");
	feed(f, 61, 0, EXPIRE, 0, 0xa, 1060, 0xff);
	feed(f, 64, 0, EXPIRED, 0, 0xa);
	feed(f, 65, 0, EXPIRED, 0, 0xb);
	assert_told(f, "0.0 0xff 61+3; 0.0 ? 61+4 before; ");
}

static void work_is_queued_and_done(void **state)
{
	struct fixture *f = *state;

	look_for(f, "work-queued");
	feed(f, 10, 1, QUEUE, 7, 0xa, 0xff);
	feed(f, 15, 0, EXEC, 9, 0xa, 0xff);
	assert_told(f, "7.1 0xff 10+5; ");
	look_for(f, "work");
	feed(f, 15, 0, EXEC, 9, 0xa, 0xff);
	feed(f, 18, 1, DONE, 9, 0xa);
	assert_told(f, "9.0 0xff 15+3; ");
}

static void requests_are_known_by_device_and_sector(void **state)
{
	struct fixture *f = *state;

	look_for(f, "block");
	feed(f, 10, 0, ISSUE, 7, 8 << 20 | 1, 100, 8);
	feed(f, 11, 0, ISSUE, 7, 9 << 20, 100, 2);
	feed(f, 20, 1, COMPLETE, 0, 8 << 20 | 1, 100, 8);
	feed(f, 21, 1, COMPLETE, 0, 8 << 20 | 1, 108, 8);
	assert_told(f, "7.0 8:1 10+10 =4096; 0.1 8:1 10+11 before; "
		       "7.0 9:0 11+10 =1024 open; ");
	look_for(f, "block");
	feed(f, 8, 0, INSERT, 7, 8 << 20, 100, 8);
	feed(f, 10, 0, ISSUE, 0, 8 << 20, 100, 8);
	feed(f, 20, 1, COMPLETE, 0, 8 << 20, 100, 8);
	feed(f, 21, 0, ISSUE, 3, 8 << 20, 100, 8);
	feed(f, 22, 1, COMPLETE, 0, 8 << 20, 100, 8);
	assert_told(f, "7.0 8:0 10+10 =4096; 3.0 8:0 21+1 =4096; ");
	look_for(f, "block-queued");
	feed(f, 8, 0, INSERT, 7, 8 << 20, 100, 8);
	feed(f, 9, 0, ISSUE, 7, 8 << 20, 200, 8);
	feed(f, 10, 0, ISSUE, 7, 8 << 20, 100, 8);
	assert_told(f, "7.0 8:0 8+2 =4096; ");
}

/* Kworker 3 and idle CPUs insert, issue and requeue for the tasks 7 and 8. */
static void requests_belong_to_the_task_that_made_them(void **state)
{
	struct fixture *f = *state;

	look_for(f, "block");
	feed(f, 5, 0, GETRQ, 7, 8 << 20, 100, 8);
	feed(f, 6, 0, INSERT, 3, 8 << 20, 100, 8);
	feed(f, 8, 1, ISSUE, 0, 8 << 20, 100, 8);
	feed(f, 9, 1, COMPLETE, 0, 8 << 20, 100, 8);
	feed(f, 10, 0, INSERT, 8, 8 << 20, 100, 8);
	feed(f, 11, 0, ISSUE, 8, 8 << 20, 100, 8);
	feed(f, 12, 0, REQUEUE, 0, 8 << 20, 100, 8);
	feed(f, 13, 0, INSERT, 3, 8 << 20, 100, 8);
	feed(f, 15, 1, ISSUE, 3, 8 << 20, 100, 8);
	feed(f, 18, 1, COMPLETE, 0, 8 << 20, 100, 8);
	assert_told(f, "7.1 8:0 8+1 =4096; 8.1 8:0 15+3 =4096; ");
	/* A request that another one took up is neither issued nor an owner of later ones. */
	look_for(f, "block");
	feed(f, 5, 0, INSERT, 7, 8 << 20, 100, 8);
	feed(f, 6, 0, INSERT, 8, 8 << 20, 100, 8);
	feed(f, 8, 1, ISSUE, 0, 8 << 20, 100, 8);
	feed(f, 9, 1, COMPLETE, 0, 8 << 20, 100, 8);
	assert_told(f, "8.1 8:0 8+1 =4096; ");
}

static void signals_go_to_threads_and_processes(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(kft_task_set_tgid(&f->trace->tasks, 8, 7), 0);
	look_for(f, "signal");
	feed(f, 10, 0, GENERATE, 3, 10, 9, 0);
	feed(f, 11, 0, GENERATE, 3, 10, 9, 2);
	feed(f, 12, 0, GENERATE, 3, 14, 7, 0);
	feed(f, 15, 0, DELIVER, 9, 10);
	feed(f, 16, 0, DELIVER, 8, 14);
	assert_told(f, "9.0 SIGUSR1 10+5 by 3.0; 7.0 SIGALRM 12+4 by 3.0; ");
}

static void calls_have_events_of_their_own(void **state)
{
	struct fixture *f = *state;

	look_for(f, "syscall");
	feed(f, 10, 0, FUTEX_IN, 7, 202, 0xa, 0);
	feed(f, 15, 1, FUTEX_OUT, 7, 202, -11);
	feed(f, 20, 0, FUTEX_OUT, 8, 202, 0);
	feed(f, 21, 0, FUTEX_IN, 8, 202, 0xa, 1);
	assert_told(f, "7.0 futex 10+5 =-11; 8.0 futex 10+10 =0 before; "
		       "8.0 futex 21+0 open; ");
	look_for(f, "futex");
	feed(f, 10, 0, FUTEX_IN, 7, 202, 0xa, 128);
	feed(f, 11, 0, FUTEX_IN, 8, 202, 0xa, 129);
	feed(f, 12, 0, FUTEX_OUT, 8, 202, 1);
	feed(f, 15, 1, FUTEX_OUT, 7, 202, 0);
	assert_told(f, "7.0 0xa 10+5 =0; ");
}

/* In any order; those that one form lacks are taken from the other. */
static void calls_in_both_forms_count_once(void **state)
{
	struct fixture *f = *state;

	look_for(f, "syscall");
	feed(f, 10, 0, SYS_IN, 7, 202, 0xa, 0);
	feed(f, 11, 0, FUTEX_IN, 7, 202, 0xa, 0);
	feed(f, 15, 0, FUTEX_OUT, 7, 202, 0);
	feed(f, 16, 0, SYS_OUT, 7, 202, 0);
	feed(f, 20, 0, SYS_IN, 7, 202, 0xa, 0);
	feed(f, 25, 0, SYS_OUT, 7, 202, 0);
	feed(f, 30, 0, FUTEX_IN, 7, 202, 0xa, 0);
	feed(f, 35, 0, FUTEX_OUT, 7, 202, 0);
	feed(f, 40, 0, SYS_IN, 7, 202, 0xa, 0);
	feed(f, 45, 0, SYS_OUT, 7, 202, 0);
	assert_told(f, "7.0 futex 10+5 =0; 7.0 futex 20+5 =0; 7.0 futex 30+5 =0; "
		       "7.0 futex 40+5 =0; ");
	look_for(f, "futex");
	feed(f, 10, 0, FUTEX_IN, 7, 202, 0xa, 0);
	feed(f, 11, 0, SYS_IN, 7, 202, 0xa, 0);
	feed(f, 15, 0, SYS_OUT, 7, 202, 0);
	feed(f, 16, 0, FUTEX_OUT, 7, 202, 0);
	assert_told(f, "7.0 0xa 10+5 =0; ");
}

/* Its return has no event of its own: a call that is long over is not kept open. */
static void assert_in_call(struct fixture *f, struct kft_depths *d, uint32_t depth,
			   const char *name)
{
	uint32_t got_depth;
	int64_t call;

	assert_int_equal(kft_depths_get(d, 0, 7, &got_depth, &call), 0);
	assert_int_equal(got_depth, depth);
	if (!name) {
		assert_int_equal(call, KFT_NO_CALL);
		return;
	}
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_call_name(f->trace, (uint64_t)call, &text);
	assert_string_equal(kft_strbuf_cstr(&text), name);
}

static void returns_from_handlers_are_not_seen(void **state)
{
	struct fixture *f = *state;

	look_for(f, "syscall");
	feed(f, 10, 0, SIGRETURN_IN, 7, 15);
	feed(f, 11, 0, SYS_IN, 7, 15);
	feed(f, 12, 0, SYS_OUT, 7, -1, 0);
	feed(f, 20, 0, SIGRETURN_IN, 7, 15);
	feed(f, 90, 0, FUTEX_IN, 7, 202, 0xa, 0);
	feed(f, 95, 0, FUTEX_OUT, 7, 202, 0);
	assert_told(f, "7.0 rt_sigreturn 10+0 open; 7.0 rt_sigreturn 20+0 open; "
		       "7.0 futex 90+5 =0; ");
}

/* LTTng records rt_sigreturn() as call 15 of a machine that it does not name. */
static void a_call_that_returns_unseen_is_not_open_until_the_next_one(void **state)
{
	struct fixture *f = *state;

	f->trace->meta.uname.len = 0;
	look_for(f, "syscall");
	feed(f, 10, 0, UNKNOWN_IN, 7, 15);
	feed(f, 90, 0, STAT_IN, 7, 3);
	feed(f, 95, 0, STAT_OUT, 7, 0);
	feed(f, 96, 0, STAT_IN, 7, 3);
	assert_told(f,
		    "7.0 15 10+0 open; 7.0 newfstat 90+5 =0; 7.0 newfstat 96+0 open; ");
	f->trace->meta.uname.len = 21;
}

/* A task is in no call after it has returned from a handler. */
static void depth_ends_with_returns_from_handlers(void **state)
{
	struct fixture *f = *state;
	struct kft_depths *d;

	assert_int_equal(kft_depths_create(f->trace, &d), 0);
	look_for_kind(f, kft_depths_kind(d));
	feed(f, 10, 0, SIGRETURN_IN, 7, 15);
	assert_in_call(f, d, 0, NULL);
	feed(f, 20, 0, SYS_IN, 7, 15);
	feed(f, 21, 0, SIGRETURN_IN, 7, 15);
	assert_in_call(f, d, 1, "rt_sigreturn");
	feed(f, 22, 0, SYS_OUT, 7, -1, 0);
	assert_in_call(f, d, 0, NULL);
	f->engine = kft_engine_destroy(f->engine);
	kft_depths_destroy(d);
}

static void calls_are_known_by_name(void **state)
{
	struct fixture *f = *state;

	f->trace->meta.uname.len = 0;
	look_for(f, "syscall");
	feed(f, 10, 0, STAT_IN, 7, 3);
	feed(f, 15, 0, STAT_OUT, 7, 0);
	feed(f, 20, 0, UNKNOWN_IN, 7, 334);
	feed(f, 25, 0, UNKNOWN_OUT, 7, 334, 0);
	feed(f, 30, 0, STAT_IN, 7, 3);
	feed(f, 35, 0, UNKNOWN_OUT, 7, 5, 0);
	assert_told(f, "7.0 newfstat 10+5 =0; 7.0 334 20+5 =0; 7.0 newfstat 30+5 =0; ");
	f->trace->meta.uname.len = 21;
	look_for(f, "syscall");
	feed(f, 10, 0, STAT_IN, 7, 3);
	feed(f, 15, 0, STAT_OUT, 7, 0);
	assert_told(f, "7.0 fstat 10+5 =0; ");
}

/* A call in both forms is one level; one that has no number is known by its name. */
static void depth_counts_calls_of_either_form(void **state)
{
	struct fixture *f = *state;
	struct kft_depths *d;

	f->trace->meta.uname.len = 0;
	assert_int_equal(kft_depths_create(f->trace, &d), 0);
	look_for_kind(f, kft_depths_kind(d));
	assert_in_call(f, d, 0, NULL);
	feed(f, 10, 0, STAT_IN, 7, 3);
	assert_in_call(f, d, 1, "newfstat");
	feed(f, 15, 0, STAT_OUT, 7, 0);
	assert_in_call(f, d, 0, NULL);
	f->trace->meta.uname.len = 21;
	look_for_kind(f, kft_depths_kind(d));
	feed(f, 20, 0, SYS_IN, 7, 202, 0xa, 0);
	feed(f, 21, 0, FUTEX_IN, 7, 202, 0xa, 0);
	assert_in_call(f, d, 1, "futex");
	feed(f, 25, 0, FUTEX_OUT, 7, 202, 0);
	feed(f, 26, 0, SYS_OUT, 7, 202, 0);
	assert_in_call(f, d, 0, NULL);
	f->engine = kft_engine_destroy(f->engine);
	kft_depths_destroy(d);
}

static void scopes_are_nested_in_a_thread(void **state)
{
	struct fixture *f = *state;

	look_for(f, "mark");
	mark(f, 10, 7, "B|7|frame");
	mark(f, 11, 8, "B|7|other");
	mark(f, 12, 7, "B|7|draw");
	mark(f, 13, 7, "B|x|what");
	mark(f, 14, 7, "C|7|n|-3");
	mark(f, 15, 7, "E|7");
	mark(f, 16, 7, "S|7|net|1");
	mark(f, 18, 7, "E");
	mark(f, 19, 9, "F|7|net|1");
	mark(f, 20, 9, "F|7|net|2");
	mark(f, 21, 9, "E|7");
	assert_told(f, "7.0 draw 12+3 in 10; 7.0 frame 10+8; 7.0 net 16+3; "
		       "9.0 net 10+10 before; 9.0 ? 10+11 before; "
		       "8.0 other 11+10 open; ");
}

static void moments_come_again(void **state)
{
	struct fixture *f = *state;

	look_for(f, "mark-gap");
	mark(f, 10, 7, "tick");
	mark(f, 12, 7, "B|7|frame");
	mark(f, 15, 8, "I|8|tick");
	mark(f, 16, 8, "kft: start user 5");
	mark(f, 17, 8, "B|x|what");
	assert_told(f, "7.0 tick 10+5; 8.0 tick 15+2 open; 8.0 B|x|what 17+0 open; ");
}

static void returns_say_how_long_a_call_took(void **state)
{
	struct fixture *f = *state;

	look_for(f, "function");
	feed(f, 10, 0, ENTER, 7, 0xa, 0);
	feed(f, 11, 0, ENTER, 7, 0xb, 1);
	feed(f, 20, 1, RETURN, 7, 0xb, 1, 111, 119);
	feed(f, 21, 1, ENTER, 7, 0xc, 1);
	feed(f, 22, 1, ENTER, 7, 0xd, 1);
	feed(f, 30, 0, RETURN, 8, 0xe, 3, 105, 130);
	assert_told(f, "7.0 0xb 12+8 in 10; 7.1 0xc 21+1 in 10 open; 8.0 0xe 5+25; "
		       "7.1 0xd 22+8 in 10 open; 7.0 0xa 10+20 open; ");
}

/* Neither the entry of 0xc was recorded, nor the return of 0xb, which is as deep. */
static void a_return_of_another_call_leaves_one_open(void **state)
{
	struct fixture *f = *state;

	look_for(f, "function");
	feed(f, 10, 0, ENTER, 7, 0xa, 0);
	feed(f, 11, 0, ENTER, 7, 0xb, 1);
	feed(f, 20, 0, RETURN, 7, 0xc, 1, 115, 119);
	assert_told(f, "7.0 0xb 11+9 in 10 open; 7.0 0xc 16+4 in 10; "
		       "7.0 0xa 10+10 open; ");
}

/* The interrupt came after 0xb had returned, but before its return was recorded. */
static void an_interrupt_does_not_end_a_call(void **state)
{
	struct fixture *f = *state;
	struct record in = {ENTER, .flags = KFT_FLAG_HARDIRQ, .pid = 7,
			    .fields = {0xc, 1}};

	look_for(f, "function");
	feed(f, 10, 0, ENTER, 7, 0xa, 0);
	feed(f, 11, 0, ENTER, 7, 0xb, 1);
	feed_record(f, 15, 0, &in);
	feed(f, 18, 0, RETURN, 7, 0xc, 1, 115, 118);
	feed(f, 20, 0, RETURN, 7, 0xb, 1, 111, 113);
	feed(f, 30, 0, RETURN, 7, 0xa, 0, 110, 130);
	assert_told(f, "7.0 0xc 15+3 in 11; 7.0 0xb 18+2 in 10; 7.0 0xa 10+20; ");
}

static void a_cpu_does_one_thing_after_another(void **state)
{
	struct fixture *f = *state;

	look_for(f, "cpu");
	kft_engine_span(f->engine, 5, 50);
	feed(f, 10, 0, IRQ_OUT, 7, 33, 1);
	feed(f, 12, 0, SWITCH, 7, 7, 1, 0);
	feed(f, 20, 0, IRQ_IN, 0, 33);
	feed(f, 21, 0, IRQ_IN, 0, 34);
	feed(f, 22, 0, IRQ_OUT, 0, 34, 1);
	feed(f, 24, 0, IRQ_OUT, 0, 33, 1);
	feed(f, 30, 1, SWITCH, 8, 8, 1, 9);
	assert_told(f, "7.0 irq 5+5 before; 7.0 task 10+2; 0.0 idle 12+8 by 7.0; "
		       "0.0 irq 20+4; 8.1 task 5+25 before; 0.0 idle 24+26 open; "
		       "9.1 task 30+20 by 8.1 open; ");
}

/* futex is 202 on x86_64; the second operation wakes. */
static void futexes_are_waited_for(void **state)
{
	struct fixture *f = *state;

	look_for(f, "futex");
	feed(f, 10, 0, SYS_IN, 7, 202, 0xabc, 0x80);
	feed(f, 11, 0, SYS_IN, 8, 202, 0xabc, 0x81);
	feed(f, 12, 0, SYS_OUT, 8, 202, 1);
	feed(f, 13, 0, SYS_IN, 9, 0, 0xabc, 0x80);
	feed(f, 14, 0, SYS_OUT, 7, 202, 0);
	assert_told(f, "7.0 0xabc 10+4 =0; ");
}

/* LTTng has events of their own for these. */
static void programs_of_32_bits_wait_for_futexes(void **state)
{
	struct fixture *f = *state;

	look_for(f, "futex");
	feed(f, 10, 0, COMPAT_FUTEX_IN, 7, 0xabc, 0x80);
	feed(f, 14, 0, COMPAT_FUTEX_OUT, 7, 0);
	assert_told(f, "7.0 0xabc 10+4 =0; ");
}

static void faults_take_no_time(void **state)
{
	struct fixture *f = *state;

	look_for(f, "fault");
	feed(f, 10, 0, FAULT, 7, 0xabc);
	assert_told(f, "7.0 user 10+0 =2748; ");
}

static void users_name_pairs(void **state)
{
	struct fixture *f = *state;
	struct kft_interval_kind *k;

	assert_int_equal(
		kft_user_pair_parse("wait: workqueue:workqueue_queue_work/work > 9/"
				    " -> workqueue_execute_start by work",
				    &k, NULL),
		0);
	assert_string_equal(k->name, "wait");
	look_for_kind(f, k);
	feed(f, 10, 1, QUEUE, 7, 10, 0xff);
	feed(f, 11, 1, QUEUE, 7, 9, 0xff);
	feed(f, 12, 1, QUEUE, 7, 11, 0xff);
	feed(f, 15, 0, EXEC, 9, 9, 0xff);
	feed(f, 16, 0, EXEC, 9, 10, 0xff);
	assert_told(f, "7.1 10 10+6; 7.1 11 12+4 open; ");
	f->engine = kft_engine_destroy(f->engine);
	kft_user_pair_destroy(k);
}

/* One event ends an interval and begins the next; fields have other names at its end. */
static void users_pairs_follow_each_other(void **state)
{
	struct fixture *f = *state;
	struct kft_interval_kind *k;

	assert_int_equal(
		kft_user_pair_parse("gap: page_fault_user -> page_fault_user by task", &k,
				    NULL),
		0);
	look_for_kind(f, k);
	feed(f, 10, 0, FAULT, 7, 1);
	feed(f, 11, 0, FAULT, 8, 1);
	feed(f, 15, 0, FAULT, 7, 1);
	assert_told(f, "7.0 all 10+5; 8.0 all 11+4 open; 7.0 all 15+0 open; ");
	f->engine = kft_engine_destroy(f->engine);
	kft_user_pair_destroy(k);
	assert_int_equal(kft_user_pair_parse("run: sched_switch -> sched_switch by "
					     "next_pid=prev_pid",
					     &k, NULL),
			 0);
	look_for_kind(f, k);
	feed(f, 10, 0, SWITCH, 7, 7, 0, 8);
	feed(f, 14, 0, SWITCH, 8, 8, 0, 7);
	assert_told(f, "7.0 8 10+4; 8.0 7 14+0 open; ");
	f->engine = kft_engine_destroy(f->engine);
	kft_user_pair_destroy(k);
}

static void what_is_no_pair_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"a",
		"a:",
		": b -> c",
		"a: b",
		"a: b ->",
		"a: b -> c by",
		"a: b -> c by ",
		"a: b/x -> c",
		"a: b -> c d",
		"a: b -> c by d,",
		"a: b -> c by d e",
		"a: b -> c by a,b,c,d,e,f,g,h,i",
	};
	struct kft_interval_kind *k = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_int_equal(kft_user_pair_parse(texts[i], &k, NULL), -EINVAL);
	assert_null(k);
}

#define with_fixture(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	with_fixture(timers_are_late),
	with_fixture(timers_are_set_unseen),
	with_fixture(functions_of_timers_run),
	with_fixture(work_is_queued_and_done),
	with_fixture(requests_are_known_by_device_and_sector),
	with_fixture(requests_belong_to_the_task_that_made_them),
	with_fixture(signals_go_to_threads_and_processes),
	with_fixture(calls_have_events_of_their_own),
	with_fixture(calls_in_both_forms_count_once),
	with_fixture(returns_from_handlers_are_not_seen),
	with_fixture(a_call_that_returns_unseen_is_not_open_until_the_next_one),
	with_fixture(depth_ends_with_returns_from_handlers),
	with_fixture(calls_are_known_by_name),
	with_fixture(depth_counts_calls_of_either_form),
	with_fixture(scopes_are_nested_in_a_thread),
	with_fixture(moments_come_again),
	with_fixture(returns_say_how_long_a_call_took),
	with_fixture(a_return_of_another_call_leaves_one_open),
	with_fixture(an_interrupt_does_not_end_a_call),
	with_fixture(a_cpu_does_one_thing_after_another),
	with_fixture(futexes_are_waited_for),
	with_fixture(programs_of_32_bits_wait_for_futexes),
	with_fixture(faults_take_no_time),
	with_fixture(users_name_pairs),
	with_fixture(users_pairs_follow_each_other),
	cmocka_unit_test(what_is_no_pair_is_refused),
};

T_MAIN(tests)

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions with known calls: they log each call, so that tests/vm/truth.py can compare
 * a trace with the log.
 *
 * debugfs: echo SCENARIO >truth/run carries one out in the writer's task; truth/log has a
 * line for each note, which "clear" empties.
 *
 * A call has up to four notes, in the order of time: its caller is about to call ('c'), it
 * was entered ('e'), it is about to return ('x'), its caller goes on ('r'). A tracer sees
 * the entry between the first two and the exit between the last two, so its durations can
 * be proved without any tolerance. Callbacks of the kernel have no caller.
 */
#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/timekeeping.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#include <linux/vmalloc.h>

#define NOTES_MAX 131072

/* clang-format off */
#define FUNCTIONS(F) \
	F(truth_outer) F(truth_middle) F(truth_inner) F(truth_leaf) F(truth_recurse) \
	F(truth_even) F(truth_odd) F(truth_tail) F(truth_tail_target) F(truth_sleep) \
	F(truth_nap) F(truth_yield) F(truth_irq_within) F(truth_softirq_within) \
	F(truth_irq_work) F(truth_hrtimer) F(truth_timer) F(truth_tasklet) \
	F(truth_deep) F(truth_long) F(truth_short) F(truth_begin) F(truth_end) \
	F(truth_red) F(truth_blue) F(truth_flood)
/* clang-format on */

#define F_ENUM(name) FN_##name,
enum { FUNCTIONS(F_ENUM) FN_COUNT };
#define F_NAME(name) #name,
static const char *const names[FN_COUNT] = {FUNCTIONS(F_NAME)};

struct note {
	u64 ns;
	u32 call;
	u32 parent;
	s32 pid;
	u16 cpu;
	u8 fn;
	char kind;
	char context;
	char comm[TASK_COMM_LEN];
};

static struct note *notes;
static atomic_t n_notes;
static atomic_t n_calls;

/* The functions of the log are inlined, because they must not be traced. */
#define UNTRACED static __always_inline

UNTRACED char context(void)
{
	if (preempt_count() & HARDIRQ_MASK)
		return 'h';
	return preempt_count() & SOFTIRQ_OFFSET ? 's' : 't';
}

UNTRACED void note(char kind, int fn, u32 call, u32 parent)
{
	int at = atomic_inc_return(&n_notes) - 1;
	struct note *n = &notes[at];

	if (at >= NOTES_MAX)
		return;
	n->kind = kind;
	n->fn = fn;
	n->call = call;
	n->parent = parent;
	n->pid = current->pid;
	n->cpu = raw_smp_processor_id();
	n->context = context();
	memcpy(n->comm, current->comm, TASK_COMM_LEN);
	/* The one clock that buffers have ("mono") and that modules can read anywhere. */
	n->ns = ktime_get_mono_fast_ns();
}

UNTRACED void spin(u64 ns)
{
	u64 end = ktime_get_mono_fast_ns() + ns;

	while (ktime_get_mono_fast_ns() < end)
		cpu_relax();
}

/* CALL(function, number of the caller's call, arguments...) */
#define CALL(f, me, ...)                                 \
	do {                                             \
		u32 call_ = atomic_inc_return(&n_calls); \
                                                         \
		note('c', FN_##f, call_, me);            \
		f(call_, ##__VA_ARGS__);                 \
		note('r', FN_##f, call_, me);            \
	} while (0)

#define ENTER(f) note('e', FN_##f, me, 0)
#define LEAVE(f) note('x', FN_##f, me, 0)

/* A callback gives itself a number. */
#define ENTER_CALLBACK(f)                     \
	u32 me = atomic_inc_return(&n_calls); \
	ENTER(f)

#define TRACED static noinline __noclone

TRACED void truth_leaf(u32 me)
{
	ENTER(truth_leaf);
	LEAVE(truth_leaf);
}

TRACED void truth_short(u32 me)
{
	ENTER(truth_short);
	LEAVE(truth_short);
}

TRACED void truth_long(u32 me)
{
	ENTER(truth_long);
	spin(4 * NSEC_PER_MSEC);
	LEAVE(truth_long);
}

TRACED void truth_inner(u32 me)
{
	ENTER(truth_inner);
	CALL(truth_leaf, me);
	spin(20 * NSEC_PER_USEC);
	LEAVE(truth_inner);
}

TRACED void truth_middle(u32 me)
{
	ENTER(truth_middle);
	CALL(truth_inner, me);
	spin(30 * NSEC_PER_USEC);
	CALL(truth_inner, me);
	LEAVE(truth_middle);
}

TRACED void truth_outer(u32 me)
{
	ENTER(truth_outer);
	CALL(truth_middle, me);
	CALL(truth_leaf, me);
	CALL(truth_middle, me);
	LEAVE(truth_outer);
}

TRACED void truth_recurse(u32 me, int n)
{
	ENTER(truth_recurse);
	spin(5 * NSEC_PER_USEC);
	if (n > 1)
		CALL(truth_recurse, me, n - 1);
	CALL(truth_leaf, me);
	LEAVE(truth_recurse);
}

TRACED void truth_odd(u32 me, int n);

TRACED void truth_even(u32 me, int n)
{
	ENTER(truth_even);
	if (n)
		CALL(truth_odd, me, n - 1);
	LEAVE(truth_even);
}

TRACED void truth_odd(u32 me, int n)
{
	ENTER(truth_odd);
	if (n)
		CALL(truth_even, me, n - 1);
	LEAVE(truth_odd);
}

/* Calls itself down to depth n; only the innermost call takes time. */
TRACED void truth_deep(u32 me, int n)
{
	ENTER(truth_deep);
	if (n > 1)
		CALL(truth_deep, me, n - 1);
	else
		spin(50 * NSEC_PER_USEC);
	LEAVE(truth_deep);
}

TRACED u32 truth_tail_target(u32 me)
{
	ENTER(truth_tail_target);
	spin(10 * NSEC_PER_USEC);
	LEAVE(truth_tail_target);
	return me;
}

/* The compiler may make this a tail call: the target's return then ends both calls. */
TRACED u32 truth_tail(u32 me)
{
	u32 target;

	ENTER(truth_tail);
	spin(10 * NSEC_PER_USEC);
	target = atomic_inc_return(&n_calls);
	note('c', FN_truth_tail_target, target, me);
	LEAVE(truth_tail);
	return truth_tail_target(target);
}

TRACED void truth_nap(u32 me)
{
	ENTER(truth_nap);
	schedule_timeout_uninterruptible(1);
	LEAVE(truth_nap);
}

TRACED void truth_sleep(u32 me)
{
	ENTER(truth_sleep);
	spin(100 * NSEC_PER_USEC);
	CALL(truth_nap, me);
	CALL(truth_leaf, me);
	schedule_timeout_uninterruptible(2);
	LEAVE(truth_sleep);
}

TRACED void truth_yield(u32 me)
{
	ENTER(truth_yield);
	schedule();
	LEAVE(truth_yield);
}

static atomic_t fired;

TRACED void truth_irq_work(struct irq_work *work)
{
	ENTER_CALLBACK(truth_irq_work);
	CALL(truth_inner, me);
	atomic_inc(&fired);
	LEAVE(truth_irq_work);
}

TRACED enum hrtimer_restart truth_hrtimer(struct hrtimer *timer)
{
	ENTER_CALLBACK(truth_hrtimer);
	CALL(truth_leaf, me);
	atomic_inc(&fired);
	LEAVE(truth_hrtimer);
	return HRTIMER_NORESTART;
}

TRACED void truth_timer(struct timer_list *timer)
{
	ENTER_CALLBACK(truth_timer);
	spin(100 * NSEC_PER_USEC);
	CALL(truth_inner, me);
	atomic_inc(&fired);
	LEAVE(truth_timer);
}

TRACED void truth_tasklet(struct tasklet_struct *t)
{
	ENTER_CALLBACK(truth_tasklet);
	CALL(truth_leaf, me);
	atomic_inc(&fired);
	LEAVE(truth_tasklet);
}

static struct hrtimer hrtimer;
static DEFINE_TIMER(timer, truth_timer);
static DECLARE_TASKLET(tasklet, truth_tasklet);
static struct irq_work irq_work = IRQ_WORK_INIT_HARD(truth_irq_work);

/* Its CPU is interrupted by a hard interrupt while it goes on, twice. */
TRACED void truth_irq_within(u32 me)
{
	ENTER(truth_irq_within);
	preempt_disable();
	atomic_set(&fired, 0);
	irq_work_queue(&irq_work);
	while (!atomic_read(&fired))
		cpu_relax();
	CALL(truth_leaf, me);
	hrtimer_start(&hrtimer, ns_to_ktime(NSEC_PER_MSEC), HRTIMER_MODE_REL_PINNED_HARD);
	while (atomic_read(&fired) < 2)
		cpu_relax();
	preempt_enable();
	LEAVE(truth_irq_within);
}

/*
 * Softirqs run behind the interrupt of the tick, unless ksoftirqd has them already: without
 * preemption it would never get to run them while this one waits.
 */
TRACED void truth_softirq_within(u32 me)
{
	ENTER(truth_softirq_within);
	atomic_set(&fired, 0);
	mod_timer(&timer, jiffies + 2);
	while (!atomic_read(&fired))
		cond_resched();
	CALL(truth_leaf, me);
	tasklet_schedule(&tasklet);
	while (atomic_read(&fired) < 2)
		cond_resched();
	LEAVE(truth_softirq_within);
}

/* More records in calls that go on than a small buffer holds. */
TRACED void truth_flood(u32 me, int n)
{
	int i;

	ENTER(truth_flood);
	if (n > 1)
		CALL(truth_flood, me, n - 1);
	else
		for (i = 0; i < 1000; i++)
			CALL(truth_leaf, me);
	CALL(truth_inner, me);
	LEAVE(truth_flood);
}

/* For triggers. */
TRACED void truth_begin(u32 me)
{
	ENTER(truth_begin);
	CALL(truth_leaf, me);
	LEAVE(truth_begin);
}

TRACED void truth_end(u32 me)
{
	ENTER(truth_end);
	CALL(truth_leaf, me);
	LEAVE(truth_end);
}

TRACED void truth_red(u32 me)
{
	ENTER(truth_red);
	CALL(truth_middle, me);
	LEAVE(truth_red);
}

TRACED void truth_blue(u32 me)
{
	ENTER(truth_blue);
	CALL(truth_middle, me);
	CALL(truth_inner, me);
	LEAVE(truth_blue);
}

/* Helpers of the scenarios are notrace, so that only the TRACED functions are in a trace. */
static notrace int red_thread(void *done)
{
	int i;

	for (i = 0; i < 5; i++)
		CALL(truth_red, 0);
	kthread_complete_and_exit(done, 0);
	return 0;
}

static notrace int blue_thread(void *done)
{
	int i;

	for (i = 0; i < 5; i++)
		CALL(truth_blue, 0);
	kthread_complete_and_exit(done, 0);
	return 0;
}

static notrace void in_thread(int (*fn)(void *), const char *name)
{
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *task = kthread_run(fn, &done, "%s", name);

	if (!IS_ERR(task))
		wait_for_completion(&done);
}

static notrace int run_scenario(const char *what)
{
	int i;

	if (!strcmp(what, "nest")) {
		CALL(truth_outer, 0);
	} else if (!strcmp(what, "recurse")) {
		CALL(truth_recurse, 0, 12);
		CALL(truth_even, 0, 9);
	} else if (!strcmp(what, "tail")) {
		CALL(truth_tail, 0);
	} else if (!strcmp(what, "sleep")) {
		CALL(truth_sleep, 0);
		CALL(truth_yield, 0);
	} else if (!strcmp(what, "irq")) {
		CALL(truth_irq_within, 0);
	} else if (!strcmp(what, "softirq")) {
		CALL(truth_softirq_within, 0);
	} else if (!strcmp(what, "deep")) {
		/* Deeper than the kernel's return stacks; 200 frames would fill arm64's 16 KB. */
		CALL(truth_deep, 0, IS_ENABLED(CONFIG_ARM64) ? 100 : 200);
	} else if (!strcmp(what, "times")) {
		for (i = 0; i < 5; i++) {
			CALL(truth_long, 0);
			CALL(truth_short, 0);
		}
	} else if (!strcmp(what, "begin")) {
		CALL(truth_begin, 0);
	} else if (!strcmp(what, "end")) {
		CALL(truth_end, 0);
	} else if (!strcmp(what, "many")) {
		for (i = 0; i < 300; i++)
			CALL(truth_leaf, 0);
	} else if (!strcmp(what, "flood")) {
		CALL(truth_flood, 0, 3);
	} else if (!strcmp(what, "tasks")) {
		in_thread(red_thread, "truth-red");
		in_thread(blue_thread, "truth-blue");
	} else if (!strcmp(what, "clear")) {
		atomic_set(&n_notes, 0);
		atomic_set(&n_calls, 0);
	} else {
		return -EINVAL;
	}
	return 0;
}

static notrace ssize_t run_write(struct file *file, const char __user *buf, size_t len,
				 loff_t *pos)
{
	char what[16] = "";
	int r;

	if (len >= sizeof(what))
		return -EINVAL;
	if (copy_from_user(what, buf, len))
		return -EFAULT;
	r = run_scenario(strim(what));
	return r < 0 ? r : len;
}

static const struct file_operations run_ops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = run_write,
};

static notrace void *log_start(struct seq_file *m, loff_t *pos)
{
	return *pos < min(atomic_read(&n_notes), NOTES_MAX) ? &notes[*pos] : NULL;
}

static notrace void *log_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return log_start(m, pos);
}

static notrace void log_stop(struct seq_file *m, void *v)
{
}

static notrace int log_show(struct seq_file *m, void *v)
{
	const struct note *n = v;

	seq_printf(m, "%llu %c %s %u %u %d %u %c %s\n", n->ns, n->kind, names[n->fn],
		   n->call, n->parent, n->pid, n->cpu, n->context, n->comm);
	return 0;
}

static const struct seq_operations log_sops = {
	.start = log_start,
	.next = log_next,
	.stop = log_stop,
	.show = log_show,
};
DEFINE_SEQ_ATTRIBUTE(log);

static struct dentry *dir;

static int __init truth_init(void)
{
	notes = vzalloc(NOTES_MAX * sizeof(*notes));
	if (!notes)
		return -ENOMEM;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(&hrtimer, truth_hrtimer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(&hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer.function = truth_hrtimer;
#endif
	dir = debugfs_create_dir("truth", NULL);
	debugfs_create_file("run", 0200, dir, NULL, &run_ops);
	debugfs_create_file("log", 0400, dir, NULL, &log_fops);
	return 0;
}

static void __exit truth_exit(void)
{
	debugfs_remove(dir);
	hrtimer_cancel(&hrtimer);
	timer_delete_sync(&timer);
	tasklet_kill(&tasklet);
	irq_work_sync(&irq_work);
	vfree(notes);
}

module_init(truth_init);
module_exit(truth_exit);
MODULE_DESCRIPTION("functions whose calls are known, to compare tracers with");
MODULE_LICENSE("GPL");

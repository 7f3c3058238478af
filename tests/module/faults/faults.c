// SPDX-License-Identifier: GPL-2.0-only
/*
 * Faults that only the kernel can have, so that tests/vm/why.py can ask kft why for them. All
 * is on CPU 0: a timer (faults_tick) that fires each millisecond, a thread "faults-victim" of
 * a high priority that wants to run each millisecond, and the fault, FAULT_MS long.
 *
 * debugfs: echo FAULT >faults/run plants one TIMES times and returns when it is over.
 */
#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#include <linux/workqueue.h>

#define FAULT_MS 7
#define TIMES	 20

static struct hrtimer tick;
static struct task_struct *victim;
static struct dentry *dir;
static DECLARE_COMPLETION(over);

static void spin_us(u64 us)
{
	u64 end = ktime_get_mono_fast_ns() + us * NSEC_PER_USEC;

	while (ktime_get_mono_fast_ns() < end)
		cpu_relax();
}

static void set_timer(struct hrtimer *t, enum hrtimer_restart (*fn)(struct hrtimer *))
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
	hrtimer_setup(t, fn, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(t, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	t->function = fn;
#endif
}

static void start_timer(void *timer)
{
	hrtimer_start(timer, ms_to_ktime(1), HRTIMER_MODE_REL_PINNED_HARD);
}

static enum hrtimer_restart faults_tick(struct hrtimer *t)
{
	hrtimer_forward_now(t, ms_to_ktime(1));
	return HRTIMER_RESTART;
}

static int victim_main(void *unused)
{
	while (!kthread_should_stop())
		usleep_range(1000, 1100);
	return 0;
}

/* What a thread does, at random times. */

static void keep_irqs_off(void)
{
	unsigned long flags;

	local_irq_save(flags);
	spin_us(FAULT_MS * 1000);
	local_irq_restore(flags);
}

static void keep_preemption_off(void)
{
	preempt_disable();
	spin_us(FAULT_MS * 1000);
	preempt_enable();
}

static void faults_hog(struct work_struct *w)
{
	spin_us(FAULT_MS * 1000);
}
static DECLARE_WORK(hog_work, faults_hog);

static void queue_hog(void)
{
	queue_work_on(0, system_wq, &hog_work);
	flush_work(&hog_work);
}

static int thread_main(void *fault)
{
	for (int i = 0; i < TIMES; i++) {
		usleep_range(20000, 20000 + get_random_u32() % 20000);
		((void (*)(void))fault)();
	}
	kthread_complete_and_exit(&over, 0);
}

static int fork_thread(const char *name, int (*main)(void *), void *arg)
{
	struct task_struct *t = kthread_create(main, arg, "%s", name);

	if (IS_ERR(t))
		return PTR_ERR(t);
	kthread_bind(t, 0);
	wake_up_process(t);
	return 0;
}

static int by_thread(const char *name, void (*fault)(void))
{
	int r = fork_thread(name, thread_main, fault);

	if (r == 0)
		wait_for_completion(&over);
	return r;
}

static int run(const char *fault)
{
	if (!strcmp(fault, "irqsoff"))
		return by_thread("faults-irqsoff", keep_irqs_off);
	if (!strcmp(fault, "preemptoff"))
		return by_thread("faults-preempt", keep_preemption_off);
	if (!strcmp(fault, "kworker"))
		return by_thread("faults-queuer", queue_hog);
	return -EINVAL;
}

static ssize_t write_run(struct file *f, const char __user *text, size_t n, loff_t *at)
{
	char word[32] = "";
	int r;

	if (n >= sizeof(word) || copy_from_user(word, text, n))
		return -EINVAL;
	r = run(strim(word));
	return r < 0 ? r : n;
}

static const struct file_operations run_ops = {
	.owner = THIS_MODULE,
	.write = write_run,
};

static int __init faults_init(void)
{
	victim = kthread_create(victim_main, NULL, "faults-victim");
	if (IS_ERR(victim))
		return PTR_ERR(victim);
	set_timer(&tick, faults_tick);
	smp_call_function_single(0, start_timer, &tick, 1);
	kthread_bind(victim, 0);
	sched_set_fifo(victim);
	wake_up_process(victim);
	dir = debugfs_create_dir("faults", NULL);
	debugfs_create_file("run", 0200, dir, NULL, &run_ops);
	return 0;
}

static void __exit faults_exit(void)
{
	debugfs_remove(dir);
	kthread_stop(victim);
	hrtimer_cancel(&tick);
}

module_init(faults_init);
module_exit(faults_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Faults for kft's tests");
